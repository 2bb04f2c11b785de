<?php

declare(strict_types=1);

namespace Pos;

/** Any failure that this package throws by itself. */
class PosException extends \RuntimeException
{
}
