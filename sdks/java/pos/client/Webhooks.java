package pos.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
        Object body;
        try {
            body = Json.parse(new String(rawBody, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException error) {
            throw WebhookRefusedException.ofMalformedBody("the body is no JSON");
        }
        boolean isEvent = body instanceof Map
                && id.equals(((Map<?, ?>) body).get("id"))
                && ((Map<?, ?>) body).get("event") instanceof String;
        if (!isEvent) {
            throw WebhookRefusedException.ofMalformedBody("the body is no event with the id of webhook-id");
        }
        return new WebhookEvent(JsonObject.asMembers(body));
    }

    /** The headers of a delivery as the service signs it, for tests of your endpoint. */
    public static Map<String, String> signWebhook(String secret, String id, Instant timestamp, byte[] rawBody) {
        return WebhookVerifier.sign(secret, id, timestamp, rawBody);
    }
}
