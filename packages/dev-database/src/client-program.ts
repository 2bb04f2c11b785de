import { stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { copyRunningCluster } from './cluster-copy.js';
import { findNativeFolder, prepareNativeFolder, runAs, type ServerAccount } from './server-folders.js';

/*
 * Stands in for the client programs of PostgreSQL, which the embedded server comes without, so that the commands of the
 * documentation run on every machine: `psql -c`, `pg_basebackup` and, for root, a `pg_ctl` that runs as the account of
 * the server. Takes the login from PGHOST, PGPORT, PGUSER and PGPASSWORD, as they do.
 */

const [program = '', ...args] = process.argv.slice(2);
const PROGRAMS: Readonly<Record<string, () => Promise<void>>> = { psql, pg_basebackup: backUp, pg_ctl: control };
const run = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
if (run === undefined) throw new Error(`there is no stand-in for ${program}`);
await run();

/** `psql [-p port] -c statement ...`: prints the values of each row, separated by bars. */
async function psql(): Promise<void> {
  const client = await connect(valuesOf('-p')[0]);
  try {
    for (const statement of valuesOf('-c')) {
      const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
      for (const row of rows) process.stdout.write(`${row.map(String).join('|')}\n`);
    }
  } finally {
    await client.end();
  }
}

/** `pg_basebackup --pgdata=folder`: a copy in plain format without WAL. */
async function backUp(): Promise<void> {
  const cluster = args.find((arg) => arg.startsWith('--pgdata='))?.slice('--pgdata='.length) ?? '';
  const client = await connect();
  try {
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
    await copyRunningCluster(client, { cluster, account: await findOwner(rows[0]?.folder ?? '') });
  } finally {
    await client.end();
  }
}

async function control(): Promise<void> {
  const account = await findOwner(valuesOf('-D')[0] ?? '');
  const native = account === null ? findNativeFolder() : await prepareNativeFolder(account);
  const { code, output } = await runAs(account, [path.join(native, 'bin', 'pg_ctl'), ...args]);
  process.stdout.write(`${output}\n`);
  process.exitCode = code;
}

/** The account of a cluster; null when it is ours. */
async function findOwner(cluster: string): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(cluster);
  return { uid, gid };
}

async function connect(port?: string): Promise<pg.Client> {
  // What is not given here comes from the environment.
  const client = new pg.Client({ database: 'postgres', ...(port !== undefined && { port: Number(port) }) });
  await client.connect();
  return client;
}

/** The values behind each occurrence of an option. */
function valuesOf(option: string): string[] {
  return args.flatMap((arg, index) => (arg === option ? [args[index + 1] ?? ''] : []));
}
