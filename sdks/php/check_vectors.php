<?php

declare(strict_types=1);

// Prints what the client does with the vectors that clients of all languages are tested with. Arguments: the folder of
// the vectors, and the address of the scripted service.

namespace Pos;

require __DIR__ . '/autoload.php';

/** @return array<string, mixed> */
function readVectors(string $name): array
{
    return json_decode((string) file_get_contents("{$GLOBALS['argv'][1]}/$name.json"), true, 512, JSON_THROW_ON_ERROR);
}

/**
 * @param array<string, mixed> $vector
 * @param callable(mixed...): array<string, mixed> $verify
 */
function checkWebhook(array $vector, callable $verify): string
{
    $arguments = [$vector['body'], $vector['headers'], $vector['secrets'], $vector['toleranceSeconds'], $vector['now']];
    try {
        $event = $verify(...$arguments);
        return $event === json_decode($vector['body'], true) ? 'accepted' : 'another event';
    } catch (WebhookRefusedException $refused) {
        return $refused->refusal->value;
    }
}

/** @param array<string, mixed> $vector */
function decide(array $vector, int $now): ?float
{
    $failed = $vector['failed'];
    $attempt = new FailedAttempt($failed['status'] ?? null, $failed['reason'] ?? null, $failed['retryAfter'] ?? null);
    $policy = new RetryPolicy($vector['retriesMax']);
    return $policy->decideWait($attempt, Repeat::from($vector['repeat']), $vector['retries'], $vector['chance'], $now);
}

/**
 * @param array<string, mixed> $settings
 * @return array<string, mixed> By the names of this client; times become seconds.
 */
function translate(array $settings): array
{
    $found = [];
    foreach ($settings as $name => $value) {
        $isTime = str_ends_with($name, 'Ms');
        $found[$isTime ? substr($name, 0, -2) . 'Seconds' : $name] = $isTime ? $value / 1000 : $value;
    }
    return $found;
}

/**
 * @param array<string, mixed> $vector
 * @return array<string, mixed>
 */
function call(string $baseUrl, array $vector): array
{
    $warnings = [];
    $outcome = endCall($baseUrl, $vector, static function (array $names, string $operation) use (&$warnings, $vector): void {
        $warnings[] = [$operation, $names];
        if (isset($vector['listener'])) {
            throw new \RuntimeException('the listener has failed');
        }
    });
    return [...$outcome, 'warnings' => $warnings];
}

/**
 * @param array<string, mixed> $vector
 * @param callable(list<string>, string): void $listener
 * @return array<string, mixed>
 */
function endCall(string $baseUrl, array $vector, callable $listener): array
{
    $settings = [
        'baseUrl' => $baseUrl,
        'apiKey' => 'sk_sandbox_1',
        'chance' => static fn (): float => 0.0,
        'onWarnings' => $listener,
        ...translate($vector['settings'] ?? []),
    ];
    try {
        $client = new PosClient(new ClientSettings(...$settings));
        $arguments = [$vector['operation'], $vector['members'], $vector['payload'] ?? null];
        if ($vector['iterate'] ?? false) {
            return ['outcome' => 'answer', 'answer' => iterator_to_array($client->iterate(...$arguments))];
        }
        $answer = $client->call(...$arguments, options: new CallOptions(...translate($vector['options'] ?? [])));
        return $answer === null ? ['outcome' => 'nothing'] : ['outcome' => 'answer', 'answer' => $answer];
    } catch (PosApiException $error) {
        return [
            'outcome' => 'api',
            'status' => $error->status,
            'reason' => $error->reasonText,
            'traceId' => $error->traceId,
            'fields' => (object) $error->fields,
            'documentation' => $error->documentation,
        ];
    } catch (PosConnectionException) {
        return ['outcome' => 'connection'];
    } catch (PosTimeoutException) {
        return ['outcome' => 'timeout'];
    } catch (PosAnswerException) {
        return ['outcome' => 'malformed'];
    } catch (PosUsageException) {
        return ['outcome' => 'usage'];
    }
}

$webhooks = readVectors('webhooks')['vectors'];
$serviceSignatures = readVectors('service-signatures')['vectors'];
$retries = readVectors('retries');
$calls = readVectors('calls')['vectors'];
$sign = static fn (array $vector): array => Webhooks::signWebhook(
    $vector['secrets'][0],
    'evt_1',
    $vector['now'],
    $vector['body'],
);
echo json_encode([
    'webhooks' => array_map(
        static fn (array $vector): string => checkWebhook($vector, Webhooks::verifyWebhook(...)),
        $webhooks,
    ),
    'serviceSignatures' => array_map(
        static fn (array $vector): string => checkWebhook($vector, Webhooks::verifyServiceSignature(...)),
        $serviceSignatures,
    ),
    'madeServiceSignatures' => array_map(
        static fn (array $vector): array => Webhooks::signServiceSignature($vector['secrets'][0], $vector['body']),
        $serviceSignatures,
    ),
    'signatures' => array_map($sign, $webhooks),
    'retries' => array_map(static fn (array $vector): ?float => decide($vector, $retries['now']), $retries['vectors']),
    'calls' => array_map(
        static fn (int $index, array $vector): array => call("{$argv[2]}/$index", $vector),
        array_keys($calls),
        $calls,
    ),
], JSON_THROW_ON_ERROR);
