import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TEST_SECRETS, type TestDatabase } from './test-database.js';

/**
 * Starts the built app of the package whose tests run, with another pepper than its database has; returns how it
 * ends.
 */
export async function runWithOtherPepper(
  { url }: Pick<TestDatabase, 'url'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, ['bundle/main.js'], {
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: url,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: 'another pepper for tests',
      ...settings,
    },
  });
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** The output of a process while it waited for its database, and its end after SIGTERM. */
export interface DelayedStart {
  /** Its log lines from the first to `process.started`. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly stderr: string;
  readonly code: number | null;
}

/**
 * Starts the built app of the package whose tests run while nothing listens at its `DATABASE_URL`, opens the
 * connection to the database once the app has logged that it waits, and ends it with SIGTERM once it has started.
 */
export async function startBeforeDatabase(
  { url }: Pick<TestDatabase, 'url'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<DelayedStart> {
  const port = await findFreePort();
  const unreachable = new URL(url);
  unreachable.hostname = '127.0.0.1';
  unreachable.port = String(port);
  const child = spawn(process.execPath, ['bundle/main.js'], {
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: unreachable.href,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      ...settings,
    },
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let log = '';
  let stderr = '';
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  let database: { readonly close: () => void } | null = null;
  let isStopped = false;
  child.stdout.on('data', (part: Buffer) => {
    log += part.toString();
    if (database === null && log.includes('"database.awaited"')) database = forwardPort(port, new URL(url));
    if (!isStopped && log.includes('"process.started"')) isStopped = child.kill('SIGTERM');
  });
  const [code] = await ended;
  (database as { readonly close: () => void } | null)?.close();
  return { lines: parseLines(log), stderr, code };
}

function parseLines(log: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function forwardPort(port: number, { hostname, port: to }: URL): { readonly close: () => void } {
  const sockets = new Set<Socket>();
  const server = createServer((downstream) => {
    const upstream = connect(Number(to), hostname);
    for (const socket of [downstream, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    downstream.pipe(upstream).pipe(downstream);
  }).listen(port, '127.0.0.1');
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
