import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_LANES } from '@pos/core/webhooks';
import {
  EposServiceClient,
  type HandleEventRequest,
  NotSentReason,
  Transport,
} from '@pos/grpc-contracts/gateway-internal';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import { putEposIntegration } from '@pos/store/repositories';
import { defineStatement } from '@pos/postgres/statements';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';
import { createTestChannel } from '@pos/service-kit/testing';

const EVENT = {
  id: 'evt_9mX2qfF1S8aTtq0w6Yb3Zg',
  event: 'payment_intent.status_updated',
  accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
  createdAt: '2026-03-01T12:00:08.700Z',
  data: { paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', paymentStatus: 'Captured', captureMode: 'Auto' },
};
const EVENT_JSON = Buffer.from(JSON.stringify(EVENT));
const CAPABILITY = `HandleEvent:${EVENT.event}`;

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ ALLOW_PLAINTEXT_EPOS: 'true', EPOS_CALL_LIMIT_MS: '20000' });
  other = await environment.startGateway({ ALLOW_PLAINTEXT_EPOS: 'true', EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => environment.close());

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A small EPOS on HTTP with scripted answers. */
async function startHttpEpos(answer: () => readonly [httpStatus: number, body: string]) {
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      requests.push({ url: `${request.method} ${request.url}`, headers: request.headers, body: Buffer.concat(parts) });
      const [httpStatus, body] = answer();
      response.writeHead(httpStatus).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pos` };
}

function registerEpos(
  { scope }: GatewayAccount,
  kind: 'rest' | 'ws',
  { url = null, names = [CAPABILITY] }: { readonly url?: string | null; readonly names?: readonly string[] },
): Promise<void> {
  const auth = url === null ? { username: null, password: null } : { username: 'till', password: 'secret' };
  const capabilities = names.map((name) => ({ name, version: 'v1' as const }));
  return environment.testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind, url, ...auth, capabilities }),
  );
}

/** Sends an event to the EPOS through a gateway's internal port; returns the outcome. */
function deliverEvent(
  { scope }: GatewayAccount,
  more: Partial<HandleEventRequest> = {},
  gatewayToCall = gateway,
): Promise<unknown> {
  const address = gatewayToCall.urls.internalGrpc;
  const channel = createTestChannel('webhook-worker', { app: 'pay-at-table-gateway', address });
  const client = new EposServiceClient(address, channel.credentials, channel.options);
  closers.push(() => {
    client.close();
  });
  const request = { ...scope, eventJson: EVENT_JSON, deadlineMsLeft: 8_000, target: undefined, ...more };
  return new Promise((resolve) => {
    client.handleEvent(request, new Metadata(), {}, (error: ServiceError | null, answer) => {
      if (error === null) resolve(answer.handled);
      else resolve(describeError(error));
    });
  });
}

function describeError(error: ServiceError): string {
  const notSentTrailer = findNotSent(error);
  return notSentTrailer === null ? status[error.code] : NotSentReason[notSentTrailer.reason];
}

describe('an EPOS that is called', () => {
  test('receives the stored bytes at its address, with its credentials', async () => {
    const account = await environment.createAccount();
    const epos = await startHttpEpos(() => [200, '{}']);
    await registerEpos(account, 'rest', { url: epos.url });
    expect(await deliverEvent(account)).toEqual({
      ...{ accepted: true, transport: Transport.TRANSPORT_EPOS_DATA_REST, httpStatus: 200, detail: '' },
    });
    const [request] = epos.requests;
    expect(request?.url).toBe('POST /pos/v1/events');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('till:secret').toString('base64')}`,
    });
    expect(request?.body).toEqual(EVENT_JSON);
  });

  test.each([
    [200, '', true],
    [202, 'thank you', true],
    [204, '', true],
    [200, '{"errorType":"Conflict"}', true],
    [302, '', false],
    [400, '{"errorType":"InvalidRequest"}', false],
    [404, '', false],
    [500, '', false],
    [503, '<html>', false],
  ])('that answers %s %j has it: %s', async (httpStatus, body, accepted) => {
    const account = await environment.createAccount();
    const epos = await startHttpEpos(() => [httpStatus, body]);
    await registerEpos(account, 'rest', { url: epos.url });
    expect(await deliverEvent(account)).toMatchObject({ accepted, httpStatus });
    expect(epos.requests).toHaveLength(1);
  });

  test.each([401, 403])('that answers %s has refused our credentials', async (httpStatus) => {
    const account = await environment.createAccount();
    const epos = await startHttpEpos(() => [httpStatus, '']);
    await registerEpos(account, 'rest', { url: epos.url });
    expect(await deliverEvent(account)).toBe('PERMISSION_DENIED');
  });
});

