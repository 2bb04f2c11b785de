import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startHttpServer } from './http-server.js';
import { createLog } from '../telemetry/log.js';
import {
  TEST_OPERATIONS,
  type createOrder,
  VALID_HEADERS,
  startOrderServer,
  TEST_ORDER,
  OrdersModule,
  PROBLEM_MEMBERS,
  readOrder,
  RUN_ID,
  type TestRequest,
  VALID_BODY,
} from '../testing/order-server.js';
import { Serve, type OperationCall } from './operation-route.js';

type OrderServer = Awaited<ReturnType<typeof startOrderServer>>;
let orderServer: OrderServer;
const send = (...sent: Parameters<OrderServer['send']>) => orderServer.send(...sent);
const create = (...sent: Parameters<OrderServer['create']>) => orderServer.create(...sent);

beforeAll(async () => {
  orderServer = await startOrderServer();
});
afterAll(() => orderServer.close());

describe('a good request', () => {
  test('is answered with the plain body and the common headers', async () => {
    const answer = await create(VALID_BODY);
    expect([answer.status, answer.body]).toEqual([200, TEST_ORDER]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      version: '2026-02-27',
      'trace-id': expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is read leniently and passed on in the documented form', async () => {
    await create({
      REFERENCE: 'a',
      Amount: { value: '7', currencyCode: 'gbp' },
      kind: 'delivery',
      dueAt: '2026-03-01T12:00:00+01:00',
      x: 1,
    });
    expect(orderServer.seen.at(-1)).toMatchObject({
      body: {
        reference: 'a',
        amount: { value: 7, currencyCode: 'GBP' },
        kind: 'Delivery',
        dueAt: new Date('2026-03-01T11:00:00.000Z'),
      },
    });
  });

  // oxfmt-ignore

  test.each<[string, string, string, TestRequest, number, unknown]>([
    ['a trailing slash', 'GET', '/orders/o-1/', {}, 200, { ...TEST_ORDER, id: 'o-1' }],
    ['a query', 'GET', '/orders/o-1?returnClosed=TRUE', {}, 200, { ...TEST_ORDER, id: 'o-1', status: 'Closed' }],
    ['an escaped path member', 'GET', '/orders/a%2Fb', {}, 200, { ...TEST_ORDER, id: 'a/b' }],
    ['a NUL in a path member, which is an unknown id', 'GET', '/orders/%00', {}, 200, { ...TEST_ORDER, id: '\u0000' }],
    ['no body where none is read', 'POST', '/orders/search', {}, 200, [TEST_ORDER]],
    ['an empty object where none is read', 'POST', '/orders/search', { body: '{}' }, 200, [TEST_ORDER]],
    ['null where none is read', 'POST', '/orders/search', { body: 'null' }, 200, [TEST_ORDER]],
    ['no content', 'DELETE', '/orders/o-1', {}, 204, {}],
    ['a content type but no body', 'DELETE', '/orders/o-1', { headers: { ...VALID_HEADERS, 'content-type': 'text/plain' } }, 204, {}],
    ['a charset', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'Application/JSON; charset="UTF-8"' }, body: JSON.stringify(VALID_BODY) }, 200, TEST_ORDER],
    ['a byte order mark', 'POST', '/orders', { body: `\uFEFF${JSON.stringify(VALID_BODY)}` }, 200, TEST_ORDER],
    ['a version of tomorrow', 'GET', '/orders/o-1', { headers: { ...VALID_HEADERS, version: '2999-01-01' } }, 200, { ...TEST_ORDER, id: 'o-1' }],
    ['the scheme in small letters', 'GET', '/orders/o-1', { headers: { ...VALID_HEADERS, authorization: 'basic full' } }, 200, { ...TEST_ORDER, id: 'o-1' }],
    ['no key where none is required', 'GET', '/public/o-1', { headers: {} }, 200, RUN_ID],
    ['a wrong key where none is required', 'GET', '/public/o-1', { headers: { authorization: 'Basic nobody' } }, 200, RUN_ID],
    ['a sandbox key on the sandbox', 'POST', '/sandbox/clock', {}, 204, {}],
    ['statuses by commas', 'GET', '/machines?statuses=available', { headers: { ...VALID_HEADERS, 'software-house-id': 's', 'reseller-id': 'r' } }, 200, ['Available']],
  ])('may come with %s', async (_, method, path, sent, status, body) => {
    const answer = await send(method, path, sent);
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  test('HEAD is answered as GET is, without the body', async () => {
    const answer = await send('HEAD', '/orders/o-1');
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    expect((await send('HEAD', '/orders/o-1', { headers: {} })).status).toBe(401);
  });

  test('the answer names the release that it selects', async () => {
    const answer = await send('GET', '/orders/o-1', { headers: { ...VALID_HEADERS, version: '2024-06-01' } });
    expect(answer.headers['version']).toBe('2024-02-05');
  });

  test('its trace continues the one that it names', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const answer = await send('GET', '/orders/o-1', { headers: { ...VALID_HEADERS, traceparent } });
    expect(answer.headers['trace-id']).toMatch(
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/,
    );
  });

  test('is logged in one line, with its trace and without its key', async () => {
    const answer = await send('GET', '/orders/gone');
    const line = orderServer.lines.find(
      (each) =>
        each['event'] === 'http.answered' && answer.headers['trace-id']?.includes(String(each['trace_id'])) === true,
    );
    expect(line).toMatchObject({
      operation: 'readOrder',
      method: 'GET',
      path: '/orders/gone',
      status: 404,
      refusal: 'payment_intent_not_found',
      account_id: 'acc_AAAAAAAAAAAAAAAAAAAAAA',
    });
    expect(JSON.stringify(line)).not.toContain('Basic');
  });
});

