import { cpus, totalmem } from 'node:os';
import { sumApps } from '../../processes/processor-time.js';
import type { LoadComparison } from './load.js';

/** The machine of a measurement, for the sentence above its table. */
export function describeMachine(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

/**
 * A comparison as a row of a table: what and in flight; of each side its rate, p50, p99, and the processor time of its
 * apps and of PostgreSQL; the ratio, and the ratios of all pairs.
 */
export function formatComparison(what: string, { inFlight, ours, floor, ratio, ratios }: LoadComparison): string {
  const figures = [ours, floor].map(({ perSecond, p50Ms, p99Ms, processor }) =>
    [
      perSecond.toFixed(0),
      ...[p50Ms.toFixed(1), p99Ms.toFixed(1)],
      ...[formatMilliseconds(sumApps(processor)), formatMilliseconds(processor.database)],
    ].join(' | '),
  );
  const all = ratios.map((each) => each.toFixed(2)).join(', ');
  return `| ${what} | ${inFlight} | ${figures.join(' | ')} | ${ratio.toFixed(2)} | ${all} |`;
}

/** Not a number where the system does not report it. */
export function formatMilliseconds(ms: number): string {
  return Number.isNaN(ms) ? '-' : ms.toFixed(2);
}
