import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { createTestDatabase } from '../testing/test-database.js';
import { DatabaseServers } from './database-servers.js';
import { RoutedClient, RoutedPool } from './routed-client.js';

let databaseUrl: string;
let silent: Server;
const sockets: Socket[] = [];

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

/** Nothing listens there. */
const CLOSED = '127.0.0.1:1';
const liveServer = (): string => new URL(databaseUrl).host;
const silentServer = (): string => `127.0.0.1:${(silent.address() as AddressInfo).port}`;

/** The database of this test at these servers. */
function urlAt(servers: readonly string[], query = ''): string {
  return databaseUrl.replace(liveServer(), servers.join(',')) + query;
}

async function connectTo(address: string): Promise<RoutedClient> {
  const client = new RoutedClient({ servers: new DatabaseServers(address), connectionTimeoutMillis: 5_000 });
  await client.connect();
  return client;
}

async function withPool<T>(work: (pool: RoutedPool) => Promise<T>): Promise<T> {
  const pool = new RoutedPool({ servers: new DatabaseServers(databaseUrl), max: 3 });
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const pidOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

/** The server processes of three connections of the pool, which are used at once. */
async function listPids(pool: RoutedPool): Promise<number[]> {
  const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
  const pids = await Promise.all(clients.map(pidOf));
  for (const client of clients) client.release();
  return pids;
}

async function asOwner(sql: string): Promise<void> {
  const owner = new pg.Client({ connectionString: new URL('/postgres', databaseUrl).href });
  await owner.connect();
  await owner.query(sql);
  await owner.end();
}

const databaseName = (): string => new URL(databaseUrl).pathname.slice(1);

test.each([
  ['the only one', () => [liveServer()]],
  ['the second, for nothing listens at the first', () => [CLOSED, liveServer()]],
  ['the first, for nothing listens at the second', () => [liveServer(), CLOSED]],
  ['the second, for the first does not answer', () => [silentServer(), liveServer()]],
])('the server that accepts writes is %s', async (_, servers) => {
  const client = await connectTo(urlAt(servers()));
  expect(`${client.host}:${client.port}`).toBe(liveServer());
  await client.end();
});

test.each([
  ['no server listens', () => urlAt([CLOSED, '127.0.0.1:2']), 'ECONNREFUSED'],
  ['no server answers', () => urlAt([silentServer(), CLOSED], '?connect_timeout=1'), undefined],
  [
    'a login is wrong, among other failures',
    () => urlAt([CLOSED, liveServer()]).replace(/:[^:@]+@/, ':wrong@'),
    '28P01',
  ],
  [
    'a database is missing, among other failures',
    () => urlAt([CLOSED, liveServer()]).replace(/test_\w+/, 'no_such'),
    '3D000',
  ],
])('%s: the connection fails with the most useful reason', async (_, url, code) => {
  await expect(connectTo(url())).rejects.toMatchObject(code === undefined ? { name: 'Error' } : { code });
});

test('a read-only server is refused, unless the URL accepts any', async () => {
  await asOwner(`alter database ${databaseName()} set default_transaction_read_only = on`);
  try {
    for (const servers of [[liveServer()], [CLOSED, liveServer()]]) {
      await expect(connectTo(urlAt(servers))).rejects.toMatchObject({
        code: '25006',
        message: `the database server ${liveServer()} is read-only`,
      });
    }
    for (const attributes of ['any', 'primary']) {
      const client = await connectTo(urlAt([liveServer()], `?target_session_attrs=${attributes}`));
      expect(await pidOf(client)).toBeGreaterThan(0);
      await client.end();
    }
  } finally {
    await asOwner(`alter database ${databaseName()} reset default_transaction_read_only`);
  }
});

test('a timeline that was replaced is refused, also where the server accepts writes', async () => {
  const servers = new DatabaseServers(databaseUrl);
  const [server] = servers.url.servers;
  servers.acceptState(server!, { isStandby: false, isReadOnly: false, timeline: 7 });
  const client = new RoutedClient({ servers });
  await expect(client.connect()).rejects.toMatchObject({
    code: '25006',
    message: expect.stringContaining('is a primary of timeline 1, which timeline 7 has replaced'),
  });
});

test('when a standby was promoted, the connections to the server that it has replaced are used no more', async () => {
  const servers = new DatabaseServers(databaseUrl);
  const [server] = servers.url.servers;
  const retired: string[] = [];
  const add = (name: string, timeline: number | null) =>
    servers.addConnection({ server: server!, timeline, retire: () => retired.push(name) });
  servers.acceptState(server!, { isStandby: false, isReadOnly: false, timeline: 1 });
  add('of the replaced primary', 1);
  add('that is being opened', null);
  add('of the new primary', 2);
  servers.acceptState(server!, { isStandby: false, isReadOnly: false, timeline: 1 });
  expect(retired).toEqual([]);
  servers.acceptState(server!, { isStandby: false, isReadOnly: false, timeline: 2 });
  expect(retired).toEqual(['of the replaced primary']);
});

test('one refused write closes every connection to the server, those in use after their work', async () => {
  await withPool(async (pool) => {
    const before = await listPids(pool);
    const [busy, failing] = await Promise.all([pool.connect(), pool.connect()]);
    await busy.query('begin');
    const busyPid = await pidOf(busy);
    await failing.query('begin read only');
    await expect(failing.query('create temporary table t as select 1')).rejects.toMatchObject({ code: '25006' });
    await failing.query('rollback');
    failing.release();
    // The work of another connection ends in its own time.
    expect(await pidOf(busy)).toBe(busyPid);
    await busy.query('commit');
    busy.release();
    const after = await listPids(pool);
    expect(before.filter((pid) => after.includes(pid))).toEqual([]);
  });
});

test('a server that reports that it is read-only is left before a write fails', async () => {
  await withPool(async (pool) => {
    const before = await listPids(pool);
    const client = await pool.connect();
    await client.query('set session characteristics as transaction read only');
    client.release();
    const after = await listPids(pool);
    expect(before.filter((pid) => after.includes(pid))).toEqual([]);
  });
});

test('another failed statement keeps the connections', async () => {
  await withPool(async (pool) => {
    const before = await listPids(pool);
    const client = await pool.connect();
    await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    client.release();
    expect((await listPids(pool)).sort()).toEqual(before.sort());
  });
});

test('connections that open together search once, and a lost one searches again', async () => {
  const servers = new DatabaseServers(urlAt([CLOSED, liveServer()]));
  const [one, other] = await Promise.all([servers.findServer(), servers.findServer()]);
  expect(one).toBe(other);
  expect(await servers.findServer()).toBe(one);
  servers.reportLoss(one);
  const client = new RoutedClient({ servers });
  await client.connect();
  expect(client.server).toBe(one);
  await client.end();
});
