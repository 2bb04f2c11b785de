<?php

declare(strict_types=1);

namespace Pos;

/**
 * What a call of an operation needs to know.
 *
 * @internal
 */
final class OperationFacts
{
    /**
     * @param string $path Template with members in braces.
     * @param 'body'|'query'|null $input What follows the members of the path in the arguments of a call.
     * @param 'members'|'cursor'|null $pages Where the cursors of a listing are: in its input, or in the member `cursor`.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly ?string $input,
        public readonly Repeat $repeat,
        public readonly ?string $pages = null,
        public readonly bool $key = false,
        public readonly bool $partners = false,
        public readonly bool $customerSecret = false,
    ) {
    }
}
