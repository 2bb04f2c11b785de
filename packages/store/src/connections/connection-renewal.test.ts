import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  type GatewayConnection,
  findLiveConnection,
  listLiveConnections,
  insertConnection,
} from './gateway-connections.js';
import type { Database } from '../database/database.js';
import { closeConnections, type HeldConnection, renewConnections } from './connection-renewal.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { type NeighbourRow, type RenewalCase, RENEWALS } from '../testing/connection-renewal-cases.js';

let testDatabase: TestDatabase;
let outside: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  outside = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
  await testDatabase.close();
});

const HERE = 'here';
const KEY = 'an epos';

interface OpenedConnection {
  readonly scope: Scope;
  readonly gatewayId?: string;
  readonly kind?: GatewayConnection['kind'];
  readonly key?: string;
}

async function openTestConnection({
  scope,
  gatewayId = HERE,
  kind = 'tables-ws',
  key = KEY,
}: OpenedConnection): Promise<HeldConnection> {
  const request = { connectionId: randomUUID(), kind, key, gatewayId, gatewayAddress: '127.0.0.1:1', inUse: false };
  return { scope, connection: await testDatabase.database.transact(scope, (tx) => insertConnection(tx, request)) };
}

/** Changes a row as if time had passed. */
async function closeTestConnection(
  { connection }: HeldConnection,
  { aliveS, isClosed, isGone }: RenewalCase['own'],
): Promise<void> {
  const of = 'where connection_id = $1';
  const alive = `alive_until = clock_timestamp() + $2 * interval '1 second'`;
  await outside.query(`update connections set ${alive} ${of}`, [connection.connectionId, aliveS]);
  if (isClosed) await outside.query(`update connections set closed_at = now() ${of}`, [connection.connectionId]);
  if (isGone) await outside.query(`delete from connections ${of}`, [connection.connectionId]);
}

async function neighbour(scope: Scope, row: NeighbourRow): Promise<void> {
  const { differsIn } = row;
  const elsewhere = differsIn === 'account' ? createTestScope() : { ...scope, environment: 'production' as const };
  const beside = await openTestConnection({
    scope: differsIn === 'account' || differsIn === 'environment' ? elsewhere : scope,
    gatewayId: row.gateway === 'the same gateway' ? HERE : 'there',
    kind: differsIn === 'kind' ? 'epos-ws' : 'tables-ws',
    key: differsIn === 'key' ? 'another epos' : KEY,
  });
  await closeTestConnection(beside, row);
}

const live = (scope: Scope): Promise<GatewayConnection[]> =>
  testDatabase.database.read(scope, (reader) => listLiveConnections(reader, ['tables-ws']));
const idOf = ({ connection }: HeldConnection): string => connection.connectionId;

test.each(RENEWALS)('a gateway that renews $title receives its state', async (row) => {
  const scope = createTestScope();
  const neighbours = (when: NeighbourRow['opened']) => row.neighbours.filter((each) => each.opened === when);
  for (const each of neighbours('before')) await neighbour(scope, each);
  const own = await openTestConnection({ scope, gatewayId: row.own.heldBy ?? HERE });
  for (const each of neighbours('after')) await neighbour(scope, each);
  await closeTestConnection(own, row.own);
  const states = await renewConnections(testDatabase.database, { gatewayId: HERE, held: [own] });
  expect(states).toEqual(new Map([[idOf(own), row.state]]));
  const ids = (await live(scope)).map(({ connectionId }) => connectionId);
  expect(ids.includes(idOf(own))).toBe(row.isLive);
  const first = await testDatabase.database.read(scope, (reader) => findLiveConnection(reader, 'tables-ws', KEY));
  expect(first?.connectionId === idOf(own)).toBe(row.isFirst);
});

