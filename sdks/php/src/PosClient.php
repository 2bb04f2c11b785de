<?php

declare(strict_types=1);

namespace Pos;

/** A client of the payments API, for servers. Needs PHP 8.1 with its extensions curl and json, and nothing else. */
final class PosClient extends PosOperations
{
    private readonly Sender $sender;

    public function __construct(ClientSettings $settings)
    {
        $this->sender = new Sender($settings);
    }

    /**
     * Calls an operation by its id in the contract, for programs that choose it at run time. Objects are answered as
     * arrays.
     *
     * @param list<string> $members
     */
    public function call(string $operation, array $members = [], mixed $payload = null, ?CallOptions $options = null): mixed
    {
        return $this->sender->send($operation, $members, $payload, $options ?? new CallOptions());
    }

    /**
     * Every element of a listing, from page to page; a page is read when the loop arrives at it.
     *
     * @param list<string> $members
     * @param ?array<string, mixed> $payload
     */
    public function iterate(string $operation, array $members = [], ?array $payload = null): \Generator
    {
        $pages = self::getFacts($operation)->pages ?? throw new PosUsageException("$operation has no pages");
        $asked = $payload ?? [];
        $after = null;
        do {
            $page = $this->callForArray($operation, $members, $asked, null);
            // The keys of `yield from` would begin again on each page.
            foreach ($page['data'] as $element) {
                yield $element;
            }
            // A loop without an end is worse than an error.
            if ($page['after'] !== null && $page['after'] === $after) {
                throw new PosAnswerException("$operation: the page after $after is itself");
            }
            $after = $page['after'];
            $asked = self::pointTo($payload ?? [], $pages, $after);
        } while ($after !== null);
    }

    /**
     * The same question with the cursor of the next page, which replaces one of the caller.
     *
     * @param array<string, mixed> $first
     * @return array<string, mixed>
     */
    private static function pointTo(array $first, string $pages, ?string $after): array
    {
        if ($pages === 'cursor') {
            return [...$first, 'cursor' => self::pointTo($first['cursor'] ?? [], 'members', $after)];
        }
        unset($first['before']);
        return [...$first, 'after' => $after];
    }
}
