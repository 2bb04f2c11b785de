package pos.client;

import java.time.Duration;

/** What a caller may say about one call. Immutable. */
public final class CallOptions {
    private static final CallOptions NONE = new CallOptions(null, null, null);

    final String idempotencyKey;
    final Duration timeout;
    final String customerSecret;

    private CallOptions(String idempotencyKey, Duration timeout, String customerSecret) {
        this.idempotencyKey = idempotencyKey;
        this.timeout = timeout;
        this.customerSecret = customerSecret;
    }

    public static CallOptions none() {
        return NONE;
    }

    /**
     * The client makes a key when there is none. Say your own where a call must also be repeatable after your process
     * ended.
     */
    public static CallOptions ofIdempotencyKey(String idempotencyKey) {
        return NONE.withIdempotencyKey(idempotencyKey);
    }

    public CallOptions withIdempotencyKey(String key) {
        return new CallOptions(key, timeout, customerSecret);
    }

    /** The limit of this call with all its retries and waits. */
    public CallOptions withTimeout(Duration limit) {
        return new CallOptions(idempotencyKey, limit, customerSecret);
    }

    /** For the operations that a customer's page calls. */
    public CallOptions withCustomerSecret(String secret) {
        return new CallOptions(idempotencyKey, timeout, secret);
    }
}
