import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFolders, type ServerFolders } from './server-folders.js';

// The compiled one, also when this file is run from its source by a test.
const WATCHER = fileURLToPath(new URL('../dist/exit-watcher.js', import.meta.url));

/** What happens to a server once its launcher has ended. */
export type AfterExit = 'keep' | 'stop' | 'remove';

/**
 * Starts a process beside us that ends the server of the place once we have ended, also when we were killed. With `remove`
 * it deletes the folders, too. Returns the function that ends that process.
 */
export function watchPostgres(folders: ServerFolders, afterExit: Exclude<AfterExit, 'keep'>): () => void {
  const args = [
    WATCHER,
    afterExit,
    path.join(folders.cluster, 'postmaster.pid'),
    folders.cluster,
    ...listFolders(folders),
  ];
  const watcher = spawn(process.execPath, args, {
    // Nothing is ever written to its input: the system closes it when we have ended, however we ended.
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal, and whatever else is sent to our group, is not for it.
    detached: true,
    cwd: path.parse(process.execPath).root,
  });
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  // A pipe is a socket, which holds a process up.
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
  return () => watcher.kill('SIGKILL');
}
