package pos.client;

import java.util.Map;
import java.util.function.Function;

/** An event that a webhook has delivered. */
public final class WebhookEvent extends JsonObject {
    WebhookEvent(Map<String, Object> members) {
        super(members);
    }

    /** The id of the event; it may arrive more than once. */
    public String id() {
        return get("id", JsonObject::asText);
    }

    /** The kind, such as {@code payment_intent.status_updated}. */
    public String event() {
        return get("event", JsonObject::asText);
    }

    /** The body as the type of its kind: {@code event.as(PaymentIntentEvent::of)}. */
    public <T> T as(Function<Object, T> type) {
        return type.apply(toMap());
    }
}
