package pos.webhooks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import pos.webhooks.WebhookRefusedException.Reason;

/**
 * Verifies webhooks of the payments API. Needs Java 11 or newer and nothing else: copy this folder.
 *
 * <p>It does not parse the body, because Java has no parser of JSON. Afterwards parse the same bytes, and compare the
 * member {@code id} with the header {@code webhook-id}, which {@link #verify} returns. {@code Webhooks.verifyWebhook} of
 * the client in {@code pos.client} does all of this.
 */
public final class WebhookVerifier {
    public static final Duration TOLERANCE = Duration.ofMinutes(5);
    /** Base64 of 32 bytes has this form. */
    private static final Pattern SIGNATURE = Pattern.compile("v1,([A-Za-z0-9+/]{43}=)");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,12}");
    /** The form of a secret for libraries of standard-webhooks. */
    private static final Pattern STANDARD_SECRET = Pattern.compile(
            "whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}))");
    private static final Pattern SERVICE_SIGNATURE = Pattern.compile("sha256=([0-9A-F]{2}(?:-[0-9A-F]{2}){31})");

    private WebhookVerifier() {}

    /**
     * Returns the id of a delivery that was signed with one of the secrets, over exactly these bytes and recently. Give
     * all secrets of the subscription while you replace one.
     *
     * @throws WebhookRefusedException for any other delivery
     */
    public static String verify(byte[] rawBody, Map<String, List<String>> headers, List<String> secrets)
            throws WebhookRefusedException {
        return verify(rawBody, headers, secrets, TOLERANCE, Instant.now());
    }

    /** As above, with another tolerance and clock. */
    public static String verify(
            byte[] rawBody, Map<String, List<String>> headers, List<String> secrets, Duration tolerance, Instant now)
            throws WebhookRefusedException {
        requireSecrets(secrets);
        String id = readHeader(headers, "webhook-id");
        String timestamp = readHeader(headers, "webhook-timestamp");
        List<byte[]> signatures = readSignatures(readHeader(headers, "webhook-signature"));
        if (!TIMESTAMP.matcher(timestamp).matches()) {
            throw new WebhookRefusedException(Reason.MALFORMED, "webhook-timestamp is no number of seconds");
        }
        byte[] signed = join((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), rawBody);
        requireSigned(secrets, signatures, signed);
        requireRecent("webhook-timestamp", Instant.ofEpochSecond(Long.parseLong(timestamp)), tolerance, now);
        return id;
    }

    /**
     * Returns if the {@code service-signature} of the delivery was made with one of the secrets over exactly these bytes.
     * This signature does not cover the time of sending, so a recorded delivery can be sent again: prefer {@link #verify}
     * where the standard headers arrive. Afterwards parse the body, and give its {@code createdAt} to
     * {@link #requireRecent} where an old event must be refused.
     *
     * @throws WebhookRefusedException for any other delivery
     */
    public static void verifyServiceSignature(byte[] rawBody, Map<String, List<String>> headers, List<String> secrets)
            throws WebhookRefusedException {
        requireSecrets(secrets);
        Matcher matcher = SERVICE_SIGNATURE.matcher(readHeader(headers, "service-signature"));
        if (!matcher.matches()) {
            throw new WebhookRefusedException(Reason.MALFORMED, "service-signature is not sha256= and 32 bytes");
        }
        String[] pairs = matcher.group(1).split("-");
        byte[] signature = new byte[pairs.length];
        for (int at = 0; at < pairs.length; at++) {
            signature[at] = (byte) Integer.parseInt(pairs[at], 16);
        }
        requireSigned(secrets, List.of(signature), rawBody);
    }

    /**
     * Returns if an event was created within the tolerance. A delivery is repeated for four days with the same
     * {@code createdAt}.
     *
     * @throws WebhookRefusedException if it is older, or further in the future
     */
    public static void requireRecent(Instant createdAt, Duration tolerance, Instant now) throws WebhookRefusedException {
        requireRecent("createdAt", createdAt, tolerance, now);
    }

    /** The header of a delivery as the service signs it, for tests of your endpoint. */
    public static Map<String, String> signServiceSignature(String secret, byte[] rawBody) {
        List<String> pairs = new ArrayList<>();
        for (byte each : computeHmac(toBytes(secret), rawBody)) {
            pairs.add(String.format(Locale.ROOT, "%02X", each));
        }
        return Map.of("service-signature", "sha256=" + String.join("-", pairs));
    }

    /** The headers of a delivery as the service signs it, for tests of your endpoint. */
    public static Map<String, String> sign(String secret, String id, Instant timestamp, byte[] rawBody) {
        String seconds = Long.toString(timestamp.getEpochSecond());
        byte[] signed = join((id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8), rawBody);
        String signature = "v1," + Base64.getEncoder().encodeToString(computeHmac(toBytes(secret), signed));
        return Map.of("webhook-id", id, "webhook-timestamp", seconds, "webhook-signature", signature);
    }

    private static void requireSecrets(List<String> secrets) {
        if (secrets.isEmpty() || secrets.contains("")) {
            throw new IllegalArgumentException("secrets must not be empty, and none of them either");
        }
    }

    /** All pairs are compared, so the time does not say which secret matched. */
    private static void requireSigned(List<String> secrets, List<byte[]> signatures, byte[] signed)
            throws WebhookRefusedException {
        boolean isSigned = false;
        for (String secret : secrets) {
            for (byte[] key : readKeys(secret)) {
                byte[] wanted = computeHmac(key, signed);
                for (byte[] signature : signatures) {
                    isSigned |= MessageDigest.isEqual(wanted, signature);
                }
            }
        }
        if (!isSigned) {
            throw new WebhookRefusedException(Reason.SIGNATURE, "no signature matches a secret and this body");
        }
    }

    private static void requireRecent(String member, Instant moment, Duration tolerance, Instant now)
            throws WebhookRefusedException {
        if (Duration.between(moment, now).abs().compareTo(tolerance) > 0) {
            throw new WebhookRefusedException(
                    Reason.TIMESTAMP, member + " is more than " + tolerance.getSeconds() + " seconds from now");
        }
    }

    private static String readHeader(Map<String, List<String>> headers, String name) throws WebhookRefusedException {
        List<String> values = new ArrayList<>();
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            // The status line of some clients has no name.
            if (header.getKey() != null && header.getKey().equalsIgnoreCase(name)) {
                values.addAll(header.getValue());
            }
        }
        values.removeIf(String::isEmpty);
        if (values.isEmpty()) {
            throw new WebhookRefusedException(Reason.MISSING, name + " is missing");
        }
        if (values.size() > 1) {
            throw new WebhookRefusedException(Reason.MALFORMED, name + " was sent more than once");
        }
        return values.get(0);
    }

    /** The signatures of version 1; those of other versions are for other receivers. */
    private static List<byte[]> readSignatures(String header) throws WebhookRefusedException {
        List<byte[]> signatures = new ArrayList<>();
        for (String each : header.split(" ")) {
            Matcher matcher = SIGNATURE.matcher(each);
            if (matcher.matches()) {
                signatures.add(Base64.getDecoder().decode(matcher.group(1)));
            }
        }
        if (signatures.isEmpty()) {
            throw new WebhookRefusedException(Reason.MALFORMED, "webhook-signature has no signature of version 1");
        }
        return signatures;
    }

    /** The text of the secret, byte by byte; of the form whsec_... also the text that it encodes. */
    private static List<byte[]> readKeys(String secret) {
        Matcher match = STANDARD_SECRET.matcher(secret);
        if (!match.matches()) {
            return List.of(toBytes(secret));
        }
        return List.of(toBytes(secret), Base64.getDecoder().decode(match.group(1)));
    }

    private static byte[] toBytes(String secret) {
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] computeHmac(byte[] key, byte[] signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(signed);
        } catch (GeneralSecurityException error) {
            // Every Java has this algorithm.
            throw new IllegalStateException(error);
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream(first.length + second.length);
        joined.writeBytes(first);
        joined.writeBytes(second);
        return joined.toByteArray();
    }
}
