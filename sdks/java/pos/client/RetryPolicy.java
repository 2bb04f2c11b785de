package pos.client;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Set;

/** Decides which failed attempts are repeated. All clients share this policy; sdks/vectors/retries.json tests it. */
final class RetryPolicy {
    /** What a repeat of an operation does. */
    enum Repeat {
        /** It changes nothing. */
        READ,
        /** An idempotency key makes repeats one operation. */
        KEY,
        /** No repeat is safe. */
        NEVER
    }

    /** How an attempt failed. */
    static final class FailedAttempt {
        final boolean isAnswer;
        final int status;
        final String reason;
        final String retryAfter;

        private FailedAttempt(boolean isAnswer, int status, String reason, String retryAfter) {
            this.isAnswer = isAnswer;
            this.status = status;
            this.reason = reason;
            this.retryAfter = retryAfter;
        }

        /** No answer arrived, or not in time. */
        static FailedAttempt withoutAnswer() {
            return new FailedAttempt(false, 0, null, null);
        }

        static FailedAttempt answered(int status, String reason, String retryAfter) {
            return new FailedAttempt(true, status, reason, retryAfter);
        }
    }

    /** Statuses of a passing state, also when a proxy answers. */
    private static final Set<Integer> PASSING = Set.of(408, 429, 502, 503, 504);
    /** Refusals of status 409 that end by themselves. */
    private static final Set<String> PASSING_CONFLICTS =
            Set.of("idempotency_in_progress", "saved_card_busy", "setup_intent_busy");
    /** The service promises that nothing was done, so that a repeat is safe without a key. */
    private static final Set<String> NOTHING_DONE = Set.of("rate_limited", "service_unavailable", "request_timeout");
    /** Repeats do not help until a person has changed something. */
    private static final Set<String> LASTING = Set.of("acquirer_not_configured");

    private static final double FIRST_WAIT_MS = 250;
    private static final double WAIT_MS_MAX = 8_000;

    private final int retriesMax;

    RetryPolicy(int retriesMax) {
        this.retriesMax = retriesMax;
    }

    /**
     * How many milliseconds to wait before the next attempt; negative: the failure is final.
     *
     * @param chance from 0 to 1
     */
    double decideWait(FailedAttempt failed, Repeat repeat, int retries, double chance, Instant now) {
        if (retries >= retriesMax || !isRepeatable(failed, repeat)) {
            return -1;
        }
        double longest = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * Math.pow(2, retries));
        double asked = readRetryAfter(failed.retryAfter, now);
        // The jitter is on top, so that callers who were refused together do not come back together.
        return asked < 0 ? longest / 2 + longest / 2 * chance : asked + FIRST_WAIT_MS * chance;
    }

    private static boolean isRepeatable(FailedAttempt failed, Repeat repeat) {
        if (!failed.isAnswer) {
            return repeat != Repeat.NEVER;
        }
        String reason = failed.reason == null ? "" : failed.reason;
        if (LASTING.contains(reason)) {
            return false;
        }
        boolean isPassing =
                PASSING.contains(failed.status) || failed.status == 409 && PASSING_CONFLICTS.contains(reason);
        return isPassing && (repeat != Repeat.NEVER || NOTHING_DONE.contains(reason));
    }

    /** The milliseconds of a {@code retry-after}, in seconds or as a date; negative for anything else. */
    private static double readRetryAfter(String header, Instant now) {
        if (header == null) {
            return -1;
        }
        if (header.matches("[0-9]{1,9}")) {
            return Long.parseLong(header) * 1000.0;
        }
        try {
            Instant date = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Math.max(0, date.toEpochMilli() - now.toEpochMilli());
        } catch (DateTimeParseException error) {
            return -1;
        }
    }
}
