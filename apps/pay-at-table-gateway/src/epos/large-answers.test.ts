import { Client, type ClientDuplexStream, credentials, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { ConnectRequest, ConnectResponse } from '@pos/grpc-contracts/gateway';
import { BillItem, GetBillItemsResponse, ListSessionsResponse, Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningGateway } from '../boot.js';
import { keyed, machine, type TestAccount, TestPlace, until } from '../testing.js';
import type { DataOutcome, DataWish, EposOutcome } from './tables-call.js';
import { servedTill } from './testing-till.js';

// An answer with more values than any bill or order has is one that nobody can read, whichever way it came.

let place: TestPlace;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => place.close());

const LIST: TablesCall = { $case: 'listSessions', value: { tableNames: [], requestorInfo: machine('90000001') } };
const BILL: TablesCall = { $case: 'getBillItems', value: { sessionId: 's', requestorInfo: machine('90000001') } };
const LOCK: TablesCall = { $case: 'lockSession', value: { sessionId: 's', requestorInfo: machine('90000001') } };
/** In JSON an empty object counts twice. */
const TOO_MANY = new Array<object>(15_001).fill({});
/** Half of a wire's limit and of that of JSON. */
const MANY = new Array<object>(7_000).fill({});

async function ask({ scope }: TestAccount, waitMs: number, call = LIST): Promise<EposOutcome> {
  return (await gateway.gateway.router.call({ scope, call, waitMs, fence: null, faults: null })).outcome;
}

/** An EPOS that is dialled and answers with these bytes. */
async function dialled(bytes: Buffer): Promise<TestAccount> {
  const same = (value: Buffer): Buffer => value;
  const codecs = {
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
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
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, taken) =>
      error === null ? resolve(taken) : reject(error),
    );
  });
  closers.push(() => server.forceShutdown());
  const account = await place.account();
  await registered(account, 'grpc', `http://127.0.0.1:${port}`);
  return account;
}

function registered({ scope }: TestAccount, kind: 'grpc' | 'rest' | 'ws', url: string | null): Promise<unknown> {
  const auth = kind === 'ws' ? { username: null, password: null } : { username: 'till', password: 'secret' };
  const capabilities = kind === 'grpc' ? [] : EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));
  return place.test.database.transact(scope, (tx) => putEposIntegration(tx, { kind, url, ...auth, capabilities }));
}

/** An empty session, this many times. */
const sessions = (count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([0x0a, 0]));

test.each([
  ['two million sessions', sessions(2_000_000)],
  ['one session more than is read', sessions(50_001)],
])('of an EPOS that is dialled: %s', async (_, bytes) => {
  const outcome = await ask(await dialled(bytes), 10_000);
  expect(outcome).toMatchObject({ outcome: 'noAnswer', isUnreadable: true });
  expect(outcome).toMatchObject({ reason: expect.stringContaining('more than 100000 values') });
});

test('as many sessions as are read, of an EPOS that is dialled, are an answer', async () => {
  expect(await ask(await dialled(sessions(50_000)), 10_000)).toMatchObject({ outcome: 'answered' });
});

/** The largest bill that is paid here, and a list of a large house: tens of thousands of values. */
const LARGE_BILL = GetBillItemsResponse.fromPartial({
  billItems: { ...{ sessionId: 's', currency: 'GBP', totalAmount: 1n }, items: new Array(1_000).fill(itemOf(3)) },
});
const LARGE_LIST = ListSessionsResponse.fromPartial({ sessions: Array.from({ length: 1_400 }, sessionOf) });

function itemOf(modifiers: number): BillItem {
  const modifier = { id: 'm', name: 'Extra cheese', amountPerModifier: 100n, quantity: 1 };
  const item = { id: 'i', name: 'Burger', category: ['Food'], quantity: 1, amountPerItem: 1000n };
  return BillItem.fromPartial({ ...item, lastOrderedAt: new Date(), modifiers: new Array(modifiers).fill(modifier) });
}

function sessionOf(_: unknown, number: number): Session {
  const who = { name: `Party ${number}`, tableName: 'T1', waiter: { id: 7, name: 'Bob' }, numberOfCovers: 2 };
  const times = { createdAt: new Date(1_700_000_000_123), finishedAt: new Date(1_700_000_000_123) };
  return Session.fromPartial({ ...who, ...times, id: `s-${number}`, isPayable: true });
}

