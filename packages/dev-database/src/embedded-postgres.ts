import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { findFreePort } from './free-ports.js';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { prepareFolders, listFolders, getMessage, type ServerFolders, runAs, spawnAs } from './server-folders.js';
import { type AfterExit, watchPostgres } from './exit-watch.js';

/** How to run the embedded server. */
export interface PostgresOptions {
  /** Folder of this server, created if missing. Rows, password and log are kept in it after the process ends. */
  readonly dataDir: string;
  /** Port on 127.0.0.1; a free one when absent. */
  readonly port?: number;
  /** False: a crash of the machine may lose or damage rows. Only for tests, which it makes several times faster. */
  readonly durable?: boolean;
  /**
   * What happens once this process has ended, for any reason. `keep` (the default): the server runs on, and the next
   * launcher takes it over. `stop`: the server shuts down when its clients have disconnected, after 15 s at the
   * latest; its rows are kept. `remove`: the server ends at once and its folder is deleted.
   */
  readonly afterExit?: AfterExit;
  /** Receives one line for each message to a developer. */
  readonly log?: (line: string) => void;
}

/** A running server on 127.0.0.1 and its superuser's login. */
export interface EmbeddedPostgres {
  /** Connection string of the superuser, database `postgres`. */
  readonly url: string;
  /** The same over the server's Unix socket, which costs less than TCP; null where the system allows none. */
  readonly socketUrl: string | null;
  readonly port: number;
  readonly superuser: { readonly name: string; readonly password: string };
  /** A clean fast shutdown: open connections are cut, committed rows are kept. May be called twice. */
  stop(): Promise<void>;
  /** Stops the server and deletes all its files. */
  remove(): Promise<void>;
}

const SUPERUSER = 'postgres';
const CONNECTIONS_MAX = 200;
const START_MS_MAX = 60_000;
const STOP_SECONDS_MAX = 30;
const ANSWER_MS_MAX = 5_000;
const POLL_MS = 10;
const START_TRIES_MAX = 10;
const RETRY_MS = 200;
/** What a server that accepts connections writes into its file; a standby serves reads. */
const READY = ['ready', 'standby'];
const LOG_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Starts the PostgreSQL of the installed packages, or takes over the one that a killed launcher left running in
 * `dataDir`. Works as any user; root's server runs as an unprivileged account. The server keeps running after this
 * process, unless `stop` is called or `afterExit` requires otherwise. Throws one sentence with the reason, also when
 * another running process holds the same folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const folders = await prepareFolders(options.dataDir);
  await refuseSecondLauncher(folders);
  // Prepared before there is anything to clean up.
  const { afterExit = 'keep' } = options;
  const unwatch = afterExit === 'keep' ? () => undefined : watchPostgres(folders, afterExit);
  const password = await ensureCluster(folders, options);
  const leftover = await findServer(folders);
  const isReused =
    leftover !== null && matchesOptions(leftover, folders, options) && (await acceptsPassword(leftover.port, password));
  if (leftover !== null && !isReused) await stopServer(folders);
  await writeFile(ownerFilePath(folders), `${process.pid} ${readProcessStart(process.pid)}`);
  const port = isReused ? leftover.port : await launchServer(folders, options);
  if (!isReused && !(await acceptsPassword(port, password))) {
    await stopServer(folders);
    throw new Error(`The PostgreSQL in ${folders.cluster} does not take the password kept in ${folders.home}.`);
  }
  options.log?.(
    `PostgreSQL ${isReused ? 'was still running' : 'runs'} on 127.0.0.1:${port}, rows in ${folders.cluster}`,
  );
  return createHandle(folders, { port, password, unwatch });
}

