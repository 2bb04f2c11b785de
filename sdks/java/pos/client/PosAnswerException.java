package pos.client;

/** A successful answer has another form than those of the service, so something else may have sent it. */
public final class PosAnswerException extends PosException {
    private static final long serialVersionUID = 1L;

    PosAnswerException(String message) {
        super(message, null);
    }
}
