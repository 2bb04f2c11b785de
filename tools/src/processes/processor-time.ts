import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { listProcessFamily } from './process-family.js';

/** Processor time in milliseconds, of each app by its name and of all processes of PostgreSQL. */
export interface ProcessorTime {
  readonly apps: Readonly<Record<string, number>>;
  readonly database: number;
}

/** A process whose time is counted; without a pid while it does not run. */
export interface MeteredProcess {
  readonly name: string;
  readonly pid: number | null;
}

/** Reads how long the given processes have used a processor. NaN where the system has no `/proc`. */
export class ProcessorMeter {
  readonly #msPerTick = 1_000 / readTicksPerSecond();

  constructor(
    private readonly processes: () => readonly MeteredProcess[],
    private readonly postmaster: number,
  ) {}

  read(): ProcessorTime {
    const apps = this.processes().map(({ name, pid }): [string, number] => [name, this.#readFamily(pid)]);
    return { apps: Object.fromEntries(apps), database: this.#readFamily(this.postmaster) };
  }

  /** The time of a process and its children. That of a child that ended is counted at its parent. */
  #readFamily(pid: number | null): number {
    if (pid === null || !existsSync('/proc/self/stat')) return Number.NaN;
    const ticks = listProcessFamily(pid).map((member) => readTicks(member, member === pid));
    return ticks.reduce((sum, each) => sum + each, 0) * this.#msPerTick;
  }
}

/** The time between two readings, for one of so many rounds. */
export function dividePassedTime(before: ProcessorTime, after: ProcessorTime, rounds: number): ProcessorTime {
  const apps = Object.entries(after.apps).map(([name, ms]): [string, number] => [
    name,
    (ms - (before.apps[name] ?? Number.NaN)) / rounds,
  ]);
  return { apps: Object.fromEntries(apps), database: (after.database - before.database) / rounds };
}

/** The time of all apps together. */
export function sumApps({ apps }: ProcessorTime): number {
  return Object.values(apps).reduce((sum, ms) => sum + ms, 0);
}

/** The pid of the server that a backend belongs to. */
export function readPostmaster(backend: number): number {
  return Number(readStat(backend)?.[PARENT] ?? Number.NaN);
}

/** Places of fields in `/proc/PID/stat` behind the name of the program. */
const PARENT = 1;
const OWN_TICKS = [11, 12] as const;
const ENDED_CHILDREN_TICKS = [13, 14] as const;

/** A process that ended meanwhile counts as 0: its parent counts it. The root of a family must run. */
function readTicks(pid: number, isRoot: boolean): number {
  const fields = readStat(pid);
  if (fields === null) return isRoot ? Number.NaN : 0;
  return [...OWN_TICKS, ...ENDED_CHILDREN_TICKS].reduce((sum, place) => sum + Number(fields[place]), 0);
}

function readStat(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
  } catch {
    return null;
  }
}

function readTicksPerSecond(): number {
  return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}
