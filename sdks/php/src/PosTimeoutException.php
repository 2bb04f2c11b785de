<?php

declare(strict_types=1);

namespace Pos;

/** The time limit passed before an answer arrived; whether the call took effect is unknown. */
final class PosTimeoutException extends PosException
{
}
