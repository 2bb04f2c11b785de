/** The check that caught the member. */
export interface CaughtMember {
  readonly flow: string;
  readonly step: string;
  readonly clause: string;
}

/** The result of one member over one transport. */
export interface ZooResult {
  readonly contract: string;
  /** The defect, as the rest of a sentence about the subject. Unique in its contract. */
  readonly defect: string;
  readonly transport: string;
  /** Null: every flow was played, and none reported a clause that the member breaks. */
  readonly caught: CaughtMember | null;
  /** Clauses that were reported first, and that the member is not expected to break. */
  readonly reported: readonly string[];
}

/** A flow that failed at a correct subject. */
export interface Alarm {
  /** How a correct subject differs from the reference, as the rest of a sentence; absent: it is the reference. */
  readonly peculiarity?: string;
  readonly transport: string;
  readonly flow: string;
  readonly because: readonly string[];
}

/** The result of a run of the zoo. */
export interface ZooRecord {
  readonly alarms: readonly Alarm[];
  readonly results: readonly ZooResult[];
}

/** A member counts as caught when it was caught over each of its transports. */
export function countCaught({ results }: ZooRecord): { readonly members: number; readonly caught: number } {
  const members = new Map<string, boolean>();
  for (const { contract, defect, caught } of results) {
    const name = `${contract}/${defect}`;
    members.set(name, (members.get(name) ?? true) && caught !== null);
  }
  return { members: members.size, caught: [...members.values()].filter(Boolean).length };
}

/** Whether the tester is good enough: no false alarm, and at least this share of the members caught. */
export function isGoodEnough(record: ZooRecord, share: { readonly of: number; readonly min: number }): boolean {
  const { members, caught } = countCaught(record);
  return record.alarms.length === 0 && members > 0 && caught * share.of >= members * share.min;
}

/** The record as tables in Markdown, one for each contract, followed by the problems. */
export function renderZooReport(record: ZooRecord, subject: string): string {
  const { results, alarms } = record;
  const { members, caught } = countCaught(record);
  const contracts = [...new Set(results.map(({ contract }) => contract))];
  const tables = contracts.map((contract) =>
    renderTable(
      results.filter((result) => result.contract === contract),
      subject,
    ),
  );
  const missed = results.filter((result) => result.caught === null).map((result) => formatMissed(result, subject));
  const alarmed = alarms.map(
    ({ transport, flow, because, peculiarity }) =>
      `false alarm: ${transport} ${flow}${peculiarity === undefined ? '' : ` at an ${subject} ${peculiarity}`}: ${because.join('; ')}`,
  );
  const sum = `${caught} of ${members} members caught, ${alarms.length} false alarms`;
  return [...tables, ...[...missed, ...alarmed].map((line) => `${line}\n`), `${sum}\n`].join('\n');
}

function renderTable(results: readonly ZooResult[], subject: string): string {
  const transports = [...new Set(results.map(({ transport }) => transport))];
  const rows = [...new Set(results.map(({ defect }) => defect))].map((defect) => [
    defect,
    ...transports.map((transport) => {
      const result = results.find((each) => each.defect === defect && each.transport === transport);
      return result === undefined ? '–' : renderCell(result);
    }),
  ]);
  const lines = [[`An ${subject}`, ...transports], ['---', ...transports.map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function renderCell({ caught }: ZooResult): string {
  return caught === null ? '**missed**' : `${caught.flow}: \`${caught.clause}\``;
}

function formatMissed({ defect, transport, reported }: ZooResult, subject: string): string {
  const instead = reported.length === 0 ? 'and nothing was reported' : `and only ${reported.join(', ')} was reported`;
  return `missed: ${transport}: an ${subject} ${defect}, ${instead}`;
}
