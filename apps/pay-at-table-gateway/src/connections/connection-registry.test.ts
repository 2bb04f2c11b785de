import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { openLog } from '@pos/service-kit/log';
import { listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomUUID } from 'node:crypto';
import { until } from '../testing.js';
import { ConnectionRegistry, type HeldConnection } from './connection-registry.js';

const ACCOUNTS = 30;
const TID = '90000001';

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
});
afterAll(() => place.close());

/** How often each way to the database was taken since the test began. */
const asked = { transact: 0, read: 0, system: 0, pulse: 0 };
beforeEach(() => {
  Object.assign(asked, { transact: 0, read: 0, system: 0, pulse: 0 });
});

/** The database, and how often it is asked. */
function counted(database: Database): Database {
  return new Proxy(database, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        if (name in asked) asked[name as keyof typeof asked] += 1;
        return Reflect.apply(member, target, given);
      };
    },
  });
}

const log = openLog({ app: 'test', level: 'error', write: () => undefined });
const registryOf = (database: Database, gatewayId = randomUUID()): ConnectionRegistry =>
  new ConnectionRegistry({ database, gatewayId, gatewayAddress: () => '127.0.0.1:1', log });

interface Machine {
  readonly scope: Scope;
  readonly held: HeldConnection;
  readonly heard: string[];
}

async function machineAt(registry: ConnectionRegistry, scope: Scope): Promise<Machine> {
  const heard: string[] = [];
  const socket = { replaced: () => void heard.push('replaced'), lost: () => void heard.push('lost') };
  const wish = { connectionId: randomUUID(), kind: 'machine', key: TID, inUse: false } as const;
  return { scope, held: await registry.open(scope, wish, socket), heard };
}

/** Many accounts have a machine of the same TID, as sandboxes do, all at one gateway. */
const machinesAt = (registry: ConnectionRegistry): Promise<Machine[]> =>
  Promise.all(Array.from({ length: ACCOUNTS }, () => machineAt(registry, createTestScope())));

const liveOf = ({ scope }: Machine): Promise<unknown[]> =>
  place.database.read(scope, (reader) => listLiveConnections(reader, ['machine']));
const isLive = async (machines: readonly Machine[]): Promise<boolean[]> =>
  (await Promise.all(machines.map(liveOf))).map(({ length }) => length > 0);

test('a round of renewals asks as much for many accounts as for one', async () => {
  const registry = registryOf(counted(place.database));
  const machines = await machinesAt(registry);
  const before = { ...asked };
  await registry.beat();
  expect(asked).toEqual({ ...before, pulse: before.pulse + 2 });
  expect(machines.flatMap(({ heard }) => heard)).toEqual([]);
  await registry.stop();
});

test('connections that end in one turn are closed by one question', async () => {
  const registry = registryOf(counted(place.database));
  const machines = await machinesAt(registry);
  const before = { ...asked };
  const closings = machines.map(({ held }) => registry.close(held));
  await closings.at(-1);
  expect(asked).toEqual({ ...before, pulse: before.pulse + 1 });
  expect(await isLive(machines)).toEqual(machines.map(() => false));
  await registry.stop();
});

test('a gateway that stops leaves no live row, not even of what ended a moment before', async () => {
  const database = await place.open();
  const registry = registryOf(database);
  const machines = await machinesAt(registry);
  for (const { held } of machines.slice(0, ACCOUNTS / 2)) void registry.close(held);
  await registry.stop();
  await database.close();
  expect(await isLive(machines)).toEqual(machines.map(() => false));
});

test('a machine that opens a stream elsewhere is told at once, by a look at all of its TID together', async () => {
  const registry = registryOf(counted(place.database));
  await registry.start();
  const machines = await machinesAt(registry);
  const elsewhere = registryOf(place.database);
  const before = { ...asked };
  const moved = machines[0]!;
  await machineAt(elsewhere, moved.scope);
  await until(() => moved.heard.length > 0);
  expect(new Set(moved.heard)).toEqual(new Set(['replaced']));
  expect(machines.slice(1).flatMap(({ heard }) => heard)).toEqual([]);
  const { transact, read, system } = before;
  expect(asked).toMatchObject({ transact, read, system });
  await Promise.all([registry.stop(), elsewhere.stop()]);
});
