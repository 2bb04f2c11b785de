import { HOUR_MS } from '@pos/core/time';
import type { EposDataParams, EposParty, EposReservation } from '@pos/rest-contracts/epos-data';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { randomUUID } from 'node:crypto';
import { callData, listCapabilities, getData, requireCapabilities } from '../flow-context/data-calls.js';
import type { StepContext } from '../flow-context/flow-context.js';

const PAGE_LIMIT = 100;
const STAY_MS = 2 * HOUR_MS;

export type NewParty = EposDataParams<'CreateParty'>;
export type NewReservation = EposDataParams<'CreateReservation'>;

/** A party that the EPOS has created. */
export interface CreatedParty {
  readonly request: NewParty;
  readonly party: EposParty;
}

/** A reservation that the EPOS has created. */
export interface CreatedReservation {
  readonly request: NewReservation;
  readonly reservation: EposReservation;
}

/** Seats a party at a free table, and registers its deletion for the cleanup. */
export async function createParty(context: StepContext): Promise<CreatedParty> {
  await requireCapabilities(context, 'CreateParty');
  const { scope, cards } = context.flowContext.parts;
  const request: NewParty = {
    servicePartyId: randomUUID(),
    tableIds: [await freeTable(context)],
    status: 'Seated',
    startTime: presentMoment(await cards.now(scope)),
    name: 'EPOS tester',
    covers: 2,
  };
  const party = await getData(context, 'CreateParty', { params: request });
  context.flowContext.orders.undoActions.set(`party ${party.id}`, (later) => removeParty(later, party.id));
  checkParty(context, party, request);
  return { request, party };
}

/** Reserves a table, and registers its deletion for the cleanup. */
export async function createReservation(context: StepContext): Promise<CreatedReservation> {
  await requireCapabilities(context, 'CreateReservation');
  const { scope, cards } = context.flowContext.parts;
  const { fromTime, toTime } = context.flowContext.params;
  const start = fromTime ?? new Date((await cards.now(scope)).getTime() + HOUR_MS);
  const end = toTime !== null && toTime > start ? toTime : new Date(start.getTime() + STAY_MS);
  const request: NewReservation = {
    serviceReservationId: randomUUID(),
    tableIds: [context.flowContext.params.tableId ?? (await chooseTables(context))[0] ?? refuseTables(context)],
    startTime: presentMoment(start),
    endTime: presentMoment(end),
    name: 'EPOS tester',
    covers: 2,
  };
  const reservation = await getData(context, 'CreateReservation', { params: request });
  const { id } = reservation;
  context.flowContext.orders.undoActions.set(`reservation ${id}`, (later) => removeReservation(later, id));
  checkReservation(context, reservation, request);
  return { request, reservation };
}

/** Checks that a party has the requested values. */
export function checkParty(context: StepContext, party: EposParty, request: Omit<NewParty, 'servicePartyId'>): void {
  compareBooking(context, {
    clause: 'party.same',
    answer: party,
    request,
    members: ['tableIds', 'status', 'name', 'covers'],
  });
}

/** Checks that a reservation has the requested values. */
export function checkReservation(
  context: StepContext,
  reservation: EposReservation,
  request: Omit<NewReservation, 'serviceReservationId'>,
): void {
  const members = ['tableIds', 'name', 'covers', 'startTime', 'endTime'];
  compareBooking(context, { clause: 'reservation.same', answer: reservation, request, members });
}

/** Deletes a party of the flow. */
async function removeParty(context: StepContext, partyId: string): Promise<void> {
  if (!(await listCapabilities(context)).has('DeletePartyById')) {
    context.step.note(`party ${partyId}: stays, for DeletePartyById is not registered`);
    return;
  }
  checkGone(context, 'party.gone', await callData(context, 'DeletePartyById', { params: { partyId } }));
}

/** Deletes a reservation of the flow. */
async function removeReservation(context: StepContext, reservationId: string): Promise<void> {
  if (!(await listCapabilities(context)).has('DeleteReservationById')) {
    context.step.note(`reservation ${reservationId}: stays, for DeleteReservationById is not registered`);
    return;
  }
  checkGone(
    context,
    'reservation.gone',
    await callData(context, 'DeleteReservationById', { params: { reservationId } }),
  );
}

function checkGone(
  { step }: StepContext,
  clause: 'party.gone' | 'reservation.gone',
  received: Awaited<ReturnType<typeof callData>>,
): void {
  const found = received.outcome === 'refused' ? received.code : received.outcome;
  const isGone = found === 'answered' || found === 'NotFound';
  step.check(isGone, { clause, member: 'Delete', expected: 'its result', found });
}

/** A table that is free, as far as the EPOS reports, and that no other run uses. */
async function freeTable(context: StepContext): Promise<string> {
  const { flowContext } = context;
  if (flowContext.params.tableId !== null) return flowContext.params.tableId;
  const tables = await chooseTables(context);
  const taken = new Set(await listSeatedTables(context));
  const { sessionReservations, scope, runId } = flowContext.parts;
  const free = tables.find(
    (id) => !taken.has(id) && sessionReservations.reserve(scope.accountId, `table ${id}`, runId),
  );
  if (free === undefined) return refuseTables(context);
  context.step.saw('sandbox.table', { member: 'tables', what: 'a free table' });
  return free;
}

async function chooseTables(context: StepContext): Promise<string[]> {
  await requireCapabilities(context, 'SearchTables');
  const { data } = await getData(context, 'SearchTables', { params: { cursor: { limit: PAGE_LIMIT } } });
  return data.map(({ id }) => id);
}

async function listSeatedTables(context: StepContext): Promise<string[]> {
  if (!(await listCapabilities(context)).has('SearchParties')) return [];
  const { data } = await getData(context, 'SearchParties', { params: { cursor: { limit: PAGE_LIMIT } } });
  return data.flatMap(({ tableIds }) => tableIds);
}

function refuseTables({ step }: StepContext): never {
  return step.fail({ clause: 'sandbox.table', member: 'tables', expected: 'a free table', found: undefined });
}

function compareBooking(
  { step }: StepContext,
  same: {
    readonly clause: 'party.same' | 'reservation.same';
    readonly answer: object;
    readonly request: object;
    readonly members: readonly string[];
  },
): void {
  const [answer, request] = [new Map(Object.entries(same.answer)), new Map(Object.entries(same.request))];
  for (const member of same.members) {
    const [found, expected] = [formatBooking(answer.get(member)), formatBooking(request.get(member))];
    if (expected === undefined) continue;
    step.check(found === expected, { clause: same.clause, member, expected, found });
  }
}

/** Compares times as moments, in any format. */
function formatBooking(value: unknown): string | undefined {
  const isMoment = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
  return isMoment ? new Date(value).toISOString() : JSON.stringify(value);
}
