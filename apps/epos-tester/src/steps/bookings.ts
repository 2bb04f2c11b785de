import { HOUR_MS } from '@pos/core/time/timespan';
import type { EposDataParams } from '@pos/rest-contracts/epos-data/epos-data';
import type { EposParty, EposReservation } from '@pos/rest-contracts/epos-data/epos-data-bookings';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import { randomUUID } from 'node:crypto';
import { callData, listCapabilities, getData, requireCapabilities } from '../scene/data-asking.js';
import type { TesterStage } from '../scene/scene.js';

const PAGE_LIMIT = 100;
const STAY_MS = 2 * HOUR_MS;

export type NewParty = EposDataParams<'CreateParty'>;
export type NewReservation = EposDataParams<'CreateReservation'>;

/** A party that the EPOS has created. */
export interface CreatedParty {
  readonly asked: NewParty;
  readonly party: EposParty;
}

/** A reservation that the EPOS has created. */
export interface CreatedReservation {
  readonly asked: NewReservation;
  readonly reservation: EposReservation;
}

/** Seats a party at a free table, and registers its deletion for the cleanup. */
export async function createParty(stage: TesterStage): Promise<CreatedParty> {
  await requireCapabilities(stage, 'CreateParty');
  const { scope, cards } = stage.scene.parts;
  const asked: NewParty = {
    servicePartyId: randomUUID(),
    tableIds: [await freeTable(stage)],
    status: 'Seated',
    startTime: presentMoment(await cards.now(scope)),
    name: 'EPOS tester',
    covers: 2,
  };
  const party = await getData(stage, 'CreateParty', { params: asked });
  stage.scene.orders.made.set(`party ${party.id}`, (later) => removeParty(later, party.id));
  checkParty(stage, party, asked);
  return { asked, party };
}

/** Reserves a table, and registers its deletion for the cleanup. */
export async function createReservation(stage: TesterStage): Promise<CreatedReservation> {
  await requireCapabilities(stage, 'CreateReservation');
  const { scope, cards } = stage.scene.parts;
  const { fromTime, toTime } = stage.scene.params;
  const start = fromTime ?? new Date((await cards.now(scope)).getTime() + HOUR_MS);
  const end = toTime !== null && toTime > start ? toTime : new Date(start.getTime() + STAY_MS);
  const asked: NewReservation = {
    serviceReservationId: randomUUID(),
    tableIds: [stage.scene.params.tableId ?? (await chooseTables(stage))[0] ?? refuseTables(stage)],
    startTime: presentMoment(start),
    endTime: presentMoment(end),
    name: 'EPOS tester',
    covers: 2,
  };
  const reservation = await getData(stage, 'CreateReservation', { params: asked });
  const { id } = reservation;
  stage.scene.orders.made.set(`reservation ${id}`, (later) => removeReservation(later, id));
  checkReservation(stage, reservation, asked);
  return { asked, reservation };
}

/** Checks that a party has the requested values. */
export function checkParty(stage: TesterStage, party: EposParty, asked: Omit<NewParty, 'servicePartyId'>): void {
  compareBooking(stage, {
    clause: 'party.same',
    answer: party,
    asked,
    members: ['tableIds', 'status', 'name', 'covers'],
  });
}

/** Checks that a reservation has the requested values. */
export function checkReservation(
  stage: TesterStage,
  reservation: EposReservation,
  asked: Omit<NewReservation, 'serviceReservationId'>,
): void {
  const members = ['tableIds', 'name', 'covers', 'startTime', 'endTime'];
  compareBooking(stage, { clause: 'reservation.same', answer: reservation, asked, members });
}

/** Deletes a party of the flow. */
async function removeParty(stage: TesterStage, partyId: string): Promise<void> {
  if (!(await listCapabilities(stage)).has('DeletePartyById')) {
    stage.step.note(`party ${partyId}: stays, for DeletePartyById is not registered`);
    return;
  }
  checkGone(stage, 'party.gone', await callData(stage, 'DeletePartyById', { params: { partyId } }));
}

/** Deletes a reservation of the flow. */
async function removeReservation(stage: TesterStage, reservationId: string): Promise<void> {
  if (!(await listCapabilities(stage)).has('DeleteReservationById')) {
    stage.step.note(`reservation ${reservationId}: stays, for DeleteReservationById is not registered`);
    return;
  }
  checkGone(stage, 'reservation.gone', await callData(stage, 'DeleteReservationById', { params: { reservationId } }));
}

function checkGone(
  { step }: TesterStage,
  clause: 'party.gone' | 'reservation.gone',
  received: Awaited<ReturnType<typeof callData>>,
): void {
  const found = received.outcome === 'refused' ? received.code : received.outcome;
  const isGone = found === 'answered' || found === 'NotFound';
  step.check(isGone, { clause, member: 'Delete', expected: 'its result', found });
}

/** A table that is free, as far as the EPOS reports, and that no other run uses. */
async function freeTable(stage: TesterStage): Promise<string> {
  const { scene } = stage;
  if (scene.params.tableId !== null) return scene.params.tableId;
  const tables = await chooseTables(stage);
  const taken = new Set(await listSeatedTables(stage));
  const { sessionsInUse, scope, runId } = scene.parts;
  const free = tables.find((id) => !taken.has(id) && sessionsInUse.take(scope.accountId, `table ${id}`, runId));
  if (free === undefined) return refuseTables(stage);
  stage.step.saw('sandbox.table', { member: 'tables', what: 'a free table' });
  return free;
}

async function chooseTables(stage: TesterStage): Promise<string[]> {
  await requireCapabilities(stage, 'SearchTables');
  const { data } = await getData(stage, 'SearchTables', { params: { cursor: { limit: PAGE_LIMIT } } });
  return data.map(({ id }) => id);
}

async function listSeatedTables(stage: TesterStage): Promise<string[]> {
  if (!(await listCapabilities(stage)).has('SearchParties')) return [];
  const { data } = await getData(stage, 'SearchParties', { params: { cursor: { limit: PAGE_LIMIT } } });
  return data.flatMap(({ tableIds }) => tableIds);
}

function refuseTables({ step }: TesterStage): never {
  return step.fail({ clause: 'sandbox.table', member: 'tables', expected: 'a free table', found: undefined });
}

function compareBooking(
  { step }: TesterStage,
  same: {
    readonly clause: 'party.same' | 'reservation.same';
    readonly answer: object;
    readonly asked: object;
    readonly members: readonly string[];
  },
): void {
  const [answer, asked] = [new Map(Object.entries(same.answer)), new Map(Object.entries(same.asked))];
  for (const member of same.members) {
    const [found, expected] = [formatBooking(answer.get(member)), formatBooking(asked.get(member))];
    if (expected === undefined) continue;
    step.check(found === expected, { clause: same.clause, member, expected, found });
  }
}

/** Compares times as moments, in any format. */
function formatBooking(value: unknown): string | undefined {
  const isMoment = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
  return isMoment ? new Date(value).toISOString() : JSON.stringify(value);
}
