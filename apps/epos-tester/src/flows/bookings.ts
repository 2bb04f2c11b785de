import { checkParty, checkReservation, createParty, createReservation } from '../steps/bookings.js';
import { getData, getDataRefused } from '../flow-context/data-calls.js';
import type { Flow } from '../flow-context/flow.js';
import { listParameters } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { updateParty, updateReservation } from './booking-capabilities.js';
import { FIRST_PAGE, registerCapability, removeRegistration } from './capabilities.js';

/** The whole life cycle of a party, and of a reservation. */
const PARTIES = [
  ...(['CreateParty', 'GetPartyById', 'UpdateParty', 'SearchParties'] as const),
  ...(['DeletePartyById', 'SearchTables'] as const),
];
const RESERVATIONS = [
  ...(['CreateReservation', 'GetReservationById', 'UpdateReservation', 'SearchReservations'] as const),
  ...(['DeleteReservationById', 'SearchTables'] as const),
];

/** A party is seated and leaves; a table is reserved and the reservation cancelled. */
export const BOOKING_FLOWS: readonly Flow[] = [
  { name: 'party-lifecycle', params: listParameters('tableId'), needs: PARTIES, steps: partySteps },
  {
    name: 'reservation-lifecycle',
    params: listParameters('tableId', 'fromTime', 'toTime'),
    needs: RESERVATIONS,
    steps: reservationSteps,
  },
];

type BookingSteps = ReturnType<Flow['steps']>;

function partySteps(): BookingSteps {
  let kept: Awaited<ReturnType<typeof createParty>> | null = null;
  const getCreated = (context: StepContext) =>
    kept ?? context.step.fail({ clause: 'party.same', member: 'id', expected: 'a party', found: undefined });
  return [
    registerCapability(...PARTIES),
    {
      name: 'create',
      act: async (context) => {
        kept = await createParty(context);
      },
    },
    {
      name: 'get',
      act: async (context) => {
        const { request, party } = getCreated(context);
        checkParty(context, await getData(context, 'GetPartyById', { params: { partyId: party.id } }), request);
      },
    },
    {
      name: 'update',
      act: async (context) => {
        const changed = await updateParty(context, getCreated(context));
        const params = { partyId: getCreated(context).party.id };
        checkParty(context, await getData(context, 'GetPartyById', { params }), changed);
      },
    },
    {
      name: 'search',
      act: async (context) => {
        const { request, party } = getCreated(context);
        const [tableId = ''] = request.tableIds;
        const { data } = await getData(context, 'SearchParties', { params: { tableId, ...FIRST_PAGE } });
        const found = data.map(({ id }) => id);
        context.step.check(found.includes(party.id), {
          ...{ clause: 'parties.filter', member: 'data', expected: party.id, found: found.join() },
        });
      },
    },
    {
      name: 'delete',
      act: async (context) => {
        const { id: partyId } = getCreated(context).party;
        const remove = () => getData(context, 'DeletePartyById', { params: { partyId }, clause: 'party.gone' });
        await removeRegistration(context, `party ${partyId}`, remove);
      },
    },
    {
      name: 'get deleted',
      act: async (context) => {
        const params = { partyId: getCreated(context).party.id };
        await getDataRefused(context, 'GetPartyById', { params, errorType: 'NotFound', clause: 'party.gone' });
      },
    },
  ];
}

function reservationSteps(): BookingSteps {
  let kept: Awaited<ReturnType<typeof createReservation>> | null = null;
  const getCreated = (context: StepContext) =>
    kept ??
    context.step.fail({ clause: 'reservation.same', member: 'id', expected: 'a reservation', found: undefined });
  const read = (context: StepContext) => {
    const params = { reservationId: getCreated(context).reservation.id };
    return getData(context, 'GetReservationById', { params });
  };
  return [
    registerCapability(...RESERVATIONS),
    {
      name: 'create',
      act: async (context) => {
        kept = await createReservation(context);
      },
    },
    {
      name: 'get',
      act: async (context) => {
        checkReservation(context, await read(context), getCreated(context).request);
      },
    },
    {
      name: 'update',
      act: async (context) => {
        const changed = await updateReservation(context, getCreated(context));
        checkReservation(context, await read(context), changed);
      },
    },
    {
      name: 'search',
      act: async (context) => {
        const { request, reservation } = getCreated(context);
        const span = { fromTime: request.startTime, toTime: request.endTime };
        const { data } = await getData(context, 'SearchReservations', { params: { ...span, ...FIRST_PAGE } });
        const found = data.map(({ id }) => id);
        context.step.check(found.includes(reservation.id), {
          ...{ clause: 'reservations.filter', member: 'data', expected: reservation.id, found: found.join() },
        });
      },
    },
    {
      name: 'delete',
      act: async (context) => {
        const { id: reservationId } = getCreated(context).reservation;
        const question = { params: { reservationId }, clause: 'reservation.gone' } as const;
        await removeRegistration(context, `reservation ${reservationId}`, () =>
          getData(context, 'DeleteReservationById', question),
        );
      },
    },
    {
      name: 'get deleted',
      act: async (context) => {
        const params = { reservationId: getCreated(context).reservation.id };
        const refused = { errorType: 'NotFound', clause: 'reservation.gone' } as const;
        await getDataRefused(context, 'GetReservationById', { params, ...refused });
      },
    },
  ];
}
