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

        /// <summary>The form of a secret for libraries of standard-webhooks.</summary>
        private static readonly Regex StandardSecret = new Regex(
            @"\Awhsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}))\z",
            RegexOptions.CultureInvariant);

        private static readonly Regex ServiceSignature =
            new Regex(@"\Asha256=([0-9A-F]{2}(?:-[0-9A-F]{2}){31})\z", RegexOptions.CultureInvariant);

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
            RequireSecrets(secrets);
            var sent = headers.ToList();
            var id = ReadHeader(sent, "webhook-id");
            var timestamp = ReadHeader(sent, "webhook-timestamp");
            var signatures = ReadSignatures(ReadHeader(sent, "webhook-signature"));
            if (!Timestamp.IsMatch(timestamp))
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Malformed, "webhook-timestamp is no number of seconds");
            }

            RequireSigned(secrets, signatures, Join(id, timestamp, rawBody));
            var seconds = long.Parse(timestamp, CultureInfo.InvariantCulture);
            RequireRecent("webhook-timestamp", now.ToUnixTimeSeconds() - seconds, tolerance);
            return id;
        }

        /// <summary>
        /// Returns if the <c>service-signature</c> of the delivery was made with one of the secrets over exactly these
        /// bytes. This signature does not cover the time of sending, so a recorded delivery can be sent again: prefer
        /// <c>Verify</c> where the standard headers arrive. Afterwards parse the body, and give its <c>createdAt</c> to
        /// <see cref="RequireRecent(DateTimeOffset, TimeSpan, DateTimeOffset)"/> where an old event must be refused.
        /// </summary>
        /// <exception cref="WebhookRefusedException">For any other delivery.</exception>
        public static void VerifyServiceSignature(
            byte[] rawBody,
            IEnumerable<KeyValuePair<string, string>> headers,
            IReadOnlyCollection<string> secrets)
        {
            RequireSecrets(secrets);
            var match = ServiceSignature.Match(ReadHeader(headers, "service-signature"));
            if (!match.Success)
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Malformed, "service-signature is not sha256= and 32 bytes");
            }

            var signature = match.Groups[1].Value
                .Split('-')
                .Select(pair => byte.Parse(pair, NumberStyles.HexNumber, CultureInfo.InvariantCulture))
                .ToArray();
            RequireSigned(secrets, new[] { signature }, rawBody);
        }

        /// <summary>
        /// Returns if an event was created within the tolerance. A delivery is repeated for four days with the same
        /// <c>createdAt</c>.
        /// </summary>
        /// <exception cref="WebhookRefusedException">If it is older, or further in the future.</exception>
        public static void RequireRecent(DateTimeOffset createdAt, TimeSpan tolerance, DateTimeOffset now)
        {
            RequireRecent("createdAt", (now - createdAt).TotalSeconds, tolerance);
        }

        /// <summary>The header of a delivery as the service signs it, for tests of your endpoint.</summary>
        public static IReadOnlyDictionary<string, string> SignServiceSignature(string secret, byte[] rawBody)
        {
            // The separator of this conversion is a hyphen.
            var pairs = BitConverter.ToString(ComputeHmac(Encoding.UTF8.GetBytes(secret), rawBody));
            return new Dictionary<string, string> { { "service-signature", "sha256=" + pairs } };
        }

        /// <summary>The headers of a delivery as the service signs it, for tests of your endpoint.</summary>
        public static IReadOnlyDictionary<string, string> Sign(
            string secret, string id, DateTimeOffset timestamp, byte[] rawBody)
        {
            var seconds = timestamp.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture);
            var signature = ComputeHmac(Encoding.UTF8.GetBytes(secret), Join(id, seconds, rawBody));
            return new Dictionary<string, string>
            {
                { "webhook-id", id },
                { "webhook-timestamp", seconds },
                { "webhook-signature", "v1," + Convert.ToBase64String(signature) },
            };
        }

        private static void RequireSecrets(IReadOnlyCollection<string> secrets)
        {
            if (secrets.Count == 0 || secrets.Contains(string.Empty))
            {
                throw new ArgumentException("secrets must not be empty, and none of them either", nameof(secrets));
            }
        }

        /// <summary>All pairs are compared, so the time does not say which secret matched.</summary>
        private static void RequireSigned(
            IEnumerable<string> secrets, IReadOnlyCollection<byte[]> signatures, byte[] signed)
        {
            var isSigned = false;
            foreach (var secret in secrets)
            {
                foreach (var key in ReadKeys(secret))
                {
                    var wanted = ComputeHmac(key, signed);
                    foreach (var signature in signatures)
                    {
                        isSigned |= CryptographicOperations.FixedTimeEquals(wanted, signature);
                    }
                }
            }

            if (!isSigned)
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Signature, "no signature matches a secret and this body");
            }
        }

        private static void RequireRecent(string member, double ageSeconds, TimeSpan tolerance)
        {
            if (Math.Abs(ageSeconds) > tolerance.TotalSeconds)
            {
                throw new WebhookRefusedException(
                    WebhookRefusal.Timestamp, member + " is more than " + tolerance.TotalSeconds + " seconds from now");
            }
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

        /// <summary>The text of the secret, byte by byte; of the form whsec_... also the text that it encodes.</summary>
        private static IReadOnlyList<byte[]> ReadKeys(string secret)
        {
            var keys = new List<byte[]> { Encoding.UTF8.GetBytes(secret) };
            var match = StandardSecret.Match(secret);
            if (match.Success)
            {
                keys.Add(Convert.FromBase64String(match.Groups[1].Value));
            }

            return keys;
        }

        private static byte[] ComputeHmac(byte[] key, byte[] signed)
        {
            using (var hmac = new HMACSHA256(key))
            {
                return hmac.ComputeHash(signed);
            }
        }

        private static byte[] Join(string id, string timestamp, byte[] rawBody)
        {
            return Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(rawBody).ToArray();
        }
    }
}
