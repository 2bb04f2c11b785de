import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Server, ServerCredentials, type UntypedServiceImplementation, type handleUnaryCall } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import { putEposIntegration } from '@pos/store/repositories';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../boot.js';
import type { TablesCallRequest } from '../epos-calls/tables-call.js';
import { waitUntil } from '../testing/polling.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { EposTablesClient } from './epos-tables-client.js';

/** A payer waits this long for a list of tables at most, also on a busy machine. */
const PATIENCE_MS = 2_500;
const REMEMBERED_MS = 900;

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

/** A port that refuses connections. */
async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A port that accepts connections and never sends anything. */
async function findSilentPort(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An EPOS that serves TablesService on this port (without an answer it is silent), and the names of the calls that it has received. */
async function serveTables(port: number, answer: object | null): Promise<string[]> {
  const calls: string[] = [];
  const server = new Server();
  const handlers = Object.keys(TablesServiceService).map((name) => {
    const handle: handleUnaryCall<unknown, unknown> = (_, done) => {
      calls.push(name);
      if (answer !== null) done(null, answer);
    };
    return [name, handle] as const;
  });
  server.addService(TablesServiceService, Object.fromEntries(handlers) as UntypedServiceImplementation);
  await bindGrpcServer(server, `127.0.0.1:${port}`, ServerCredentials.createInsecure());
  closers.push(() => server.forceShutdown());
  return calls;
}

const registerGrpc = ({ scope }: GatewayAccount, port: number) =>
  environment.testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'grpc', url: `http://127.0.0.1:${port}`, username: 'till', password: 'secret', capabilities: [] },
    }),
  );

async function call(account: GatewayAccount, tablesCall: TablesCallRequest['call'], waitMs = 25_000) {
  const startedAt = performance.now();
  const client = gateway.app.get(EposTablesClient);
  const { outcome, transport } = await client.callTables({
    ...{ scope: account.scope, call: tablesCall, waitMs, fence: null, faults: null },
  });
  return { outcome, transport, tookMs: performance.now() - startedAt };
}

const requestorInfo = buildMachineRequestor('90000001');
const LIST: TablesCallRequest['call'] = {
  $case: 'listSessions',
  value: { tableNames: [], isPayable: true, requestorInfo },
};
const lock = (sessionId: string) => ({ $case: 'lockSession', value: { sessionId, requestorInfo } }) as const;
const unlock = (sessionId: string) => ({ $case: 'unlockSession', value: { sessionId, requestorInfo } }) as const;

async function listSessionIds(account: GatewayAccount): Promise<string[]> {
  const { outcome } = await call(account, LIST);
  if (outcome.outcome !== 'answered' || outcome.answer.$case !== 'listSessions') throw new Error(outcome.outcome);
  return outcome.answer.value.sessions.map(({ id }) => id);
}

test.each([
  ['refuses connections', findClosedPort],
  ['accepts connections and never answers', findSilentPort],
] as const)('payers at a healthy REST registration do not wait for a gRPC address that %s', async (_, findPort) => {
  const account = await environment.createAccount({ epos: 'rest' });
  await registerGrpc(account, await findPort());
  const first = await call(account, LIST);
  expect(first).toMatchObject({ transport: 'orders', outcome: { outcome: 'answered' } });
  expect(first.tookMs).toBeLessThan(PATIENCE_MS);
  const [sessionId = ''] = await listSessionIds(account);
  for (const each of [LIST, lock(sessionId), unlock(sessionId), LIST]) {
    const next = await call(account, each);
    expect(next).toMatchObject({ transport: 'orders', outcome: { outcome: 'answered' } });
    expect(next.tookMs).toBeLessThan(REMEMBERED_MS);
  }
});

