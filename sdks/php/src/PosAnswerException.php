<?php

declare(strict_types=1);

namespace Pos;

/** A successful answer has another form than those of the service, so something else may have sent it. */
final class PosAnswerException extends PosException
{
}
