import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { putEposIntegration } from '@pos/store/epos-integrations';
import type { RunningGateway } from '../boot.js';
import { type TestAccount, TestPlace } from '../testing.js';
import type { DataOutcome, DataWay, DataWish } from './tables-call.js';
import { servedTill, type Till } from './testing-till.js';

let place: TestPlace;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
  other = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => place.close());

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function dataTill(account: TestAccount, at = gateway): Promise<Till> {
  const till = await servedTill('/epos', account, { place, at });
  closers.push(() => till.hangUp());
  return till;
}

const wishOf = (account: TestAccount, name: DataWish['name'], params = {}): DataWish => ({
  ...{ scope: account.scope, name, params, headers: { waiterId: '42' }, waitMs: 8_000, fence: null, faults: null },
});
const askData = (wish: DataWish, at = gateway, way: DataWay | 'auto' = 'auto'): Promise<DataOutcome> =>
  at.gateway.router.ask(wish, way).then(({ outcome }) => outcome);

function registered(account: TestAccount, kind: 'rest' | 'ws', more: { url?: string; capabilities?: string[] } = {}) {
  const { url = null, capabilities = [...EPOS_CAPABILITIES] } = more;
  const auth = kind === 'rest' ? { username: 'till', password: 'secret' } : { username: null, password: null };
  return place.test.database.transact(account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind, url, ...auth },
      capabilities: capabilities.map((name) => ({ name, version: 'v1' as const })),
    }),
  );
}

const ORDER = { id: '118', details: { orderType: 'DineIn' }, totalAmount: { value: 900, currencyCode: 'GBP' } };

describe('the EPOS Data API over a socket', () => {
  test('a call is asked with path, body and headers in one, and answered bare', async () => {
    const account = await place.account();
    await registered(account, 'ws');
    const till = await dataTill(account);
    const asked = askData(wishOf(account, 'GetOrderById', { orderId: '118' }));
    const { id, method, params } = await till.call();
    expect({ method, params }).toEqual({
      method: 'GetOrderByIdV1',
      params: { orderId: '118', headers: { waiterId: '42' } },
    });
    till.say({ jsonrpc: '2.0', id, result: ORDER });
    expect(await asked).toEqual({ outcome: 'answered', json: ORDER, httpStatus: 0 });
  });

  test('sixteen calls are out at once, and their answers come in any order', async () => {
    const account = await place.account();
    await registered(account, 'ws');
    const till = await dataTill(account);
    const asked = Array.from({ length: 17 }, (_, number) =>
      askData(wishOf(account, 'GetOrderById', { orderId: String(number) })),
    );
    await till.call(15);
    expect(till.heard).toHaveLength(16);
    for (const { id, params } of [...till.heard].reverse())
      till.say({ id, result: { ...ORDER, id: params['orderId'] } });
    const last = await till.call(16);
    till.say({ id: last.id, result: { ...ORDER, id: last.params['orderId'] } });
    const ids = (await Promise.all(asked)).map((outcome) => (outcome.outcome === 'answered' ? outcome.json : null));
    expect(ids).toEqual(Array.from({ length: 17 }, (_, number) => ({ ...ORDER, id: String(number) })));
  });

  test('what is not registered is never asked, even over a live socket', async () => {
    const account = await place.account();
    await registered(account, 'ws', { capabilities: ['ListAreas', 'GetOrderBill'] });
    const till = await dataTill(account);
    expect(await askData(wishOf(account, 'GetOrderById', { orderId: '1' }))).toMatchObject({ outcome: 'notSent' });
    const asked = askData(wishOf(account, 'GetOrderBillById', { orderId: '1' }));
    const { id, method } = await till.call();
    expect(method).toBe('GetOrderBillByIdV1');
    till.say({ id, error: { errorType: 'NotFound' } });
    expect(await asked).toEqual({ outcome: 'refused', error: { errorType: 'NotFound' }, httpStatus: 0 });
    expect(till.heard).toHaveLength(1);
  });

  test('an event is told only to who has registered its kind', async () => {
    const account = await place.account();
    await registered(account, 'ws', { capabilities: ['HandleEvent:payment_intent.created'] });
    const till = await dataTill(account);
    const event = { event: 'payment_intent.status_updated' };
    expect(await askData(wishOf(account, 'HandleEvent', event))).toMatchObject({ outcome: 'notSent' });
    const asked = askData(wishOf(account, 'HandleEvent', { event: 'payment_intent.created' }));
    till.say({ id: (await till.call()).id, result: {} });
    expect(await asked).toMatchObject({ outcome: 'answered' });
  });

  test('a till at another gateway is asked through it', async () => {
    const account = await place.account();
    await registered(account, 'ws');
    const till = await dataTill(account, other);
    const asked = askData(wishOf(account, 'ListAreas'));
    till.say({ id: (await till.call()).id, error: { errorType: 'Conflict', debugMessage: 'busy' } });
    expect(await asked).toMatchObject({ outcome: 'refused', error: { errorType: 'Conflict', debugMessage: 'busy' } });
  });
});

