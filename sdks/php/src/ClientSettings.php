<?php

declare(strict_types=1);

namespace Pos;

/** How a client calls. */
final class ClientSettings
{
    public readonly string $baseUrl;
    /** @var \Closure(): float */
    public readonly \Closure $chance;
    /** @var \Closure(list<string>, string): void */
    public readonly \Closure $onWarnings;

    /**
     * Throws PosUsageException for settings that cannot work.
     *
     * @param ?string $softwareHouseId Operations of card machines need it, and the id of the reseller.
     * @param string $version The release of the API; the types describe the newest.
     * @param int $retriesMax 0: no retries.
     * @param float $timeoutSeconds The limit of a call with all its retries and waits.
     * @param float $attemptTimeoutSeconds The limit of one attempt.
     * @param ?callable(): float $chance From 0 to 1, for the jitter of waits.
     * @param ?callable(list<string>, string): void $onWarnings Receives what the service has noticed about a call and
     *     not refused, and the name of the operation: `unknown_member:captureMod` is a member that it does not know, and
     *     `ignored_member:autoExpireIn` one without effect. By default `error_log` receives them.
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] public readonly string $apiKey,
        public readonly ?string $softwareHouseId = null,
        public readonly ?string $resellerId = null,
        public readonly string $version = PosOperations::NEWEST_RELEASE,
        public readonly int $retriesMax = 4,
        public readonly float $timeoutSeconds = 60.0,
        public readonly float $attemptTimeoutSeconds = 30.0,
        ?callable $chance = null,
        ?callable $onWarnings = null,
    ) {
        $address = parse_url($baseUrl);
        if (!in_array($address['scheme'] ?? '', ['http', 'https'], true) || ($address['host'] ?? '') === '') {
            throw new PosUsageException('baseUrl is no http address');
        }
        if (preg_match('/\A[!-~]+\z/', $apiKey) !== 1) {
            throw new PosUsageException('apiKey is empty, or has characters that no key has');
        }
        if ($retriesMax < 0) {
            throw new PosUsageException('retriesMax must be at least 0');
        }
        foreach ([$timeoutSeconds, $attemptTimeoutSeconds] as $limit) {
            // Written so that a time that is no number is refused.
            if (!($limit > 0)) {
                throw new PosUsageException('a time limit must be a number of seconds above 0');
            }
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->onWarnings = $onWarnings === null ? self::logWarnings(...) : $onWarnings(...);
        $this->chance = $chance === null ? static fn (): float => random_int(0, 2 ** 31) / 2 ** 31 : $chance(...);
    }

    /**
     * `trigger_error` would throw in many frameworks, and so hide an answer.
     *
     * @param list<string> $warnings
     */
    private static function logWarnings(array $warnings, string $operation): void
    {
        error_log("pos: $operation: " . implode(', ', $warnings));
    }

    /** @return array<string, string> Without the key, which must not appear in logs. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }
}
