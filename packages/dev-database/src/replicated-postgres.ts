import { readFileSync } from 'node:fs';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { copyRunningCluster, writeOwned } from './cluster-copy.js';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.js';
import { prepareFolders } from './server-folders.js';
import { findDataDirectory } from './server-leaks.js';

/** A primary and a standby that has every commit before its client is answered. */
export interface ReplicatedPostgres {
  /** The owner's login, with both servers as hosts: the primary first. */
  readonly url: string;
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
  /** Kills every process of the primary with SIGKILL, as the loss of its machine would. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary. Resolves when it accepts writes. */
  promoteStandby(): Promise<void>;
  /** Starts the killed primary again, as it was: it does not know that it was replaced. */
  restartPrimary(): Promise<EmbeddedPostgres>;
  /** Stops both servers and deletes their files. */
  remove(): Promise<void>;
}

const SLOT = 'standby';
const PAUSE_MS = 20;
const WAIT_MS_MAX = 60_000;
/** Starts a primary in `folder`, and a synchronous standby of it on a port of its own. */
export async function startReplicatedPostgres(folder: string): Promise<ReplicatedPostgres> {
  const primaryDir = path.join(folder, 'primary');
  const primary = await startPostgres({ dataDir: primaryDir, durable: true, afterExit: 'remove' });
  let restarted: EmbeddedPostgres | null = null;
  let standby: EmbeddedPostgres;
  try {
    standby = await startStandby(primary, path.join(folder, 'standby'));
    await runStatements(primary.url, [`alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()']);
    await awaitRow(primary.url, `select from pg_stat_replication where sync_state = 'sync'`);
  } catch (error) {
    await primary.remove();
    throw error;
  }
  const processes = await listProcesses(primary);
  return {
    url: primary.url.replace(/\/postgres$/, `,127.0.0.1:${standby.port}/postgres`),
    primary,
    standby,
    async killPrimary() {
      for (const pid of [processes.postmaster, ...(await processes.listChildren())]) killIfRunning(pid);
      await processes.awaitEnd();
    },
    promoteStandby: () => runStatements(standby.url, ['select pg_promote(true, 60)']),
    async restartPrimary() {
      restarted = await startPostgres({ dataDir: primaryDir, port: primary.port, durable: true, afterExit: 'remove' });
      return restarted;
    },
    async remove() {
      await standby.remove();
      await restarted?.stop();
      await primary.remove();
    },
  };
}

/** Copies the running primary and starts the copy as its standby. */
async function startStandby(primary: EmbeddedPostgres, dataDir: string): Promise<EmbeddedPostgres> {
  const folders = await prepareFolders(dataDir);
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query('select pg_create_physical_replication_slot($1, true)', [SLOT]);
    await copyRunningCluster(client, folders);
  } finally {
    await client.end();
  }
  const { name, password } = primary.superuser;
  const connection = `host=127.0.0.1 port=${primary.port} user=${name} password=${password} application_name=standby`;
  await writeOwned(folders, 'standby.signal', '');
  await appendFile(
    path.join(folders.cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection}'\nprimary_slot_name = '${SLOT}'\n`,
  );
  await writeFile(path.join(folders.home, 'password'), password, { mode: 0o600 });
  return startPostgres({ dataDir, durable: true, afterExit: 'remove' });
}

interface ServerProcesses {
  readonly postmaster: number;
  listChildren(): Promise<number[]>;
  awaitEnd(): Promise<void>;
}

async function listProcesses(server: EmbeddedPostgres): Promise<ServerProcesses> {
  const cluster = await findDataDirectory(server);
  const postmaster = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    postmaster,
    listChildren: async () => {
      const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
      return pids.filter((pid) => readParent(pid) === postmaster);
    },
    awaitEnd: async () => {
      const giveUpAt = performance.now() + WAIT_MS_MAX;
      while (isRunning(postmaster)) {
        if (performance.now() > giveUpAt) throw new Error(`the PostgreSQL process ${postmaster} does not end`);
        await pause(PAUSE_MS);
      }
    },
  };
}

function readParent(pid: number): number | null {
  try {
    // Behind the name in brackets, which may contain spaces: the state, then the parent.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[1]);
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await queryServer({ url }, statement);
}

/** Runs one statement as the superuser, on a connection of its own. */
export async function queryServer<Row extends object>(
  { url }: Pick<EmbeddedPostgres, 'url'>,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function awaitRow(url: string, query: string): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  while ((await queryServer({ url }, query)).length === 0) {
    if (performance.now() > giveUpAt) throw new Error(`the standby is not synchronous after ${WAIT_MS_MAX / 1_000} s`);
    await pause(PAUSE_MS);
  }
}
