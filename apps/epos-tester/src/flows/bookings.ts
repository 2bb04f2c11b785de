import { checkParty, checkReservation, createParty, createReservation } from '../steps/bookings.js';
import { getData, getDataRefused } from '../scene/data-asking.js';
import type { Flow } from '../scene/flow.js';
import { listParameters } from '../scene/run-params.js';
import type { TesterStage } from '../scene/scene.js';
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
  const made = (stage: TesterStage) =>
    kept ?? stage.step.fail({ clause: 'party.same', member: 'id', expected: 'a party', found: undefined });
  return [
    registerCapability(...PARTIES),
    {
      name: 'create',
      act: async (stage) => {
        kept = await createParty(stage);
      },
    },
    {
      name: 'get',
      act: async (stage) => {
        const { asked, party } = made(stage);
        checkParty(stage, await getData(stage, 'GetPartyById', { params: { partyId: party.id } }), asked);
      },
    },
    {
      name: 'update',
      act: async (stage) => {
        const changed = await updateParty(stage, made(stage));
        const params = { partyId: made(stage).party.id };
        checkParty(stage, await getData(stage, 'GetPartyById', { params }), changed);
      },
    },
    {
      name: 'search',
      act: async (stage) => {
        const { asked, party } = made(stage);
        const [tableId = ''] = asked.tableIds;
        const { data } = await getData(stage, 'SearchParties', { params: { tableId, ...FIRST_PAGE } });
        const found = data.map(({ id }) => id);
        stage.step.check(found.includes(party.id), {
          ...{ clause: 'parties.filter', member: 'data', expected: party.id, found: found.join() },
        });
      },
    },
    {
      name: 'delete',
      act: async (stage) => {
        const { id: partyId } = made(stage).party;
        const remove = () => getData(stage, 'DeletePartyById', { params: { partyId }, clause: 'party.gone' });
        await removeRegistration(stage, `party ${partyId}`, remove);
      },
    },
    {
      name: 'get deleted',
      act: async (stage) => {
        const params = { partyId: made(stage).party.id };
        await getDataRefused(stage, 'GetPartyById', { params, errorType: 'NotFound', clause: 'party.gone' });
      },
    },
  ];
}

function reservationSteps(): BookingSteps {
  let kept: Awaited<ReturnType<typeof createReservation>> | null = null;
  const made = (stage: TesterStage) =>
    kept ?? stage.step.fail({ clause: 'reservation.same', member: 'id', expected: 'a reservation', found: undefined });
  const read = (stage: TesterStage) => {
    const params = { reservationId: made(stage).reservation.id };
    return getData(stage, 'GetReservationById', { params });
  };
  return [
    registerCapability(...RESERVATIONS),
    {
      name: 'create',
      act: async (stage) => {
        kept = await createReservation(stage);
      },
    },
    {
      name: 'get',
      act: async (stage) => {
        checkReservation(stage, await read(stage), made(stage).asked);
      },
    },
    {
      name: 'update',
      act: async (stage) => {
        const changed = await updateReservation(stage, made(stage));
        checkReservation(stage, await read(stage), changed);
      },
    },
    {
      name: 'search',
      act: async (stage) => {
        const { asked, reservation } = made(stage);
        const span = { fromTime: asked.startTime, toTime: asked.endTime };
        const { data } = await getData(stage, 'SearchReservations', { params: { ...span, ...FIRST_PAGE } });
        const found = data.map(({ id }) => id);
        stage.step.check(found.includes(reservation.id), {
          ...{ clause: 'reservations.filter', member: 'data', expected: reservation.id, found: found.join() },
        });
      },
    },
    {
      name: 'delete',
      act: async (stage) => {
        const { id: reservationId } = made(stage).reservation;
        const question = { params: { reservationId }, clause: 'reservation.gone' } as const;
        await removeRegistration(stage, `reservation ${reservationId}`, () =>
          getData(stage, 'DeleteReservationById', question),
        );
      },
    },
    {
      name: 'get deleted',
      act: async (stage) => {
        const params = { reservationId: made(stage).reservation.id };
        const refused = { errorType: 'NotFound', clause: 'reservation.gone' } as const;
        await getDataRefused(stage, 'GetReservationById', { params, ...refused });
      },
    },
  ];
}
