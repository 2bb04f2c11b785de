<?php

declare(strict_types=1);

namespace Pos;

/** The service refused a call, or failed. */
final class PosApiException extends PosException
{
    /** Null without a problem body, and for a reason of a newer service. */
    public readonly ?Reason $reason;
    /** The reason as it was sent; null where something before the service answered, without a problem body. */
    public readonly ?string $reasonText;
    /** Names the request in the log of the service. */
    public readonly ?string $traceId;
    /** @var array<string, list<string>> Messages by member path or header name; empty when no member is at fault. */
    public readonly array $fields;
    /** The address of the page about the reason. */
    public readonly ?string $documentation;

    /** @param string $body The body as it arrived. */
    public function __construct(
        public readonly string $operation,
        public readonly int $status,
        public readonly string $body,
        ?string $traceHeader,
        string $baseUrl,
    ) {
        $problem = json_decode($body, true);
        $problem = is_array($problem) ? $problem : [];
        $read = static fn (string $name): ?string => is_string($problem[$name] ?? null) ? $problem[$name] : null;
        $this->reasonText = $read('reason');
        $this->reason = Reason::tryFrom($this->reasonText ?? '');
        $this->traceId = $read('traceId') ?? $traceHeader;
        $this->fields = self::isFields($problem['errors'] ?? null) ? $problem['errors'] : [];
        $this->documentation = self::resolve($baseUrl, $read('documentation'));
        $title = $this->reasonText ?? $read('title') ?? 'without a problem body';
        parent::__construct("$operation: $status $title: " . ($read('detail') ?? ''));
    }

    private static function isFields(mixed $errors): bool
    {
        if (!is_array($errors)) {
            return false;
        }
        foreach ($errors as $messages) {
            if (!is_array($messages) || array_filter($messages, 'is_string') !== $messages) {
                return false;
            }
        }
        return true;
    }

    /** The address, which is absolute or begins with a slash; null for any other. */
    private static function resolve(string $baseUrl, ?string $address): ?string
    {
        if ($address !== null && str_starts_with($address, '/') && !str_starts_with($address, '//')) {
            $base = parse_url($baseUrl);
            $port = isset($base['port']) ? ":{$base['port']}" : '';
            return "{$base['scheme']}://{$base['host']}$port$address";
        }
        $isAddress = preg_match('~\Ahttps?://~i', $address ?? '') === 1 && is_string(parse_url($address, PHP_URL_HOST));
        return $isAddress && filter_var($address, FILTER_VALIDATE_URL) !== false ? $address : null;
    }
}
