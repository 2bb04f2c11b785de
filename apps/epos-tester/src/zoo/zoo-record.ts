import type { GroupTransport } from '../clause-coverage/transports.js';
import type { ZooMember } from './zoo-member.js';

/** The members that break one contract, and its transports. */
export interface ZooRestaurant {
  readonly contract: string;
  readonly transports: readonly GroupTransport[];
  readonly members: readonly ZooMember[];
}

/** The check that caught the member. */
export interface CaughtMember {
  readonly flow: string;
  readonly step: string;
  readonly clause: string;
}

/** The result of one member over one transport. */
export interface ZooVisit {
  readonly contract: string;
  readonly epos: string;
  readonly transport: GroupTransport;
  /** Null: every flow was played, and none reported a clause that the member breaks. */
  readonly caught: CaughtMember | null;
  /** Clauses that were reported first, and that the member is not expected to break. */
  readonly reported: readonly string[];
}

/** A flow that failed at the correct EPOS. */
export interface Alarm {
  readonly transport: GroupTransport;
  readonly flow: string;
  readonly because: readonly string[];
}

/** The result of a run of the zoo. */
export interface ZooRecord {
  readonly alarms: readonly Alarm[];
  readonly visits: readonly ZooVisit[];
}

/** At least this many of this many members must be caught; a larger zoo must keep the ratio. */
const CAUGHT_OF = { members: 40, min: 38 } as const;

/** A member counts as caught when it was caught over each of its transports. */
export function countCaught({ visits }: ZooRecord): { readonly members: number; readonly caught: number } {
  const members = new Map<string, boolean>();
  for (const { contract, epos, caught } of visits) {
    const name = `${contract}/${epos}`;
    members.set(name, (members.get(name) ?? true) && caught !== null);
  }
  return { members: members.size, caught: [...members.values()].filter(Boolean).length };
}

/** Whether the tester is good enough: no false alarm, and few missed members. */
export function isGoodEnough(record: ZooRecord): boolean {
  const { members, caught } = countCaught(record);
  return record.alarms.length === 0 && members > 0 && caught * CAUGHT_OF.members >= members * CAUGHT_OF.min;
}

/** The record as tables in Markdown, one for each contract, followed by the problems. */
export function renderZooReport(record: ZooRecord): string {
  const { visits, alarms } = record;
  const { members, caught } = countCaught(record);
  const contracts = [...new Set(visits.map(({ contract }) => contract))];
  const tables = contracts.map((contract) => renderTable(visits.filter((visit) => visit.contract === contract)));
  const missed = visits.filter((visit) => visit.caught === null).map(formatMissed);
  const alarmed = alarms.map(
    ({ transport, flow, because }) => `false alarm: ${transport} ${flow}: ${because.join('; ')}`,
  );
  const sum = `${caught} of ${members} members caught, ${alarms.length} false alarms`;
  return [...tables, ...[...missed, ...alarmed].map((line) => `${line}\n`), `${sum}\n`].join('\n');
}

function renderTable(visits: readonly ZooVisit[]): string {
  const transports = [...new Set(visits.map(({ transport }) => transport))];
  const rows = [...new Set(visits.map(({ epos }) => epos))].map((epos) => [
    epos,
    ...transports.map((transport) => {
      const visit = visits.find((each) => each.epos === epos && each.transport === transport);
      return visit === undefined ? '–' : renderCell(visit);
    }),
  ]);
  const lines = [['An EPOS', ...transports], ['---', ...transports.map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function renderCell({ caught }: ZooVisit): string {
  return caught === null ? '**missed**' : `${caught.flow}: \`${caught.clause}\``;
}

function formatMissed({ epos, transport, reported }: ZooVisit): string {
  const instead = reported.length === 0 ? 'and nothing was told' : `and only ${reported.join(', ')} was told`;
  return `missed: ${transport}: an EPOS ${epos}, ${instead}`;
}
