import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connection, findConnection, liveConnections, openConnection } from './connections.js';
import type { Database } from './database.js';
import { closeConnections, type HeldRow, renewConnections } from './held-connections.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';
import { type NeighbourRow, type RenewalCase, RENEWALS } from './testing-held-connections.js';

let place: TestDatabase;
let outside: pg.Client;

beforeAll(async () => {
  place = await freshDatabase();
  outside = new pg.Client({ connectionString: place.ownerUrl });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
  await place.close();
});

const HERE = 'here';
const KEY = 'a till';

interface Opened {
  readonly scope: Scope;
  readonly gatewayId?: string;
  readonly kind?: Connection['kind'];
  readonly key?: string;
}

async function opened({ scope, gatewayId = HERE, kind = 'tables-ws', key = KEY }: Opened): Promise<HeldRow> {
  const wish = { connectionId: randomUUID(), kind, key, gatewayId, gatewayAddress: '127.0.0.1:1', inUse: false };
  return { scope, connection: await place.database.transact(scope, (tx) => openConnection(tx, wish)) };
}

/** Leaves a row as it would be later. */
async function left({ connection }: HeldRow, { aliveS, isClosed, isGone }: RenewalCase['own']): Promise<void> {
  const of = 'where connection_id = $1';
  const alive = `alive_until = clock_timestamp() + $2 * interval '1 second'`;
  await outside.query(`update connections set ${alive} ${of}`, [connection.connectionId, aliveS]);
  if (isClosed) await outside.query(`update connections set closed_at = now() ${of}`, [connection.connectionId]);
  if (isGone) await outside.query(`delete from connections ${of}`, [connection.connectionId]);
}

async function neighbour(scope: Scope, row: NeighbourRow): Promise<void> {
  const { differsIn } = row;
  const elsewhere = differsIn === 'account' ? freshScope() : { ...scope, environment: 'production' as const };
  const beside = await opened({
    scope: differsIn === 'account' || differsIn === 'environment' ? elsewhere : scope,
    gatewayId: row.gateway === 'the same gateway' ? HERE : 'there',
    kind: differsIn === 'kind' ? 'epos-ws' : 'tables-ws',
    key: differsIn === 'key' ? 'another till' : KEY,
  });
  await left(beside, row);
}

const live = (scope: Scope): Promise<Connection[]> =>
  place.database.read(scope, (reader) => liveConnections(reader, ['tables-ws']));
const idOf = ({ connection }: HeldRow): string => connection.connectionId;

test.each(RENEWALS)('a gateway that renews $says hears how it stands', async (row) => {
  const scope = freshScope();
  const neighbours = (when: NeighbourRow['opened']) => row.neighbours.filter((each) => each.opened === when);
  for (const each of neighbours('before')) await neighbour(scope, each);
  const own = await opened({ scope, gatewayId: row.own.heldBy ?? HERE });
  for (const each of neighbours('after')) await neighbour(scope, each);
  await left(own, row.own);
  const standings = await renewConnections(place.database, { gatewayId: HERE, held: [own] });
  expect(standings).toEqual(new Map([[idOf(own), row.standing]]));
  const ids = (await live(scope)).map(({ connectionId }) => connectionId);
  expect(ids.includes(idOf(own))).toBe(row.isLive);
  const first = await place.database.read(scope, (reader) => findConnection(reader, 'tables-ws', KEY));
  expect(first?.connectionId === idOf(own)).toBe(row.isFirst);
});

test('sockets of many accounts are renewed and closed together, those that are not named are not', async () => {
  const named = await Promise.all(Array.from({ length: 30 }, () => opened({ scope: freshScope() })));
  const unnamed = await opened({ scope: named[0]!.scope, key: 'unnamed' });
  for (const each of [...named, unnamed]) await left(each, { aliveS: -1 });
  const asked: string[] = [];
  const counting: Pick<Database, 'pulse'> = {
    pulse: (statement, values) => {
      asked.push(statement.name);
      return place.database.pulse(statement, values);
    },
  };
  const rows = { gatewayId: HERE, held: named };
  const standings = await renewConnections(counting, rows);
  expect(standings).toEqual(new Map(named.map((each) => [idOf(each), 'newest'])));
  const ids = async () =>
    (await Promise.all(named.map(({ scope }) => live(scope)))).flat().map((each) => each.connectionId);
  expect(await ids()).toEqual(named.map(idOf));
  expect(asked).toHaveLength(2);
  expect(await closeConnections(counting, rows)).toEqual([]);
  expect(await ids()).toEqual([]);
  expect(asked).toHaveLength(3);
});

test('a renewed socket counts for as long as one that was opened just then, by the clock of the database', async () => {
  const scope = freshScope();
  const own = await opened({ scope });
  await left(own, { aliveS: 1 });
  await renewConnections(place.database, { gatewayId: HERE, held: [own] });
  const renewed = await live(scope);
  const opensNow = await opened({ scope, key: 'opened now' });
  const until = ({ aliveUntil }: { aliveUntil: Date }): number => aliveUntil.getTime();
  const [fresh] = (await live(scope)).filter(({ connectionId }) => connectionId === idOf(opensNow));
  expect(until(fresh!)).toBeGreaterThanOrEqual(until(renewed[0]!));
  expect(until(renewed[0]!)).toBeGreaterThan((await place.database.now()).getTime());
});

test('a row that somebody is changing holds up nobody: it stands, is renewed later, and closed later', async () => {
  const [busy, free] = [await opened({ scope: freshScope() }), await opened({ scope: freshScope() })];
  for (const each of [busy, free]) await left(each, { aliveS: -1 });
  const rows = { gatewayId: HERE, held: [busy, free] };
  await outside.query('begin');
  await outside.query('select from connections where connection_id = $1 for update', [idOf(busy)]);
  expect(await renewConnections(place.database, rows)).toEqual(
    new Map([busy, free].map((each) => [idOf(each), 'newest'])),
  );
  expect(await live(free.scope)).toHaveLength(1);
  expect(await live(busy.scope)).toEqual([]);
  expect(await closeConnections(place.database, rows)).toEqual([busy]);
  await outside.query('commit');
  expect(await live(free.scope)).toEqual([]);
  await renewConnections(place.database, { ...rows, held: [busy] });
  expect(await live(busy.scope)).toHaveLength(1);
  expect(await closeConnections(place.database, rows)).toEqual([]);
  expect(await live(busy.scope)).toEqual([]);
});

test('signs of life go out while all connections of the pool are taken', async () => {
  const small = await place.open({ poolMax: 1 });
  const own = await opened({ scope: freshScope() });
  await left(own, { aliveS: -1 });
  await small.transact(freshScope(), async () => {
    await renewConnections(small, { gatewayId: HERE, held: [own] });
  });
  expect(await live(own.scope)).toHaveLength(1);
});

test('a sign of life that has no connection any more gets the next one', async () => {
  const scope = freshScope();
  const held = [await opened({ scope })];
  const database = await place.open({ applicationName: 'cut' });
  await renewConnections(database, { gatewayId: HERE, held });
  await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut pulse'`);
  const renewed = async (): Promise<boolean> =>
    renewConnections(database, { gatewayId: HERE, held }).then(
      () => true,
      () => false,
    );
  let looks = 0;
  while (!(await renewed())) expect((looks += 1)).toBeLessThan(3);
  expect(await live(scope)).toHaveLength(1);
});
