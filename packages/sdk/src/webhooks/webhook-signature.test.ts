import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { PosUsageError } from '../errors/errors.js';
import {
  WebhookHeaderMissingError,
  WebhookMalformedError,
  WebhookRefusedError,
  WebhookSignatureError,
  WebhookTooOldError,
} from '../errors/webhook-errors.js';
import { signServiceSignature, signWebhook, verifyServiceSignature, verifyWebhook } from './webhook-signature.js';

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: 'accepted' | keyof typeof REFUSALS;
}

const REFUSALS = {
  missing: WebhookHeaderMissingError,
  malformed: WebhookMalformedError,
  signature: WebhookSignatureError,
  timestamp: WebhookTooOldError,
};
const readVectors = <T>(name: string): readonly T[] => {
  const file = new URL(`../../../../sdks/vectors/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly vectors: readonly T[] }).vectors;
};
const vectors = readVectors<Vector>('webhooks');
const named = vectors.map((vector) => [vector.expected, vector.name, vector] as const);

const verify = ({ body, headers, secrets, toleranceSeconds, now }: Vector, raw: string | Uint8Array = body) =>
  verifyWebhook(raw, headers, { secrets, toleranceSeconds, now: new Date(now * 1000) });

describe('verifyWebhook', () => {
  test('the deliveries contain more that must be refused than that must be accepted', () => {
    expect(named.filter(([expected]) => expected === 'accepted').length).toBeGreaterThan(5);
    expect(named.filter(([expected]) => expected !== 'accepted').length).toBeGreaterThan(25);
  });

  test.each(named)('%s: %s', async (expected, _, vector) => {
    // As text, as bytes, and with the headers of the Web.
    const ways = [
      async () => verify(vector),
      async () => verify(vector, new TextEncoder().encode(vector.body)),
      async () => verify({ ...vector, headers: new Headers(vector.headers) as never }),
    ];
    for (const way of ways) {
      if (expected === 'accepted') expect(await way()).toEqual(JSON.parse(vector.body));
      else await expect(way()).rejects.toThrow(REFUSALS[expected]);
    }
  });

  const [first] = vectors as [Vector, ...Vector[]];

  test('a header that was sent twice is refused', async () => {
    const headers = { ...first.headers, 'webhook-id': ['evt_1', 'evt_2'] };
    await expect(verify({ ...first, headers: headers as never })).rejects.toThrow(WebhookMalformedError);
  });

  test.each<[string, Partial<Vector>]>([
    ['no secret', { secrets: [] }],
    ['an empty secret, with which everybody could sign', { secrets: ['secret', ''] }],
  ])('%s is a mistake of the caller', async (_, parts) => {
    await expect(verify({ ...first, ...parts })).rejects.toThrow(PosUsageError);
  });

  test.each([Number.NaN, -1])('a tolerance of %d seconds refuses everything', async (toleranceSeconds) => {
    await expect(verify({ ...first, toleranceSeconds })).rejects.toThrow(WebhookTooOldError);
  });

  test('a clock that shows no time refuses everything', async () => {
    await expect(verify({ ...first, now: Number.NaN })).rejects.toThrow(WebhookRefusedError);
  });
});

describe('verifyServiceSignature', () => {
  interface ServiceVector extends Omit<Vector, 'toleranceSeconds'> {
    readonly toleranceSeconds: number | null;
  }
  const signed = readVectors<ServiceVector>('service-signatures');

  test('the deliveries contain more that must be refused than that must be accepted', () => {
    const accepted = signed.filter(({ expected }) => expected === 'accepted').length;
    expect(accepted).toBeGreaterThan(10);
    expect(signed.length - accepted).toBeGreaterThan(2 * accepted);
  });

  test.each(signed.map((vector) => [vector.expected, vector.name, vector] as const))(
    '%s: %s',
    async (expected, _, { body, headers, secrets, toleranceSeconds, now }) => {
      const options = { secrets, now: new Date(now * 1000), ...(toleranceSeconds !== null && { toleranceSeconds }) };
      for (const raw of [body, new TextEncoder().encode(body)]) {
        const verified = verifyServiceSignature(raw, headers, options);
        if (expected === 'accepted') expect(await verified).toEqual(JSON.parse(body));
        else await expect(verified).rejects.toThrow(REFUSALS[expected]);
      }
    },
  );

  test.each([[], ['secret', '']].map((secrets) => [secrets]))(
    'the secrets %j are a mistake of the caller',
    async (secrets) => {
      await expect(verifyServiceSignature('{}', {}, { secrets })).rejects.toThrow(PosUsageError);
    },
  );

  test.each(['a-secret', 'gehéim'])('accepts what it signs with %s', async (secret) => {
    const body = JSON.stringify({ id: 'evt_1', event: 'payment_intent.created', note: 'é' });
    const headers = await signServiceSignature(secret, body);
    expect(await verifyServiceSignature(body, headers, { secrets: [secret] })).toMatchObject({ id: 'evt_1' });
  });
});

describe('signWebhook', () => {
  test.each(['a-secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'gehéim'])('signs with %s', async (secret) => {
    const body = JSON.stringify({ id: 'evt_1', event: 'payment_intent.created', note: 'é' });
    const headers = await signWebhook(secret, { id: 'evt_1', timestamp: 1_801_396_800, body });
    const now = new Date(1_801_396_800_000);
    expect(await verifyWebhook(body, headers, { secrets: [secret], now })).toMatchObject({ id: 'evt_1' });
    await expect(verifyWebhook(`${body} `, headers, { secrets: [secret], now })).rejects.toThrow(WebhookSignatureError);
  });
});

describe('the verifier of standard-webhooks, which is not ours', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  // It does not read events, has one tolerance, and is lenient about the form of times.
  const comparable = named.filter(
    ([, , { toleranceSeconds, expected, body, name }]) =>
      toleranceSeconds === 300 && (expected !== 'malformed' || (body === vectors[0]?.body && !/timestamp/.test(name))),
  );

  test.each(comparable)('%s: %s', (expected, _, { secrets, now, body, headers }) => {
    jest.useFakeTimers({ now: now * 1000 });
    // Ours takes a secret in both of its forms.
    const forms = secrets.flatMap((secret) => [
      () => new Webhook(secret, { format: 'raw' }),
      ...(secret.startsWith('whsec_') ? [() => new Webhook(secret)] : []),
    ]);
    const verified = forms.filter((createVerifier) => {
      try {
        createVerifier().verify(body, { ...headers }, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    });
    expect(verified.length > 0).toBe(expected === 'accepted');
  });
});
