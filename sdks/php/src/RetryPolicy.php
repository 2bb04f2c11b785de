<?php

declare(strict_types=1);

namespace Pos;

/**
 * Decides which failed attempts are repeated. All clients share this policy; sdks/vectors/retries.json tests it.
 *
 * @internal
 */
final class RetryPolicy
{
    /** Statuses of a passing state, also when a proxy answers. */
    private const PASSING = [408, 429, 502, 503, 504];
    /** Refusals of status 409 that end by themselves. */
    private const PASSING_CONFLICTS = ['idempotency_in_progress', 'saved_card_busy', 'setup_intent_busy'];
    /** The service promises that nothing was done, so that a repeat is safe without a key. */
    private const NOTHING_DONE = ['rate_limited', 'service_unavailable', 'request_timeout'];
    /** Repeats do not help until a person has changed something. */
    private const LASTING = ['acquirer_not_configured'];
    private const FIRST_WAIT_MS = 250;
    private const WAIT_MS_MAX = 8_000;

    public function __construct(private readonly int $retriesMax)
    {
    }

    /**
     * How many milliseconds to wait before the next attempt; null: the failure is final.
     *
     * @param float $chance From 0 to 1.
     * @param float $nowMs Milliseconds since 1970.
     */
    public function decideWait(FailedAttempt $failed, Repeat $repeat, int $retries, float $chance, float $nowMs): ?float
    {
        if ($retries >= $this->retriesMax || !self::isRepeatable($failed, $repeat)) {
            return null;
        }
        $longest = min(self::WAIT_MS_MAX, self::FIRST_WAIT_MS * 2 ** min($retries, 16));
        $asked = self::readRetryAfter($failed->retryAfter, $nowMs);
        // The jitter is on top, so that callers who were refused together do not come back together.
        return $asked === null ? $longest / 2 + $longest / 2 * $chance : $asked + self::FIRST_WAIT_MS * $chance;
    }

    private static function isRepeatable(FailedAttempt $failed, Repeat $repeat): bool
    {
        if ($failed->status === null) {
            return $repeat !== Repeat::Never;
        }
        if (in_array($failed->reason, self::LASTING, true)) {
            return false;
        }
        $isPassing = in_array($failed->status, self::PASSING, true)
            || ($failed->status === 409 && in_array($failed->reason, self::PASSING_CONFLICTS, true));
        return $isPassing && ($repeat !== Repeat::Never || in_array($failed->reason, self::NOTHING_DONE, true));
    }

    /** The milliseconds of a `retry-after`, in seconds or as a date; null for anything else. */
    private static function readRetryAfter(?string $header, float $nowMs): ?float
    {
        if ($header !== null && preg_match('/\A[0-9]{1,9}\z/', $header) === 1) {
            return (int) $header * 1000.0;
        }
        $date = \DateTimeImmutable::createFromFormat(DATE_RFC7231, $header ?? '', new \DateTimeZone('UTC'));
        return $date === false ? null : max(0.0, $date->getTimestamp() * 1000.0 - $nowMs);
    }
}
