<?php

declare(strict_types=1);

namespace Pos;

/** What a caller may say about one call. */
final class CallOptions
{
    /**
     * @param ?string $idempotencyKey Made by the client when left out. Say your own where a call must also be
     *     repeatable after your process ended.
     * @param ?float $timeoutSeconds The limit of this call with all its retries and waits.
     * @param ?string $customerSecret For the operations that a customer's page calls.
     */
    public function __construct(
        public readonly ?string $idempotencyKey = null,
        public readonly ?float $timeoutSeconds = null,
        public readonly ?string $customerSecret = null,
    ) {
    }
}
