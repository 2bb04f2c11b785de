import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A process of a benchmark: a floor, or a peer that must not share our event loop. */
export interface Child {
  readonly pid: number;
  stop(): Promise<void>;
}

const READY_MS_MAX = 20_000;

/** Starts a module of this folder as a process of its own; resolves when `isReady` says so. */
export async function startChild(
  module: string,
  env: Readonly<Record<string, string>>,
  isReady: () => Promise<boolean>,
): Promise<Child> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, module)], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const until = performance.now() + READY_MS_MAX;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${module} ended with ${child.exitCode}`);
    if (performance.now() > until) throw new Error(`${module} was not ready within ${READY_MS_MAX} ms`);
    await pause(50);
  }
  if (child.pid === undefined) throw new Error(`${module} did not start`);
  return { pid: child.pid, stop: () => stopped(child) };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await ended;
}