describe('after a defect or an outage', () => {
  // oxfmt-ignore
  test.each([
    ['boom', 500],
    ['extra', 500],
    ['wrong', 500],
    ['hole', 500],
    ['down', 503],
    ['unknown', 503],
  ])('%s is %d and reveals nothing internal', async (reference, status) => {
    const answer = await create({ ...VALID_BODY, reference });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(PROBLEM_MEMBERS);
    expect(answer.text).not.toMatch(/hunter2|SELECT|ECONNREFUSED|not listed|terminal_not_found/);
    expect(orderServer.lines.at(-1)).toMatchObject({ event: 'http.answered', status });
  });

  test('a lost key store is 503, not 401', async () => {
    const answer = await send('GET', '/orders/o-1', { headers: { ...VALID_HEADERS, authorization: 'Basic outage' } });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  test('health needs no key and no version, and ready names what is missing', async () => {
    const callServer = (path: string) => send('GET', path, { headers: {} });
    expect([(await callServer('/health/live')).text, (await callServer('/health/ready')).text]).toEqual(
      Array(2).fill('{"status":"ok","release":"1.2.3-test"}'),
    );
    orderServer.world.isDatabaseUp = false;
    const answer = await callServer('/health/ready');
    orderServer.world.isDatabaseUp = true;
    expect([answer.status, answer.body['detail']]).toEqual([503, 'Not ready: database.']);
    expect((await callServer('/health/live')).status).toBe(200);
  });
});

describe('a repeated idempotency key', () => {
  test('is answered with the stored bytes, even where the request would no longer be accepted', async () => {
    const answer = await create({ reference: '' }, { idempotencyKey: 'used' });
    expect([answer.status, answer.body['id'], answer.headers['idempotent-replayed']]).toEqual([200, 'o-9', 'true']);
  });

  test('with a key that lacks the permission is still refused', async () => {
    expect((await create(VALID_BODY, { idempotencyKey: 'used', authorization: 'Basic reader' })).status).toBe(403);
  });

  test('reaches the use case with the concrete path and a body without member order', async () => {
    await send('POST', '/orders/', {
      headers: { ...VALID_HEADERS, 'idempotency-key': 'k-1' },
      body: '{"reference":"a","amount":{"value":1,"currencyCode":"GBP"}}',
    });
    const first = orderServer.seen.at(-1);
    await send('POST', '/orders', {
      headers: { ...VALID_HEADERS, idempotencyKey: 'k-1' },
      body: '{"amount":{"currencyCode":"GBP","value":1},"reference":"a"}',
    });
    expect(orderServer.seen.at(-1)).toEqual(first);
    expect(first).toMatchObject({
      idempotency: {
        method: 'POST',
        path: '/orders',
        key: 'k-1',
        fingerprintInput: '{"amount":{"currencyCode":"GBP","value":1},"reference":"a"}',
      },
    });
  });

  test('its key is bound to the query as well, in any order and spelling of its names', async () => {
    const readFingerprint = async (query: string) => {
      await send('POST', `/orders${query}`, {
        headers: { ...VALID_HEADERS, idempotencyKey: 'k-2' },
        body: JSON.stringify(VALID_BODY),
      });
      const { idempotency } = orderServer.seen.at(-1) as { idempotency: { fingerprintInput: string } };
      return idempotency.fingerprintInput;
    };
    const fingerprint = await readFingerprint('?first=1&second=2');
    expect(await readFingerprint('?second=2&FIRST=1')).toBe(fingerprint);
    const others = [
      await readFingerprint(''),
      await readFingerprint('?first=1'),
      await readFingerprint('?first=2&second=2'),
    ];
    expect(new Set([fingerprint, ...others]).size).toBe(4);
  });

  test('an answer in its final bytes is sent unchanged', async () => {
    const answer = await create({ ...VALID_BODY, reference: 'stored' });
    expect([answer.status, answer.text, answer.headers['idempotent-replayed']]).toEqual([
      200,
      JSON.stringify(TEST_ORDER),
      undefined,
    ]);
  });
});

describe('browsers', () => {
  test('of any origin may call browser operations', async () => {
    const preflight = await send('OPTIONS', '/public/o-1', {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
    });
    expect((await send('GET', '/public/o-1', { headers: {} })).headers['access-control-allow-origin']).toBe('*');
    expect(
      (await send('GET', '/public/o-1', { headers: { version: 'x' } })).headers['access-control-allow-origin'],
    ).toBe('*');
  });

  test('may call no other operation', async () => {
    const preflight = await send('OPTIONS', '/orders', { headers: { origin: 'https://shop.example' } });
    expect([preflight.status, preflight.headers['allow'], preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      'POST, OPTIONS',
      undefined,
    ]);
    expect((await send('OPTIONS', '/nowhere', { headers: {} })).status).toBe(404);
  });
});

describe('the document', () => {
  test('is served without a key', async () => {
    const { status, body } = await send('GET', '/openapi.json', { headers: {} });
    expect([status, body['openapi'], (body['info'] as { title: string }).title]).toEqual([200, '3.1.0', 'Orders']);
  });
});

test('closing lets a running request finish', async () => {
  const closing = await startOrderServer();
  const calls = closing.seen.length;
  const answer = closing.create({ ...VALID_BODY, reference: 'slow' });
  while (closing.seen.length === calls) await new Promise((resolve) => setImmediate(resolve));
  await closing.close();
  expect((await answer).status).toBe(200);
  await expect(closing.create(VALID_BODY)).rejects.toThrow('ECONNREFUSED');
});

describe('a start', () => {
  const parts = {
    module: OrdersModule,
    port: 0,
    host: '127.0.0.1',
    ready: [],
    log: createLog({ app: 'test', level: 'silent' }),
    openapi: { title: 'Orders', description: 'A test.' },
  };

  test('fails when no controller serves a listed operation', async () => {
    const unserved = { ...readOrder, id: 'unserved', path: '/unserved', params: z.object({}) } as const;
    await expect(startHttpServer({ ...parts, operations: [...TEST_OPERATIONS, unserved] })).rejects.toThrow(
      'no controller serves unserved',
    );
  });

  test('fails when a controller serves an unlisted operation', async () => {
    await expect(startHttpServer({ ...parts, operations: TEST_OPERATIONS.slice(1) })).rejects.toThrow('does not list');
  });

  test('fails when two operations claim one method and path', async () => {
    await expect(
      startHttpServer({ ...parts, operations: [...TEST_OPERATIONS, { ...readOrder, id: 'again' }] }),
    ).rejects.toThrow('same method and path');
  });
});

test('a wrong reply or argument does not compile', () => {
  class Wrong {
    // @ts-expect-error -- the reply lacks members
    @Serve(readOrder)
    async reply() {
      return { id: 'o-1' };
    }

    // @ts-expect-error -- the call of another operation
    @Serve(readOrder)
    async argument({ body }: OperationCall<typeof createOrder>) {
      return { ...TEST_ORDER, id: body.reference };
    }
  }
  expect(Wrong.name).toBe('Wrong');
});
