import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { EposDataClient } from '../epos-routing/epos-data-client.js';
import { Client, type ClientDuplexStream, credentials, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { ConnectRequest, ConnectResponse } from '@pos/grpc-contracts/gateway';
import { BillItem, GetBillItemsResponse, ListSessionsResponse, Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { putEposIntegration } from '@pos/store/repositories';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningGateway } from '../boot.js';
import {
  buildCallMetadata,
  buildMachineRequestor,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import type { TablesOutcome } from '../epos-calls/tables-call.js';
import { connectTestEpos } from '../testing/socket-epos.js';
import { waitUntil } from '../testing/polling.js';

// An answer with more values than any bill or order has is unreadable, over every transport.

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => environment.close());

const LIST: TablesCall = {
  $case: 'listSessions',
  value: { tableNames: [], requestorInfo: buildMachineRequestor('90000001') },
};
const BILL: TablesCall = {
  $case: 'getBillItems',
  value: { sessionId: 's', requestorInfo: buildMachineRequestor('90000001') },
};
const LOCK: TablesCall = {
  $case: 'lockSession',
  value: { sessionId: 's', requestorInfo: buildMachineRequestor('90000001') },
};
/** In JSON an empty object counts twice. */
const TOO_MANY_ITEMS = new Array<object>(15_001).fill({});
/** Half of a wire's limit and of that of JSON. */
const MANY_ITEMS = new Array<object>(7_000).fill({});

async function callTables({ scope }: GatewayAccount, waitMs: number, call = LIST): Promise<TablesOutcome> {
  return (await gateway.app.get(EposTablesClient).callTables({ scope, call, waitMs, fence: null, faults: null }))
    .outcome;
}

/** An EPOS that is dialled and answers with these bytes. */
async function createDialledAccount(bytes: Buffer): Promise<GatewayAccount> {
  const identity = (value: Buffer): Buffer => value;
  const codecs = {
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
  };
  const rpc = (name: string) => ({
    ...{ path: `/service.tables.v1.TablesService/${name}`, requestStream: false, responseStream: false },
    ...codecs,
  });
  const say = (_: unknown, done: (error: null, said: Buffer) => void): void => done(null, bytes);
  const server = new Server();
  server.addService(
    { listSessions: rpc('ListSessions'), getBillItems: rpc('GetBillItems') },
    { listSessions: say, getBillItems: say },
  );
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  closers.push(() => server.forceShutdown());
  const account = await environment.createAccount();
  await registerEpos(account, 'grpc', `http://127.0.0.1:${port}`);
  return account;
}

function registerEpos({ scope }: GatewayAccount, kind: 'grpc' | 'rest' | 'ws', url: string | null): Promise<unknown> {
  const auth = kind === 'ws' ? { username: null, password: null } : { username: 'till', password: 'secret' };
  const capabilities = kind === 'grpc' ? [] : EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));
  return environment.testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind, url, ...auth, capabilities }),
  );
}

/** An empty session, this many times. */
const encodeEmptySessions = (count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([0x0a, 0]));

test.each([
  ['two million sessions', encodeEmptySessions(2_000_000)],
  ['one session more than is read', encodeEmptySessions(50_001)],
])('of an EPOS that is dialled: %s', async (_, bytes) => {
  const outcome = await callTables(await createDialledAccount(bytes), 10_000);
  expect(outcome).toMatchObject({ outcome: 'noAnswer', isUnreadable: true });
  expect(outcome).toMatchObject({ reason: expect.stringContaining('more than 100000 values') });
});

test('as many sessions as are read, of an EPOS that is dialled, are an answer', async () => {
  expect(await callTables(await createDialledAccount(encodeEmptySessions(50_000)), 10_000)).toMatchObject({
    outcome: 'answered',
  });
});

