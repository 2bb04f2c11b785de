import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { findFreePort } from '@pos/dev-database';
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

/** A start during which the database was lost once, and its end after SIGTERM. */
export interface InterruptedStart extends DelayedStart {
  /** Whether the database was lost before the process had started. */
  readonly wasLost: boolean;
}

/**
 * Starts the built app of the package whose tests run, and loses its database once, after the process has sent this many
 * parts of statements to it. The database answers again a moment later. The process gets SIGTERM once it has started.
 */
export async function startWhileDatabaseIsLost(
  { url }: Pick<TestDatabase, 'url'>,
  { partsMax, settings = {} }: { readonly partsMax: number; readonly settings?: Readonly<Record<string, string>> },
): Promise<InterruptedStart> {
  const server = new URL(url);
  const lossy = new URL(url);
  let parts = 0;
  let proxy: { readonly close: () => void } | null = null;
  let wasLost = false;
  const port = await findFreePort();
  const lose = (): void => {
    parts += 1;
    if (parts !== partsMax) return;
    wasLost = true;
    proxy?.close();
    proxy = null;
    setTimeout(() => (proxy = forwardPort(port, server)), LOSS_MS);
  };
  proxy = forwardPort(port, server, lose);
  lossy.hostname = '127.0.0.1';
  lossy.port = String(port);
  const child = spawn(process.execPath, ['bundle/main.js'], {
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: lossy.href,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      ...settings,
    },
  });
  let [log, stderr] = ['', ''];
  let isStopped = false;
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  child.stdout.on('data', (part: Buffer) => {
    log += part.toString();
    if (!isStopped && log.includes('"process.started"')) isStopped = child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  (proxy as { readonly close: () => void } | null)?.close();
  return { lines: parseLines(log), stderr, code, wasLost };
}

const LOSS_MS = 400;

function parseLines(log: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function forwardPort(
  port: number,
  { hostname, port: to }: URL,
  onPart: () => void = () => undefined,
): { readonly close: () => void } {
  const sockets = new Set<Socket>();
  const server = createServer((downstream) => {
    const upstream = connect(Number(to), hostname);
    for (const socket of [downstream, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    downstream.on('data', onPart);
    downstream.pipe(upstream).pipe(downstream);
  }).listen(port, '127.0.0.1');
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
