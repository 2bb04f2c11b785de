import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** The processes of a world, stored in a file so that the next launcher can end those of a killed one. */
const Running = z.object({
  launcher: z.object({ pid: z.number(), birth: z.string() }),
  apps: z.array(z.object({ pid: z.number(), birth: z.string() })),
});
type RememberedProcess = z.output<typeof Running>['launcher'];

const LEAVE_MS_MAX = 10_000;
const POLL_MS = 50;

/** Stores the running processes. Called after every start of a process. */
export function rememberProcesses(dataDir: string, pids: readonly number[]): void {
  const file = fileOf(dataDir);
  const content = { launcher: readKnownProcesses(process.pid), apps: pids.map(readKnownProcesses) };
  writeFileSync(`${file}.new`, JSON.stringify(content));
  renameSync(`${file}.new`, file);
}

export async function forgetProcesses(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/**
 * Ends the processes that a killed launcher left on this folder. Its apps notice that it has ended and drain, so they
 * get time for that first. Throws one sentence when the launcher is still running.
 */
export async function endLeftBehind(dataDir: string): Promise<void> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null);
  const reading = text === null ? null : Running.safeParse(parseProcessFile(text));
  if (reading?.success !== true) return;
  const { launcher, apps } = reading.data;
  if (launcher.pid !== process.pid && isAlive(launcher)) {
    throw new Error(
      `Process ${launcher.pid} runs this world already: stop it first, or set DATA_DIR to another folder.`,
    );
  }
  const until = performance.now() + LEAVE_MS_MAX;
  while (apps.some(isAlive) && performance.now() < until) await pause(POLL_MS);
  // Where the system cannot distinguish processes with the same number, none is killed on a guess.
  const stubborn = apps.filter((app) => app.birth !== '' && isAlive(app));
  for (const app of stubborn) process.kill(app.pid, 'SIGKILL');
  while (stubborn.some(isAlive)) await pause(POLL_MS);
  await forgetProcesses(dataDir);
}

function fileOf(dataDir: string): string {
  return path.join(dataDir, 'processes.json');
}

function readKnownProcesses(pid: number): RememberedProcess {
  return { pid, birth: readStartTime(pid) ?? '' };
}

function isAlive({ pid, birth }: RememberedProcess): boolean {
  return readStartTime(pid) === birth;
}

/**
 * When a process began, to distinguish it from a later one with its number. Empty where the system does not report it;
 * null: no such process.
 */
function readStartTime(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  try {
    // The name in brackets may contain spaces. A zombie counts as ended.
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
    return words[0] === 'Z' ? null : (words[19] ?? '');
  } catch {
    return '';
  }
}

function parseProcessFile(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
