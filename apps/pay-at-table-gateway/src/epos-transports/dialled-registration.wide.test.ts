import { type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import { deleteEposIntegration, putEposIntegration } from '@pos/store/repositories';
import { scheduleAndClaim } from '@pos/store/queues';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { defineInLongRun, selectRows } from '@pos/testing';
import type { RunningGateway } from '../boot.js';
import {
  buildMachineRequestor,
  buildDevicePayment,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { NOT_REGISTERED_FAILURE } from './record-fence.js';
import { createTablesClientWithoutHints } from '../testing/tables-client.js';
import type { CallFence, TablesCallRequest } from '../epos-calls/tables-call.js';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

// What was registered for gRPC is deleted or replaced while a gateway remembers it, dials it or waits for it.

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '30000' });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => environment.close());

const register = ({ scope }: GatewayAccount, port: number, password = 'secret') =>
  environment.testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'grpc', url: `http://127.0.0.1:${port}`, username: 'till', password, capabilities: [] },
    }),
  );
const unregister = ({ scope }: GatewayAccount) =>
  environment.testDatabase.database.transact(scope, (tx) => deleteEposIntegration(tx, 'grpc'));

const buildCallRequest = (
  { scope }: GatewayAccount,
  call: TablesCallRequest['call'],
  fence: CallFence | null = null,
): TablesCallRequest => ({
  ...{ scope, call, waitMs: 20_000, fence, faults: null },
});
const LIST: TablesCallRequest['call'] = {
  $case: 'listSessions',
  value: { tableNames: [], requestorInfo: buildMachineRequestor('90000001') },
};
/** Takes connections and says nothing. */
async function startSilentServer(port = 0): Promise<{ readonly port: number; readonly sockets: Socket[] }> {
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
async function startBareEpos(): Promise<{
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
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  const stop = (): void => {
    server.forceShutdown();
  };
  closers.push(stop);
  return { port, passwords, stop };
}

/** A client without hints that has just called this EPOS twice. */
async function createUsedRouter(account: GatewayAccount, passwords: readonly string[]): Promise<EposTablesClient> {
  const client = createTablesClientWithoutHints(environment, closers);
  // The first call may come before it listens, and nothing is kept then.
  for (let calls = 0; calls < 2; calls += 1) await client.callTables(buildCallRequest(account, LIST));
  expect(passwords).toEqual(['secret', 'secret']);
  return client;
}

/** The record of a payment whose runner has it. */
async function buildRecordRequest(account: GatewayAccount): Promise<TablesCallRequest> {
  const id = randomUUID();
  const { database } = environment.testDatabase;
  const taken = await database.transact(account.scope, (tx) =>
    Promise.resolve(scheduleAndClaim(tx, { kind: 'table-payment', subject: id }, 60_000)),
  );
  const { fence } = requireValue(taken(), 'the claim');
  const value = { payment: buildDevicePayment(randomUUID(), { id }), requestorInfo: buildMachineRequestor('90000001') };
  return buildCallRequest(account, { $case: 'recordPayment', value }, { kind: 'table-payment', subject: id, fence });
}

testLong.each([
  ['deleted', (account: GatewayAccount) => unregister(account)],
  ['replaced', (account: GatewayAccount) => register(account, 1)],
])('a call that waits for a connection is given up when the registration is %s', async (_, change) => {
  const account = await environment.createAccount();
  const silent = await startSilentServer();
  await register(account, silent.port);
  // A call that comes first makes the gateway listen.
  const pendingCall = gateway.app.get(EposTablesClient).callTables(buildCallRequest(account, LIST));
  await waitUntil(() => silent.sockets.length > 0);
  await change(account);
  const ended: string[] = [];
  // A call that is made later and ends by its time limit. The call before it would have waited longer.
  const patientAccount = await environment.createAccount();
  await register(patientAccount, (await startSilentServer()).port);
  const late = gateway.app
    .get(EposTablesClient)
    .callTables({ ...buildCallRequest(patientAccount, LIST), waitMs: 2_000 })
    .then(() => ended.push('late'));
  expect((await pendingCall).outcome).toEqual(NOT_REGISTERED_FAILURE);
  ended.push('called');
  await late;
  expect(ended).toEqual(['called', 'late']);
});

test('a gateway without hints records no payment at an EPOS whose registration was deleted', async () => {
  const account = await environment.createAccount();
  const epos = await startBareEpos();
  await register(account, epos.port);
  const client = await createUsedRouter(account, epos.passwords);
  await unregister(account);
  expect((await client.callTables(await buildRecordRequest(account))).outcome).toMatchObject({
    outcome: 'notSent',
    cause: 'noRoute',
  });
  expect(epos.passwords).toEqual(['secret', 'secret']);
});

test('a gateway without hints records a payment as it is registered now', async () => {
  const account = await environment.createAccount();
  const epos = await startBareEpos();
  await register(account, epos.port);
  const client = await createUsedRouter(account, epos.passwords);
  await register(account, epos.port, 'another');
  expect((await client.callTables(await buildRecordRequest(account))).outcome).toMatchObject({ outcome: 'answered' });
  expect(epos.passwords).toEqual(['secret', 'secret', 'another']);
});

testLong('a gateway without hints dials no address whose registration was deleted', async () => {
  const account = await environment.createAccount();
  const epos = await startBareEpos();
  await register(account, epos.port);
  const client = await createUsedRouter(account, epos.passwords);
  epos.stop();
  const silent = await startSilentServer(epos.port);
  await unregister(account);
  expect((await client.callTables(buildCallRequest(account, LIST))).outcome).toMatchObject({
    outcome: 'notSent',
    cause: 'noRoute',
  });
  expect(silent.sockets).toEqual([]);
});

testLong('a call that waits for a connection continues when its registration is only announced', async () => {
  const account = await environment.createAccount();
  const silent = await startSilentServer();
  await register(account, silent.port);
  const pendingCall = gateway.app
    .get(EposTablesClient)
    .callTables({ ...buildCallRequest(account, LIST), waitMs: 1_000 });
  await waitUntil(() => silent.sockets.length > 0);
  await register(account, silent.port);
  expect((await pendingCall).outcome).toMatchObject({ outcome: 'notSent', cause: 'noConnection' });
});

testLong('a connection that another account uses too is kept open', async () => {
  const [first, second] = [await environment.createAccount(), await environment.createAccount()];
  const epos = await startBareEpos();
  for (const account of [first, second]) await register(account, epos.port);
  const client = gateway.app.get(EposTablesClient);
  const callOutcome = async (account: GatewayAccount) =>
    (await client.callTables(buildCallRequest(account, LIST))).outcome.outcome;
  expect(await callOutcome(first)).toBe('answered');
  await unregister(first);
  expect(await callOutcome(second)).toBe('answered');
  await waitUntil(async () => (await callOutcome(first)) === 'notSent');
  expect(await callOutcome(second)).toBe('answered');
});

/** Accepts connections and ends each at once, so that the client dials again and again. */
async function startRejectingServer(): Promise<{ readonly port: number; readonly dials: () => number }> {
  let dials = 0;
  const server: NetServer = createServer((socket) => {
    dials += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, dials: () => dials };
}

test.each(
  selectRows([
    ['deleted', (account: GatewayAccount) => unregister(account)],
    ['replaced', (account: GatewayAccount) => register(account, 1)],
  ] as const),
)('no address is dialled again after its registration was %s', async (_, change) => {
  const account = await environment.createAccount();
  const [previousEpos, other] = [await startRejectingServer(), await startRejectingServer()];
  await register(account, previousEpos.port);
  const pendingCall = gateway.app.get(EposTablesClient).callTables(buildCallRequest(account, LIST));
  await waitUntil(() => previousEpos.dials() > 1);
  await change(account);
  expect((await pendingCall).outcome).toEqual(NOT_REGISTERED_FAILURE);
  const dials = previousEpos.dials();
  // An address that is still registered is dialled many times meanwhile; the pauses between dials are the same.
  const patientAccount = await environment.createAccount();
  await register(patientAccount, other.port);
  const waiting = gateway.app
    .get(EposTablesClient)
    .callTables({ ...buildCallRequest(patientAccount, LIST), waitMs: 5_000 });
  await waitUntil(() => other.dials() > 4);
  expect(previousEpos.dials()).toBe(dials);
  await unregister(patientAccount);
  await waiting;
});
