import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFolders, type ServerFolders } from './server-folders.js';

// The compiled watcher, also when a test runs this file from its source.
const WATCHER = fileURLToPath(new URL('../dist/exit-watcher.js', import.meta.url));

/** What happens to a server once its launcher has ended. */
export type AfterExit = 'keep' | 'stop' | 'remove';

/**
 * Starts a process that ends the server of these folders once this process has ended, also when it was killed. With
 * `remove` it deletes the folders, too. Returns the function that ends the watcher.
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
    // Nothing is ever written to its input: the system closes it when this process has ended, for any reason.
    stdio: ['pipe', 'ignore', 'ignore'],
    // It must not receive Ctrl-C in a terminal, or other signals to our process group.
    detached: true,
    cwd: path.parse(process.execPath).root,
  });
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  // A pipe is a socket, which keeps a process running.
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
  return () => watcher.kill('SIGKILL');
}
