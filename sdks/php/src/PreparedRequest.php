<?php

declare(strict_types=1);

namespace Pos;

/**
 * A request that every attempt of a call sends unchanged.
 *
 * @internal
 */
final class PreparedRequest
{
    /** Of the last answer. */
    public ?string $retryAfter = null;
    /** Of the last answer. */
    public ?string $traceId = null;
    /** Of the last answer. */
    public string $warnings = '';

    /** @param list<string> $headers */
    public function __construct(
        private readonly string $method,
        private readonly string $url,
        #[\SensitiveParameter] private readonly array $headers,
        private readonly ?string $body,
    ) {
    }

    /**
     * Sends it once. Throws PosTimeoutException and PosConnectionException.
     *
     * @return array{int, string} Status and body.
     */
    public function exchange(string $name, int $limitMs): array
    {
        [$this->retryAfter, $this->traceId, $this->warnings] = [null, null, ''];
        $handle = curl_init($this->url);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $this->method,
            // Without the second, curl waits for a confirmation before it sends a long body.
            CURLOPT_HTTPHEADER => [...$this->headers, 'expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => $this->readHeader(...),
            CURLOPT_TIMEOUT_MS => $limitMs,
            // Time limits below a second need it.
            CURLOPT_NOSIGNAL => true,
            // A redirect is an answer like any other: following it would send the API key to another address.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
        ]);
        if ($this->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $this->body);
        }
        $answer = curl_exec($handle);
        if (!is_string($answer)) {
            $message = "$name: no answer: " . curl_error($handle);
            throw curl_errno($handle) === CURLE_OPERATION_TIMEDOUT
                ? new PosTimeoutException($message)
                : new PosConnectionException($message);
        }
        return [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $answer];
    }

    private function readHeader(\CurlHandle $handle, string $line): int
    {
        [$name, $value] = [...explode(':', $line, 2), ''];
        match (strtolower($name)) {
            'retry-after' => $this->retryAfter = trim($value),
            'trace-id' => $this->traceId = trim($value),
            'warnings' => $this->warnings = trim($value),
            default => null,
        };
        return strlen($line);
    }
}
