<?php

declare(strict_types=1);

namespace Pos;

/** Verifies and signs webhooks of the payments API. */
final class Webhooks
{
    public const TOLERANCE_SECONDS = 300;
    /** Base64 of 32 bytes has this form. */
    private const SIGNATURE = '~\Av1,([A-Za-z0-9+/]{43}=)\z~';
    /** The form of a secret for libraries of standard-webhooks. */
    private const STANDARD_SECRET = '~\Awhsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}))\z~';
    private const SERVICE_SIGNATURE = '~\Asha256=([0-9A-F]{2}(?:-[0-9A-F]{2}){31})\z~';
    /** The service writes times in UTC. */
    private const MOMENT = '~\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z\z~';

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
        self::requireSigned($secrets, $signatures, "$id.$timestamp.$rawBody");
        // Written so that a time or tolerance that is no number refuses.
        if (!(abs(($now ?? microtime(true)) - (int) $timestamp) <= $toleranceSeconds)) {
            $message = "webhook-timestamp is more than $toleranceSeconds seconds from now";
            throw self::refuse(WebhookRefusal::Timestamp, $message);
        }
        return self::readEvent($rawBody, $id);
    }

    /**
     * Returns the event of a delivery whose `service-signature` was made with one of the secrets over exactly these
     * bytes. Throws a WebhookRefusedException for any other. This signature does not cover the time of sending, so a
     * recorded delivery can be sent again: prefer verifyWebhook where the standard headers arrive.
     *
     * @param array<string, string|list<string>> $headers As `getallheaders()` returns them, in any case.
     * @param list<string> $secrets
     * @param ?float $toleranceSeconds How far `createdAt` of the event may be from now; not compared when left out. A
     *     delivery is repeated for four days with the same `createdAt`.
     * @param ?float $now Seconds since 1970; the clock of the system when left out.
     * @return array<string, mixed>
     */
    public static function verifyServiceSignature(
        string $rawBody,
        array $headers,
        array $secrets,
        ?float $toleranceSeconds = null,
        ?float $now = null,
    ): array {
        if ($secrets === [] || in_array('', $secrets, true)) {
            throw new PosUsageException('verifyServiceSignature needs secrets, none empty');
        }
        if (preg_match(self::SERVICE_SIGNATURE, self::readHeader($headers, 'service-signature'), $match) !== 1) {
            throw self::refuse(WebhookRefusal::Malformed, 'service-signature is not sha256= and 32 bytes');
        }
        self::requireSigned($secrets, [(string) hex2bin(str_replace('-', '', $match[1]))], $rawBody);
        $event = self::readEvent($rawBody);
        // Written so that a time or tolerance that is no number refuses.
        if (
            $toleranceSeconds !== null
            && !(abs(($now ?? microtime(true)) - self::readCreatedAt($event)) <= $toleranceSeconds)
        ) {
            throw self::refuse(WebhookRefusal::Timestamp, "createdAt is more than $toleranceSeconds seconds from now");
        }
        return $event;
    }

    /**
     * The header of a delivery as the service signs it, for tests of your endpoint.
     *
     * @return array{service-signature: string}
     */
    public static function signServiceSignature(string $secret, string $rawBody): array
    {
        $pairs = str_split(strtoupper(bin2hex(self::computeHmac($secret, $rawBody))), 2);
        return ['service-signature' => 'sha256=' . implode('-', $pairs)];
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
            'webhook-signature' => 'v1,' . base64_encode(self::computeHmac($secret, "$id.$timestamp.$rawBody")),
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

    /**
     * The text of the secret; of the form `whsec_...` also the text that it encodes.
     *
     * @return non-empty-list<string>
     */
    private static function readKeys(string $secret): array
    {
        $isStandard = preg_match(self::STANDARD_SECRET, $secret, $match) === 1;
        $decoded = $isStandard ? base64_decode($match[1], true) : false;
        return $decoded === false ? [$secret] : [$secret, $decoded];
    }

    /** The key is used byte by byte. */
    private static function computeHmac(string $secret, string $signed): string
    {
        return hash_hmac('sha256', $signed, $secret, true);
    }

    /**
     * All pairs are compared, so the time does not say which secret matched.
     *
     * @param list<string> $secrets
     * @param list<string> $signatures
     */
    private static function requireSigned(array $secrets, array $signatures, string $signed): void
    {
        $isSigned = false;
        foreach ($secrets as $secret) {
            foreach (self::readKeys($secret) as $key) {
                $wanted = self::computeHmac($key, $signed);
                foreach ($signatures as $signature) {
                    $isSigned = hash_equals($wanted, $signature) || $isSigned;
                }
            }
        }
        if (!$isSigned) {
            throw self::refuse(WebhookRefusal::Signature, 'no signature matches a secret and this body');
        }
    }

    /** @param array<string, mixed> $event */
    private static function readCreatedAt(array $event): float
    {
        $createdAt = $event['createdAt'] ?? null;
        $isMoment = is_string($createdAt) && preg_match(self::MOMENT, $createdAt, $match) === 1;
        $seconds = $isMoment ? strtotime(substr($createdAt, 0, 19) . 'Z') : false;
        if ($seconds === false) {
            throw self::refuse(WebhookRefusal::Malformed, 'createdAt of the event is no time');
        }
        return $seconds + (float) ('0' . ($match[1] ?? ''));
    }

    /**
     * @param ?string $id That of the headers, if they name one.
     * @return array<string, mixed>
     */
    private static function readEvent(string $rawBody, ?string $id = null): array
    {
        try {
            $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw self::refuse(WebhookRefusal::Malformed, 'the body is no JSON');
        }
        if (!is_array($event) || !isset($event['event'], $event['id'])) {
            throw self::refuse(WebhookRefusal::Malformed, 'the body is no event');
        }
        if ($id !== null && $event['id'] !== $id) {
            throw self::refuse(WebhookRefusal::Malformed, 'the event has another id than webhook-id');
        }
        return $event;
    }

    private static function refuse(WebhookRefusal $refusal, string $message): WebhookRefusedException
    {
        return new WebhookRefusedException($refusal, $message);
    }
}