test.each([
  ['nothing is registered', null],
  ['another kind is registered', ['HandleEvent:payment_intent.created']],
  ['other calls are registered', ['GetOrderById']],
  ['an empty list is registered', []],
])('an EPOS receives nothing while %s', async (_, names) => {
  const account = await environment.createAccount();
  const epos = await startHttpEpos(() => [200, '']);
  if (names !== null) await registerEpos(account, 'rest', { url: epos.url, names });
  expect(await deliverEvent(account)).toBe('NOT_SENT_REASON_NO_ROUTE');
  expect(epos.requests).toEqual([]);
});

test('where nobody listens, nothing was sent', async () => {
  const account = await environment.createAccount();
  await registerEpos(account, 'rest', { url: 'http://127.0.0.1:1' });
  expect(await deliverEvent(account)).toBe('NOT_SENT_REASON_NO_CONNECTION');
});

test.each([
  ['no account', { accountId: 'nobody' }],
  ['no environment', { environment: 'moon' }],
  ['no time', { deadlineMsLeft: 0 }],
  ['no JSON', { eventJson: Buffer.from('{') }],
  ['no object', { eventJson: Buffer.from('[]') }],
])('%s is refused', async (_, more) => {
  expect(await deliverEvent(await environment.createAccount(), more)).toBe('INVALID_ARGUMENT');
});

const INSERT_LANE = defineStatement(
  'test_resting_lane',
  `insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures, is_replay, is_epos)
   values ($1, $2, $3, 1, 1, clock_timestamp() + interval '1 hour', 1, 0, false, true) returning key`,
);
const SELECT_DUE_LANES = defineStatement(
  'test_due_lanes',
  `select key from lanes where account_id = $1 and environment = $2 and due_at <= clock_timestamp()`,
);

test('an EPOS receives events over the socket that it opens, at any gateway, and what waits for it is due at once', async () => {
  const account = await environment.createAccount();
  const { scope, apiKey } = account;
  const where = [scope.accountId, scope.environment];
  await registerEpos(account, 'ws', {});
  expect(await deliverEvent(account)).toBe('NOT_SENT_REASON_NO_ROUTE');
  await environment.testDatabase.database.transact(scope, (tx) =>
    tx.query(INSERT_LANE, [...where, EPOS_LANES.connected]),
  );
  const headers = { authorization: `Basic ${apiKey}`, 'software-house-id': 'house' };
  const socket = new WebSocket(`${other.urls.health.replace('http', 'ws')}/epos`, { headers });
  closers.push(() => {
    socket.terminate();
  });
  const requests: { id: string; method: string; params: object }[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as (typeof requests)[number];
    requests.push(frame);
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result: {} }));
  });
  await waitUntil(
    async () =>
      (await environment.testDatabase.database.read(scope, (reader) => reader.query(SELECT_DUE_LANES, where)))
        .length === 1,
  );
  expect(await deliverEvent(account)).toMatchObject({
    ...{ accepted: true, transport: Transport.TRANSPORT_EPOS_DATA_WEBSOCKET },
  });
  expect(requests).toMatchObject([{ method: 'HandleEventV1', params: { ...EVENT, headers: {} } }]);
});
