package pos.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

import pos.webhooks.WebhookRefusedException;
import pos.webhooks.WebhookVerifier;

/** Verifies the webhooks of the payments API, and parses their events. */
public final class Webhooks {
    private Webhooks() {}

    /**
     * Returns the event of a delivery that was signed with one of the secrets, over exactly these bytes and recently.
     * Give all secrets of the subscription while you replace one.
     *
     * @throws WebhookRefusedException for any other delivery
     */
    public static WebhookEvent verifyWebhook(byte[] rawBody, Map<String, List<String>> headers, List<String> secrets)
            throws WebhookRefusedException {
        return verifyWebhook(rawBody, headers, secrets, WebhookVerifier.TOLERANCE, Instant.now());
    }

    /** As above, with another tolerance and clock. */
    public static WebhookEvent verifyWebhook(
            byte[] rawBody, Map<String, List<String>> headers, List<String> secrets, Duration tolerance, Instant now)
            throws WebhookRefusedException {
        String id = WebhookVerifier.verify(rawBody, headers, secrets, tolerance, now);
        Map<String, Object> event = parseEvent(rawBody);
        if (!id.equals(event.get("id"))) {
            throw WebhookRefusedException.ofMalformedBody("the event has another id than webhook-id");
        }
        return new WebhookEvent(event);
    }

    /**
     * Returns the event of a delivery whose {@code service-signature} was made with one of the secrets over exactly these
     * bytes. This signature does not cover the time of sending, so a recorded delivery can be sent again: prefer
     * {@link #verifyWebhook} where the standard headers arrive.
     *
     * @throws WebhookRefusedException for any other delivery
     */
    public static WebhookEvent verifyServiceSignature(
            byte[] rawBody, Map<String, List<String>> headers, List<String> secrets) throws WebhookRefusedException {
        WebhookVerifier.verifyServiceSignature(rawBody, headers, secrets);
        return new WebhookEvent(parseEvent(rawBody));
    }

    /**
     * As above, and refuses an event whose {@code createdAt} is further from now than the tolerance. A delivery is
     * repeated for four days with the same {@code createdAt}.
     */
    public static WebhookEvent verifyServiceSignature(
            byte[] rawBody, Map<String, List<String>> headers, List<String> secrets, Duration tolerance, Instant now)
            throws WebhookRefusedException {
        WebhookVerifier.verifyServiceSignature(rawBody, headers, secrets);
        Map<String, Object> event = parseEvent(rawBody);
        WebhookVerifier.requireRecent(readCreatedAt(event), tolerance, now);
        return new WebhookEvent(event);
    }

    private static Map<String, Object> parseEvent(byte[] rawBody) throws WebhookRefusedException {
        Object body;
        try {
            body = Json.parse(new String(rawBody, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException error) {
            throw WebhookRefusedException.ofMalformedBody("the body is no JSON");
        }
        boolean isEvent = body instanceof Map
                && ((Map<?, ?>) body).get("id") instanceof String
                && ((Map<?, ?>) body).get("event") instanceof String;
        if (!isEvent) {
            throw WebhookRefusedException.ofMalformedBody("the body is no event");
        }
        return JsonObject.asMembers(body);
    }

    private static Instant readCreatedAt(Map<String, Object> event) throws WebhookRefusedException {
        try {
            if (event.get("createdAt") instanceof String) {
                return Instant.parse((String) event.get("createdAt"));
            }
        } catch (DateTimeParseException error) {
            throw WebhookRefusedException.ofMalformedBody("createdAt of the event is no time");
        }
        throw WebhookRefusedException.ofMalformedBody("createdAt of the event is no time");
    }

    /** The headers of a delivery as the service signs it, for tests of your endpoint. */
    public static Map<String, String> signWebhook(String secret, String id, Instant timestamp, byte[] rawBody) {
        return WebhookVerifier.sign(secret, id, timestamp, rawBody);
    }

    /** The header of a delivery as the service signs it, for tests of your endpoint. */
    public static Map<String, String> signServiceSignature(String secret, byte[] rawBody) {
        return WebhookVerifier.signServiceSignature(secret, rawBody);
    }
}
