<?php

declare(strict_types=1);

namespace Pos;

/**
 * Sends calls. The request of a call is built once, with its key, before the first attempt.
 *
 * @internal
 */
final class Sender
{
    private readonly RetryPolicy $policy;

    public function __construct(private readonly ClientSettings $settings)
    {
        $this->policy = new RetryPolicy($settings->retriesMax);
    }

    /**
     * Sends a call until it has an answer, or no further attempt is safe or in time. The answer 204 is null.
     *
     * @param list<string> $members
     */
    public function send(string $name, array $members, mixed $payload, CallOptions $options): mixed
    {
        $facts = PosOperations::getFacts($name);
        $timeout = $options->timeoutSeconds ?? $this->settings->timeoutSeconds;
        if (!($timeout > 0)) {
            throw new PosUsageException("$name: timeoutSeconds is no time");
        }
        $request = $this->buildRequest($name, $facts, $members, $payload, $options);
        $end = self::readClock() + $timeout;
        for ($retries = 0;; $retries += 1) {
            try {
                return $this->attempt($name, $request, $end);
            } catch (PosConnectionException | PosTimeoutException $error) {
                $failed = new FailedAttempt(null);
            } catch (PosApiException $error) {
                $failed = new FailedAttempt($error->status, $error->reasonText, $request->retryAfter);
            }
            $chance = ($this->settings->chance)();
            $wait = $this->policy->decideWait($failed, $facts->repeat, $retries, $chance, microtime(true) * 1000);
            if ($wait === null || self::readClock() + $wait / 1000 >= $end) {
                throw $error;
            }
            usleep((int) ($wait * 1000));
        }
    }

    private function attempt(string $name, PreparedRequest $request, float $end): mixed
    {
        $limit = min($this->settings->attemptTimeoutSeconds, $end - self::readClock());
        [$status, $body] = $request->exchange($name, max(1, (int) ($limit * 1000)));
        $this->reportWarnings($name, $request->warnings);
        if ($status < 200 || $status > 299) {
            throw new PosApiException($name, $status, $body, $request->traceId, $this->settings->baseUrl);
        }
        if ($status === 204) {
            return null;
        }
        try {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException $cause) {
            throw new PosAnswerException("$name: $status without JSON", 0, $cause);
        }
    }

    /** A listener that fails must not hide the answer: the money may have moved. */
    private function reportWarnings(string $name, string $sent): void
    {
        if ($sent === '') {
            return;
        }
        try {
            ($this->settings->onWarnings)(explode(', ', $sent), $name);
        } catch (\Throwable $failure) {
            error_log("pos: $name: onWarnings has failed: $failure");
        }
    }

    /** @param list<string> $members */
    private function buildRequest(
        string $name,
        OperationFacts $facts,
        array $members,
        mixed $payload,
        CallOptions $options,
    ): PreparedRequest {
        $headers = [
            'accept: application/json, application/problem+json',
            "version: {$this->settings->version}",
            'user-agent: pos-sdk-php',
            ...$this->buildAccess($name, $facts, $options),
        ];
        $key = self::chooseKey($name, $facts, $options->idempotencyKey);
        if ($key !== null) {
            $headers[] = "idempotencyKey: $key";
        }
        $url = $this->settings->baseUrl . self::buildPath($name, $facts, $members);
        if ($facts->input !== 'body') {
            $query = $facts->input === 'query' ? self::buildQuery($payload ?? []) : '';
            return new PreparedRequest($facts->method, $url . $query, $headers, null);
        }
        // An empty array is an empty list for JSON, and a body is an object.
        $body = json_encode($payload === [] ? new \stdClass() : $payload, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        return new PreparedRequest($facts->method, $url, [...$headers, 'content-type: application/json'], $body);
    }

    /** @return list<string> */
    private function buildAccess(string $name, OperationFacts $facts, CallOptions $options): array
    {
        $headers = $facts->key ? ["authorization: Bearer {$this->settings->apiKey}"] : [];
        if ($facts->partners) {
            if ($this->settings->softwareHouseId === null || $this->settings->resellerId === null) {
                throw new PosUsageException("$name needs softwareHouseId and resellerId");
            }
            $headers[] = "software-house-id: {$this->settings->softwareHouseId}";
            $headers[] = "reseller-id: {$this->settings->resellerId}";
        }
        if ($facts->customerSecret) {
            if (($options->customerSecret ?? '') === '') {
                throw new PosUsageException("$name needs the option customerSecret");
            }
            $headers[] = "authorization: Basic {$options->customerSecret}";
        }
        return $headers;
    }

    /** One key for all attempts of a call: a second key would make a second operation. */
    private static function chooseKey(string $name, OperationFacts $facts, ?string $key): ?string
    {
        if ($key === null) {
            return $facts->repeat === Repeat::Key ? self::makeKey() : null;
        }
        // Silence would let the caller trust in a key that nobody reads.
        if ($facts->repeat !== Repeat::Key) {
            throw new PosUsageException("$name takes no idempotencyKey");
        }
        if (preg_match('/\A[!-~]{1,100}\z/', $key) !== 1) {
            throw new PosUsageException("$name: idempotencyKey must be 1 to 100 visible ASCII characters");
        }
        return $key;
    }

    /** A random UUID. */
    private static function makeKey(): string
    {
        $drawn = random_bytes(16);
        $drawn[6] = chr(ord($drawn[6]) & 0x0f | 0x40);
        $drawn[8] = chr(ord($drawn[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($drawn), 4));
    }

    /** @param list<string> $members */
    private static function buildPath(string $name, OperationFacts $facts, array $members): string
    {
        $replace = static function (array $match) use ($name, &$members): string {
            $value = array_shift($members);
            // An empty member would address another operation, and so would `.` and `..`, which proxies resolve.
            if (!is_string($value) || in_array($value, ['', '.', '..'], true)) {
                throw new PosUsageException("$name needs $match[1]");
            }
            return rawurlencode($value);
        };
        return (string) preg_replace_callback('/\{(\w+)\}/', $replace, $facts->path);
    }

    /** @param array<string, mixed> $query */
    private static function buildQuery(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $each) {
                if ($each !== null) {
                    $text = is_bool($each) ? ($each ? 'true' : 'false') : (string) $each;
                    $pairs[] = rawurlencode($name) . '=' . rawurlencode($text);
                }
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    /** Seconds of a clock that nobody sets. */
    private static function readClock(): float
    {
        return hrtime(true) / 1e9;
    }
}
