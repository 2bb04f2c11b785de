/** How fast one way of doing a thing was, with so many at once. Times are milliseconds. */
export interface Measured {
  readonly inFlight: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

/** One round of the thing that is measured, with its number. */
export type Round = (number: number) => Promise<void>;

/**
 * Keeps so many rounds in flight for a while, after a warm-up that does not count. A failed round counts as a failure
 * and not as work done.
 */
async function measure(
  round: Round,
  { inFlight, forMs, warmUpMs }: { readonly inFlight: number; readonly forMs: number; readonly warmUpMs: number },
): Promise<Measured> {
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
  const startedAt = performance.now();
  const failures = await run(startedAt + forMs, tookMs);
  const elapsedMs = performance.now() - startedAt;
  tookMs.sort((first, second) => first - second);
  return {
    inFlight,
    perSecond: (tookMs.length * 1000) / elapsedMs,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    failures,
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Has both ways run until node has compiled what they use: a service that has just started is not what is measured. */
export async function warmUp(
  ways: { readonly ours: Round; readonly floor: Round },
  options: { readonly inFlight: number; readonly forMs: number },
): Promise<void> {
  for (const way of [ways.floor, ways.ours]) await measure(way, { ...options, warmUpMs: 0 });
}

/**
 * Measures two ways in turns, so that a machine whose speed drifts drifts under both, and gives the median of each and
 * of the ratios of neighbours.
 */
export async function compare(
  ways: { readonly ours: Round; readonly floor: Round },
  options: { readonly inFlight: number; readonly forMs: number; readonly warmUpMs: number; readonly turns: number },
): Promise<Compared> {
  const pairs: { ours: Measured; floor: Measured }[] = [];
  for (let turn = 0; turn < options.turns; turn += 1) {
    const floor = await measure(ways.floor, options);
    const ours = await measure(ways.ours, options);
    pairs.push({ ours, floor });
  }
  const ratios = pairs.map(({ ours, floor }) => ours.perSecond / floor.perSecond);
  return {
    inFlight: options.inFlight,
    ours: middle(pairs.map(({ ours }) => ours)),
    floor: middle(pairs.map(({ floor }) => floor)),
    ratio: median(ratios),
  };
}

export interface Compared {
  readonly inFlight: number;
  readonly ours: Measured;
  readonly floor: Measured;
  readonly ratio: number;
}

function middle(measured: readonly Measured[]): Measured {
  const byspeed = [...measured].sort((first, second) => first.perSecond - second.perSecond);
  const found = byspeed[Math.floor(byspeed.length / 2)];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
