<?php

declare(strict_types=1);

namespace Pos;

/** Verifies and signs webhooks of the payments API. */
final class Webhooks
{
    public const TOLERANCE_SECONDS = 300;
    /** Base64 of 32 bytes has this form. */
    private const SIGNATURE = '~\Av1,([A-Za-z0-9+/]{43}=)\z~';

    /**
     * Returns the event of a delivery that was signed with one of the secrets, over exactly these bytes and recently.
     * Throws a WebhookRefusedException for any other. Give all secrets of the subscription while you replace one.
     *
     * @param array<string, string|list<string>> $headers As `getallheaders()` returns them, in any case.
     * @param list<string> $secrets
     * @param ?float $now Seconds since 1970; the clock of the system when left out.
     * @return array<string, mixed>
     */
    public static function verifyWebhook(
        string $rawBody,
        array $headers,
        array $secrets,
        float $toleranceSeconds = self::TOLERANCE_SECONDS,
        ?float $now = null,
    ): array {
        if ($secrets === [] || in_array('', $secrets, true)) {
            throw new PosUsageException('verifyWebhook needs secrets, none empty');
        }
        $id = self::readHeader($headers, 'webhook-id');
        $timestamp = self::readHeader($headers, 'webhook-timestamp');
        $signatures = self::readSignatures(self::readHeader($headers, 'webhook-signature'));
        if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
            throw self::refuse(WebhookRefusal::Malformed, 'webhook-timestamp is no number of seconds');
        }
        $isSigned = false;
        foreach ($secrets as $secret) {
            $wanted = self::computeHmac($secret, $id, $timestamp, $rawBody);
            foreach ($signatures as $signature) {
                // All pairs are compared, so the time does not say which secret matched.
                $isSigned = hash_equals($wanted, $signature) || $isSigned;
            }
        }
        if (!$isSigned) {
            throw self::refuse(WebhookRefusal::Signature, 'no signature matches a secret and this body');
        }
        // Written so that a time or tolerance that is no number refuses.
        if (!(abs(($now ?? microtime(true)) - (int) $timestamp) <= $toleranceSeconds)) {
            $message = "webhook-timestamp is more than $toleranceSeconds seconds from now";
            throw self::refuse(WebhookRefusal::Timestamp, $message);
        }
        return self::readEvent($rawBody, $id);
    }

    /**
     * The headers of a delivery as the service signs it, for tests of your endpoint.
     *
     * @param int $timestamp Seconds since 1970.
     * @return array{webhook-id: string, webhook-timestamp: string, webhook-signature: string}
     */
    public static function signWebhook(string $secret, string $id, int $timestamp, string $rawBody): array
    {
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $timestamp,
            'webhook-signature' => 'v1,' . base64_encode(self::computeHmac($secret, $id, (string) $timestamp, $rawBody)),
        ];
    }

    /** @param array<string, string|list<string>> $headers */
    private static function readHeader(array $headers, string $name): string
    {
        $values = [];
        foreach ($headers as $each => $value) {
            if (strtolower((string) $each) === $name) {
                $values = [...$values, ...(array) $value];
            }
        }
        $values = array_values(array_filter($values, static fn (string $value): bool => $value !== ''));
        return match (count($values)) {
            0 => throw self::refuse(WebhookRefusal::Missing, "$name is missing"),
            1 => $values[0],
            default => throw self::refuse(WebhookRefusal::Malformed, "$name was sent more than once"),
        };
    }

    /**
     * The signatures of version 1; those of other versions are for other receivers.
     *
     * @return non-empty-list<string>
     */
    private static function readSignatures(string $header): array
    {
        $signatures = [];
        foreach (explode(' ', $header) as $each) {
            if (preg_match(self::SIGNATURE, $each, $match) === 1) {
                $signatures[] = (string) base64_decode($match[1], true);
            }
        }
        if ($signatures === []) {
            throw self::refuse(WebhookRefusal::Malformed, 'webhook-signature has no signature of version 1');
        }
        return $signatures;
    }

    /** The secret is its text, byte by byte. It is not decoded. */
    private static function computeHmac(string $secret, string $id, string $timestamp, string $rawBody): string
    {
        return hash_hmac('sha256', "$id.$timestamp.$rawBody", $secret, true);
    }

    /** @return array<string, mixed> */
    private static function readEvent(string $rawBody, string $id): array
    {
        try {
            $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw self::refuse(WebhookRefusal::Malformed, 'the body is no JSON');
        }
        if (!is_array($event) || !isset($event['event']) || ($event['id'] ?? null) !== $id) {
            throw self::refuse(WebhookRefusal::Malformed, 'the body is no event with the id of webhook-id');
        }
        return $event;
    }

    private static function refuse(WebhookRefusal $refusal, string $message): WebhookRefusedException
    {
        return new WebhookRefusedException($refusal, $message);
    }
}
