import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { PosAnswerError, PosApiError, PosConnectionError, PosTimeoutError, PosUsageError } from '../errors/errors.js';
import { PayerClient } from './payer-client.js';
import { PosClient, type PosClientSettings } from './pos-client.js';

const INTENT = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4' } as const;
const UNAVAILABLE = { status: 503, reason: 'service_unavailable' };

type Step = { readonly status: number; readonly [member: string]: unknown } | 'cut' | 'silence';
interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly redirect: string | undefined;
}

/** A service that answers one step after another, and notes what was sent. */
function openScripted(steps: readonly Step[], settings: Partial<PosClientSettings> = {}) {
  const sent: Sent[] = [];
  const scripted = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    sent.push({ url: String(url), method: init?.method ?? '', headers, body: init?.body, redirect: init?.redirect });
    const step = steps[sent.length - 1] ?? 'cut';
    if (step === 'cut') throw new TypeError('fetch failed');
    if (step === 'silence') {
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    }
    const { status, headers: more, text, ...body } = step;
    const shown = typeof text === 'string' ? text : JSON.stringify(body);
    return new Response(status === 204 ? null : shown, { status, headers: more as Record<string, string> });
  };
  const common = { baseUrl: 'https://api.example/v1/', random: () => 0, fetch: scripted as typeof fetch };
  const client = new PosClient({ ...common, apiKey: 'sk_sandbox_1', ...settings });
  return { client, payer: new PayerClient(common), sent };
}

const keysOf = (sent: readonly Sent[]) => sent.map(({ headers }) => headers['idempotencykey']);
const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe('what the service has noticed about a request', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const WARNED = {
    status: 200,
    id: 'pi_1',
    headers: { warnings: 'unknown_member:captureMod, ignored_member:autoExpireIn' },
  };

  test('is given to the listener, with the name of the operation', async () => {
    const received: unknown[] = [];
    const { client } = openScripted([WARNED, { status: 200, id: 'pi_2' }], {
      onWarnings: (...args) => received.push(args),
    });
    await client.paymentIntents.create(INTENT);
    await client.paymentIntents.create(INTENT);
    expect(received).toEqual([[['unknown_member:captureMod', 'ignored_member:autoExpireIn'], 'createPaymentIntent']]);
  });

  test('is printed without a listener', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    await openScripted([WARNED]).client.paymentIntents.create(INTENT);
    expect(warn.mock.calls).toEqual([
      ['pos: createPaymentIntent: unknown_member:captureMod, ignored_member:autoExpireIn'],
    ]);
  });

  test('does not hide the answer when the listener fails', async () => {
    const failure = new Error('the log is full');
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const onWarnings = () => {
      throw failure;
    };
    expect(await openScripted([WARNED], { onWarnings }).client.paymentIntents.create(INTENT)).toEqual({ id: 'pi_1' });
    expect(warn.mock.calls).toEqual([['pos: createPaymentIntent: onWarnings has failed', failure]]);
  });
});

