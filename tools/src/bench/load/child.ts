import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, credentials } from '@grpc/grpc-js';

/** A process of a benchmark: a floor, or a peer that must not share our event loop. */
export interface Child {
  readonly pid: number;
  stop(): Promise<void>;
}

const READY_MS_MAX = 20_000;

/** How to start a program. */
export interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How long it may take to become ready; 20 s when left out. */
  readonly readyMsMax?: number;
}

/** Starts a module of the benchmarks as a process; resolves when `isReady` does. */
export function startChild(
  module: string,
  env: Readonly<Record<string, string>>,
  isReady: () => Promise<boolean>,
): Promise<Child> {
  return startProgram(process.execPath, { args: [path.join(import.meta.dirname, '..', module)], env }, isReady);
}

/** Starts a program; resolves when `isReady` does, and ends it when that takes too long. */
export async function startProgram(
  command: string,
  { args, env, readyMsMax = READY_MS_MAX }: Program,
  isReady: () => Promise<boolean>,
): Promise<Child> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const name = [command, ...args.slice(0, 1)].map((each) => path.basename(each)).join(' ');
  const until = performance.now() + readyMsMax;
  while (!(await isReady())) {
    if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
    if (performance.now() > until) {
      await waitForStop(child);
      throw new Error(`${name} was not ready within ${readyMsMax} ms`);
    }
    await pause(50);
  }
  if (child.pid === undefined) throw new Error(`${name} did not start`);
  return { pid: child.pid, stop: () => waitForStop(child) };
}

/** Whether a server speaks HTTP/2 there. */
export async function canConnect(address: string): Promise<boolean> {
  const client = new Client(address, credentials.createInsecure());
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + 500, (error) => {
      client.close();
      resolve(!(error instanceof Error));
    });
  });
}

async function waitForStop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await ended;
}

/** Also by a signal, which gives no exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
