import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningGateway } from '../boot.js';
import { machine, type TestAccount, TestPlace } from '../testing.js';
import type { DataOutcome, EposOutcome } from './tables-call.js';
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
/** In JSON an empty object counts twice. */
const TOO_MANY = new Array<object>(15_001).fill({});
/** Half of a wire's limit and of that of JSON. */
const MANY = new Array<object>(7_000).fill({});

async function ask({ scope }: TestAccount, waitMs: number): Promise<EposOutcome> {
  return (await gateway.gateway.router.call({ scope, call: LIST, waitMs, fence: null, faults: null })).outcome;
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
  const path = '/service.tables.v1.TablesService/ListSessions';
  const server = new Server();
  server.addService(
    { listSessions: { path, requestStream: false, responseStream: false, ...codecs } },
    { listSessions: (_: unknown, done: (error: null, said: Buffer) => void) => done(null, bytes) },
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
  ['one session more than is read', sessions(15_001)],
])('of an EPOS that is dialled: %s', async (_, bytes) => {
  const outcome = await ask(await dialled(bytes), 10_000);
  expect(outcome).toMatchObject({ outcome: 'noAnswer', isUnreadable: true });
  expect(outcome).toMatchObject({ reason: expect.stringContaining('more than 30000 values') });
});

test('as many sessions as are read, of an EPOS that is dialled, are an answer', async () => {
  expect(await ask(await dialled(sessions(15_000)), 10_000)).toMatchObject({ outcome: 'answered' });
});

test('of a till on a pay-at-table socket: it is told the limit, and the call goes on', async () => {
  const account = await place.account();
  const till = await servedTill('/ws/v1/tables/epos', account, { place, at: gateway });
  closers.push(() => till.hangUp());
  const asked = ask(account, 15_000);
  const { id } = await till.call();
  till.say({ id, result: { sessions: TOO_MANY } });
  expect(await till.call(1)).toMatchObject({
    method: 'ErrorNotification',
    params: { errorCode: 'ERROR_PARSE_ERROR', errorReason: 'the message holds more than 30000 values' },
  });
  till.say({ id, result: { sessions: [], more: MANY } });
  expect(await asked).toMatchObject({ outcome: 'answered' });
});

test('of a till on an EPOS data socket: it is dropped, and the call goes on', async () => {
  const account = await place.account();
  await registered(account, 'ws', null);
  const till = await servedTill('/epos', account, { place, at: gateway });
  closers.push(() => till.hangUp());
  const asked = search(account);
  const { id } = await till.call();
  till.say({ jsonrpc: '2.0', id, result: { data: [], before: null, after: null, more: TOO_MANY } });
  till.say({ jsonrpc: '2.0', id, result: { data: [], before: null, after: null, few: true } });
  expect(await asked).toMatchObject({ outcome: 'answered', json: { few: true } });
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

async function search({ scope }: TestAccount): Promise<DataOutcome> {
  const wish = {
    scope,
    name: 'SearchTables' as const,
    params: {},
    headers: {},
    waitMs: 10_000,
    fence: null,
    faults: null,
  };
  return (await gateway.gateway.router.ask(wish)).outcome;
}
