package pos.client;

/** The time limit passed before an answer arrived; whether the call took effect is unknown. */
public final class PosTimeoutException extends PosException {
    private static final long serialVersionUID = 1L;

    PosTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
