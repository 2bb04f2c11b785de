package pos.client;

/** The client was created or called in a way that cannot work; nothing was sent. */
public final class PosUsageException extends PosException {
    private static final long serialVersionUID = 1L;

    PosUsageException(String message) {
        super(message, null);
    }
}
