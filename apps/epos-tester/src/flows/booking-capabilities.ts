import { DAY_MS } from '@pos/core/time';
import { createId } from '@pos/core/ids';
import type { EposReservation } from '@pos/rest-contracts/epos-data';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { randomBytes } from 'node:crypto';
import { listCapabilities, getData } from '../flow-context/data-calls.js';
import type { Flow } from '../flow-context/flow.js';
import { checkParty, checkReservation, createParty, createReservation } from '../steps/bookings.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { createCapabilityFlow, FIRST_PAGE, findFirst, removeRegistration } from './capabilities.js';

/** The events that an EPOS may register for. */
type EposEventCase = 'payment_intent.created' | 'payment_intent.status_updated';

/** One flow for each capability about parties, reservations and events. */
export const BOOKING_CAPABILITY_FLOWS: readonly Flow[] = [
  createCapabilityFlow({
    ...{ capability: 'CreateParty', name: 'CreateParty', needs: [], params: ['tableId'] },
    call: async (context) => {
      await createParty(context);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'GetPartyById', name: 'GetPartyById', needs: [], params: ['partyId', 'tableId'] },
    call: async (context) => {
      await getData(context, 'GetPartyById', { params: { partyId: await createReadableParty(context) } });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'UpdateParty', name: 'UpdateParty', needs: ['CreateParty'], params: ['tableId'] },
    call: async (context) => {
      await updateParty(context, await createParty(context));
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'DeletePartyById', name: 'DeletePartyById', needs: ['CreateParty'], params: ['tableId'] },
    call: async (context) => {
      const { id: partyId } = (await createParty(context)).party;
      await removeRegistration(context, `party ${partyId}`, () =>
        getData(context, 'DeletePartyById', { params: { partyId }, clause: 'party.gone' }),
      );
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchParties', name: 'SearchParties', needs: [], params: ['tableId'] },
    call: async (context) => {
      await getData(context, 'SearchParties', { params: { ...seatPartyAtTable(context), ...FIRST_PAGE } });
    },
    check: ({ flowContext, step }, { data }) => {
      const { tableId } = flowContext.params;
      data.forEach(({ tableIds, endTime }, index) => {
        const clause = 'parties.filter';
        if (tableId !== null) {
          const finding = { member: `data[${index}].tableIds`, expected: tableId, found: tableIds.join() };
          step.check(tableIds.includes(tableId), { clause, ...finding });
        }
        const expected = 'nothing: parties that have left were not request for';
        step.check(endTime === undefined, { clause, member: `data[${index}].endTime`, expected, found: endTime });
      });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'CreateReservation', name: 'CreateReservation', needs: [] },
    params: ['tableId', 'fromTime', 'toTime'],
    call: async (context) => {
      await createReservation(context);
    },
  }),
  createCapabilityFlow({
    ...{
      capability: 'GetReservationById',
      name: 'GetReservationById',
      needs: [],
      params: ['reservationId', 'tableId'],
    },
    call: async (context) => {
      const reservationId = await createReadableReservation(context);
      await getData(context, 'GetReservationById', { params: { reservationId } });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'UpdateReservation', name: 'UpdateReservation', needs: ['CreateReservation'] },
    params: ['tableId', 'fromTime', 'toTime'],
    call: async (context) => {
      await updateReservation(context, await createReservation(context));
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'DeleteReservationById', name: 'DeleteReservationById', needs: ['CreateReservation'] },
    params: ['tableId'],
    call: async (context) => {
      const { id: reservationId } = (await createReservation(context)).reservation;
      const remove = () =>
        getData(context, 'DeleteReservationById', { params: { reservationId }, clause: 'reservation.gone' });
      await removeRegistration(context, `reservation ${reservationId}`, remove);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchReservations', name: 'SearchReservations', needs: [] },
    params: ['tableId', 'fromTime', 'toTime'],
    call: searchReservations,
  }),
  handleEvent('payment_intent.created', 'Created'),
  handleEvent('payment_intent.status_updated', 'Captured'),
];

/** Changes a party and checks that the answer contains the change. */
export async function updateParty(
  context: StepContext,
  { request, party }: Awaited<ReturnType<typeof createParty>>,
): Promise<typeof request> {
  const changed = { ...request, status: 'Ordering', covers: (request.covers ?? 0) + 1 };
  const updated = await getData(context, 'UpdateParty', { params: { ...changed, partyId: party.id } });
  checkParty(context, updated, changed);
  return changed;
}

/** Changes a reservation and checks that the answer contains the change. */
export async function updateReservation(
  context: StepContext,
  { request, reservation }: Awaited<ReturnType<typeof createReservation>>,
): Promise<typeof request> {
  const { serviceReservationId = '' } = request;
  const changed = { ...request, serviceReservationId, covers: request.covers + 1 };
  const updated = await getData(context, 'UpdateReservation', {
    params: { ...changed, reservationId: reservation.id },
  });
  checkReservation(context, updated, changed);
  return changed;
}

function handleEvent(event: EposEventCase, paymentStatus: 'Created' | 'Captured'): Flow {
  return createCapabilityFlow({
    ...{ capability: `HandleEvent:${event}`, name: 'HandleEvent', needs: [], params: [] },
    call: async (context) => {
      const paymentIntentId = createId('paymentIntent', context.flowContext.parts.scope.environment, randomBytes(16));
      await sendEvent(context, event, { paymentIntentId, paymentStatus, captureMode: 'Auto' });
    },
  });
}

/** Sends the EPOS an event about a changed payment. */
export async function sendEvent(
  context: StepContext,
  event: EposEventCase,
  data: {
    readonly paymentIntentId: string;
    readonly paymentStatus: 'Created' | 'Captured';
    readonly captureMode: 'Auto' | 'Manual';
  },
): Promise<void> {
  const { scope, cards } = context.flowContext.parts;
  const id = createId('event', scope.environment, randomBytes(16));
  const createdAt = presentMoment(await cards.now(scope));
  const params = { id, event, accountId: scope.accountId, createdAt, data };
  await getData(context, 'HandleEvent', { params, clause: 'event.accepted' });
}

function seatPartyAtTable({ flowContext }: StepContext) {
  const { tableId } = flowContext.params;
  return tableId === null ? {} : { tableId };
}

async function createReadableParty(context: StepContext): Promise<string> {
  const { partyId } = context.flowContext.params;
  if (partyId !== null) return partyId;
  const registered = await listCapabilities(context);
  const found =
    registered.has('CreateParty') || !registered.has('SearchParties')
      ? null
      : await findFirst(context, 'SearchParties');
  return found ?? (await createParty(context)).party.id;
}

async function createReadableReservation(context: StepContext): Promise<string> {
  const { reservationId } = context.flowContext.params;
  if (reservationId !== null) return reservationId;
  const registered = await listCapabilities(context);
  const isSearched = !registered.has('CreateReservation') && registered.has('SearchReservations');
  const found = isSearched ? await findFirst(context, 'SearchReservations') : null;
  return found ?? (await createReservation(context)).reservation.id;
}

/** The date of the parameters, or today. */
async function getSpan({ flowContext }: StepContext): Promise<{ readonly fromTime: string; readonly toTime: string }> {
  const { scope, cards } = flowContext.parts;
  const { fromTime, toTime } = flowContext.params;
  const today = Math.floor((await cards.now(scope)).getTime() / DAY_MS) * DAY_MS;
  const from = fromTime ?? new Date(today);
  return { fromTime: presentMoment(from), toTime: presentMoment(toTime ?? new Date(from.getTime() + DAY_MS)) };
}

/** Searches the day, then for one table of the result, to check that the filter is applied. */
async function searchReservations(context: StepContext): Promise<void> {
  const { tableId } = context.flowContext.params;
  const span = await getSpan(context);
  const found = await getData(context, 'SearchReservations', {
    params: { ...seatPartyAtTable(context), ...span, ...FIRST_PAGE },
  });
  if (tableId !== null) {
    checkReservedAt(context, found.data, tableId);
    return;
  }
  const [first] = found.data.flatMap(({ tableIds }) => tableIds);
  if (first !== undefined) return searchReservationsAt(context, first, span);
  if (!(await listCapabilities(context)).has('CreateReservation')) return;
  const { tableIds, startTime: fromTime, endTime: toTime } = (await createReservation(context)).request;
  const [reservedTableId] = tableIds;
  if (reservedTableId !== undefined) await searchReservationsAt(context, reservedTableId, { fromTime, toTime });
}

async function searchReservationsAt(
  context: StepContext,
  tableId: string,
  span: { readonly fromTime: string; readonly toTime: string | undefined },
): Promise<void> {
  const { data } = await getData(context, 'SearchReservations', { params: { tableId, ...span, ...FIRST_PAGE } });
  checkReservedAt(context, data, tableId);
}

function checkReservedAt({ step }: StepContext, found: readonly EposReservation[], tableId: string): void {
  found.forEach(({ tableIds }, index) => {
    const finding = { member: `data[${index}].tableIds`, expected: tableId, found: tableIds.join() };
    step.check(tableIds.includes(tableId), { clause: 'reservations.filter', ...finding });
  });
}
