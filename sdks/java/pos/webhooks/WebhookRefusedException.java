package pos.webhooks;

/** A delivery that must not be processed. */
public final class WebhookRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why a delivery is refused. */
    public enum Reason {
        /** A header that every delivery has is missing. */
        MISSING,
        /** A header has another form than that of a delivery. */
        MALFORMED,
        /** No signature was made with any of the secrets over this body, id and time. */
        SIGNATURE,
        /** The delivery was sent too long ago, or the clocks differ. */
        TIMESTAMP
    }

    private final Reason reason;

    WebhookRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** For a parser of verified bodies: the signature is right, and the body is no event. */
    public static WebhookRefusedException ofMalformedBody(String message) {
        return new WebhookRefusedException(Reason.MALFORMED, message);
    }

    public Reason getReason() {
        return reason;
    }
}
