import type { GrowthSize } from './growth/planted-payments.js';

/** The groups of rows of the table in docs/contribute/performance.md, by the argument that selects them. */
export const BENCH_ROWS = ['http', 'activities', 'grpc', 'etcd', 'lanes', 'processes'] as const;
export type BenchRow = (typeof BENCH_ROWS)[number];

export const HELP = `Usage: pnpm bench [--short] [--only ROWS] [--write] [--print]
       pnpm bench --growth [--intents N] [--events N] [--short] [--write] [--print]

Measures the service on this machine against floors that are measured in the same run: create + fetch of an intent over
HTTP, lock + record + unlock over gRPC (also against etcd, where it is installed: Debian's etcd-server), ordered webhook
deliveries; and the resident memory of each app. Ends with 1 where create + fetch keeps less of its floor than it must.

  --short       a quick look: one short turn each
  --only ROWS   measure these rows alone, such as --only grpc,etcd:
                http   create + fetch of an intent
                activities  the same with the activity log, against an api without it
                grpc   lock + record + unlock
                etcd   the same against etcd
                lanes  ordered webhook deliveries
                processes  two processes of api and gateway on one database, against one
  --growth      measure one account with many payments instead: create + fetch, every search and every listing, and the
                rows that their statements read. Ends with 1 where a statement reads more, the more rows there are
  --intents N   its payment intents: 1000000, or 20000 with --short
  --events N    the rows of their histories, webhooks and activities: 10 times as many
  --write       put the table into docs/contribute/performance.md; it has all rows, so not with --only
  --print       only print: exit code 0 with any result
  --help        this text
`;

/** What a run measures, and what it does with the result. */
export interface BenchOptions {
  readonly isHelp: boolean;
  readonly isShort: boolean;
  readonly rows: ReadonlySet<BenchRow>;
  readonly writes: boolean;
  readonly onlyPrints: boolean;
  /** The account that `--growth` plants; null without it. */
  readonly growth: GrowthSize | null;
}

/** Parses the arguments of `pnpm bench`. Throws for an unknown one, with the valid ones in the message. */
export function readBenchOptions(words: readonly string[]): BenchOptions {
  const given = new Set<string>();
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const [name = '', inline] = (words[at] ?? '').split('=', 2);
    if (VALUES.has(name)) {
      if (inline === undefined) at += 1;
      values.set(name, inline ?? words[at] ?? '');
    } else if (inline === undefined && FLAGS.has(name)) given.add(name);
    else throw new Error(`${words[at]} is no option of pnpm bench; --help says which there are`);
  }
  const only = values.get('--only');
  const isGrowth = given.has('--growth');
  if (only !== undefined && given.has('--write')) {
    throw new Error('--write puts the whole table into the page, so it cannot be had with --only');
  }
  if (only !== undefined && isGrowth) throw new Error('--only selects rows that --growth does not have');
  for (const name of ['--intents', '--events'] as const) {
    if (values.has(name) && !isGrowth) throw new Error(`${name} is an option of --growth`);
  }
  return {
    isHelp: given.has('--help'),
    isShort: given.has('--short'),
    rows: only === undefined ? new Set(BENCH_ROWS) : readRows(only),
    writes: given.has('--write'),
    onlyPrints: given.has('--print'),
    growth: isGrowth ? readGrowthSize(values, given.has('--short')) : null,
  };
}

const INTENTS = { full: 1_000_000, short: 20_000 } as const;
const EVENTS_PER_INTENT = 10;

function readGrowthSize(values: ReadonlyMap<string, string>, isShort: boolean): GrowthSize {
  const read = (name: '--intents' | '--events', otherwise: number): number => {
    const text = values.get(name);
    if (text === undefined) return otherwise;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} takes a number of rows, such as 20000`);
    return Number(text);
  };
  const intents = read('--intents', isShort ? INTENTS.short : INTENTS.full);
  return { intents, events: read('--events', intents * EVENTS_PER_INTENT) };
}

const FLAGS: ReadonlySet<string> = new Set(['--help', '--short', '--write', '--print', '--growth']);
const VALUES: ReadonlySet<string> = new Set(['--only', '--intents', '--events']);

function readRows(list: string): ReadonlySet<BenchRow> {
  return new Set(
    list.split(',').map((word) => {
      const row = BENCH_ROWS.find((known) => known === word.trim());
      if (row === undefined) throw new Error(`--only takes ${BENCH_ROWS.join(', ')}, with commas between them`);
      return row;
    }),
  );
}
