import { cpus, totalmem } from 'node:os';
import type { EtcdComparison } from './bench-grpc.js';
import type { LoadComparison } from './load.js';

const START = '<!-- measured: start -->';
const END = '<!-- measured: end -->';

/** The results of a run. */
export interface BenchFindings {
  readonly http: readonly LoadComparison[];
  /** Create + fetch at an api with the activity log, against one without it. */
  readonly activities: readonly LoadComparison[];
  readonly grpc: readonly LoadComparison[];
  /** Against etcd; null where it is not installed, or not selected. */
  readonly etcd: EtcdComparison | null;
  readonly lanes: readonly LoadComparison[];
  readonly memory: readonly { readonly name: string; readonly megabytes: number }[];
}

/** The results as the tables of docs/contribute/performance.md. */
export function formatReport({ http, activities, grpc, etcd, lanes, memory }: BenchFindings): string {
  const rows = [
    ...http.map((each) => formatRow('create + fetch of an intent, HTTP', each)),
    ...activities.map((each) => formatRow('create + fetch with the activity log, against without', each)),
    ...grpc.map((each) => formatRow('lock + record + unlock, gRPC', each)),
    ...(etcd?.gateway ?? []).map((each) => formatRow('lock + record + unlock, gRPC, against etcd', each)),
    ...(etcd?.relay ?? []).map((each) => formatRow('a relay that stores nothing, gRPC, against etcd', each)),
    ...lanes.map((each) => formatRow('ordered webhook deliveries', each)),
  ];
  const total = memory.reduce((sum, { megabytes }) => sum + megabytes, 0);
  return [
    `Measured with ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}.`,
    '',
    '| what | in flight | ours /s | p50 ms | p99 ms | floor /s | p50 ms | p99 ms | ratio | of all pairs |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '| app | resident MB |',
    '|---|---|',
    ...memory.map(({ name, megabytes }) => `| ${name} | ${megabytes.toFixed(0)} |`),
    `| all together | ${total.toFixed(0)} |`,
    '',
  ].join('\n');
}

function formatRow(what: string, { inFlight, ours, floor, ratio, ratios }: LoadComparison): string {
  for (const [side, { failures }] of Object.entries({ ours, floor })) {
    if (failures > 0)
      process.stderr.write(`  ${what}: ${failures} rounds of ${side} failed at ${inFlight} in flight\n`);
  }
  const figures = [ours, floor].map(
    ({ perSecond, p50Ms, p99Ms }) => `${perSecond.toFixed(0)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)}`,
  );
  const all = ratios.map((each) => each.toFixed(2)).join(', ');
  return `| ${what} | ${inFlight} | ${figures.join(' | ')} | ${ratio.toFixed(2)} | ${all} |`;
}

/** The ratio to its floor that create + fetch must reach with sixteen requests in flight, in every run. */
const RATIO_MIN = 0.4;
const GATED_IN_FLIGHT = 16;

/**
 * The results that are too slow, in a sentence each; empty where all are fast enough. A run without the row is too
 * slow. A floor whose rounds fail measures nothing, so its failures count like ours.
 */
export function listShortfalls({ http }: Pick<BenchFindings, 'http'>): string[] {
  const gated = http.filter(({ inFlight }) => inFlight === GATED_IN_FLIGHT);
  if (gated.length === 0) return [`create + fetch was not measured with ${GATED_IN_FLIGHT} in flight`];
  return gated.flatMap(({ ratio, ours, floor }) => {
    if (ours.failures > 0) return [`create + fetch: ${ours.failures} rounds failed`];
    if (floor.failures > 0) return [`the floor of create + fetch: ${floor.failures} rounds failed`];
    if (ratio >= RATIO_MIN) return [];
    return [`create + fetch keeps ${ratio.toFixed(3)} of its floor, less than ${RATIO_MIN}`];
  });
}

/** Replaces the table of the page; refuses a page without a place for it. */
export function insertMeasured(page: string, table: string): string {
  const [before, rest = '', ...more] = page.split(START);
  const [, after, ...others] = rest.split(END);
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`the page has no one place between ${START} and ${END}`);
  }
  return `${before}${START}\n\n${table}\n${END}${after}`;
}