describe('a call that fails and is repeated', () => {
  test.each<[string, Step]>([
    ['the service is unavailable', UNAVAILABLE],
    ['the connection breaks', 'cut'],
    ['the commit is not confirmed', { status: 503, reason: 'commit_unknown' }],
    ['no answer arrives in time', 'silence'],
  ])('keeps its idempotency key when %s, so that the payer pays once', async (_, step) => {
    const { client, sent } = openScripted([step, step, { status: 200, id: 'pi_1' }], { attemptTimeoutMs: 20 });
    expect(await client.paymentIntents.create(INTENT)).toEqual({ id: 'pi_1' });
    const [first, ...rest] = keysOf(sent);
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(rest).toEqual([first, first]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  test('keeps the key of the caller', async () => {
    const { client, sent } = openScripted(['cut', { status: 200 }]);
    await client.paymentIntents.capture('pi_1', { amount: 500 }, { idempotencyKey: 'capture-17' });
    expect(keysOf(sent)).toEqual(['capture-17', 'capture-17']);
  });

  test('two calls have two keys', async () => {
    const { client, sent } = openScripted([{ status: 200 }, { status: 200 }]);
    await client.paymentIntents.create(INTENT);
    await client.paymentIntents.create(INTENT);
    expect(new Set(keysOf(sent)).size).toBe(2);
  });

  test('ends with the last failure after the permitted retries', async () => {
    const { client, sent } = openScripted([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE], { retriesMax: 2 });
    expect(await failureOf(client.paymentIntents.create(INTENT))).toMatchObject({ reason: 'service_unavailable' });
    expect(sent).toHaveLength(3);
  });

  test('does not begin a wait that ends after its time limit', async () => {
    const later = { status: 429, reason: 'rate_limited', headers: { 'retry-after': '3600' } };
    const { client, sent } = openScripted([later, { status: 200 }]);
    expect(await failureOf(client.paymentIntents.create(INTENT))).toMatchObject({ reason: 'rate_limited' });
    expect(sent).toHaveLength(1);
  });

  test('is not repeated where no repeat is safe', async () => {
    const { payer, sent } = openScripted(['cut', { status: 200 }]);
    expect(await failureOf(payer.refreshPaymentSecret('pi_1'))).toBeInstanceOf(PosConnectionError);
    expect(sent).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 422, 500])('is not repeated after the status %i', async (status) => {
    const { client, sent } = openScripted([{ status, reason: 'validation_failed' }, { status: 200 }]);
    expect(await failureOf(client.paymentIntents.create(INTENT))).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });
});

describe('what is thrown', () => {
  test('a refusal has its reason, its fields, its trace and the page about it', async () => {
    const problem = {
      ...{ status: 400, title: 'Validation failed', detail: 'amount is missing', reason: 'validation_failed' },
      ...{ traceId: 'abc', errors: { amount: ['is required'] }, documentation: '/docs/error-codes#validation_failed' },
    };
    const { client } = openScripted([problem]);
    const error = await failureOf(client.paymentIntents.create(INTENT));
    expect(error).toBeInstanceOf(PosApiError);
    expect(error).toMatchObject({
      ...{ status: 400, reason: 'validation_failed', traceId: 'abc', fields: { amount: ['is required'] } },
      documentation: 'https://api.example/docs/error-codes#validation_failed',
    });
  });

  test.each<[string, Step]>([
    ['HTML', { status: 502, text: '<html>Bad gateway</html>' }],
    ['no body', { status: 502, text: '' }],
    ['another JSON', { status: 502, reason: 7, errors: 'many' }],
    ['JSON that is no object', { status: 502, text: '[1]' }],
  ])('an answer with %s from before the service has no reason', async (_, step) => {
    const { client } = openScripted([step], { retriesMax: 0 });
    const error = await failureOf(client.paymentIntents.read('pi_1'));
    expect(error).toMatchObject({ name: 'PosApiError', status: 502, reason: null, fields: {} });
  });

  test('an address of the documentation that is none does not hide the refusal', async () => {
    const { client } = openScripted([{ status: 400, reason: 'validation_failed', documentation: 'http://[' }]);
    const error = await failureOf(client.paymentIntents.create(INTENT));
    expect(error).toMatchObject({ reason: 'validation_failed', documentation: null });
  });

  test.each<[string, Step, new (...args: never[]) => Error]>([
    ['a broken connection', 'cut', PosConnectionError],
    ['silence', 'silence', PosTimeoutError],
    ['a success without JSON', { status: 200, text: '<html>' }, PosAnswerError],
    ['a success without a body', { status: 200, text: '' }, PosAnswerError],
  ])('%s has an error of its own', async (_, step, wanted) => {
    const { client } = openScripted([step], { retriesMax: 0, attemptTimeoutMs: 20 });
    expect(await failureOf(client.paymentIntents.create(INTENT))).toBeInstanceOf(wanted);
  });

  test('an aborted call throws the reason of its signal, and is not repeated', async () => {
    const { client, sent } = openScripted(['silence', { status: 200 }]);
    const stop = new AbortController();
    const call = failureOf(client.paymentIntents.create(INTENT, { signal: stop.signal }));
    stop.abort(new Error('the page was left'));
    expect(await call).toMatchObject({ message: 'the page was left' });
    expect(sent).toHaveLength(1);
  });

  test('an answer without content is undefined', async () => {
    const { client } = openScripted([{ status: 204 }]);
    expect(await Promise.all([client.webhooks.delete('sub_1')])).toEqual([undefined]);
  });

  test('no error contains the API key', async () => {
    const { client } = openScripted(['cut', UNAVAILABLE], { retriesMax: 1 });
    const error = await failureOf(client.paymentIntents.create(INTENT));
    expect(`${JSON.stringify(error)} ${String(error)} ${JSON.stringify(client)}`).not.toContain('sk_sandbox_1');
  });
});

describe('what is sent', () => {
  test('the key, the newest release, and the partners where card machines need them', async () => {
    const partners = { softwareHouseId: 'house', resellerId: 'seller' };
    const { client, sent } = openScripted([{ status: 200 }, { status: 200 }], partners);
    await client.terminals.list({ statuses: ['Available', 'Offline'] });
    await client.paymentIntents.read('pi_1');
    expect(sent[0]).toMatchObject({
      ...{ method: 'GET', url: 'https://api.example/v1/terminals?statuses=Available&statuses=Offline' },
      headers: { authorization: 'Bearer sk_sandbox_1', version: '2026-02-27', 'software-house-id': 'house' },
    });
    expect(sent[1]?.headers).not.toHaveProperty('software-house-id');
    expect(keysOf(sent)).toEqual([undefined, undefined]);
  });

  test('a path member cannot address another resource', async () => {
    const { client, sent } = openScripted([{ status: 200 }]);
    await client.paymentIntents.read('a/../b?c#d');
    expect(sent[0]?.url).toBe('https://api.example/v1/payment-intents/a%2F..%2Fb%3Fc%23d');
  });

  test('operations of payers carry no API key', async () => {
    const { payer, sent } = openScripted([{ status: 200 }, { status: 200 }]);
    await payer.readPaymentIntent('pi_1');
    await payer.readPaymentMethods('cus_1', { customerSecret: 'cs_1' });
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([undefined, 'Basic cs_1']);
  });

  test('an operation can be chosen at run time', async () => {
    const { client, sent } = openScripted([{ status: 200 }]);
    await client.call('refundPaymentIntent', 'pi_1', { amount: 5, refundReason: 'cold' }, { idempotencyKey: 'k' });
    expect(sent[0]).toMatchObject({ method: 'POST', headers: { idempotencykey: 'k' } });
  });
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) is not followed: a payment goes to the named service only',
  async (status) => {
    const { client, sent } = openScripted([{ status, headers: { location: 'https://other.example/' } }]);
    const failure = await failureOf(client.paymentIntents.create(INTENT));
    expect(failure).toBeInstanceOf(PosApiError);
    expect(failure).toMatchObject({ status });
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  },
);

describe('what cannot work is refused before anything is sent', () => {
  test.each<[string, (client: PosClient, payer: PayerClient) => Promise<unknown>]>([
    ['an empty id', (client) => client.paymentIntents.read('')],
    ['the parent folder as an id', (client) => client.paymentIntents.read('..')],
    ['a card machine without partners', (client) => client.terminals.list()],
    ['a key for a read', (client) => client.paymentIntents.read('pi_1', undefined, { idempotencyKey: 'k' })],
    ['an empty key', (client) => client.paymentIntents.create(INTENT, { idempotencyKey: '' })],
    ['a key with spaces', (client) => client.paymentIntents.create(INTENT, { idempotencyKey: 'a b' })],
    ['a key that is too long', (client) => client.paymentIntents.create(INTENT, { idempotencyKey: 'k'.repeat(101) })],
    ['a time limit that is no number', (client) => client.paymentIntents.create(INTENT, { timeoutMs: Number.NaN })],
    ['a customer without a secret', (_, payer) => payer.readPaymentMethods('cus_1')],
  ])('%s', async (_, call) => {
    const { client, payer, sent } = openScripted([{ status: 200 }]);
    expect(await failureOf(call(client, payer))).toBeInstanceOf(PosUsageError);
    expect(sent).toEqual([]);
  });

  test.each<[string, Partial<PosClientSettings>]>([
    ['an empty API key', { apiKey: '' }],
    ['an API key with a line feed', { apiKey: 'sk\n' }],
    ['an address without a protocol', { baseUrl: 'api.example' }],
    ['an address of another protocol', { baseUrl: 'file:///etc' }],
    ['retries without an end', { retriesMax: Number.NaN }],
    ['negative retries', { retriesMax: -1 }],
    ['no time at all', { timeoutMs: 0 }],
  ])('%s', (_, settings) => {
    expect(() => openScripted([], settings)).toThrow(PosUsageError);
  });
});

describe('in a browser', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  test('an API key is refused, and a payer is served', async () => {
    expect(() => openScripted([])).not.toThrow();
    Object.assign(globalThis, { document: {} });
    expect(() => openScripted([])).toThrow('an API key in a browser can be read by everybody');
    expect(() => new PayerClient({ baseUrl: 'https://api.example' })).not.toThrow();
  });
});

describe('iterators', () => {
  const page = (ids: readonly string[], after: string | null) => ({ status: 200, data: ids, after, before: null });
  const collect = async (all: AsyncIterable<unknown>): Promise<unknown[]> => {
    const found = [];
    for await (const each of all) found.push(each);
    return found;
  };

  test('a search by POST is read from page to page, with its other members unchanged', async () => {
    const { client, sent } = openScripted([page(['c', 'b'], 'one'), UNAVAILABLE, page(['a'], null)]);
    expect(await collect(client.paymentIntents.searchAll({ cursor: { limit: 2 } }))).toEqual(['c', 'b', 'a']);
    expect(sent.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      { cursor: { limit: 2 } },
      { cursor: { limit: 2, after: 'one' } },
      { cursor: { limit: 2, after: 'one' } },
    ]);
    expect(keysOf(sent)).toEqual([undefined, undefined, undefined]);
  });

  test('a list is read from page to page', async () => {
    const { client, sent } = openScripted([page(['b'], 'one'), page(['a'], null)]);
    expect(await collect(client.webhooks.listAllDeliveries('sub_1', { limit: 1 }))).toEqual(['b', 'a']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=1', '?limit=1&after=one']);
  });

  test('a loop that stops early reads no further page', async () => {
    const { client, sent } = openScripted([page(['b', 'a'], 'one'), page(['z'], null)]);
    for await (const each of client.alarms.listAll()) {
      expect(each).toBe('b');
      break;
    }
    expect(sent).toHaveLength(1);
  });

  test('a page that names itself as the next ends the loop with an error', async () => {
    const { client, sent } = openScripted([page(['b'], 'one'), page(['a'], 'one'), page(['a'], 'one')]);
    await expect(collect(client.alarms.listAll())).rejects.toThrow(PosAnswerError);
    expect(sent).toHaveLength(2);
  });
});
