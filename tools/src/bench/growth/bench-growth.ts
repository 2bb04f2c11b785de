import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { dividePassedTime, type ProcessorTime } from '../../processes/processor-time.js';
import { percentile } from '../load/load.js';
import { describeCreateAndFetch, type GrowthCase, listGrowthCases } from './growth-requests.js';
import { type GrowthWorld, startGrowthWorld } from './growth-world.js';
import type { GrowthSize } from './planted-payments.js';
import { logPlans, recordReads, type StatementReads } from './statement-plans.js';

/** The time of an operation or of a page, and what the database read for it. */
export interface GrowthRow extends Pick<GrowthCase, 'name' | 'page' | 'rowsMax'> {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of one round. */
  readonly processor: ProcessorTime;
  /** The statement that read most rows. */
  readonly reads: StatementReads;
}

export interface GrowthFindings {
  readonly size: GrowthSize;
  readonly plantedRows: number;
  readonly plantedSeconds: number;
  /** The average load of the machine during the measurement, with the bench itself. */
  readonly load: number;
  readonly rows: readonly GrowthRow[];
}

export interface GrowthOptions {
  readonly size: GrowthSize;
  /** How often each operation and page is measured; 0: only what its statements read. */
  readonly rounds: number;
  /** False: the database loses rows at a crash of the machine, and starts and plants faster. For tests. */
  readonly isDurable: boolean;
  readonly log: (line: string) => void;
}

/** A prepared statement may have a plan for any values from its sixth execution on. */
const EXPLAINED_ROUNDS = 8;
const WARM_UP_ROUNDS_MAX = 10;
const RECONNECT_MS_MAX = 20_000;

/** Plants an account of this size, and measures create, fetch, searches and listings through the API, one at a time. */
export async function benchGrowth({ size, rounds, isDurable, log }: GrowthOptions): Promise<GrowthFindings> {
  const world = await startGrowthWorld(size, { isDurable, log });
  try {
    const create = describeCreateAndFetch();
    // Until Node has compiled the code of the api.
    await measureTime(world, create, rounds * 5);
    const timed = [await measureTime(world, create, rounds)];
    // A page of newer rows reads what was written since its cursor, so the cursors are made after these payments.
    const cases = await listGrowthCases(world);
    log(`measuring ${cases.length} pages`);
    for (const each of cases) timed.push(await measureTime(world, each, rounds));
    await logPlans(world.owner);
    await waitForConnections(world, cases);
    log('counting the rows that their statements read');
    const rows: GrowthRow[] = [];
    for (const each of timed) rows.push({ ...each, reads: await findMostReads(world, each) });
    const load = timed.reduce((sum, each) => sum + each.load, 0) / timed.length;
    return { ...{ size, rows, load }, plantedRows: world.rows, plantedSeconds: world.plantedSeconds };
  } finally {
    await world.stop();
  }
}

type TimedCase = GrowthCase & Omit<GrowthRow, 'reads'> & { readonly load: number };

async function measureTime({ send, meter }: GrowthWorld, each: GrowthCase, rounds: number): Promise<TimedCase> {
  for (let round = 0; round < Math.min(rounds, WARM_UP_ROUNDS_MAX); round += 1) await each.run(send);
  const tookMs: number[] = [];
  const before = meter.read();
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await each.run(send);
    tookMs.push(performance.now() - startedAt);
  }
  const processor = dividePassedTime(before, meter.read(), rounds);
  tookMs.sort((first, second) => first - second);
  const times = { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) };
  return { ...each, ...times, processor, load: loadavg()[0] ?? Number.NaN };
}

/** The api has lost its connections: requests fail until it has opened others. */
async function waitForConnections({ send }: GrowthWorld, [first]: readonly GrowthCase[]): Promise<void> {
  const until = performance.now() + RECONNECT_MS_MAX;
  for (;;) {
    try {
      await first?.run(send);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(100);
    }
  }
}

/** The statement that read most rows in several rounds, so by a plan for its values and by one for any values. */
async function findMostReads({ serverLog, send }: GrowthWorld, each: GrowthCase): Promise<StatementReads> {
  const reads = await recordReads(serverLog, async () => {
    for (let round = 0; round < EXPLAINED_ROUNDS; round += 1) await each.run(send);
  });
  const [most] = reads.sort((first, second) => second.rows - first.rows);
  if (most === undefined) throw new Error(`the server has logged no plan for ${each.name}`);
  return most;
}
