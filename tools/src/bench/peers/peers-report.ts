import type { LoadComparison } from '../load/load.js';
import { describeMachine, formatComparison } from '../load/load-table.js';

/** The results of `pnpm bench --peers`. */
export interface PeerFindings {
  /** The comparisons of each peer that ran, by what is compared. */
  readonly comparisons: Readonly<Record<string, readonly LoadComparison[]>>;
  /** Why a peer was left out, in a sentence each. */
  readonly leftOut: readonly string[];
  /** The average load of the machine during the measurement, with the bench itself. */
  readonly load: number;
}

/** The results as the table of docs/contribute/performance.md. */
export function formatPeersReport({ comparisons, leftOut, load }: PeerFindings): string {
  const rows = Object.entries(comparisons).flatMap(([what, each]) => each.map((row) => formatComparison(what, row)));
  return [
    `Measured with ${describeMachine()}, at an average load of ${load.toFixed(1)}.`,
    '',
    '| what | in flight | ours /s | p50 ms | p99 ms | apps ms | PostgreSQL ms | peer /s | p50 ms | p99 ms | peer ms | PostgreSQL ms | ratio | of all pairs |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...leftOut.flatMap((sentence) => [`Left out: ${sentence}.`, '']),
  ].join('\n');
}

/** Why the results are no comparison, in a sentence each; empty where they are one. */
export function listPeerFailures({ comparisons }: PeerFindings): string[] {
  if (Object.keys(comparisons).length === 0) return ['no peer was measured'];
  return Object.entries(comparisons).flatMap(([what, each]) =>
    each.flatMap(({ inFlight, ours, floor }) =>
      Object.entries({ ours, 'the peer': floor })
        .filter(([, { failures }]) => failures > 0)
        .map(([side, { failures }]) => `${what}: ${failures} rounds of ${side} failed at ${inFlight} in flight`),
    ),
  );
}
