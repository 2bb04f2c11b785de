import { dividePassedTime, type ProcessorMeter, type ProcessorTime } from '../../processes/processor-time.js';

/** The speed of one implementation with this many rounds at once. Times are milliseconds. */
export interface LoadMeasurement {
  readonly inFlight: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  /** Of one round. */
  readonly processor: ProcessorTime;
}

/** One measured round, with its number. */
export type LoadRound = (number: number) => Promise<void>;

/** An implementation: its round, and the processor time of what serves it. */
export interface LoadWay {
  readonly round: LoadRound;
  readonly meter: ProcessorMeter;
}

/** The service and its floor. */
export interface LoadWays {
  readonly ours: LoadWay;
  readonly floor: LoadWay;
}

/**
 * Keeps this many rounds in flight for a while, after a warm-up that does not count. A failed round counts as a
 * failure, not as work done.
 */
export async function measure(
  { round, meter }: LoadWay,
  { inFlight, forMs, warmUpMs }: { readonly inFlight: number; readonly forMs: number; readonly warmUpMs: number },
): Promise<LoadMeasurement> {
  let next = 0;
  const run = async (untilMs: number, tookMs: number[]): Promise<number> => {
    let failures = 0;
    const lane = async (): Promise<void> => {
      while (performance.now() < untilMs) {
        const startedAt = performance.now();
        try {
          next += 1;
          await round(next);
          tookMs.push(performance.now() - startedAt);
        } catch {
          failures += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return failures;
  };
  await run(performance.now() + warmUpMs, []);
  const tookMs: number[] = [];
  const before = meter.read();
  const startedAt = performance.now();
  const failures = await run(startedAt + forMs, tookMs);
  const elapsedMs = performance.now() - startedAt;
  const processor = dividePassedTime(before, meter.read(), tookMs.length);
  tookMs.sort((first, second) => first - second);
  return {
    inFlight,
    perSecond: (tookMs.length * 1000) / elapsedMs,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    failures,
    processor,
  };
}

/** The value that this share of sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Runs both implementations until node has compiled their code: a service that has just started must not be measured.
 */
export async function warmUp(
  ways: LoadWays,
  options: { readonly inFlight: number; readonly forMs: number },
): Promise<void> {
  for (const way of [ways.floor, ways.ours]) await measure(way, { ...options, warmUpMs: 0 });
}

/**
 * Measures two implementations in turns, so that a drift of the machine's speed affects both. The result is the pair of
 * neighbours with the median ratio, so that the figures and the ratio belong together.
 */
export async function compare(
  ways: LoadWays,
  options: { readonly inFlight: number; readonly forMs: number; readonly warmUpMs: number; readonly turns: number },
): Promise<LoadComparison> {
  const pairs: RoundPair[] = [];
  for (let turn = 0; turn < options.turns; turn += 1) {
    const floor = await measure(ways.floor, options);
    const ours = await measure(ways.ours, options);
    pairs.push({ ours, floor });
  }
  return medianPair(pairs);
}

/** The service and its floor, measured one right after the other. */
export interface RoundPair {
  readonly ours: LoadMeasurement;
  readonly floor: LoadMeasurement;
}

/** The pair with the median ratio, that ratio, and the ratios of all pairs in the order of measurement. */
export interface LoadComparison extends RoundPair {
  readonly inFlight: number;
  readonly ratio: number;
  readonly ratios: readonly number[];
}

/** Picks the pair with the median ratio (of an even number, the upper one). Throws when there is no pair. */
export function medianPair(pairs: readonly RoundPair[]): LoadComparison {
  const rated = pairs.map(({ ours, floor }) => ({ ours, floor, ratio: ours.perSecond / floor.perSecond }));
  const sorted = [...rated].sort((first, second) => first.ratio - second.ratio);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return { inFlight: middle.ours.inFlight, ...middle, ratios: rated.map(({ ratio }) => ratio) };
}
