using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using Pos.Webhooks;

/// <summary>
/// Prints for each delivery of the input what the verifier says, and a signature. A line is a delivery: the header of
/// its signature, now, tolerance (a hyphen for none), <c>createdAt</c> (a hyphen for none), body, the number of secrets,
/// the secrets, then the names and values of its headers, separated by spaces. Texts are base64.
/// </summary>
public static class CheckVectors
{
    public static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var parts = line.Split(' ');
            var now = DateTimeOffset.FromUnixTimeSeconds(long.Parse(parts[1], CultureInfo.InvariantCulture));
            var tolerance = parts[2] == "-"
                ? (TimeSpan?)null
                : TimeSpan.FromSeconds(long.Parse(parts[2], CultureInfo.InvariantCulture));
            var createdAt = parts[3] == "-"
                ? (DateTimeOffset?)null
                : DateTimeOffset.Parse(Decode(parts[3]), CultureInfo.InvariantCulture);
            var body = Convert.FromBase64String(parts[4]);
            var count = int.Parse(parts[5], CultureInfo.InvariantCulture);
            var texts = parts.Skip(6).Select(Decode).ToList();
            var headers = new List<KeyValuePair<string, string>>();
            for (var at = count; at < texts.Count; at += 2)
            {
                headers.Add(new KeyValuePair<string, string>(texts[at], texts[at + 1]));
            }

            var secrets = texts.Take(count).ToList();
            var isStandard = parts[0] == "webhook-signature";
            var signed = isStandard
                ? WebhookVerifier.Sign(secrets[0], "evt_1", now, body)
                : WebhookVerifier.SignServiceSignature(secrets[0], body);
            var outcome = NameOutcome(() =>
            {
                if (isStandard)
                {
                    WebhookVerifier.Verify(body, headers, secrets, tolerance.Value, now);
                    return;
                }

                WebhookVerifier.VerifyServiceSignature(body, headers, secrets);
                if (tolerance.HasValue && createdAt.HasValue)
                {
                    WebhookVerifier.RequireRecent(createdAt.Value, tolerance.Value, now);
                }
            });
            Console.WriteLine(outcome + " " + signed[parts[0]]);
        }
    }

    private static string Decode(string text)
    {
        return Encoding.UTF8.GetString(Convert.FromBase64String(text));
    }

    private static string NameOutcome(Action verify)
    {
        try
        {
            verify();
            return "accepted";
        }
        catch (WebhookRefusedException refused)
        {
            return refused.Refusal.ToString().ToLowerInvariant();
        }
    }
}