function createHandle(
  folders: ServerFolders,
  { port, password, unwatch }: { readonly port: number; readonly password: string; readonly unwatch: () => void },
): EmbeddedPostgres {
  const stop = async (): Promise<void> => {
    await stopServer(folders);
    await rm(ownerFilePath(folders), { force: true });
    unwatch();
  };
  const socketFolder = findSocketFolder(folders);
  return {
    url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
    socketUrl:
      socketFolder &&
      `postgres://${SUPERUSER}:${password}@/postgres?host=${encodeURIComponent(socketFolder)}&port=${port}`,
    port,
    superuser: { name: SUPERUSER, password },
    stop,
    async remove() {
      await stop();
      for (const folder of listFolders(folders)) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Two launchers on one folder would end each other's server, so the second is refused while the first runs. */
async function refuseSecondLauncher(folders: ServerFolders): Promise<void> {
  const [pid = '', processStart] = (await readOrEmpty(ownerFilePath(folders))).split(' ');
  if (pid === '' || Number(pid) === process.pid || readProcessStart(Number(pid)) !== processStart) return;
  if ((await findServer(folders)) === null) return;
  throw new Error(`The database in ${folders.home} is in use by process ${pid}; stop that one first.`);
}

/** Creates the cluster if there is none; returns the superuser's password. */
async function ensureCluster(folders: ServerFolders, options: PostgresOptions): Promise<string> {
  const passwordFile = path.join(folders.home, 'password');
  const storedPassword = await readOrEmpty(passwordFile);
  if (existsSync(folders.cluster)) {
    if (storedPassword !== '') return storedPassword;
    if (!folders.isOutsideHome)
      throw new Error(
        `The rows in ${folders.cluster} have lost their file ${passwordFile}; restore it or delete the folder.`,
      );
    // A developer who deleted the named folder also meant the rows that are stored elsewhere.
    await stopServer(folders);
    await rm(folders.cluster, { recursive: true });
  }
  const password = storedPassword === '' ? randomBytes(24).toString('base64url') : storedPassword;
  await writeFile(passwordFile, password, { mode: 0o600 }).catch((cause: unknown) => {
    throw new Error(`The database folder ${folders.home} cannot be written: ${getMessage(cause)}.`, { cause });
  });
  await initialiseCluster(folders, password, options.durable ?? true);
  return password;
}

/**
 * initdb works beside the final name: a launcher that is killed in the middle leaves nothing that looks like a
 * cluster.
 */
async function initialiseCluster(folders: ServerFolders, password: string, isDurable: boolean): Promise<void> {
  const partialCluster = `${folders.cluster}.new`;
  const passwordCopy = `${folders.cluster}.password`;
  await rm(partialCluster, { recursive: true, force: true });
  await rm(passwordCopy, { force: true });
  await mkdir(partialCluster, { mode: 0o700 });
  try {
    await writeFile(passwordCopy, password, { mode: 0o600, flag: 'wx' });
    if (folders.account !== null) {
      await chown(partialCluster, folders.account.uid, folders.account.gid);
      await chown(passwordCopy, folders.account.uid, folders.account.gid);
    }
    const { code, output } = await runAs(folders.account, [
      programPath(folders, 'initdb'),
      ...['-D', partialCluster, '-U', SUPERUSER, `--pwfile=${passwordCopy}`, '--auth=scram-sha-256', '--encoding=UTF8'],
      // The server's own collation: the same order of strings on every machine.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...(isDurable ? [] : ['--no-sync']),
    ]);
    if (code !== 0)
      throw new Error(`PostgreSQL cannot make a database in ${folders.cluster}: ${findErrorLine(output)}`);
  } finally {
    await rm(passwordCopy, { force: true });
  }
  await rename(partialCluster, folders.cluster);
}

interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** The command line it was started with. */
  readonly command: string;
}

/** The server that runs on this cluster, once it is ready; null if there is none. */
async function findServer(folders: ServerFolders): Promise<RunningServer | null> {
  const end = performance.now() + START_MS_MAX;
  while (performance.now() < end) {
    const { pid, port, status } = await readPidFile(folders);
    if (pid === 0 || readProcessStart(pid) === null) return null;
    if (isOtherProcess(pid, folders)) {
      await replacePidFileOwner(folders);
      return null;
    }
    if (READY.includes(status))
      return { pid, port, command: await readOrEmpty(path.join(folders.cluster, 'postmaster.opts')) };
    await pause(POLL_MS);
  }
  throw new Error(`The PostgreSQL running in ${folders.cluster} was not ready within ${START_MS_MAX / 1000} s.`);
}

function matchesOptions(server: RunningServer, folders: ServerFolders, options: PostgresOptions): boolean {
  const isWanted = options.port === undefined || options.port === server.port;
  return (
    isWanted &&
    listSettings(folders, server.port, options.durable ?? true).every((setting) =>
      server.command.includes(`"${setting}"`),
    )
  );
}

async function launchServer(folders: ServerFolders, options: PostgresOptions): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = options.port ?? (await findFreePort());
    const failure = await launchOnPort(folders, port, options.durable ?? true);
    if (failure === null) return port;
    const isTaken = /Address already in use|could not create any TCP\/IP sockets/.test(failure);
    if (isTaken && options.port !== undefined) {
      throw new Error(`Port ${port} on 127.0.0.1 is taken by another program, so PostgreSQL cannot use it.`);
    }
    // Another process may have taken a free port; the child processes of a killed server take a moment to end.
    const isTransient = isTaken || failure.includes('pre-existing shared memory block');
    if (!isTransient || tries === START_TRIES_MAX) {
      throw new Error(`PostgreSQL does not start in ${folders.cluster}: ${findErrorLine(failure)}`);
    }
    await pause(RETRY_MS);
  }
}

