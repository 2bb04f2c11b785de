import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersOf, type Place } from './embedded-postgres-place.js';

// The compiled one, also when this file is run from its source by a test.
const WATCHER = fileURLToPath(new URL('../dist/embedded-postgres-watcher.js', import.meta.url));

/**
 * Leaves a process beside us that ends the server of the place, and deletes its folders, once we are gone: also when we
 * were killed and could do nothing ourselves. Returns what sends it away.
 */
export function watchPostgres(place: Place): () => void {
  const words = [WATCHER, path.join(place.cluster, 'postmaster.pid'), place.cluster, ...foldersOf(place)];
  const watcher = spawn(process.execPath, words, {
    // Nothing is ever written to its input: the system closes it when we are gone, however we went.
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
