import path from 'node:path';
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.js';
import { createFullScan, type FileLeak, scanFolder } from '@pos/verification/leaks';

/**
 * More than any run writes: everything that was written once is still there at its end, even if it was dropped
 * meanwhile.
 */
const WAL_KEEP_SIZE = '500GB';

/**
 * Long values are stored uncompressed, because their text could not be found otherwise. Each change commits by itself:
 * with the locks of several relations it would deadlock with the apps that run already.
 */
const UNCOMPRESSED = `do $$ declare each record; begin
  for each in
    select format('alter table %I.%I alter column %I set storage external', s.nspname, t.relname, c.attname) as change
      from pg_attribute c join pg_class t on t.oid = c.attrelid join pg_namespace s on s.oid = t.relnamespace
     where t.relkind in ('r', 'p') and s.nspname not in ('pg_catalog', 'information_schema') and s.nspname !~ '^pg_toast'
       and c.attnum > 0 and not c.attisdropped and c.attstorage in ('x', 'm')
  loop
    execute each.change;
    commit;
  end loop;
end $$`;

/** Configures a server to keep its whole write-ahead log from now on. */
export async function retainWal({ url }: Pick<EmbeddedPostgres, 'url'>): Promise<void> {
  await runStatements(url, [`alter system set wal_keep_size = '${WAL_KEEP_SIZE}'`, 'select pg_reload_conf()']);
}

/**
 * Configures the tables of a database, and of its later clones, to store every value uncompressed. Takes the owner's
 * address.
 */
export async function disableCompression(url: string): Promise<void> {
  await runStatements(url, [UNCOMPRESSED]);
}

/**
 * Stops the server and scans all its files: tables, indexes, the write-ahead log and its messages. Dropped data is
 * in the write-ahead log, if that was kept.
 */
export async function scanServer(server: EmbeddedPostgres, home: string): Promise<FileLeak[]> {
  const cluster = await findDataDirectory(server);
  await server.stop();
  const scan = createFullScan();
  const isApart = path.relative(home, cluster).startsWith('..');
  return [home, ...(isApart ? [cluster] : [])].flatMap((folder) => scanFolder(scan, folder));
}

/** The folder in which the server stores its rows, which is not always within the given one. */
export async function findDataDirectory({ url }: Pick<EmbeddedPostgres, 'url'>): Promise<string> {
  const [row] = await runStatements(url, [`select setting as folder from pg_settings where name = 'data_directory'`]);
  return String(row?.['folder']);
}

/** The rows of the last statement. */
async function runStatements(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
