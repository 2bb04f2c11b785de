<?php

declare(strict_types=1);

namespace Pos;

/** No answer arrived; whether the call took effect is unknown. */
final class PosConnectionException extends PosException
{
}
