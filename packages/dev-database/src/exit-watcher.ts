// Started by `watchPostgres` with a pipe as its input. When that closes, the launcher has ended: this process ends
// the server and, if requested, deletes its folders. Loads only built-in modules, because one of it runs beside
// every such server.
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const [afterExit = '', pidFile = '', cluster = '', ...folders] = process.argv.slice(2);
const WATCH_MS_MAX = 45_000;
/** How long the apps of a killed launcher may drain before their connections are cut. */
const DRAIN_MS_MAX = 15_000;
const POLL_MS = 20;

process.stdin.on('error', () => undefined);
process.stdin.once('close', () => void endServer());
process.stdin.resume();

async function endServer(): Promise<void> {
  const since = performance.now();
  let last: NodeJS.Signals | null = null;
  // The server may just be starting, and write its number a moment later.
  while (performance.now() < since + WATCH_MS_MAX && existsSync(cluster)) {
    const pid = serverPid();
    if (pid === null) break;
    const signal = shutdownSignal(performance.now() - since);
    if (signal !== last) process.kill(pid, signal);
    last = signal;
    await pause(POLL_MS);
  }
  if (afterExit !== 'remove') return;
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/**
 * PostgreSQL's smart shutdown waits for its clients, the fast one disconnects them; an immediate one loses no more
 * than is deleted anyway.
 */
function shutdownSignal(elapsedMs: number): 'SIGTERM' | 'SIGINT' | 'SIGQUIT' {
  if (afterExit === 'remove') return 'SIGQUIT';
  return elapsedMs < DRAIN_MS_MAX ? 'SIGTERM' : 'SIGINT';
}

/** The number of this cluster's server; null once it has ended, or if the number belongs to another program. */
function serverPid(): number | null {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return isOther(pid) ? null : pid;
  } catch {
    return null;
  }
}

function isOther(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch {
    // If the system does not report it, the file of the cluster is trusted.
    return false;
  }
}
