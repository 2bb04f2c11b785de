<?php

declare(strict_types=1);

namespace Pos;

/** The client was created or called in a way that cannot work; nothing was sent. */
final class PosUsageException extends PosException
{
}
