import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createLog } from '@pos/service-kit/telemetry';
import { listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomUUID } from 'node:crypto';
import { ConnectionRegistry, type LocalConnection } from './connection-registry.js';
import { waitUntil } from '../testing/polling.js';

const ACCOUNTS = 30;
const TID = '90000001';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

/** How often each way to the database was taken since the test began. */
const databaseCalls = { transact: 0, read: 0, readSystem: 0, executeHeartbeat: 0 };
beforeEach(() => {
  Object.assign(databaseCalls, { transact: 0, read: 0, readSystem: 0, executeHeartbeat: 0 });
});

/** The database, and how often it is asked. */
function countCalls(database: Database): Database {
  return new Proxy(database, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): unknown => {
        if (name in databaseCalls) databaseCalls[name as keyof typeof databaseCalls] += 1;
        return Reflect.apply(member, target, parameters);
      };
    },
  });
}

const log = createLog({ app: 'test', level: 'error', write: () => undefined });
const createRegistry = (database: Database, gatewayId = randomUUID()): ConnectionRegistry =>
  new ConnectionRegistry({ database, gatewayId, gatewayAddress: () => '127.0.0.1:1', log });

interface RegisteredMachine {
  readonly scope: Scope;
  readonly connection: LocalConnection;
  readonly notifications: string[];
}

async function registerMachine(registry: ConnectionRegistry, scope: Scope): Promise<RegisteredMachine> {
  const notifications: string[] = [];
  const listener = {
    onReplaced: () => void notifications.push('replaced'),
    onLost: () => void notifications.push('lost'),
  };
  const connectionRequest = { connectionId: randomUUID(), kind: 'machine', key: TID, inUse: false } as const;
  return { scope, connection: await registry.open(scope, connectionRequest, listener), notifications };
}

/** Many accounts have a machine of the same TID, as sandboxes do, all at one gateway. */
const registerMachines = (registry: ConnectionRegistry): Promise<RegisteredMachine[]> =>
  Promise.all(Array.from({ length: ACCOUNTS }, () => registerMachine(registry, createTestScope())));

const listLive = ({ scope }: RegisteredMachine): Promise<unknown[]> =>
  testDatabase.database.read(scope, (reader) => listLiveConnections(reader, ['machine']));
const isLive = async (machines: readonly RegisteredMachine[]): Promise<boolean[]> =>
  (await Promise.all(machines.map(listLive))).map(({ length }) => length > 0);

test('a round of renewals asks as much for many accounts as for one', async () => {
  const registry = createRegistry(countCalls(testDatabase.database));
  const machines = await registerMachines(registry);
  const before = { ...databaseCalls };
  await registry.renewAll();
  expect(databaseCalls).toEqual({ ...before, executeHeartbeat: before.executeHeartbeat + 2 });
  expect(machines.flatMap(({ notifications }) => notifications)).toEqual([]);
  await registry.stop();
});

test('connections that end in one turn are closed by one question', async () => {
  const registry = createRegistry(countCalls(testDatabase.database));
  const machines = await registerMachines(registry);
  const before = { ...databaseCalls };
  const closings = machines.map(({ connection }) => registry.close(connection));
  await closings.at(-1);
  expect(databaseCalls).toEqual({ ...before, executeHeartbeat: before.executeHeartbeat + 1 });
  expect(await isLive(machines)).toEqual(machines.map(() => false));
  await registry.stop();
});

test('a gateway that stops leaves no live row, not even of what ended a moment before', async () => {
  const database = await testDatabase.open();
  const registry = createRegistry(database);
  const machines = await registerMachines(registry);
  for (const { connection } of machines.slice(0, ACCOUNTS / 2)) void registry.close(connection);
  await registry.stop();
  await database.close();
  expect(await isLive(machines)).toEqual(machines.map(() => false));
});

test('a machine that opens a stream elsewhere is notified at once, by one read of all rows of its TID', async () => {
  const registry = createRegistry(countCalls(testDatabase.database));
  await registry.start();
  const machines = await registerMachines(registry);
  const elsewhere = createRegistry(testDatabase.database);
  const before = { ...databaseCalls };
  const movedMachines = machines[0]!;
  await registerMachine(elsewhere, movedMachines.scope);
  await waitUntil(() => movedMachines.notifications.length > 0);
  expect(new Set(movedMachines.notifications)).toEqual(new Set(['replaced']));
  expect(machines.slice(1).flatMap(({ notifications }) => notifications)).toEqual([]);
  const { transact, read, readSystem } = before;
  expect(databaseCalls).toMatchObject({ transact, read, readSystem });
  await Promise.all([registry.stop(), elsewhere.stop()]);
});
