using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace Pos.Webhooks
{
    /// <summary>
    /// Verifies webhooks of the payments API. Needs .NET Standard 2.1 and nothing else: copy this folder. It does not
    /// parse the body, because .NET Standard has no parser of JSON. Afterwards parse the same bytes, and compare the
    /// member <c>id</c> with the id that <see cref="Verify(byte[], IEnumerable{KeyValuePair{string, string}},
    /// IReadOnlyCollection{string})"/> returns.
    /// </summary>
    public static class WebhookVerifier
    {
        /// <summary>How far the time of sending may be from now.</summary>
        public static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);

        /// <summary>Base64 of 32 bytes has this form.</summary>
        private static readonly Regex Signature = new Regex(@"\Av1,([A-Za-z0-9+/]{43}=)\z", RegexOptions.CultureInvariant);

        private static readonly Regex Timestamp = new Regex(@"\A[0-9]{1,12}\z", RegexOptions.CultureInvariant);

        /// <summary>
        /// Returns the id of a delivery that was signed with one of the secrets, over exactly these bytes and recently.
        /// Give all secrets of the subscription while you replace one.
        /// </summary>
        /// <exception cref="WebhookRefusedException">For any other delivery.</exception>
        public static string Verify(
            byte[] rawBody,
            IEnumerable<KeyValuePair<string, string>> headers,
            IReadOnlyCollection<string> secrets)
        {
            return Verify(rawBody, headers, secrets, Tolerance, DateTimeOffset.UtcNow);
        }

        /// <summary>As above, with another tolerance and clock.</summary>
        /// <exception cref="WebhookRefusedException">For any other delivery.</exception>
        public static string Verify(
            byte[] rawBody,
            IEnumerable<KeyValuePair<string, string>> headers,
            IReadOnlyCollection<string> secrets,
            TimeSpan tolerance,
            DateTimeOffset now)
        {
            if (secrets.Count == 0 || secrets.Contains(string.Empty))
            {
                throw new ArgumentException("secrets must not be empty, and none of them either", nameof(secrets));
            }

            var sent = headers.ToList();
            var id = ReadHeader(sent, "webhook-id");
            var timestamp = ReadHeader(sent, "webhook-timestamp");
            var signatures = ReadSignatures(ReadHeader(sent, "webhook-signature"));
            if (!Timestamp.IsMatch(timestamp))
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Malformed, "webhook-timestamp is no number of seconds");
            }

            var isSigned = false;
            foreach (var secret in secrets)
            {
                var wanted = ComputeHmac(secret, id, timestamp, rawBody);
                foreach (var signature in signatures)
                {
                    // All pairs are compared, so the time does not say which secret matched.
                    isSigned |= CryptographicOperations.FixedTimeEquals(wanted, signature);
                }
            }

            if (!isSigned)
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Signature, "no signature matches a secret and this body");
            }

            var age = now.ToUnixTimeSeconds() - long.Parse(timestamp, CultureInfo.InvariantCulture);
            if (Math.Abs(age) > tolerance.TotalSeconds)
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Timestamp,
                    "webhook-timestamp is more than " + tolerance.TotalSeconds + " seconds from now");
            }

            return id;
        }

        /// <summary>The headers of a delivery as the service signs it, for tests of your endpoint.</summary>
        public static IReadOnlyDictionary<string, string> Sign(
            string secret, string id, DateTimeOffset timestamp, byte[] rawBody)
        {
            var seconds = timestamp.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture);
            return new Dictionary<string, string>
            {
                { "webhook-id", id },
                { "webhook-timestamp", seconds },
                { "webhook-signature", "v1," + Convert.ToBase64String(ComputeHmac(secret, id, seconds, rawBody)) },
            };
        }

        private static string ReadHeader(IEnumerable<KeyValuePair<string, string>> headers, string name)
        {
            var values = headers
                .Where(header => string.Equals(header.Key, name, StringComparison.OrdinalIgnoreCase))
                .Select(header => header.Value)
                .Where(value => !string.IsNullOrEmpty(value))
                .ToList();
            if (values.Count == 0)
            {
                throw new WebhookRefusedException(WebhookRefusal.Missing, name + " is missing");
            }

            if (values.Count > 1)
            {
                throw new WebhookRefusedException(WebhookRefusal.Malformed, name + " was sent more than once");
            }

            return values[0];
        }

        /// <summary>The signatures of version 1; those of other versions are for other receivers.</summary>
        private static IReadOnlyList<byte[]> ReadSignatures(string header)
        {
            var signatures = header
                .Split(' ')
                .Select(each => Signature.Match(each))
                .Where(match => match.Success)
                .Select(match => Convert.FromBase64String(match.Groups[1].Value))
                .ToList();
            if (signatures.Count == 0)
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Malformed, "webhook-signature has no signature of version 1");
            }

            return signatures;
        }

        /// <summary>The secret is its text, byte by byte. It is not decoded.</summary>
        private static byte[] ComputeHmac(string secret, string id, string timestamp, byte[] rawBody)
        {
            using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            {
                return hmac.ComputeHash(Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(rawBody).ToArray());
            }
        }
    }
}