test('a gRPC address that serves again is used again, and no payer has waited for it', async () => {
  const account = await environment.createAccount({ epos: 'rest' });
  const port = await findClosedPort();
  await registerGrpc(account, port);
  expect(await call(account, LIST)).toMatchObject({ transport: 'orders' });
  await serveTables(port, { sessions: [] });
  const waits: number[] = [];
  await waitUntil(async () => {
    const { transport, tookMs } = await call(account, LIST);
    waits.push(tookMs);
    return transport === 'dialled';
  });
  expect(Math.max(...waits)).toBeLessThan(REMEMBERED_MS);
});

test('an account whose only address is down reaches it as soon as it serves', async () => {
  const account = await environment.createAccount();
  const port = await findClosedPort();
  await registerGrpc(account, port);
  expect(await call(account, LIST)).toMatchObject({ outcome: { outcome: 'notSent' } });
  await serveTables(port, { sessions: [] });
  expect(await call(account, LIST)).toMatchObject({ transport: 'dialled', outcome: { outcome: 'answered' } });
});

test('a replaced registration is asked at once: the address before it was down', async () => {
  const account = await environment.createAccount({ epos: 'rest' });
  await registerGrpc(account, await findClosedPort());
  expect(await call(account, LIST)).toMatchObject({ transport: 'orders' });
  const port = await findClosedPort();
  await serveTables(port, { sessions: [] });
  await registerGrpc(account, port);
  // Routes are cached for half a second where no hint of the change arrives.
  await pause(600);
  expect(await call(account, LIST)).toMatchObject({ transport: 'dialled' });
});

test('the session of an order stays with its order when the gRPC address serves again', async () => {
  const account = await environment.createAccount({ epos: 'rest' });
  const port = await findClosedPort();
  await registerGrpc(account, port);
  const [sessionId = ''] = await listSessionIds(account);
  expect(await call(account, lock(sessionId))).toMatchObject({ transport: 'orders' });
  const calls = await serveTables(port, { sessions: [] });
  await waitUntil(async () => (await call(account, LIST)).transport === 'dialled');
  expect(await call(account, unlock(sessionId))).toMatchObject({
    ...{ transport: 'orders', outcome: { outcome: 'answered' } },
  });
  expect(calls).not.toContain('unlockSession');
});

test('an order without a lock of ours is unlocked where a lock may be', async () => {
  const account = await environment.createAccount({ epos: 'rest' });
  const port = await findClosedPort();
  await registerGrpc(account, port);
  const [sessionId = ''] = await listSessionIds(account);
  expect(await call(account, unlock(sessionId))).toMatchObject({
    ...{ transport: 'orders', outcome: { code: 'SESSION_NOT_LOCKED' } },
  });
  const calls = await serveTables(port, { sessions: [] });
  await waitUntil(async () => (await call(account, LIST)).transport === 'dialled');
  expect(await call(account, unlock(sessionId))).toMatchObject({ transport: 'dialled' });
  expect(calls.at(-1)).toBe('unlockSession');
});

test('a session that an EPOS over gRPC may have locked is not unlocked over orders', async () => {
  const account = await environment.createAccount({ epos: 'rest' });
  await registerGrpc(account, await findClosedPort());
  const strange = '5ad3c2a8-8f32-4b0b-9a2c-0d1f7c1c2f10';
  expect(await call(account, unlock(strange))).toMatchObject({ transport: 'dialled', outcome: { outcome: 'notSent' } });
});

test('a write that the EPOS over gRPC may have executed is not sent over orders', async () => {
  const account = await environment.createAccount({ epos: 'rest' });
  const [sessionId = ''] = await listSessionIds(account);
  const port = await findClosedPort();
  const calls = await serveTables(port, null);
  await registerGrpc(account, port);
  await pause(600);
  const before = account.sandbox.epos!.listCalls().length;
  const strange = sessionId.replace(/^.{8}/, '00000000');
  const { outcome } = await call(account, lock(strange), 1_000);
  expect(outcome).toMatchObject({ outcome: 'noAnswer' });
  expect(calls).toEqual(['lockSession']);
  expect(account.sandbox.epos!.listCalls()).toHaveLength(before);
});
