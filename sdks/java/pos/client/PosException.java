package pos.client;

/** Any failure that this package throws by itself, but refused webhooks. */
public class PosException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PosException(String message, Throwable cause) {
        super(message, cause);
    }
}
