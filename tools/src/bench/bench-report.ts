import type { EtcdComparison } from './bench-grpc.js';
import type { LaneFindings } from './bench-lanes.js';
import type { ProcessComparison, ProcessFindings } from './bench-processes.js';
import type { LoadComparison, LoadMeasurement } from './load/load.js';
import { describeMachine, formatComparison, formatMilliseconds } from './load/load-table.js';
import { sumApps } from '../processes/processor-time.js';

/** The results of a run. */
export interface BenchFindings {
  readonly http: readonly LoadComparison[];
  /** Create + fetch at an api with the activity log, against one without it. */
  readonly activities: readonly LoadComparison[];
  readonly grpc: readonly LoadComparison[];
  /** Against etcd; null where it is not installed, or not selected. */
  readonly etcd: EtcdComparison | null;
  /** Null where they are not selected. */
  readonly lanes: LaneFindings | null;
  /** Null where they are not selected. */
  readonly processes: ProcessFindings | null;
  readonly memory: readonly { readonly name: string; readonly megabytes: number }[];
}

/** The results as the tables of docs/contribute/performance.md. */
export function formatReport(findings: BenchFindings): string {
  const rows = listRows(findings);
  const { lanes, memory, processes } = findings;
  const total = memory.reduce((sum, { megabytes }) => sum + megabytes, 0);
  return [
    `Measured with ${describeMachine()}.`,
    '',
    '| what | in flight | ours /s | p50 ms | p99 ms | apps ms | PostgreSQL ms | floor /s | p50 ms | p99 ms | floor ms | PostgreSQL ms | ratio | of all pairs |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(([what, each]) => formatRow(what, each)),
    '',
    'What a round is made of:',
    '',
    '| what | in flight | side | round ms | processor ms of each process | PostgreSQL ms | waiting ms |',
    '|---|---|---|---|---|---|---|',
    ...rows.flatMap(([what, { ours, floor }]) => [
      formatBreakdown(`${what} | ${ours.inFlight} | ours`, ours),
      formatBreakdown(`${what} | ${floor.inFlight} | floor`, floor),
    ]),
    '',
    ...(lanes === null ? [] : [...formatHalfLoad(lanes.halfLoad), '']),
    ...(processes === null ? [] : [...formatLockWaits(processes), '']),
    '| app | resident MB |',
    '|---|---|',
    ...memory.map(({ name, megabytes }) => `| ${name} | ${megabytes.toFixed(0)} |`),
    `| all together | ${total.toFixed(0)} |`,
    '',
  ].join('\n');
}

function listRows({ http, activities, grpc, etcd, lanes, processes }: BenchFindings): [string, LoadComparison][] {
  const groups: Record<string, readonly LoadComparison[]> = {
    'create + fetch of an intent, HTTP': http,
    'create + fetch with the activity log, against without': activities,
    'lock + record + unlock, gRPC': grpc,
    'lock + record + unlock, gRPC, against etcd': etcd?.gateway ?? [],
    'a relay that stores nothing, gRPC, against etcd': etcd?.relay ?? [],
    'ordered webhook deliveries': lanes?.drained ?? [],
    'ordered webhook deliveries, beside a blocked lane of 50,000 against without':
      lanes === null ? [] : [lanes.besideBlocked],
    [TWO_APIS]: processes?.http.map(({ load }) => load) ?? [],
    [TWO_GATEWAYS]: processes?.grpc.map(({ load }) => load) ?? [],
  };
  return Object.entries(groups).flatMap(([what, each]) => each.map((row): [string, LoadComparison] => [what, row]));
}

const TWO_APIS = 'create + fetch, two api processes against one';
const TWO_GATEWAYS = 'lock + record + unlock, two gateways against one';

function formatLockWaits({ http, grpc }: ProcessFindings): string[] {
  const row = (what: string, { load, lockWaits }: ProcessComparison): string =>
    `| ${what} | ${load.inFlight} | ${lockWaits.ours.toFixed(3)} | ${lockWaits.floor.toFixed(3)} |`;
  return [
    '| sessions that wait for a lock, on average | in flight | two processes | one |',
    '|---|---|---|---|',
    ...http.map((each) => row(TWO_APIS, each)),
    ...grpc.map((each) => row(TWO_GATEWAYS, each)),
  ];
}

function formatRow(what: string, comparison: LoadComparison): string {
  const { inFlight, ours, floor } = comparison;
  for (const [side, { failures }] of Object.entries({ ours, floor })) {
    if (failures > 0)
      process.stderr.write(`  ${what}: ${failures} rounds of ${side} failed at ${inFlight} in flight\n`);
  }
  return formatComparison(what, comparison);
}

const NEGLIGIBLE_MS = 0.005;

/** What is no processor time is waiting: for the disk, for the network, or for a processor that others use. */
function formatBreakdown(head: string, { inFlight, perSecond, processor }: LoadMeasurement): string {
  const roundMs = (inFlight * 1000) / perSecond;
  const apps = Object.entries(processor.apps)
    .filter(([, ms]) => !(Math.abs(ms) < NEGLIGIBLE_MS))
    .map(([name, ms]) => `${name} ${formatMilliseconds(ms)}`);
  const waitingMs = Math.max(0, roundMs - sumApps(processor) - processor.database);
  const times = [formatMilliseconds(processor.database), formatMilliseconds(waitingMs)];
  return `| ${head} | ${formatMilliseconds(roundMs)} | ${apps.join(', ')} | ${times.join(' | ')} |`;
}

function formatHalfLoad({ ours, floor }: LaneFindings['halfLoad']): string[] {
  const row = (side: string, { perSecond, p50Ms, p99Ms }: typeof ours): string =>
    `| commit to accept at half load, ${side} | ${perSecond.toFixed(0)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} |`;
  return [
    ...['| ordered webhook deliveries | events /s | p50 ms | p99 ms |', '|---|---|---|---|'],
    ...[row('ours', ours), row('floor', floor)],
  ];
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

/** Replaces a table of the page, between its two marks; refuses a page without one place for it. */
export function insertMeasured(
  page: string,
  table: string,
  name: 'measured' | 'growth' | 'peers' = 'measured',
): string {
  const [start, end] = [`<!-- ${name}: start -->`, `<!-- ${name}: end -->`];
  const [before, rest = '', ...more] = page.split(start);
  const [, after, ...others] = rest.split(end);
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`the page has no one place between ${start} and ${end}`);
  }
  return `${before}${start}\n\n${table}\n${end}${after}`;
}
