// Started by `watchPostgres` with a pipe as its input. When that closes, whoever started the server is gone: the server is
// ended and its folders are deleted. Loads nothing but node, for it lives beside every such server.
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const [pidFile = '', cluster = '', ...folders] = process.argv.slice(2);
const LEAVE_MS_MAX = 30_000;
const POLL_MS = 20;

process.stdin.on('error', () => undefined);
process.stdin.once('close', () => void end());
process.stdin.resume();

async function end(): Promise<void> {
  const until = performance.now() + LEAVE_MS_MAX;
  // It may just be starting, and write its number a moment later.
  while (performance.now() < until && existsSync(cluster)) {
    const pid = serverPid();
    if (pid === null) break;
    // An immediate end: whoever would have asked for a checkpoint is gone, and so are the rows.
    process.kill(pid, 'SIGQUIT');
    await pause(POLL_MS);
  }
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** The server of this cluster while it runs; null once it is gone, or when its number is another program's by now. */
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
    // Where the system does not tell, the file of the cluster is believed.
    return false;
  }
}