/** A till that serves REST, played by hand. */
async function restTill(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void) {
  const asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, headers, body });
      answer(request, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/till`, asked };
}

describe('the EPOS Data API over REST', () => {
  test('a call goes to the registered address with its path, body, headers and credentials', async () => {
    const account = await place.account();
    const till = await restTill((_, __, response) => response.end(JSON.stringify(ORDER)));
    await registered(account, 'rest', { url: till.url });
    const amount = { value: 1, currencyCode: 'GBP' };
    const params = { orderId: 'a b', paymentIntentId: 'pi', paidAmount: amount };
    const outcome = await askData({ ...wishOf(account, 'RecordOrderPaymentById', params), headers: { waiterId: 'é' } });
    expect(outcome).toEqual({ outcome: 'answered', json: ORDER, httpStatus: 200 });
    expect(till.asked).toMatchObject([
      {
        ...{ method: 'POST', url: '/till/v1/orders/a%20b/record-payment' },
        headers: { authorization: `Basic ${Buffer.from('till:secret').toString('base64')}` },
        body: JSON.stringify({ paymentIntentId: 'pi', paidAmount: amount }),
      },
    ]);
    expect(till.asked[0]?.headers).not.toHaveProperty('waiter-id');
  });

  test.each([
    ['200 with an order', 200, JSON.stringify(ORDER), { outcome: 'answered', json: ORDER }],
    ['204 with nothing', 204, '', { outcome: 'answered', json: null }],
    ['200 with broken JSON', 200, '{"id":', { outcome: 'noAnswer' }],
    ['200 with more than 4 MiB', 200, `"${'x'.repeat(4 * 1024 * 1024)}"`, { outcome: 'noAnswer' }],
    ['200 with a refusal', 200, '{"errorType":"Conflict"}', { outcome: 'refused', error: { errorType: 'Conflict' } }],
    ['500 with NotFound', 500, '{"errorType":"NotFound"}', { outcome: 'refused', error: { errorType: 'NotFound' } }],
    ['409 with Conflict', 409, '{"errorType":"Conflict"}', { outcome: 'refused', error: { errorType: 'Conflict' } }],
    ['400 with nothing', 400, '', { outcome: 'noAnswer' }],
    ['404 with nothing', 404, '', { outcome: 'noAnswer' }],
    ['409 with a page', 409, '<html>', { outcome: 'noAnswer' }],
    ['409 with an unknown error', 409, '{"errorType":"Odd"}', { outcome: 'noAnswer' }],
    ['422 with other words', 422, '{"error":"no"}', { outcome: 'noAnswer' }],
    ['408 with a page', 408, '<html>', { outcome: 'noAnswer' }],
    ['408 with InvalidRequest', 408, '{"errorType":"InvalidRequest"}', { outcome: 'noAnswer' }],
    ['425 with nothing', 425, '', { outcome: 'noAnswer' }],
    ['499 with a page', 499, '<html>', { outcome: 'noAnswer' }],
    ['429 with a page', 429, '<html>', { outcome: 'notSent' }],
    ['429 with InvalidRequest', 429, '{"errorType":"InvalidRequest"}', { outcome: 'notSent' }],
    ['401 with InvalidRequest', 401, '{"errorType":"InvalidRequest"}', { outcome: 'credentialsRefused' }],
    ['403', 403, '', { outcome: 'credentialsRefused' }],
    ['302', 302, '', { outcome: 'refused', error: { errorType: 'UnexpectedError' } }],
    ['500', 500, '', { outcome: 'refused', error: { errorType: 'UnexpectedError' } }],
    ['503 with a page', 503, '<html>', { outcome: 'refused', error: { errorType: 'UnexpectedError' } }],
  ])('the answer %s to a write is judged so, and the write is made once', async (_, status, body, outcome) => {
    const account = await place.account();
    const till = await restTill((_request, __, response) => response.writeHead(status).end(body));
    await registered(account, 'rest', { url: till.url });
    expect(await askData(wishOf(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject(outcome);
    expect(till.asked).toHaveLength(1);
  });

  test.each([
    [204, '', { outcome: 'answered', json: null }],
    [200, 'gone', { outcome: 'answered', json: null }],
    [200, '{"errorType":"Conflict"}', { outcome: 'refused', error: { errorType: 'Conflict' } }],
    [404, '', { outcome: 'refused', error: { errorType: 'NotFound' } }],
    [409, '', { outcome: 'refused', error: { errorType: 'Conflict' } }],
    [400, '', { outcome: 'noAnswer' }],
    [408, '', { outcome: 'noAnswer' }],
    [429, '', { outcome: 'notSent' }],
  ])('a deletion that is answered %i %j is judged so', async (status, body, outcome) => {
    const account = await place.account();
    const till = await restTill((_request, __, response) => response.writeHead(status).end(body));
    await registered(account, 'rest', { url: till.url });
    expect(await askData(wishOf(account, 'DeletePartyById', { partyId: '1' }))).toMatchObject(outcome);
  });

  test('a read is tried three times', async () => {
    const account = await place.account();
    const till = await restTill((_, __, response) => response.writeHead(503).end());
    await registered(account, 'rest', { url: till.url });
    expect(await askData(wishOf(account, 'ListAreas'))).toMatchObject({ outcome: 'refused' });
    expect(till.asked).toHaveLength(3);
  });

  test.each([
    ['CreateOrder', {}],
    ['RecordOrderPaymentById', { orderId: '1' }],
    ['CancelOrderById', { orderId: '1' }],
  ] as const)('a proxy in front of the EPOS does not refuse %s', async (name, params) => {
    const account = await place.account();
    const statuses = [400, 404, 408, 409, 413, 425, 499];
    const left = [...statuses];
    const till = await restTill((_request, __, response) => response.writeHead(left.shift() ?? 500).end('<html>'));
    await registered(account, 'rest', { url: till.url });
    for (const status of statuses) {
      const outcome = await askData(wishOf(account, name, params));
      expect({ status, ...outcome }).toMatchObject({ status, outcome: 'noAnswer' });
    }
    expect(till.asked).toHaveLength(statuses.length);
  });

  test('a broken connection leaves a write open, and an address where nobody listens proves that nothing was sent', async () => {
    const account = await place.account();
    const till = await restTill((request) => request.socket.destroy());
    await registered(account, 'rest', { url: till.url });
    expect(await askData(wishOf(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({ outcome: 'noAnswer' });
    await registered(account, 'rest', { url: 'http://127.0.0.1:1' });
    expect(await askData(wishOf(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({ outcome: 'notSent' });
  });

  test.each(['http://10.0.0.1', 'http://till.example', 'https://127.0.0.1', 'https://user:pw@till.example'])(
    'the address %s is never called',
    async (url) => {
      const account = await place.account();
      await registered(account, 'rest', { url });
      expect(await askData(wishOf(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({ outcome: 'notSent' });
    },
  );

  test('an open socket comes first, and a read moves to REST when it breaks', async () => {
    const account = await place.account();
    const rest = await restTill((_, __, response) => response.end('[]'));
    await registered(account, 'rest', { url: rest.url });
    await registered(account, 'ws');
    const till = await dataTill(account);
    const asked = askData(wishOf(account, 'ListAreas'));
    await till.call();
    expect(rest.asked).toHaveLength(0);
    till.hangUp();
    expect(await asked).toEqual({ outcome: 'answered', json: [], httpStatus: 200 });
  });

  test('a write whose socket breaks is not made again over REST', async () => {
    const account = await place.account();
    const rest = await restTill((_, __, response) => response.end('{}'));
    await registered(account, 'rest', { url: rest.url });
    await registered(account, 'ws');
    const till = await dataTill(account);
    const asked = askData(wishOf(account, 'CancelOrderById', { orderId: '1' }));
    await till.call();
    till.hangUp();
    expect(await asked).toMatchObject({ outcome: 'noAnswer' });
    expect(rest.asked).toHaveLength(0);
  });
});
