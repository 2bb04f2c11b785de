import { chmod, chown, copyFile, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { ServerFolders } from './server-folders.js';

/** Where a copy of a cluster is written, and the account that owns it. */
export type CopyTarget = Pick<ServerFolders, 'cluster' | 'account'>;

/** What a copy of a running server leaves out, by the manual: files of its process, and WAL, which is streamed. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts'];
const EMPTIED = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

/**
 * Copies the files of a running server as a base backup, which starts with the WAL that the server has written since.
 * The client is a superuser's connection to that server.
 */
export async function copyRunningCluster(client: pg.Client, target: CopyTarget): Promise<void> {
  const { rows: settings } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  );
  await client.query(`select pg_backup_start('copy', true)`);
  await copyFiles(settings[0]?.folder ?? '', target);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await writeOwned(target, 'backup_label', rows[0]?.labelfile ?? '');
}

/** Writes a file of the copy, which belongs to the server's account. */
export async function writeOwned(target: CopyTarget, name: string, text: string): Promise<void> {
  const file = path.join(target.cluster, name);
  await writeFile(file, text, { mode: 0o600 });
  await giveToServer(target, file);
}

async function copyFiles(source: string, target: CopyTarget): Promise<void> {
  await makeOwned(target, '');
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const name = path.relative(source, path.join(entry.parentPath, entry.name));
    const [top = ''] = name.split(path.sep);
    if (NOT_COPIED.includes(name) || (EMPTIED.includes(top) && name !== top)) continue;
    if (entry.isDirectory()) await makeOwned(target, name);
    else if (entry.isFile()) await copyOwned(target, path.join(source, name), name);
  }
}

async function makeOwned(target: CopyTarget, name: string): Promise<void> {
  const folder = path.join(target.cluster, name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  await giveToServer(target, folder);
}

async function copyOwned(target: CopyTarget, from: string, name: string): Promise<void> {
  const file = path.join(target.cluster, name);
  try {
    await copyFile(from, file);
  } catch (error) {
    // A file that the server deleted meanwhile; replay does the same.
    if (await lstat(from).catch(() => null)) throw error;
    return;
  }
  await giveToServer(target, file);
}

async function giveToServer({ account }: CopyTarget, file: string): Promise<void> {
  if (account !== null) await chown(file, account.uid, account.gid);
}
