import { EposDataClient } from '../epos-routing/epos-data-client.js';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { putEposIntegration } from '@pos/store/repositories';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import type { DataTransportKind } from '../epos-calls/transport-kinds.js';
import { connectTestEpos, type TestEposSocket } from '../testing/socket-epos.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
  other = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => environment.close());

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function connectDataEpos(account: GatewayAccount, at = gateway): Promise<TestEposSocket> {
  const eposSocket = await connectTestEpos('/epos', account, { environment, gateway: at });
  closers.push(() => eposSocket.terminate());
  return eposSocket;
}

const buildDataRequest = (account: GatewayAccount, name: DataCallRequest['name'], params = {}): DataCallRequest => ({
  ...{ scope: account.scope, name, params, headers: { waiterId: '42' }, waitMs: 8_000, fence: null, faults: null },
});
const callData = (
  callRequest: DataCallRequest,
  at = gateway,
  transport: DataTransportKind | 'auto' = 'auto',
): Promise<DataOutcome> =>
  at.app
    .get(EposDataClient)
    .callData(callRequest, transport)
    .then(({ outcome }) => outcome);

function registerEpos(
  account: GatewayAccount,
  kind: 'rest' | 'ws',
  overrides: { url?: string; capabilities?: string[] } = {},
) {
  const { url = null, capabilities = [...EPOS_CAPABILITIES] } = overrides;
  const auth = kind === 'rest' ? { username: 'till', password: 'secret' } : { username: null, password: null };
  return environment.testDatabase.database.transact(account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind, url, ...auth },
      capabilities: capabilities.map((name) => ({ name, version: 'v1' as const })),
    }),
  );
}

const ORDER = { id: '118', details: { orderType: 'DineIn' }, totalAmount: { value: 900, currencyCode: 'GBP' } };

describe('the EPOS Data API over a socket', () => {
  test('a call is asked with path, body and headers in one, and answered bare', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account);
    const requests = callData(buildDataRequest(account, 'GetOrderById', { orderId: '118' }));
    const { id, method, params } = await eposSocket.waitForFrame();
    expect({ method, params }).toEqual({
      method: 'GetOrderByIdV1',
      params: { orderId: '118', headers: { waiterId: '42' } },
    });
    eposSocket.sendFrame({ jsonrpc: '2.0', id, result: ORDER });
    expect(await requests).toEqual({ outcome: 'answered', json: ORDER, httpStatus: 0 });
  });

  test('an answer without a result ends its call at once, and shows nothing of its outcome', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account);
    // A read would be repeated.
    const requests = callData(buildDataRequest(account, 'RecordOrderPaymentById', { orderId: '118' }));
    const { id } = await eposSocket.waitForFrame();
    eposSocket.sendFrame({ jsonrpc: '2.0', id });
    expect(await requests).toMatchObject({ outcome: 'noAnswer', reason: 'the message has no result' });
  });

  test('sixteen calls are out at once, and their answers come in any order', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account);
    const requests = Array.from({ length: 17 }, (_, number) =>
      callData(buildDataRequest(account, 'GetOrderById', { orderId: String(number) })),
    );
    await eposSocket.waitForFrame(15);
    expect(eposSocket.receivedFrames).toHaveLength(16);
    for (const { id, params } of [...eposSocket.receivedFrames].reverse())
      eposSocket.sendFrame({ id, result: { ...ORDER, id: params['orderId'] } });
    const last = await eposSocket.waitForFrame(16);
    eposSocket.sendFrame({ id: last.id, result: { ...ORDER, id: last.params['orderId'] } });
    const ids = (await Promise.all(requests)).map((outcome) => (outcome.outcome === 'answered' ? outcome.json : null));
    expect(ids).toEqual(Array.from({ length: 17 }, (_, number) => ({ ...ORDER, id: String(number) })));
  });

  test('what is not registered is never asked, even over a live socket', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws', { capabilities: ['ListAreas', 'GetOrderBill'] });
    const eposSocket = await connectDataEpos(account);
    expect(await callData(buildDataRequest(account, 'GetOrderById', { orderId: '1' }))).toMatchObject({
      outcome: 'notSent',
    });
    const requests = callData(buildDataRequest(account, 'GetOrderBillById', { orderId: '1' }));
    const { id, method } = await eposSocket.waitForFrame();
    expect(method).toBe('GetOrderBillByIdV1');
    eposSocket.sendFrame({ id, error: { errorType: 'NotFound' } });
    expect(await requests).toEqual({ outcome: 'refused', error: { errorType: 'NotFound' }, httpStatus: 0 });
    expect(eposSocket.receivedFrames).toHaveLength(1);
  });

  test('an event is sent only to an EPOS that has registered its kind', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws', { capabilities: ['HandleEvent:payment_intent.created'] });
    const eposSocket = await connectDataEpos(account);
    const event = { event: 'payment_intent.status_updated' };
    expect(await callData(buildDataRequest(account, 'HandleEvent', event))).toMatchObject({ outcome: 'notSent' });
    const requests = callData(buildDataRequest(account, 'HandleEvent', { event: 'payment_intent.created' }));
    eposSocket.sendFrame({ id: (await eposSocket.waitForFrame()).id, result: {} });
    expect(await requests).toMatchObject({ outcome: 'answered' });
  });

  test('an EPOS at another gateway is called through it', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account, other);
    const requests = callData(buildDataRequest(account, 'ListAreas'));
    eposSocket.sendFrame({
      id: (await eposSocket.waitForFrame()).id,
      error: { errorType: 'Conflict', debugMessage: 'busy' },
    });
    expect(await requests).toMatchObject({
      outcome: 'refused',
      error: { errorType: 'Conflict', debugMessage: 'busy' },
    });
  });
});

