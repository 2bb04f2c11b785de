import { type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import { deleteEposIntegration, putEposIntegration } from '@pos/store/epos-integrations';
import { scheduleAndClaim } from '@pos/store/timer-claim';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import type { RunningGateway } from '../boot.js';
import { machine, paidBy, type TestAccount, TestPlace, until } from '../testing.js';
import type { EposRouter } from './epos-router.js';
import { UNREGISTERED } from './record-fence.js';
import { deafRouter } from './testing-router.js';
import type { CallFence, EposWish } from './tables-call.js';

// What was registered for gRPC is deleted or replaced while a gateway remembers it, dials it or waits for it.

let place: TestPlace;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '30000' });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => place.close());

const register = ({ scope }: TestAccount, port: number, password = 'secret') =>
  place.test.database.transact(scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'grpc', url: `http://127.0.0.1:${port}`, username: 'till', password, capabilities: [] },
    }),
  );
const unregister = ({ scope }: TestAccount) =>
  place.test.database.transact(scope, (tx) => deleteEposIntegration(tx, 'grpc'));

const wishOf = ({ scope }: TestAccount, call: EposWish['call'], fence: CallFence | null = null): EposWish => ({
  ...{ scope, call, waitMs: 20_000, fence, faults: null },
});
const LIST: EposWish['call'] = {
  $case: 'listSessions',
  value: { tableNames: [], requestorInfo: machine('90000001') },
};
/** Takes connections and says nothing. */
async function silentServer(port = 0): Promise<{ readonly port: number; readonly sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server: NetServer = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** An EPOS that answers every call with nothing, and keeps with which passwords it was called. */
async function bareEpos(): Promise<{
  readonly port: number;
  readonly passwords: readonly string[];
  readonly stop: () => void;
}> {
  const passwords: string[] = [];
  const server = new Server();
  const answer: handleUnaryCall<unknown, unknown> = ({ metadata }, done) => {
    const [text = ''] = metadata.get('authorization').map(String);
    const [, password = ''] = Buffer.from(text.replace('Basic ', ''), 'base64').toString().split(':');
    passwords.push(password);
    done(null, { sessions: [] });
  };
  const calls = Object.keys(TablesServiceService).map((name) => [name, answer]);
  server.addService(TablesServiceService, Object.fromEntries(calls) as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  const stop = (): void => {
    server.forceShutdown();
  };
  closers.push(stop);
  return { port, passwords, stop };
}

/** A router without hints that has just called this EPOS twice. */
async function calledTwice(account: TestAccount, passwords: readonly string[]): Promise<EposRouter> {
  const router = deafRouter(place, closers);
  // The first call may come before it listens, and nothing is kept then.
  for (let calls = 0; calls < 2; calls += 1) await router.call(wishOf(account, LIST));
  expect(passwords).toEqual(['secret', 'secret']);
  return router;
}

/** The record of a payment whose runner has it. */
async function recordOf(account: TestAccount): Promise<EposWish> {
  const id = randomUUID();
  const { database } = place.test;
  const taken = await database.transact(account.scope, (tx) =>
    Promise.resolve(scheduleAndClaim(tx, { kind: 'table-payment', subject: id }, 60_000)),
  );
  const { fence } = required(taken(), 'the claim');
  const value = { payment: paidBy(randomUUID(), { id }), requestorInfo: machine('90000001') };
  return wishOf(account, { $case: 'recordPayment', value }, { kind: 'table-payment', subject: id, fence });
}

test.each([
  ['deleted', (account: TestAccount) => unregister(account)],
  ['replaced', (account: TestAccount) => register(account, 1)],
])('a call that waits for a connection is given up when the registration is %s', async (_, change) => {
  const account = await place.account();
  const silent = await silentServer();
  await register(account, silent.port);
  // A call that comes first makes the gateway listen.
  const called = gateway.gateway.router.call(wishOf(account, LIST));
  await until(() => silent.sockets.length > 0);
  await change(account);
  const ended: string[] = [];
  // A call that is made later and ends by its time limit. The call before it would have waited longer.
  const patient = await place.account();
  await register(patient, (await silentServer()).port);
  const late = gateway.gateway.router.call({ ...wishOf(patient, LIST), waitMs: 2_000 }).then(() => ended.push('late'));
  expect((await called).outcome).toEqual(UNREGISTERED);
  ended.push('called');
  await late;
  expect(ended).toEqual(['called', 'late']);
});

test('a gateway without hints records no payment at an EPOS whose registration was deleted', async () => {
  const account = await place.account();
  const epos = await bareEpos();
  await register(account, epos.port);
  const router = await calledTwice(account, epos.passwords);
  await unregister(account);
  expect((await router.call(await recordOf(account))).outcome).toMatchObject({ outcome: 'notSent', why: 'noRoute' });
  expect(epos.passwords).toEqual(['secret', 'secret']);
});

test('a gateway without hints records a payment as it is registered now', async () => {
  const account = await place.account();
  const epos = await bareEpos();
  await register(account, epos.port);
  const router = await calledTwice(account, epos.passwords);
  await register(account, epos.port, 'another');
  expect((await router.call(await recordOf(account))).outcome).toMatchObject({ outcome: 'answered' });
  expect(epos.passwords).toEqual(['secret', 'secret', 'another']);
});

test('a gateway without hints dials no address whose registration was deleted', async () => {
  const account = await place.account();
  const epos = await bareEpos();
  await register(account, epos.port);
  const router = await calledTwice(account, epos.passwords);
  epos.stop();
  const silent = await silentServer(epos.port);
  await unregister(account);
  expect((await router.call(wishOf(account, LIST))).outcome).toMatchObject({ outcome: 'notSent', why: 'noRoute' });
  expect(silent.sockets).toEqual([]);
});

test('a call that waits for a connection goes on when its registration is only announced', async () => {
  const account = await place.account();
  const silent = await silentServer();
  await register(account, silent.port);
  const called = gateway.gateway.router.call({ ...wishOf(account, LIST), waitMs: 1_000 });
  await until(() => silent.sockets.length > 0);
  await register(account, silent.port);
  expect((await called).outcome).toMatchObject({ outcome: 'notSent', why: 'noConnection' });
});

test('a connection that another account uses too is kept open', async () => {
  const [first, second] = [await place.account(), await place.account()];
  const epos = await bareEpos();
  for (const account of [first, second]) await register(account, epos.port);
  const { router } = gateway.gateway;
  const calledBy = async (account: TestAccount) => (await router.call(wishOf(account, LIST))).outcome.outcome;
  expect(await calledBy(first)).toBe('answered');
  await unregister(first);
  expect(await calledBy(second)).toBe('answered');
  await until(async () => (await calledBy(first)) === 'notSent');
  expect(await calledBy(second)).toBe('answered');
});

/** Takes connections and ends each at once, so that whoever wants one dials again and again. */
async function rejectingServer(): Promise<{ readonly port: number; readonly dials: () => number }> {
  let dials = 0;
  const server: NetServer = createServer((socket) => {
    dials += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, dials: () => dials };
}

test.each([
  ['deleted', (account: TestAccount) => unregister(account)],
  ['replaced', (account: TestAccount) => register(account, 1)],
])('nobody dials an address again whose registration was %s', async (_, change) => {
  const account = await place.account();
  const [old, other] = [await rejectingServer(), await rejectingServer()];
  await register(account, old.port);
  const called = gateway.gateway.router.call(wishOf(account, LIST));
  await until(() => old.dials() > 1);
  await change(account);
  expect((await called).outcome).toEqual(UNREGISTERED);
  const dials = old.dials();
  // An address that is still registered is dialled many times meanwhile; the pauses between dials are the same.
  const patient = await place.account();
  await register(patient, other.port);
  const waiting = gateway.gateway.router.call({ ...wishOf(patient, LIST), waitMs: 5_000 });
  await until(() => other.dials() > 4);
  expect(old.dials()).toBe(dials);
  await unregister(patient);
  await waiting;
});