test('sockets of many accounts are renewed and closed together, and no other sockets', async () => {
  const named = await Promise.all(Array.from({ length: 30 }, () => openTestConnection({ scope: createTestScope() })));
  const unnamed = await openTestConnection({ scope: named[0]!.scope, key: 'unnamed' });
  for (const each of [...named, unnamed]) await closeTestConnection(each, { aliveS: -1 });
  const executed: string[] = [];
  const counting: Pick<Database, 'executeHeartbeat'> = {
    executeHeartbeat: (statement, values) => {
      executed.push(statement.name);
      return testDatabase.database.executeHeartbeat(statement, values);
    },
  };
  const rows = { gatewayId: HERE, held: named };
  const states = await renewConnections(counting, rows);
  expect(states).toEqual(new Map(named.map((each) => [idOf(each), 'newest'])));
  const ids = async () =>
    (await Promise.all(named.map(({ scope }) => live(scope)))).flat().map((each) => each.connectionId);
  expect(await ids()).toEqual(named.map(idOf));
  expect(executed).toHaveLength(2);
  expect(await closeConnections(counting, rows)).toEqual([]);
  expect(await ids()).toEqual([]);
  expect(executed).toHaveLength(3);
});

test('a renewed socket counts for as long as one that was opened just then, by the clock of the database', async () => {
  const scope = createTestScope();
  const own = await openTestConnection({ scope });
  await closeTestConnection(own, { aliveS: 1 });
  await renewConnections(testDatabase.database, { gatewayId: HERE, held: [own] });
  const renewed = await live(scope);
  const opensNow = await openTestConnection({ scope, key: 'opened now' });
  const until = ({ aliveUntil }: { aliveUntil: Date }): number => aliveUntil.getTime();
  const [fresh] = (await live(scope)).filter(({ connectionId }) => connectionId === idOf(opensNow));
  expect(until(fresh!)).toBeGreaterThanOrEqual(until(renewed[0]!));
  expect(until(renewed[0]!)).toBeGreaterThan((await testDatabase.database.now()).getTime());
});

test('a row that another transaction changes delays no other: it stays as it is, is renewed later, and closed later', async () => {
  const [busy, free] = [
    await openTestConnection({ scope: createTestScope() }),
    await openTestConnection({ scope: createTestScope() }),
  ];
  for (const each of [busy, free]) await closeTestConnection(each, { aliveS: -1 });
  const rows = { gatewayId: HERE, held: [busy, free] };
  await outside.query('begin');
  await outside.query('select from connections where connection_id = $1 for update', [idOf(busy)]);
  expect(await renewConnections(testDatabase.database, rows)).toEqual(
    new Map([busy, free].map((each) => [idOf(each), 'newest'])),
  );
  expect(await live(free.scope)).toHaveLength(1);
  expect(await live(busy.scope)).toEqual([]);
  expect(await closeConnections(testDatabase.database, rows)).toEqual([busy]);
  await outside.query('commit');
  expect(await live(free.scope)).toEqual([]);
  await renewConnections(testDatabase.database, { ...rows, held: [busy] });
  expect(await live(busy.scope)).toHaveLength(1);
  expect(await closeConnections(testDatabase.database, rows)).toEqual([]);
  expect(await live(busy.scope)).toEqual([]);
});

test('heartbeats are sent while all connections of the pool are taken', async () => {
  const small = await testDatabase.open({ poolMax: 1 });
  const own = await openTestConnection({ scope: createTestScope() });
  await closeTestConnection(own, { aliveS: -1 });
  await small.transact(createTestScope(), async () => {
    await renewConnections(small, { gatewayId: HERE, held: [own] });
  });
  expect(await live(own.scope)).toHaveLength(1);
});

test('a heartbeat whose connection was lost uses the next one', async () => {
  const scope = createTestScope();
  const held = [await openTestConnection({ scope })];
  const database = await testDatabase.open({ applicationName: 'cut' });
  await renewConnections(database, { gatewayId: HERE, held });
  await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut pulse'`);
  const renewed = async (): Promise<boolean> =>
    renewConnections(database, { gatewayId: HERE, held }).then(
      () => true,
      () => false,
    );
  let checks = 0;
  while (!(await renewed())) expect((checks += 1)).toBeLessThan(3);
  expect(await live(scope)).toHaveLength(1);
});
