import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type EmbeddedPostgres, type PostgresOptions, startPostgres } from './embedded-postgres.js';

// A folder that every user may pass, as in a checkout; mkdtemp makes it private.
const folder = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-'));
const dataDir = path.join(folder, 'postgres');
jest.setTimeout(30_000);
const launchers: ChildProcess[] = [];
const started: EmbeddedPostgres[] = [];

beforeAll(() => {
  chmodSync(folder, 0o755);
});

afterEach(() => {
  for (const launcher of launchers.splice(0)) launcher.kill('SIGKILL');
});

afterAll(async () => {
  for (const server of started) await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('rows are kept over a stop and a start', async () => {
  const first = await start({ dataDir });
  await runQuery(first.url, 'create table bill (total int8)');
  await runQuery(first.url, 'insert into bill values (1250)');
  await first.stop();
  await expect(runQuery(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);

  const second = await start({ dataDir });
  expect(await runQuery(second.url, 'select total from bill')).toEqual([{ total: '1250' }]);
  await second.stop();
  await second.stop();
});

test('the server listens on this machine only, requires the password, and shows the password to its owner only', async () => {
  const server = await start({ dataDir });
  const asked =
    "select name, setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories', 'max_connections', 'fsync') order by 1";
  expect(await runQuery(server.url, asked)).toEqual([
    { name: 'fsync', setting: 'off' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'max_connections', setting: '200' },
    // A folder that no other user may pass.
    { name: 'unix_socket_directories', setting: await clusterOf(server) },
  ]);
  await expect(runQuery(server.url.replace(/:[^:@]+@/, ':guessed@'), 'select 1')).rejects.toMatchObject({
    code: '28P01',
  });
  expect(statSync(path.join(dataDir, 'password')).mode & 0o777).toBe(0o600);
  await server.stop();
});

test('a server whose launcher was killed is taken over with its port and its rows', async () => {
  const left = await startInOtherProcess({ dataDir });
  await runQuery(left.url, 'create table table_plan (number int)');
  await kill(left.launcher);

  const taken = await start({ dataDir });
  expect(taken.port).toBe(left.port);
  expect(await runQuery(taken.url, 'select count(*)::int from table_plan')).toEqual([{ count: 0 }]);
  await taken.stop();
  await expect(runQuery(left.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('a server that ends with its launcher is gone when that was killed, and its folder is deleted with it', async () => {
  const own = path.join(folder, 'of-one-launcher');
  const left = await startInOtherProcess({ dataDir: own, afterExit: 'remove' });
  expect(await runQuery(left.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await kill(left.launcher);
  while (existsSync(own)) await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(runQuery(left.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('a server that stops with its launcher is gone when that was killed, and its rows are kept', async () => {
  const own = path.join(folder, 'stops-with-its-launcher');
  const left = await startInOtherProcess({ dataDir: own, afterExit: 'stop' });
  await runQuery(left.url, 'create table service_charge (amount int)');
  await kill(left.launcher);
  await expect(untilRefused(left.url)).resolves.toMatch(/ECONNREFUSED/);

  const next = await start({ dataDir: own });
  expect(await runQuery(next.url, 'select count(*)::int from service_charge')).toEqual([{ count: 0 }]);
  await next.stop();
});

test('a server that runs with other settings is replaced, and its rows are kept', async () => {
  const left = await startInOtherProcess({ dataDir });
  await runQuery(left.url, 'create table tip (amount int)');
  await kill(left.launcher);

  const other = await occupy();
  await other.leave();
  const replaced = await start({ dataDir, port: other.port, durable: true });
  expect(replaced.port).toBe(other.port);
  expect(await runQuery(replaced.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  expect(await runQuery(replaced.url, 'select count(*)::int from tip')).toEqual([{ count: 0 }]);
  await replaced.stop();
});

test('a killed server restarts with every committed row', async () => {
  const first = await start({ dataDir, durable: true });
  await runQuery(first.url, 'create table capture (amount int)');
  await runQuery(first.url, 'insert into capture select generate_series(1, 1000)');
  const pidFile = path.join(await clusterOf(first), 'postmaster.pid');
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');

  const second = await start({ dataDir, durable: true });
  expect(await runQuery(second.url, 'select count(*)::int from capture')).toEqual([{ count: 1000 }]);
  await second.stop();
});

test('a pid file with the number of another program stops neither that program nor the start', async () => {
  const server = await start({ dataDir });
  const cluster = await clusterOf(server);
  await server.stop();
  const { uid, gid } = statSync(cluster);
  const stranger = spawn('sleep', ['60'], { cwd: '/', ...(process.getuid?.() === 0 ? { uid, gid } : {}) });
  launchers.push(stranger);
  writeFileSync(path.join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n\nready\n`);
  const again = await start({ dataDir });
  expect(await runQuery(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(stranger.exitCode).toBeNull();
  expect(stranger.signalCode).toBeNull();
  await again.stop();
});

test('a second launcher is refused while the first one runs, and the server continues', async () => {
  const first = await startInOtherProcess({ dataDir });
  await expect(start({ dataDir })).rejects.toThrow(`in use by process ${first.launcher.pid}`);
  expect(await runQuery(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await kill(first.launcher);
  await (await start({ dataDir })).stop();
});

test('a taken port is named in the refusal', async () => {
  const other = await occupy();
  await expect(start({ dataDir, port: other.port })).rejects.toThrow(
    `Port ${other.port} on 127.0.0.1 is taken by another program`,
  );
  await other.leave();
});

test('a folder that cannot be created is named in the refusal', async () => {
  writeFileSync(path.join(folder, 'a-file'), '');
  await expect(start({ dataDir: path.join(folder, 'a-file', 'postgres') })).rejects.toThrow(
    /^The database folder .*a-file.postgres cannot be made: /,
  );
});

test('rows without their password are not deleted', async () => {
  const lost = path.join(folder, 'lost');
  const server = await start({ dataDir: lost });
  await server.stop();
  rmSync(path.join(lost, 'password'));
  await expect(start({ dataDir: lost })).rejects.toThrow('have lost their file');
  expect(existsSync(path.join(lost, 'cluster', 'PG_VERSION'))).toBe(true);
});

test('the server never runs as root, and reaches its rows below a private folder', async () => {
  const secret = path.join(folder, 'private');
  mkdirSync(secret, { mode: 0o700 });
  const first = await start({ dataDir: path.join(secret, 'postgres') });
  await runQuery(first.url, 'create table payer (name text)');
  const cluster = await clusterOf(first);
  const owner = statSync(cluster);
  expect(owner.uid).not.toBe(0);
  expect(owner.mode & 0o777).toBe(0o700);
  await first.stop();

  const second = await start({ dataDir: path.join(secret, 'postgres') });
  expect(await runQuery(second.url, 'select * from payer')).toEqual([]);
  await second.remove();
  expect(existsSync(cluster)).toBe(false);
});

test('the same server answers at its Unix socket, which no other user reaches', async () => {
  const server = await start({ dataDir: path.join(folder, 'socket') });
  const { socketUrl } = server;
  await runQuery(server.url, 'create table payer (name text)');
  expect(
    await runQuery(socketUrl!, 'select inet_server_addr() as address, (select count(*)::int from payer) as n'),
  ).toEqual([{ address: null, n: 0 }]);
  expect(statSync(await clusterOf(server)).mode & 0o077).toBe(0);
  const stranger = socketUrl!.replace(server.superuser.password, 'wrong');
  await expect(runQuery(stranger, 'select 1')).rejects.toThrow('password authentication failed');
});

test('a folder whose path is too long for a socket has a server without one', async () => {
  // Root's server may have its rows elsewhere, at a short path.
  const server = await start({ dataDir: path.join(folder, 'long'.repeat(30)) });
  const cluster = await clusterOf(server);
  expect(server.socketUrl === null).toBe(cluster.length > 83);
  expect(await runQuery(server.url, 'show unix_socket_directories')).toEqual([
    { unix_socket_directories: server.socketUrl === null ? '' : cluster },
  ]);
});

async function start(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ durable: false, ...options });
  started.push(server);
  return server;
}

/** A launcher in a separate process, so that it can be killed: it runs the built package. */
async function startInOtherProcess(
  options: PostgresOptions,
): Promise<{ url: string; port: number; launcher: ChildProcess }> {
  const built = fileURLToPath(new URL('../dist/embedded-postgres.js', import.meta.url));
  const script = `import { startPostgres } from ${JSON.stringify(built)};
    const { url, port } = await startPostgres(${JSON.stringify({ durable: false, ...options })});
    console.log(JSON.stringify({ url, port }));
    setInterval(() => undefined, 60_000);`;
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  launchers.push(launcher);
  const line = await new Promise<string>((resolve, reject) => {
    launcher.stdout.once('data', (chunk: Buffer) => {
      resolve(chunk.toString());
    });
    launcher.once('exit', () => {
      reject(new Error('the launcher ended before the server was ready'));
    });
  });
  return { ...(JSON.parse(line) as { url: string; port: number }), launcher };
}

async function kill(launcher: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => launcher.once('exit', resolve));
  launcher.kill('SIGKILL');
  await gone;
}

async function runQuery(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function clusterOf(server: EmbeddedPostgres): Promise<string> {
  const [row] = await runQuery(server.url, "select current_setting('data_directory') as folder");
  return (row as { folder: string }).folder;
}

async function occupy(): Promise<{ port: number; leave: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const leave = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: address.port, leave };
}

/**
 * Connects until nothing listens any more; returns the system's error. While the server shuts down, it reports that
 * itself.
 */
async function untilRefused(url: string): Promise<string> {
  for (;;) {
    const output = await runQuery(url, 'select 1').then(
      () => '',
      (error: unknown) => String(error),
    );
    if (output.includes('ECONNREFUSED')) return output;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