/** A scripted EPOS that serves REST. */
async function startRestEpos(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body });
      answer(request, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/till`, asked: requests };
}

const CAFE = { ...ORDER, displayName: 'Café Zoë' };
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const PAGE = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>';
const NAMED_PAGE = /^HTTP status \d{3} with an HTML page: a proxy in front of the EPOS has answered$/;

describe('the text of an answer over REST', () => {
  test.each<[string, string, Buffer]>([
    ['UTF-8 without a charset', 'application/json', Buffer.from(JSON.stringify(CAFE))],
    ['UTF-8 after a byte order mark', 'application/json', Buffer.from(`\ufeff${JSON.stringify(CAFE)}`)],
    ['a declared Latin-1', 'application/json; charset=iso-8859-1', Buffer.from(JSON.stringify(CAFE), 'latin1')],
    ['a declared windows-1252', 'application/json;charset="Windows-1252"', Buffer.from(JSON.stringify(CAFE), 'latin1')],
    ['a declared UTF-16', 'application/json; charset=utf-16le', Buffer.from(JSON.stringify(CAFE), 'utf16le')],
    ['UTF-16 after a byte order mark', 'application/json', utf16(JSON.stringify(CAFE))],
    ['an unknown charset, in UTF-8', 'text/json; charset=x-till', Buffer.from(JSON.stringify(CAFE))],
  ])('is read in %s', async (_, contentType, body) => {
    const account = await environment.createAccount();
    const epos = await startRestEpos((_request, __, response) =>
      response.writeHead(200, { 'content-type': contentType }).end(body),
    );
    await registerEpos(account, 'rest', { url: epos.url });
    expect(await callData(buildDataRequest(account, 'GetOrderById', { orderId: '118' }))).toMatchObject({
      ...{ outcome: 'answered', json: CAFE },
    });
  });

  test('is read after a byte order mark in a frame of a socket', async () => {
    const account = await environment.createAccount();
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account);
    const answering = callData(buildDataRequest(account, 'GetOrderById', { orderId: '118' }));
    const { id } = await eposSocket.waitForFrame();
    eposSocket.sendFrame(`\ufeff${JSON.stringify({ jsonrpc: '2.0', id, result: CAFE })}`);
    expect(await answering).toMatchObject({ outcome: 'answered', json: CAFE });
  });

  test.each([
    [200, 'noAnswer', PAGE],
    [502, 'refused', PAGE],
    [503, 'refused', '<html>'],
    [409, 'noAnswer', PAGE],
    [408, 'noAnswer', PAGE],
    [403, 'credentialsRefused', PAGE],
  ])('names the HTML page of a proxy with status %i', async (status, outcome, page) => {
    const account = await environment.createAccount();
    const epos = await startRestEpos((_request, __, response) => response.writeHead(status).end(page));
    await registerEpos(account, 'rest', { url: epos.url });
    const named = { debugMessage: expect.stringMatching(NAMED_PAGE) };
    expect(await callData(buildDataRequest(account, 'RecordOrderPaymentById', { orderId: '1' }))).toMatchObject({
      outcome,
      ...(outcome === 'refused' ? { error: named } : { reason: expect.stringMatching(NAMED_PAGE) }),
    });
  });

  test.each(['[', '{"note":"<html>"', 'gone'])('does not take %s for a page', async (body) => {
    const account = await environment.createAccount();
    const epos = await startRestEpos((_request, __, response) => response.end(body));
    await registerEpos(account, 'rest', { url: epos.url });
    expect(await callData(buildDataRequest(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({
      ...{ outcome: 'noAnswer', reason: 'the answer is not JSON' },
    });
  });
});

describe('the EPOS Data API over REST', () => {
  test('a call goes to the registered address with its path, body, headers and credentials', async () => {
    const account = await environment.createAccount();
    const eposSocket = await startRestEpos((_, __, response) => response.end(JSON.stringify(ORDER)));
    await registerEpos(account, 'rest', { url: eposSocket.url });
    const amount = { value: 1, currencyCode: 'GBP' };
    const params = { orderId: 'a b', paymentIntentId: 'pi', paidAmount: amount };
    const outcome = await callData({
      ...buildDataRequest(account, 'RecordOrderPaymentById', params),
      headers: { waiterId: 'é' },
    });
    expect(outcome).toEqual({ outcome: 'answered', json: ORDER, httpStatus: 200 });
    expect(eposSocket.asked).toMatchObject([
      {
        ...{ method: 'POST', url: '/till/v1/orders/a%20b/record-payment' },
        headers: { authorization: `Basic ${Buffer.from('till:secret').toString('base64')}` },
        body: JSON.stringify({ paymentIntentId: 'pi', paidAmount: amount }),
      },
    ]);
    expect(eposSocket.asked[0]?.headers).not.toHaveProperty('waiter-id');
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
  ])('the answer %s to a write has its outcome, and the write is made once', async (_, status, body, outcome) => {
    const account = await environment.createAccount();
    const eposSocket = await startRestEpos((_request, __, response) => response.writeHead(status).end(body));
    await registerEpos(account, 'rest', { url: eposSocket.url });
    expect(await callData(buildDataRequest(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject(outcome);
    expect(eposSocket.asked).toHaveLength(1);
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
  ])('a deletion that is answered %i %j has its outcome', async (status, body, outcome) => {
    const account = await environment.createAccount();
    const eposSocket = await startRestEpos((_request, __, response) => response.writeHead(status).end(body));
    await registerEpos(account, 'rest', { url: eposSocket.url });
    expect(await callData(buildDataRequest(account, 'DeletePartyById', { partyId: '1' }))).toMatchObject(outcome);
  });

  test('a read is tried three times', async () => {
    const account = await environment.createAccount();
    const eposSocket = await startRestEpos((_, __, response) => response.writeHead(503).end());
    await registerEpos(account, 'rest', { url: eposSocket.url });
    expect(await callData(buildDataRequest(account, 'ListAreas'))).toMatchObject({ outcome: 'refused' });
    expect(eposSocket.asked).toHaveLength(3);
  });

  test.each([
    ['CreateOrder', {}],
    ['RecordOrderPaymentById', { orderId: '1' }],
    ['CancelOrderById', { orderId: '1' }],
  ] as const)('a proxy in front of the EPOS does not refuse %s', async (name, params) => {
    const account = await environment.createAccount();
    const statuses = [400, 404, 408, 409, 413, 425, 499];
    const left = [...statuses];
    const eposSocket = await startRestEpos((_request, __, response) =>
      response.writeHead(left.shift() ?? 500).end('<html>'),
    );
    await registerEpos(account, 'rest', { url: eposSocket.url });
    for (const status of statuses) {
      const outcome = await callData(buildDataRequest(account, name, params));
      expect({ status, ...outcome }).toMatchObject({ status, outcome: 'noAnswer' });
    }
    expect(eposSocket.asked).toHaveLength(statuses.length);
  });

  test('a broken connection leaves a write open, and an address where nobody listens proves that nothing was sent', async () => {
    const account = await environment.createAccount();
    const eposSocket = await startRestEpos((request) => request.socket.destroy());
    await registerEpos(account, 'rest', { url: eposSocket.url });
    expect(await callData(buildDataRequest(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({
      outcome: 'noAnswer',
    });
    await registerEpos(account, 'rest', { url: 'http://127.0.0.1:1' });
    expect(await callData(buildDataRequest(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({
      outcome: 'notSent',
    });
  });

  test.each([
    'http://10.0.0.1',
    'http://93.184.216.34',
    'http://till.example',
    'https://127.0.0.1',
    'https://user:pw@till.example',
  ])('the address %s is never called', async (url) => {
    const account = await environment.createAccount();
    await registerEpos(account, 'rest', { url });
    expect(await callData(buildDataRequest(account, 'CancelOrderById', { orderId: '1' }))).toMatchObject({
      outcome: 'notSent',
    });
  });

  test('an open socket comes first, and a read moves to REST when it breaks', async () => {
    const account = await environment.createAccount();
    const rest = await startRestEpos((_, __, response) => response.end('[]'));
    await registerEpos(account, 'rest', { url: rest.url });
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account);
    const requests = callData(buildDataRequest(account, 'ListAreas'));
    await eposSocket.waitForFrame();
    expect(rest.asked).toHaveLength(0);
    eposSocket.terminate();
    expect(await requests).toEqual({ outcome: 'answered', json: [], httpStatus: 200 });
  });

  test('a write whose socket breaks is not made again over REST', async () => {
    const account = await environment.createAccount();
    const rest = await startRestEpos((_, __, response) => response.end('{}'));
    await registerEpos(account, 'rest', { url: rest.url });
    await registerEpos(account, 'ws');
    const eposSocket = await connectDataEpos(account);
    const requests = callData(buildDataRequest(account, 'CancelOrderById', { orderId: '1' }));
    await eposSocket.waitForFrame();
    eposSocket.terminate();
    expect(await requests).toMatchObject({ outcome: 'noAnswer' });
    expect(rest.asked).toHaveLength(0);
  });
});
