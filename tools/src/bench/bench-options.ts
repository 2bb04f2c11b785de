/** The groups of rows of the table in docs/contribute/performance.md, by the argument that selects them. */
export const BENCH_ROWS = ['http', 'activities', 'grpc', 'etcd', 'lanes', 'processes'] as const;
export type BenchRow = (typeof BENCH_ROWS)[number];

export const HELP = `Usage: pnpm bench [--short] [--only ROWS] [--write] [--print]

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
}

/** Parses the arguments of `pnpm bench`. Throws for an unknown one, with the valid ones in the message. */
export function readBenchOptions(words: readonly string[]): BenchOptions {
  const given = new Set<string>();
  let rows: ReadonlySet<BenchRow> | null = null;
  for (let at = 0; at < words.length; at += 1) {
    const [name = '', inline] = (words[at] ?? '').split('=', 2);
    if (name === '--only') {
      if (inline === undefined) at += 1;
      rows = readRows(inline ?? words[at] ?? '');
    } else if (inline === undefined && FLAGS.has(name)) given.add(name);
    else throw new Error(`${words[at]} is no option of pnpm bench; --help says which there are`);
  }
  if (rows !== null && given.has('--write')) {
    throw new Error('--write puts the whole table into the page, so it cannot be had with --only');
  }
  return {
    isHelp: given.has('--help'),
    isShort: given.has('--short'),
    rows: rows ?? new Set(BENCH_ROWS),
    writes: given.has('--write'),
    onlyPrints: given.has('--print'),
  };
}

const FLAGS: ReadonlySet<string> = new Set(['--help', '--short', '--write', '--print']);

function readRows(list: string): ReadonlySet<BenchRow> {
  return new Set(
    list.split(',').map((word) => {
      const row = BENCH_ROWS.find((known) => known === word.trim());
      if (row === undefined) throw new Error(`--only takes ${BENCH_ROWS.join(', ')}, with commas between them`);
      return row;
    }),
  );
}
