using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using Pos.Webhooks;

/// <summary>
/// Prints for each delivery of the input what the verifier says, and a signature. A line is a delivery: now, tolerance,
/// body, the number of secrets, the secrets, then the names and values of its headers, separated by spaces. Texts are
/// base64.
/// </summary>
public static class CheckVectors
{
    public static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var parts = line.Split(' ');
            var now = DateTimeOffset.FromUnixTimeSeconds(long.Parse(parts[0], CultureInfo.InvariantCulture));
            var tolerance = TimeSpan.FromSeconds(long.Parse(parts[1], CultureInfo.InvariantCulture));
            var body = Convert.FromBase64String(parts[2]);
            var count = int.Parse(parts[3], CultureInfo.InvariantCulture);
            var texts = parts.Skip(4).Select(each => Encoding.UTF8.GetString(Convert.FromBase64String(each))).ToList();
            var headers = new List<KeyValuePair<string, string>>();
            for (var at = count; at < texts.Count; at += 2)
            {
                headers.Add(new KeyValuePair<string, string>(texts[at], texts[at + 1]));
            }

            var signed = WebhookVerifier.Sign(texts[0], "evt_1", now, body)["webhook-signature"];
            Console.WriteLine(Check(body, headers, texts.Take(count).ToList(), tolerance, now) + " " + signed);
        }
    }

    private static string Check(
        byte[] body,
        List<KeyValuePair<string, string>> headers,
        List<string> secrets,
        TimeSpan tolerance,
        DateTimeOffset now)
    {
        try
        {
            WebhookVerifier.Verify(body, headers, secrets, tolerance, now);
            return "accepted";
        }
        catch (WebhookRefusedException refused)
        {
            return refused.Refusal.ToString().ToLowerInvariant();
        }
    }
}
