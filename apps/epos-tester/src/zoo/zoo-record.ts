import type { GroupTransport } from '../clause-coverage/transports.js';
import type { ZooMember } from './zoo-member.js';

/** The members that break one contract, and the ways that it is spoken over. */
export interface ZooRestaurant {
  readonly contract: string;
  readonly transports: readonly GroupTransport[];
  readonly members: readonly ZooMember[];
}

/** The check that found a member out. */
export interface CaughtMember {
  readonly flow: string;
  readonly step: string;
  readonly clause: string;
}

/** How one member fared over one way. */
export interface ZooVisit {
  readonly contract: string;
  readonly epos: string;
  readonly transport: GroupTransport;
  /** Null: every flow was played, and none told a clause that the member breaks. */
  readonly caught: CaughtMember | null;
  /** Clauses that were told before, and that the member is not said to break. */
  readonly reported: readonly string[];
}

/** A flow that failed at the correct EPOS. */
export interface Alarm {
  readonly transport: GroupTransport;
  readonly flow: string;
  readonly because: readonly string[];
}

/** What a run of the zoo has shown about the tester. */
export interface ZooRecord {
  readonly alarms: readonly Alarm[];
  readonly visits: readonly ZooVisit[];
}

/** Of so many members so many have to be caught; a larger zoo has to keep the share. */
const CAUGHT_OF = { members: 40, min: 38 } as const;

/** A member counts as caught when it is over every way to it. */
export function countCaught({ visits }: ZooRecord): { readonly members: number; readonly caught: number } {
  const members = new Map<string, boolean>();
  for (const { contract, epos, caught } of visits) {
    const name = `${contract}/${epos}`;
    members.set(name, (members.get(name) ?? true) && caught !== null);
  }
  return { members: members.size, caught: [...members.values()].filter(Boolean).length };
}

/** Whether the tester is good enough: no false alarm, and hardly a member that it misses. */
export function isGoodEnough(record: ZooRecord): boolean {
  const { members, caught } = countCaught(record);
  return record.alarms.length === 0 && members > 0 && caught * CAUGHT_OF.members >= members * CAUGHT_OF.min;
}

/** The record as tables in Markdown, one for each contract, with what is wrong below them. */
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
