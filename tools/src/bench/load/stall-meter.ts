import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** What a process reports about the time since the last request. */
export interface StallReport {
  /** The longest time in which its event loop did nothing else. */
  readonly stallMs: number;
  readonly rssMegabytes: number;
}

interface StallMessage {
  readonly delayMs: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** A folder with the sockets of watched processes, and the settings that have a process watched. */
export interface StallWatch {
  readonly env: Readonly<Record<string, string>>;
  meterOf(pid: number): Promise<StallMeter>;
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 10_000;

export async function startStallWatch(): Promise<StallWatch> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stalls-'));
  const module = pathToFileURL(path.join(import.meta.dirname, 'stall-watch.js')).href;
  const meters: StallMeter[] = [];
  return {
    env: { NODE_OPTIONS: `--import=${module}`, STALL_WATCH_DIR: folder },
    meterOf: async (pid) => {
      const meter = new StallMeter(await waitForConnection(path.join(folder, `${pid}.sock`)));
      meters.push(meter);
      return meter;
    },
    close: async () => {
      for (const meter of meters) meter.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asks one process how long its event loop was blocked. */
export class StallMeter {
  readonly #waiting: ((message: StallMessage) => void)[] = [];

  constructor(private readonly socket: Socket) {
    createInterface({ input: socket }).on('line', (line) => this.#waiting.shift()?.(JSON.parse(line) as StallMessage));
  }

  /** The longest stall since the last request. */
  async read(): Promise<StallReport> {
    return parseStallReport(await this.#ask('read'));
  }

  /** The same after a garbage collection in the process; that stall is not counted. */
  async rest(): Promise<StallReport> {
    return parseStallReport(await this.#ask('rest'));
  }

  close(): void {
    this.socket.destroy();
  }

  async #ask(question: 'read' | 'rest'): Promise<StallMessage> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.socket.write(`${question}\n`);
    });
  }
}

/** A process also stalls while the machine gives it no processor, which uses no CPU time. */
function parseStallReport({ delayMs, cpuMs, rssBytes }: StallMessage): StallReport {
  return { stallMs: Math.min(delayMs, cpuMs), rssMegabytes: rssBytes / 1024 / 1024 };
}

async function waitForConnection(address: string): Promise<Socket> {
  const until = performance.now() + CONNECT_MS_MAX;
  for (;;) {
    const socket = connect(address);
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    if (isThere) return socket;
    if (performance.now() > until) throw new Error(`no answer at ${address}`);
    await pause(50);
  }
}