/** Null when the server is ready, else its message before it gave up. */
async function launchOnPort(folders: ServerFolders, port: number, isDurable: boolean): Promise<string | null> {
  const logFile = path.join(folders.home, 'server.log');
  const before = (await stat(logFile).catch(() => null))?.size ?? 0;
  // A file, not a pipe: the server must not notice when this process is killed.
  const log = await open(logFile, before > LOG_BYTES_MAX ? 'w' : 'a', 0o600);
  const from = before > LOG_BYTES_MAX ? 0 : before;
  try {
    const args = listSettings(folders, port, isDurable).flatMap((setting) => ['-c', setting]);
    // Its own process group: Ctrl-C in a terminal must not reach it before the apps have drained.
    const child = spawnAs(folders.account, [programPath(folders, 'postgres'), '-D', folders.cluster, ...args], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const exitReasons: string[] = [];
    child.once('error', (cause) => exitReasons.push(cause.message));
    child.once('exit', (code) => exitReasons.push(`it ended with code ${code}`));
    child.unref();
    const end = performance.now() + START_MS_MAX;
    while (performance.now() < end && exitReasons.length === 0) {
      const { pid, status } = await readPidFile(folders);
      if (pid === child.pid && READY.includes(status)) return null;
      await pause(POLL_MS);
    }
    if (exitReasons.length === 0) child.kill('SIGQUIT');
    const output = (await readFile(logFile)).subarray(from).toString();
    return [...exitReasons, output].join('\n') || `it was not ready within ${START_MS_MAX / 1000} s`;
  } finally {
    await log.close();
  }
}

/** All settings that affect the server's behaviour; a server that runs with other settings is replaced. */
function listSettings(folders: ServerFolders, port: number, isDurable: boolean): string[] {
  const onOff = isDurable ? 'on' : 'off';
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${findSocketFolder(folders) ?? ''}`,
    `max_connections=${CONNECTIONS_MAX}`,
    'timezone=UTC',
    'log_timezone=UTC',
    ...['fsync', 'synchronous_commit', 'full_page_writes'].map((name) => `${name}=${onOff}`),
  ];
}

/** An address of a socket has at most 103 bytes on every system. */
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKET_NAME_MAX = '/.s.PGSQL.65535.lock';

/** The folder of the server's Unix socket: its cluster, which no other user may pass. Null where the path is too long. */
function findSocketFolder({ cluster }: ServerFolders): string | null {
  // A comma separates folders in the setting, and Windows has no such sockets for Node.
  if (process.platform === 'win32' || /[,"\\\s]/.test(cluster)) return null;
  return Buffer.byteLength(cluster + SOCKET_NAME_MAX) > SOCKET_PATH_BYTES_MAX ? null : cluster;
}

async function stopServer(folders: ServerFolders): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    if ((await findServer(folders)) === null) return;
    const args = ['stop', '-D', folders.cluster, '-m', mode, '-w', '-t', String(STOP_SECONDS_MAX)];
    const { code } = await runAs(folders.account, [programPath(folders, 'pg_ctl'), ...args]);
    if (code === 0) return;
  }
  throw new Error(`The PostgreSQL in ${folders.cluster} cannot be stopped.`);
}

async function acceptsPassword(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    connectionTimeoutMillis: ANSWER_MS_MAX,
  });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** The file that a server writes about itself; zero and empty while it is missing or half written. */
async function readPidFile(folders: ServerFolders): Promise<{ pid: number; port: number; status: string }> {
  const lines = (await readOrEmpty(path.join(folders.cluster, 'postmaster.pid'))).split('\n');
  return { pid: Number(lines[0] ?? 0), port: Number(lines[3] ?? 0), status: lines[7]?.trim() ?? '' };
}

/**
 * The start time of a process as a text to compare; empty if the system does not report it; null if there is no such
 * process.
 */
function readProcessStart(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPERM')) return null;
  }
  try {
    // Field 22; the name in brackets before it may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[20] ?? '';
  } catch {
    return '';
  }
}

/**
 * After a crash of the machine the number in the file may be another program's, and PostgreSQL would refuse to
 * start. It accepts the number of its own parent. The rest of the file must stay: from it a new server detects that
 * child processes of an old one still run.
 */
async function replacePidFileOwner(folders: ServerFolders): Promise<void> {
  const file = path.join(folders.cluster, 'postmaster.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [process.pid, ...rest].join('\n'));
}

/** True if the process is certainly not the server of this cluster. */
function isOtherProcess(pid: number, folders: ServerFolders): boolean {
  try {
    return !readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(folders.cluster);
  } catch {
    return false;
  }
}

function programPath(folders: ServerFolders, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return path.join(folders.native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

function ownerFilePath(folders: ServerFolders): string {
  return path.join(folders.home, 'owner');
}

async function readOrEmpty(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

function findErrorLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => /FATAL|error:/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
}
