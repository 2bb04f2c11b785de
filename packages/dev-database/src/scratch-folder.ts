import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const MOUNTS = '/proc/mounts';
/** Several times what the server of one jest run writes, because other runs may begin meanwhile. */
const SERVER_BYTES_MAX = 2 * 2 ** 30;
/** The user that runs PostgreSQL instead of root needs access to the folder. */
const SERVER_FOLDER_MODE = 0o755;

/**
 * Creates a folder for a database server of tests, in memory where there is enough. A database has hundreds of files:
 * on a disk, creating and deleting them was a sixth of the processor time of the API's tests. The caller deletes it,
 * and starts the server with `afterExit: 'remove'`, so that a killed run leaves nothing in memory.
 */
export function createServerFolder(prefix: string, bytesMax: number = SERVER_BYTES_MAX): string {
  const folder = mkdtempSync(path.join(chooseScratchFolder(bytesMax), prefix));
  chmodSync(folder, SERVER_FOLDER_MODE);
  return folder;
}

/**
 * Returns the folder for temporary files of this size: in memory where there is enough. An image has thousands of small
 * files, whose writing and deleting on a disk takes longer than the work itself. What is there must be deleted.
 */
export function chooseScratchFolder(bytesMax: number): string {
  if (!existsSync(MEMORY_FOLDER) || !existsSync(MOUNTS)) return tmpdir();
  const mount = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY_FOLDER);
  // The files of an image contain its programs.
  if (mount === undefined || /\bnoexec\b/.test(mount)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return Math.min(bavail * bsize, freemem()) >= bytesMax ? MEMORY_FOLDER : tmpdir();
}