describe('what a large house answers is read', () => {
  test.each([
    ['a bill', BILL, GetBillItemsResponse.encode(LARGE_BILL).finish()],
    ['a list', LIST, ListSessionsResponse.encode(LARGE_LIST).finish()],
  ])('of an EPOS that is dialled: %s', async (_, call, bytes) => {
    expect(await ask(await dialled(Buffer.from(bytes)), 10_000, call)).toMatchObject({ outcome: 'answered' });
  });

  test.each([
    ['a bill', BILL, { $case: 'getBillItems', value: LARGE_BILL } as const],
    ['a list', LIST, { $case: 'listSessions', value: LARGE_LIST } as const],
  ])('of an EPOS on a stream, for this gateway and another one: %s', async (_, call, response) => {
    const account = await place.account();
    const epos = await StreamedEpos.serving(account);
    const other = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
    const wish = { scope: account.scope, call, waitMs: 10_000, fence: null, faults: null };
    for (const [number, at] of [gateway, other].entries()) {
      const asked = at.gateway.router.call(wish);
      epos.answer(await epos.call(number), response);
      expect(await asked).toMatchObject({ outcome: { outcome: 'answered' }, way: 'stream' });
    }
  });
});

type Result = Extract<ConnectRequest['message'], { $case: 'result' }>['value'];

/** An EPOS on a stream, played by hand, whose messages are bytes. */
class StreamedEpos {
  readonly got: ConnectResponse[] = [];
  code: status | null = null;
  readonly #client: Client;
  readonly #stream: ClientDuplexStream<Uint8Array, ConnectResponse>;

  constructor({ apiKey }: TestAccount) {
    this.#client = new Client(gateway.urls.grpc, credentials.createInsecure());
    this.#stream = this.#client.makeBidiStreamRequest(
      '/service.gateway.v1.EposConnectorService/Connect',
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => ConnectResponse.decode(bytes),
      keyed(apiKey, { 'software-house-id': 'house' }),
    );
    this.#stream.on('data', (message: ConnectResponse) => this.got.push(message));
    this.#stream.on('error', () => undefined);
    this.#stream.on('status', ({ code }: { code: status }) => (this.code = code));
    closers.push(() => this.#client.close());
    this.say({ $case: 'hello', value: { instanceId: 'one', clientVersion: 'by hand' } });
  }

  /** One that is welcome, so that calls are routed to it. */
  static async serving(account: TestAccount): Promise<StreamedEpos> {
    const epos = new StreamedEpos(account);
    await until(() => epos.got.some(({ message }) => message?.$case === 'welcome'));
    return epos;
  }

  say(message: ConnectRequest['message']): void {
    this.sayBytes(ConnectRequest.encode({ message }).finish());
  }

  sayBytes(bytes: Uint8Array): void {
    this.#stream.write(bytes);
  }

  answer(callId: string, response: Result['response']): void {
    this.say({ $case: 'result', value: { callId, response } });
  }

  async call(number: number): Promise<string> {
    const calls = () => this.got.flatMap(({ message }) => (message?.$case === 'call' ? [message.value.callId] : []));
    await until(() => calls().length > number);
    return calls()[number]!;
  }
}

/** A result of sessions whose call's id is written after them, or not at all; each session counts twice. */
function resultOf(count: number, callId: string): Buffer {
  const within = (field: number, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([field * 8 + 2]), varint(bytes.length), bytes]);
  const id = callId === '' ? Buffer.alloc(0) : within(1, Buffer.from(callId));
  return within(2, Buffer.concat([within(2, sessions(count)), id]));
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

