import { DAY_MS } from '@pos/core/time/timespan';
import { createId } from '@pos/core/identity/ids';
import type { EposReservation } from '@pos/rest-contracts/epos-data/epos-data-bookings';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import { randomBytes } from 'node:crypto';
import { listCapabilities, getData } from '../scene/data-asking.js';
import type { Flow } from '../scene/flow.js';
import { checkParty, checkReservation, createParty, createReservation } from '../steps/bookings.js';
import type { TesterStage } from '../scene/scene.js';
import { createCapabilityFlow, FIRST_PAGE, findFirst, removeRegistration } from './capabilities.js';

/** The events that an EPOS may register for. */
type EposEventCase = 'payment_intent.created' | 'payment_intent.status_updated';

/** One flow for each capability about parties, reservations and events. */
export const BOOKING_CAPABILITY_FLOWS: readonly Flow[] = [
  createCapabilityFlow({
    ...{ capability: 'CreateParty', name: 'CreateParty', needs: [], params: ['tableId'] },
    call: async (stage) => {
      await createParty(stage);
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'GetPartyById', name: 'GetPartyById', needs: [], params: ['partyId', 'tableId'] },
    call: async (stage) => {
      await getData(stage, 'GetPartyById', { params: { partyId: await createReadableParty(stage) } });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'UpdateParty', name: 'UpdateParty', needs: ['CreateParty'], params: ['tableId'] },
    call: async (stage) => {
      await updateParty(stage, await createParty(stage));
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'DeletePartyById', name: 'DeletePartyById', needs: ['CreateParty'], params: ['tableId'] },
    call: async (stage) => {
      const { id: partyId } = (await createParty(stage)).party;
      await removeRegistration(stage, `party ${partyId}`, () =>
        getData(stage, 'DeletePartyById', { params: { partyId }, clause: 'party.gone' }),
      );
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'SearchParties', name: 'SearchParties', needs: [], params: ['tableId'] },
    call: async (stage) => {
      await getData(stage, 'SearchParties', { params: { ...seatPartyAtTable(stage), ...FIRST_PAGE } });
    },
    check: ({ scene, step }, { data }) => {
      const { tableId } = scene.params;
      data.forEach(({ tableIds, endTime }, index) => {
        const clause = 'parties.filter';
        if (tableId !== null) {
          const finding = { member: `data[${index}].tableIds`, expected: tableId, found: tableIds.join() };
          step.check(tableIds.includes(tableId), { clause, ...finding });
        }
        const expected = 'nothing: parties that have left were not asked for';
        step.check(endTime === undefined, { clause, member: `data[${index}].endTime`, expected, found: endTime });
      });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'CreateReservation', name: 'CreateReservation', needs: [] },
    params: ['tableId', 'fromTime', 'toTime'],
    call: async (stage) => {
      await createReservation(stage);
    },
  }),
  createCapabilityFlow({
    ...{
      capability: 'GetReservationById',
      name: 'GetReservationById',
      needs: [],
      params: ['reservationId', 'tableId'],
    },
    call: async (stage) => {
      const reservationId = await createReadableReservation(stage);
      await getData(stage, 'GetReservationById', { params: { reservationId } });
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'UpdateReservation', name: 'UpdateReservation', needs: ['CreateReservation'] },
    params: ['tableId', 'fromTime', 'toTime'],
    call: async (stage) => {
      await updateReservation(stage, await createReservation(stage));
    },
  }),
  createCapabilityFlow({
    ...{ capability: 'DeleteReservationById', name: 'DeleteReservationById', needs: ['CreateReservation'] },
    params: ['tableId'],
    call: async (stage) => {
      const { id: reservationId } = (await createReservation(stage)).reservation;
      const remove = () =>
        getData(stage, 'DeleteReservationById', { params: { reservationId }, clause: 'reservation.gone' });
      await removeRegistration(stage, `reservation ${reservationId}`, remove);
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
  stage: TesterStage,
  { asked, party }: Awaited<ReturnType<typeof createParty>>,
): Promise<typeof asked> {
  const changed = { ...asked, status: 'Ordering', covers: (asked.covers ?? 0) + 1 };
  const updated = await getData(stage, 'UpdateParty', { params: { ...changed, partyId: party.id } });
  checkParty(stage, updated, changed);
  return changed;
}

/** Changes a reservation and checks that the answer contains the change. */
export async function updateReservation(
  stage: TesterStage,
  { asked, reservation }: Awaited<ReturnType<typeof createReservation>>,
): Promise<typeof asked> {
  const { serviceReservationId = '' } = asked;
  const changed = { ...asked, serviceReservationId, covers: asked.covers + 1 };
  const updated = await getData(stage, 'UpdateReservation', { params: { ...changed, reservationId: reservation.id } });
  checkReservation(stage, updated, changed);
  return changed;
}

function handleEvent(event: EposEventCase, paymentStatus: 'Created' | 'Captured'): Flow {
  return createCapabilityFlow({
    ...{ capability: `HandleEvent:${event}`, name: 'HandleEvent', needs: [], params: [] },
    call: async (stage) => {
      const paymentIntentId = createId('paymentIntent', stage.scene.parts.scope.environment, randomBytes(16));
      await publishEvent(stage, event, { paymentIntentId, paymentStatus, captureMode: 'Auto' });
    },
  });
}

/** Sends the EPOS an event about a changed payment. */
export async function publishEvent(
  stage: TesterStage,
  event: EposEventCase,
  data: {
    readonly paymentIntentId: string;
    readonly paymentStatus: 'Created' | 'Captured';
    readonly captureMode: 'Auto' | 'Manual';
  },
): Promise<void> {
  const { scope, cards } = stage.scene.parts;
  const id = createId('event', scope.environment, randomBytes(16));
  const createdAt = presentMoment(await cards.now(scope));
  const params = { id, event, accountId: scope.accountId, createdAt, data };
  await getData(stage, 'HandleEvent', { params, clause: 'event.accepted' });
}

function seatPartyAtTable({ scene }: TesterStage) {
  const { tableId } = scene.params;
  return tableId === null ? {} : { tableId };
}

async function createReadableParty(stage: TesterStage): Promise<string> {
  const { partyId } = stage.scene.params;
  if (partyId !== null) return partyId;
  const registered = await listCapabilities(stage);
  const found =
    registered.has('CreateParty') || !registered.has('SearchParties') ? null : await findFirst(stage, 'SearchParties');
  return found ?? (await createParty(stage)).party.id;
}

async function createReadableReservation(stage: TesterStage): Promise<string> {
  const { reservationId } = stage.scene.params;
  if (reservationId !== null) return reservationId;
  const registered = await listCapabilities(stage);
  const isSearched = !registered.has('CreateReservation') && registered.has('SearchReservations');
  const found = isSearched ? await findFirst(stage, 'SearchReservations') : null;
  return found ?? (await createReservation(stage)).reservation.id;
}

/** The date of the parameters, or today. */
async function getSpan({ scene }: TesterStage): Promise<{ readonly fromTime: string; readonly toTime: string }> {
  const { scope, cards } = scene.parts;
  const { fromTime, toTime } = scene.params;
  const today = Math.floor((await cards.now(scope)).getTime() / DAY_MS) * DAY_MS;
  const from = fromTime ?? new Date(today);
  return { fromTime: presentMoment(from), toTime: presentMoment(toTime ?? new Date(from.getTime() + DAY_MS)) };
}

/** Searches the day, then for one table of the result, to check that the filter is applied. */
async function searchReservations(stage: TesterStage): Promise<void> {
  const { tableId } = stage.scene.params;
  const span = await getSpan(stage);
  const found = await getData(stage, 'SearchReservations', {
    params: { ...seatPartyAtTable(stage), ...span, ...FIRST_PAGE },
  });
  if (tableId !== null) {
    checkReservedAt(stage, found.data, tableId);
    return;
  }
  const [first] = found.data.flatMap(({ tableIds }) => tableIds);
  if (first !== undefined) return searchReservationsAt(stage, first, span);
  if (!(await listCapabilities(stage)).has('CreateReservation')) return;
  const { tableIds, startTime: fromTime, endTime: toTime } = (await createReservation(stage)).asked;
  const [made] = tableIds;
  if (made !== undefined) await searchReservationsAt(stage, made, { fromTime, toTime });
}

async function searchReservationsAt(
  stage: TesterStage,
  tableId: string,
  span: { readonly fromTime: string; readonly toTime: string | undefined },
): Promise<void> {
  const { data } = await getData(stage, 'SearchReservations', { params: { tableId, ...span, ...FIRST_PAGE } });
  checkReservedAt(stage, data, tableId);
}

function checkReservedAt({ step }: TesterStage, found: readonly EposReservation[], tableId: string): void {
  found.forEach(({ tableIds }, index) => {
    const finding = { member: `data[${index}].tableIds`, expected: tableId, found: tableIds.join() };
    step.check(tableIds.includes(tableId), { clause: 'reservations.filter', ...finding });
  });
}
