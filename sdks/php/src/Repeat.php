<?php

declare(strict_types=1);

namespace Pos;

/** What a repeat of an operation does. */
enum Repeat: string
{
    /** It changes nothing. */
    case Read = 'read';
    /** An idempotency key makes repeats one operation. */
    case Key = 'key';
    /** No repeat is safe. */
    case Never = 'never';
}
