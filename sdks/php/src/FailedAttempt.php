<?php

declare(strict_types=1);

namespace Pos;

/**
 * How an attempt failed.
 *
 * @internal
 */
final class FailedAttempt
{
    /** @param ?int $status Null without an answer. */
    public function __construct(
        public readonly ?int $status,
        public readonly ?string $reason = null,
        public readonly ?string $retryAfter = null,
    ) {
    }
}
