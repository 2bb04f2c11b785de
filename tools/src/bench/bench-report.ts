import { cpus, totalmem } from 'node:os';
import type { AgainstEtcd } from './bench-grpc.js';
import type { Compared } from './load.js';

const START = '<!-- measured: start -->';
const END = '<!-- measured: end -->';

/** What a run has measured. */
export interface Findings {
  readonly http: readonly Compared[];
  readonly grpc: readonly Compared[];
  /** Against etcd; null where that is not installed, or not wanted. */
  readonly etcd: AgainstEtcd | null;
  readonly lanes: readonly Compared[];
  readonly memory: readonly { readonly name: string; readonly megabytes: number }[];
}

/** The findings as the tables of docs/contribute/performance.md. */
export function report({ http, grpc, etcd, lanes, memory }: Findings): string {
  const rows = [
    ...http.map((each) => row('create + fetch of an intent, HTTP', each)),
    ...grpc.map((each) => row('lock + record + unlock, gRPC', each)),
    ...(etcd?.gateway ?? []).map((each) => row('lock + record + unlock, gRPC, against etcd', each)),
    ...(etcd?.relay ?? []).map((each) => row('a relay that stores nothing, gRPC, against etcd', each)),
    ...lanes.map((each) => row('ordered webhook deliveries', each)),
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

function row(what: string, { inFlight, ours, floor, ratio, ratios }: Compared): string {
  if (ours.failures > 0) process.stderr.write(`  ${what}: ${ours.failures} rounds failed at ${inFlight} in flight\n`);
  const figures = [ours, floor].map(
    ({ perSecond, p50Ms, p99Ms }) => `${perSecond.toFixed(0)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)}`,
  );
  const all = ratios.map((each) => each.toFixed(2)).join(', ');
  return `| ${what} | ${inFlight} | ${figures.join(' | ')} | ${ratio.toFixed(2)} | ${all} |`;
}

/** What create + fetch must keep of its floor with sixteen requests in flight, in every run. */
const RATIO_MIN = 0.4;
const GATED_IN_FLIGHT = 16;

/** What of the findings is too slow, in a sentence each; none where all is well. A run that has not measured it is too slow. */
export function shortfalls({ http }: Pick<Findings, 'http'>): string[] {
  const gated = http.filter(({ inFlight }) => inFlight === GATED_IN_FLIGHT);
  if (gated.length === 0) return [`create + fetch was not measured with ${GATED_IN_FLIGHT} in flight`];
  return gated
    .filter(({ ratio, ours }) => !(ratio >= RATIO_MIN) || ours.failures > 0)
    .map(({ ratio, ours }) =>
      ours.failures > 0
        ? `create + fetch: ${ours.failures} rounds failed`
        : `create + fetch keeps ${ratio.toFixed(3)} of its floor, less than ${RATIO_MIN}`,
    );
}

/** The page with a table in the place of the one that was measured before; refuses a page without that place. */
export function withMeasured(page: string, table: string): string {
  const [before, rest = '', ...more] = page.split(START);
  const [, after, ...others] = rest.split(END);
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`the page has no one place between ${START} and ${END}`);
  }
  return `${before}${START}\n\n${table}\n${END}${after}`;
}