describe('of an EPOS on a stream', () => {
  test.each([
    ['one session more than is read', 50_001],
    ['half a million sessions', 500_000],
  ])('%s: it is told the limit, this call ends, and the others go on', async (_, count) => {
    const account = await place.account();
    const epos = await StreamedEpos.serving(account);
    // A read would be asked once more.
    const asked = ask(account, 15_000, LOCK);
    const id = await epos.call(0);
    const beside = ask(account, 15_000);
    const besideId = await epos.call(1);
    epos.sayBytes(resultOf(count, id));
    const reason = 'the message holds more than 100000 values';
    expect(await asked).toMatchObject({ outcome: 'noAnswer', isUnreadable: true, reason });
    const notices = () => epos.got.filter(({ message }) => message?.$case === 'errorNotification');
    await until(() => notices().length > 0);
    expect(notices()).toMatchObject([
      { message: { value: { id, errorCode: 'ERROR_PARSE_ERROR', errorReason: reason } } },
    ]);
    epos.answer(besideId, { $case: 'listSessions', value: { sessions: [] } });
    expect(await beside).toMatchObject({ outcome: 'answered' });
    expect(epos.code).toBeNull();
  });

  test('an answer above 1 MiB ends its call, and the stream goes on with the others', async () => {
    const account = await place.account();
    const epos = await StreamedEpos.serving(account);
    const asked = ask(account, 15_000, LOCK);
    const id = await epos.call(0);
    const beside = ask(account, 15_000);
    const besideId = await epos.call(1);
    const name = 'x'.repeat(3 << 20);
    epos.answer(id, { $case: 'listSessions', value: { sessions: [Session.fromPartial({ name })] } });
    const reason = 'the message is longer than 1048576 bytes';
    expect(await asked).toMatchObject({ outcome: 'noAnswer', isUnreadable: true, reason });
    epos.answer(besideId, { $case: 'listSessions', value: { sessions: [] } });
    expect(await beside).toMatchObject({ outcome: 'answered' });
    expect(epos.code).toBeNull();
  });

  test.each([
    ['above 1 MiB for no call', (1 << 20) + 1],
    ['above 4 MiB', (4 << 20) + 1],
  ])('a message %s ends the stream', async (_, bytes) => {
    const epos = await StreamedEpos.serving(await place.account());
    epos.say({ $case: 'hello', value: { instanceId: 'one', clientVersion: 'x'.repeat(bytes) } });
    await until(() => epos.code !== null);
    expect(epos.code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('too many values for a call that nobody waits for end nothing', async () => {
    const account = await place.account();
    const epos = await StreamedEpos.serving(account);
    const asked = ask(account, 15_000);
    const id = await epos.call(0);
    epos.sayBytes(resultOf(50_001, 'nobody asked'));
    epos.answer(id, { $case: 'listSessions', value: { sessions: [] } });
    expect(await asked).toMatchObject({ outcome: 'answered' });
  });

  test.each([
    ['for no call', () => resultOf(50_001, '')],
    ['in a sign of life', () => Buffer.alloc(200_002, Buffer.from([0x1a, 0]))],
  ])('too many values %s end the stream', async (_, bytes) => {
    const epos = await StreamedEpos.serving(await place.account());
    epos.sayBytes(bytes());
    await until(() => epos.code !== null);
    expect(epos.code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

test('an EPOS on a pay-at-table socket is sent the limit, and its call ends at once', async () => {
  const account = await place.account();
  const till = await servedTill('/ws/v1/tables/epos', account, { place, at: gateway });
  closers.push(() => till.hangUp());
  const asked = ask(account, 15_000, LOCK);
  const { id } = await till.call();
  till.say({ id, result: { sessions: TOO_MANY } });
  expect(await till.call(1)).toMatchObject({
    method: 'ErrorNotification',
    params: { errorCode: 'ERROR_PARSE_ERROR', errorReason: 'the message holds more than 30000 values' },
  });
  expect(await asked).toMatchObject({ outcome: 'noAnswer', isUnreadable: true });
  const next = ask(account, 15_000);
  const { id: nextId } = await till.call(2);
  till.say({ id: nextId, result: { sessions: [], more: MANY } });
  expect(await next).toMatchObject({ outcome: 'answered' });
});

test('a call to an EPOS on a data socket ends at once with an answer of too many values', async () => {
  const account = await place.account();
  await registered(account, 'ws', null);
  const till = await servedTill('/epos', account, { place, at: gateway });
  closers.push(() => till.hangUp());
  const asked = search(account, 'CreateOrderLock');
  const { id } = await till.call();
  till.say({ jsonrpc: '2.0', id, result: { data: [], before: null, after: null, more: TOO_MANY } });
  expect(await asked).toMatchObject({ outcome: 'noAnswer', reason: expect.stringContaining('30000 values') });
  const next = search(account);
  till.say({ jsonrpc: '2.0', id: (await till.call(1)).id, result: { data: [], before: null, after: null, few: true } });
  expect(await next).toMatchObject({ outcome: 'answered', json: { few: true } });
});

test.each([
  ['more values than are read', TOO_MANY, 'noAnswer'],
  ['half of them', MANY, 'answered'],
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
  const account = await place.account();
  await registered(account, 'rest', `http://127.0.0.1:${(server.address() as AddressInfo).port}/till`);
  expect(await search(account)).toMatchObject({ outcome });
});

async function search({ scope }: TestAccount, name: DataWish['name'] = 'SearchTables'): Promise<DataOutcome> {
  const wish = {
    scope,
    name,
    params: name === 'SearchTables' ? {} : { orderId: 'order-1' },
    headers: {},
    waitMs: 10_000,
    fence: null,
    faults: null,
  };
  return (await gateway.gateway.router.ask(wish)).outcome;
}