/** The largest bill that is paid here, and a list of a large house: tens of thousands of values. */
const LARGE_BILL = GetBillItemsResponse.fromPartial({
  billItems: { ...{ sessionId: 's', currency: 'GBP', totalAmount: 1n }, items: new Array(1_000).fill(buildItem(3)) },
});
const LARGE_LIST = ListSessionsResponse.fromPartial({ sessions: Array.from({ length: 1_400 }, buildSession) });

function buildItem(modifiers: number): BillItem {
  const modifier = { id: 'm', name: 'Extra cheese', amountPerModifier: 100n, quantity: 1 };
  const item = { id: 'i', name: 'Burger', category: ['Food'], quantity: 1, amountPerItem: 1000n };
  return BillItem.fromPartial({ ...item, lastOrderedAt: new Date(), modifiers: new Array(modifiers).fill(modifier) });
}

function buildSession(_: unknown, number: number): Session {
  const sessionFields = { name: `Party ${number}`, tableName: 'T1', waiter: { id: 7, name: 'Bob' }, numberOfCovers: 2 };
  const times = { createdAt: new Date(1_700_000_000_123), finishedAt: new Date(1_700_000_000_123) };
  return Session.fromPartial({ ...sessionFields, ...times, id: `s-${number}`, isPayable: true });
}

describe('what a large house answers is read', () => {
  test.each([
    ['a bill', BILL, GetBillItemsResponse.encode(LARGE_BILL).finish()],
    ['a list', LIST, ListSessionsResponse.encode(LARGE_LIST).finish()],
  ])('of an EPOS that is dialled: %s', async (_, call, bytes) => {
    expect(await callTables(await createDialledAccount(Buffer.from(bytes)), 10_000, call)).toMatchObject({
      outcome: 'answered',
    });
  });

  test.each([
    ['a bill', BILL, { $case: 'getBillItems', value: LARGE_BILL } as const],
    ['a list', LIST, { $case: 'listSessions', value: LARGE_LIST } as const],
  ])('of an EPOS on a stream, for this gateway and another one: %s', async (_, call, response) => {
    const account = await environment.createAccount();
    const epos = await ScriptedStreamEpos.waitForWelcome(account);
    const other = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
    const callRequest = { scope: account.scope, call, waitMs: 10_000, fence: null, faults: null };
    for (const [number, at] of [gateway, other].entries()) {
      const pendingCall = at.app.get(EposTablesClient).callTables(callRequest);
      epos.answer(await epos.waitForCall(number), response);
      expect(await pendingCall).toMatchObject({ outcome: { outcome: 'answered' }, transport: 'stream' });
    }
  });
});

type Result = Extract<ConnectRequest['message'], { $case: 'result' }>['value'];

/** An EPOS on a stream, played by hand, whose messages are bytes. */
class ScriptedStreamEpos {
  readonly received: ConnectResponse[] = [];
  code: status | null = null;
  readonly #client: Client;
  readonly #stream: ClientDuplexStream<Uint8Array, ConnectResponse>;

  constructor({ apiKey }: GatewayAccount) {
    this.#client = new Client(gateway.urls.grpc, credentials.createInsecure());
    this.#stream = this.#client.makeBidiStreamRequest(
      '/service.gateway.v1.EposConnectorService/Connect',
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => ConnectResponse.decode(bytes),
      buildCallMetadata(apiKey, { 'software-house-id': 'house' }),
    );
    this.#stream.on('data', (message: ConnectResponse) => this.received.push(message));
    this.#stream.on('error', () => undefined);
    this.#stream.on('status', ({ code }: { code: status }) => (this.code = code));
    closers.push(() => this.#client.close());
    this.send({ $case: 'hello', value: { instanceId: 'one', clientVersion: 'by hand' } });
  }

  /** One that is welcome, so that calls are routed to it. */
  static async waitForWelcome(account: GatewayAccount): Promise<ScriptedStreamEpos> {
    const epos = new ScriptedStreamEpos(account);
    await waitUntil(() => epos.received.some(({ message }) => message?.$case === 'welcome'));
    return epos;
  }

