<?php

declare(strict_types=1);

namespace Pos;

/** A delivery that must not be processed. */
final class WebhookRefusedException extends PosException
{
    public function __construct(public readonly WebhookRefusal $refusal, string $message)
    {
        parent::__construct($message);
    }
}
