import type { GrowthSize } from './growth/planted-payments.js';
import { type PeerName, PEERS } from './peers/peer.js';

/** The groups of rows of the table in docs/contribute/performance.md, by the argument that selects them. */
export const BENCH_ROWS = ['http', 'activities', 'grpc', 'etcd', 'lanes', 'processes'] as const;
export type BenchRow = (typeof BENCH_ROWS)[number];

export const HELP = `Usage: pnpm bench [--short] [--only ROWS] [--write] [--print]
       pnpm bench --growth [--intents N] [--events N] [--short] [--write] [--print]
       pnpm bench --peers [NAMES] [--short] [--write] [--print]

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
  --peers [NAMES]  measure other products beside the service instead, in turns: all, or those that are named, with
                commas between them. Leaves out what cannot be installed, and ends with 1 where nothing is left:
                vendure  create + fetch against an order of Vendure (npm, 150 MB), on the same server of PostgreSQL
                stripe-stateful-mock  the same against a charge of this mock of Stripe (npm), which stores in memory
                etcd   lock + record + unlock against etcd
                npm installs the first two into .data/peers when they are measured for the first time
  --write       put the table into docs/contribute/performance.md; it has all rows, so not with --only
                or with names of peers
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
  /** What `--peers` measures; null without it. */
  readonly peers: readonly PeerName[] | null;
}

/** Parses the arguments of `pnpm bench`. Throws for an unknown one, with the valid ones in the message. */
export function readBenchOptions(words: readonly string[]): BenchOptions {
  const given = new Set<string>();
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const [name = '', inline] = (words[at] ?? '').split('=', 2);
    if (name === '--peers' && inline === undefined && !isValue(words[at + 1])) values.set(name, PEERS.join());
    else if (VALUES.has(name)) {
      if (inline === undefined) at += 1;
      values.set(name, inline ?? words[at] ?? '');
    } else if (inline === undefined && FLAGS.has(name)) given.add(name);
    else throw new Error(`${words[at]} is no option of pnpm bench; --help says which there are`);
  }
  const only = values.get('--only');
  const isGrowth = given.has('--growth');
  const peers = readPeers(values.get('--peers'));
  refuseContradictions(given, values, peers);
  return {
    isHelp: given.has('--help'),
    isShort: given.has('--short'),
    rows: only === undefined ? new Set(BENCH_ROWS) : readRows(only),
    writes: given.has('--write'),
    onlyPrints: given.has('--print'),
    growth: isGrowth ? readGrowthSize(values, given.has('--short')) : null,
    peers,
  };
}

function refuseContradictions(
  given: ReadonlySet<string>,
  values: ReadonlyMap<string, string>,
  peers: readonly PeerName[] | null,
): void {
  const [hasOnly, isGrowth] = [values.has('--only'), given.has('--growth')];
  if (hasOnly && given.has('--write')) {
    throw new Error('--write puts the whole table into the page, so it cannot be had with --only');
  }
  if (hasOnly && isGrowth) throw new Error('--only selects rows that --growth does not have');
  if (hasOnly && peers !== null) throw new Error('--only selects rows that --peers does not have');
  if (isGrowth && peers !== null) throw new Error('--growth and --peers are measured apart');
  if (peers !== null && peers.length < PEERS.length && given.has('--write')) {
    throw new Error('--write puts the whole table into the page, so it cannot be had with some of the peers');
  }
  for (const name of ['--intents', '--events'] as const) {
    if (values.has(name) && !isGrowth) throw new Error(`${name} is an option of --growth`);
  }
}

/** The peers of a list, in the order in which they are measured; null without a list. */
function readPeers(list: string | undefined): readonly PeerName[] | null {
  if (list === undefined) return null;
  const names = list.split(',').map((word) => word.trim());
  if (names.some((name) => !PEERS.some((known) => known === name))) {
    throw new Error(`--peers takes ${PEERS.join(', ')}, with commas between them`);
  }
  return PEERS.filter((peer) => names.includes(peer));
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
const VALUES: ReadonlySet<string> = new Set(['--only', '--intents', '--events', '--peers']);

const isValue = (word: string | undefined): boolean => word !== undefined && !word.startsWith('--');

function readRows(list: string): ReadonlySet<BenchRow> {
  return new Set(
    list.split(',').map((word) => {
      const row = BENCH_ROWS.find((known) => known === word.trim());
      if (row === undefined) throw new Error(`--only takes ${BENCH_ROWS.join(', ')}, with commas between them`);
      return row;
    }),
  );
}
