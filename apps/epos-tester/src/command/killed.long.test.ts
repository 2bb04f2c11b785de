import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../testing/tester-environment.js';
import { EXITS } from '@pos/conformance/command';
import { useTestCommand } from '../testing/command-runs.js';

const MAIN = fileURLToPath(new URL('../../bundle/tester.js', import.meta.url));

const runner = useTestCommand();
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  runner.epos.simulator.epos.clearLocks();
});

/** Starts the command in its own process group, as a terminal does, and waits until a flow holds a lock at the EPOS. */
async function startedTip(): Promise<ChildProcess> {
  runner.epos.simulator.faults.replaceFaults([{ effect: 'slow', method: 'GetOrderById', delayMs: 1_000 }]);
  const words = [MAIN, 'run', '--epos', runner.epos.url, '--flow', 'tip,read-while-locked'];
  // The user that runs PostgreSQL instead of root needs access to the folder.
  chmodSync(runner.folder, 0o755);
  // Its processes store their files where only this test looks for them.
  const env = { ...process.env, NODE_OPTIONS: '', TMPDIR: runner.folder };
  const child = spawn(process.execPath, words, { stdio: 'ignore', env, detached: true });
  running.push(child);
  await waitUntil(() => runner.epos.simulator.epos.locks.listLocks().length > 0);
  return child;
}

/** The folders of the command's own database, on the disk or in memory, that these processes name. */
function listDataFolders(pids: readonly number[]): string[] {
  const lines = pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
  return [...new Set(lines.flatMap((line) => line.match(/[^\s\0=]*\/epos-tester-[^/\s\0]+/g) ?? []))];
}

/** All child processes, and their children. */
function below(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...below(child)]);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a killed tester leaves neither its database nor its gateway behind', async () => {
  const child = await startedTip();
  const started = below(child.pid!);
  // The gateway, PostgreSQL with its helpers, and its watcher.
  expect(started.length).toBeGreaterThan(5);
  const folders = listDataFolders(started);
  expect(folders.filter((folder) => existsSync(folder))).not.toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await waitUntil(() => !started.some(isAlive));
  await waitUntil(() => !folders.some((folder) => existsSync(folder)));
}, 60_000);

test('Ctrl-C in a terminal ends the active flow with its cleanup', async () => {
  const child = await startedTip();
  const started = below(child.pid!);
  const folders = listDataFolders(started);
  // A terminal signals the whole group, and the gateway must not receive it.
  process.kill(-child.pid!, 'SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(EXITS.notStarted);
  expect(runner.epos.simulator.epos.locks.listLocks()).toEqual([]);
  await waitUntil(() => !started.some(isAlive) && !folders.some((folder) => existsSync(folder)));
}, 60_000);
