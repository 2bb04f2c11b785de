import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { z } from 'zod';

/** A program of this repository that prints one line of JSON when it is ready. */
interface ChildProgram<T> {
  /** Its name in messages. */
  readonly name: string;
  /** Its file, preceded by options of Node and followed by its arguments. */
  readonly command: readonly string[];
  /** Its environment; that of this process when left out. */
  readonly env?: Readonly<Record<string, string>>;
  /** The line that it prints when it is ready. Other lines before it are part of its messages. */
  readonly ready: z.ZodType<T>;
}

/** A running program. Its input stays open while this process runs. */
export interface RunningProgram<T> {
  readonly ready: T;
  /** Closes its input, at which the program ends by itself, and waits for its end. */
  readonly end: () => Promise<void>;
  /** Ends it at once and waits for its end. */
  readonly kill: () => Promise<void>;
}

const MESSAGES_MAX = 20;

/** Starts a program and resolves when it is ready. Throws with its messages when it ends before. */
export async function startProgram<T>({ name, command, env, ready }: ChildProgram<T>): Promise<RunningProgram<T>> {
  const child = spawn(process.execPath, command, {
    // Its input is never written. When it closes, the program detects that this process has ended.
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(env !== undefined && { env }),
    // Ctrl-C in the terminal reaches only this process: active runs need the programs for their cleanup.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  const messages: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => messages.push(line));
  for await (const line of createInterface({ input: child.stdout })) {
    const parsed = ready.safeParse(parseJson(line));
    if (!parsed.success) {
      messages.push(line);
      continue;
    }
    child.stdout.resume();
    const end = async (): Promise<void> => {
      child.stdin.end();
      await waitForExit(child);
    };
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      await waitForExit(child);
    };
    return { ready: parsed.data, end, kill };
  }
  throw new Error(`${name} did not start: ${messages.slice(-MESSAGES_MAX).join('\n')}`);
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