  send(message: ConnectRequest['message']): void {
    this.sendBytes(ConnectRequest.encode({ message }).finish());
  }

  sendBytes(bytes: Uint8Array): void {
    this.#stream.write(bytes);
  }

  answer(callId: string, response: Result['response']): void {
    this.send({ $case: 'result', value: { callId, response } });
  }

  async waitForCall(number: number): Promise<string> {
    const calls = () =>
      this.received.flatMap(({ message }) => (message?.$case === 'call' ? [message.value.callId] : []));
    await waitUntil(() => calls().length > number);
    return calls()[number]!;
  }
}

/** A result of sessions whose call's id is written after them, or not at all; each session counts twice. */
function encodeResult(count: number, callId: string): Buffer {
  const encodeField = (field: number, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([field * 8 + 2]), encodeVarint(bytes.length), bytes]);
  const id = callId === '' ? Buffer.alloc(0) : encodeField(1, Buffer.from(callId));
  return encodeField(2, Buffer.concat([encodeField(2, encodeEmptySessions(count)), id]));
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

describe('of an EPOS on a stream', () => {
  test.each([
    ['one session more than is read', 50_001],
    ['half a million sessions', 500_000],
  ])('%s: it receives the limit, this call ends, and the others continue', async (_, count) => {
    const account = await environment.createAccount();
    const epos = await ScriptedStreamEpos.waitForWelcome(account);
    // A read would be asked once more.
    const pendingCall = callTables(account, 15_000, LOCK);
    const id = await epos.waitForCall(0);
    const otherCall = callTables(account, 15_000);
    const otherId = await epos.waitForCall(1);
    epos.sendBytes(encodeResult(count, id));
    const reason = 'the message holds more than 100000 values';
    expect(await pendingCall).toMatchObject({ outcome: 'noAnswer', isUnreadable: true, reason });
    const notices = () => epos.received.filter(({ message }) => message?.$case === 'errorNotification');
    await waitUntil(() => notices().length > 0);
    expect(notices()).toMatchObject([
      { message: { value: { id, errorCode: 'ERROR_PARSE_ERROR', errorReason: reason } } },
    ]);
    epos.answer(otherId, { $case: 'listSessions', value: { sessions: [] } });
    expect(await otherCall).toMatchObject({ outcome: 'answered' });
    expect(epos.code).toBeNull();
  });

  test('an answer above 1 MiB ends its call, and the others on the stream continue', async () => {
    const account = await environment.createAccount();
    const epos = await ScriptedStreamEpos.waitForWelcome(account);
    const pendingCall = callTables(account, 15_000, LOCK);
    const id = await epos.waitForCall(0);
    const otherCall = callTables(account, 15_000);
    const otherId = await epos.waitForCall(1);
    const name = 'x'.repeat(3 << 20);
    epos.answer(id, { $case: 'listSessions', value: { sessions: [Session.fromPartial({ name })] } });
    const reason = 'the message is longer than 1048576 bytes';
    expect(await pendingCall).toMatchObject({ outcome: 'noAnswer', isUnreadable: true, reason });
    epos.answer(otherId, { $case: 'listSessions', value: { sessions: [] } });
    expect(await otherCall).toMatchObject({ outcome: 'answered' });
    expect(epos.code).toBeNull();
  });

  test.each([
    ['above 1 MiB for no call', (1 << 20) + 1],
    ['above 4 MiB', (4 << 20) + 1],
  ])('a message %s ends the stream', async (_, bytes) => {
    const epos = await ScriptedStreamEpos.waitForWelcome(await environment.createAccount());
    epos.send({ $case: 'hello', value: { instanceId: 'one', clientVersion: 'x'.repeat(bytes) } });
    await waitUntil(() => epos.code !== null);
    expect(epos.code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('too many values for a call that nobody waits for end nothing', async () => {
    const account = await environment.createAccount();
    const epos = await ScriptedStreamEpos.waitForWelcome(account);
    const pendingCall = callTables(account, 15_000);
    const id = await epos.waitForCall(0);
    epos.sendBytes(encodeResult(50_001, 'nobody asked'));
    epos.answer(id, { $case: 'listSessions', value: { sessions: [] } });
    expect(await pendingCall).toMatchObject({ outcome: 'answered' });
  });

  test.each([
    ['for no call', () => encodeResult(50_001, '')],
    ['in a heartbeat', () => Buffer.alloc(200_002, Buffer.from([0x1a, 0]))],
  ])('too many values %s end the stream', async (_, bytes) => {
    const epos = await ScriptedStreamEpos.waitForWelcome(await environment.createAccount());
    epos.sendBytes(bytes());
    await waitUntil(() => epos.code !== null);
    expect(epos.code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

test('an EPOS on a pay-at-table socket is sent the limit, and its call ends at once', async () => {
  const account = await environment.createAccount();
  const eposSocket = await connectTestEpos('/ws/v1/tables/epos', account, { environment, gateway });
  closers.push(() => eposSocket.terminate());
  const pendingCall = callTables(account, 15_000, LOCK);
  const { id } = await eposSocket.waitForFrame();
  eposSocket.sendFrame({ id, result: { sessions: TOO_MANY_ITEMS } });
  expect(await eposSocket.waitForFrame(1)).toMatchObject({
    method: 'ErrorNotification',
    params: { errorCode: 'ERROR_PARSE_ERROR', errorReason: 'the message holds more than 30000 values' },
  });
  expect(await pendingCall).toMatchObject({ outcome: 'noAnswer', isUnreadable: true });
  const next = callTables(account, 15_000);
  const { id: nextId } = await eposSocket.waitForFrame(2);
  eposSocket.sendFrame({ id: nextId, result: { sessions: [], more: MANY_ITEMS } });
  expect(await next).toMatchObject({ outcome: 'answered' });
});

test('a call to an EPOS on a data socket ends at once with an answer of too many values', async () => {
  const account = await environment.createAccount();
  await registerEpos(account, 'ws', null);
  const eposSocket = await connectTestEpos('/epos', account, { environment, gateway });
  closers.push(() => eposSocket.terminate());
  const pendingCall = searchTables(account, 'CreateOrderLock');
  const { id } = await eposSocket.waitForFrame();
  eposSocket.sendFrame({ jsonrpc: '2.0', id, result: { data: [], before: null, after: null, more: TOO_MANY_ITEMS } });
  expect(await pendingCall).toMatchObject({ outcome: 'noAnswer', reason: expect.stringContaining('30000 values') });
  const next = searchTables(account);
  eposSocket.sendFrame({
    jsonrpc: '2.0',
    id: (await eposSocket.waitForFrame(1)).id,
    result: { data: [], before: null, after: null, few: true },
  });
  expect(await next).toMatchObject({ outcome: 'answered', json: { few: true } });
});

test.each([
  ['more values than are read', TOO_MANY_ITEMS, 'noAnswer'],
  ['half of them', MANY_ITEMS, 'answered'],
])('of an EPOS over REST: %s', async (_, more, outcome) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [], before: null, after: null, more }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const account = await environment.createAccount();
  await registerEpos(account, 'rest', `http://127.0.0.1:${(server.address() as AddressInfo).port}/till`);
  expect(await searchTables(account)).toMatchObject({ outcome });
});

async function searchTables(
  { scope }: GatewayAccount,
  name: DataCallRequest['name'] = 'SearchTables',
): Promise<DataOutcome> {
  const callRequest = {
    scope,
    name,
    params: name === 'SearchTables' ? {} : { orderId: 'order-1' },
    headers: {},
    waitMs: 10_000,
    fence: null,
    faults: null,
  };
  return (await gateway.app.get(EposDataClient).callData(callRequest)).outcome;
}
