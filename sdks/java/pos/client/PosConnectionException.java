package pos.client;

/** No answer arrived; whether the call took effect is unknown. */
public final class PosConnectionException extends PosException {
    private static final long serialVersionUID = 1L;

    PosConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
