import { IDS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const DETAIL = 'The request cannot be accepted as it is; see `errors`.';
const NO_LIMIT = {
  summary: 'A page has at least one element',
  reason: 'validation_failed',
  detail: DETAIL,
  errors: { limit: ['Must be at least 1.'] },
} as const;
const NO_RESERVATION = {
  summary: 'The EPOS has no reservation with the id',
  reason: 'reservation_not_found',
  detail: 'the EPOS has no such reservation',
} as const;
const NO_PARTY = {
  summary: 'The EPOS has no party with the id',
  reason: 'party_not_found',
  detail: 'the EPOS has no such party',
} as const;

const RESERVATION = {
  name: 'Ada',
  covers: 4,
  startTime: '2026-03-01T19:00:00.000Z',
  endTime: '2026-03-01T21:00:00.000Z',
  tableIds: [IDS.table],
};
const LARGER = { ...RESERVATION, covers: 5, guestRequests: 'a high chair' };
const STORED = { id: IDS.reservation, ...LARGER };
const PARTY = { status: 'Seated', tableIds: [IDS.table], startTime: '2026-03-01T19:05:00.000Z', covers: 5 };
const SEATED = { id: IDS.party, ...PARTY, reservationId: IDS.reservation };
const LEFT = { ...PARTY, status: 'Left', endTime: '2026-03-01T20:45:00.000Z' };
const getSinglePage = (element: object) => ({ data: [element], before: null, after: null });

/** A table is reserved, the party comes, eats and leaves. */
export const BOOKING_EXAMPLES: readonly OperationExample[] = [
  accept('listAreas', 'The areas of the restaurant', {
    answer: [{ id: 'main-room', name: 'Main room', waiterIds: ['1', '2'] }],
  }),
  accept('listTables', 'The tables of an area', {
    query: { areaId: 'upstairs' },
    answer: getSinglePage({
      ...{ id: IDS.table, name: 'U3', maxCovers: 6, areaId: 'upstairs', waiterIds: ['4'] },
    }),
  }),
  refuse('listTables', { query: { limit: '0' } }, NO_LIMIT),
  accept('createReservation', 'A table for four', {
    body: RESERVATION,
    answer: { id: IDS.reservation, ...RESERVATION },
  }),
  refuse(
    'createReservation',
    { body: { ...RESERVATION, endTime: RESERVATION.startTime } },
    {
      summary: 'A reservation without a duration',
      reason: 'validation_failed',
      detail: DETAIL,
      errors: { endTime: ['Must be after startTime.'] },
    },
  ),
  accept('updateReservation', 'A child comes too', {
    params: { reservationId: IDS.reservation },
    body: LARGER,
    answer: STORED,
  }),
  refuse('updateReservation', { params: { reservationId: 'unknown' }, body: LARGER }, NO_RESERVATION),
  accept('getReservation', 'The reservation as the EPOS stored it', {
    params: { reservationId: IDS.reservation },
    answer: STORED,
  }),
  refuse('getReservation', { params: { reservationId: 'unknown' } }, NO_RESERVATION),
  accept('listReservations', 'The reservations of a day', {
    query: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' },
    answer: getSinglePage(STORED),
  }),
  refuse('listReservations', { query: { limit: '0' } }, NO_LIMIT),
  accept('createParty', 'The party has come for its reservation', {
    body: { ...PARTY, reservationId: IDS.reservation },
    answer: SEATED,
  }),
  refuse(
    'createParty',
    { body: { ...PARTY, tableIds: [] } },
    {
      summary: 'A party without a table',
      reason: 'validation_failed',
      detail: DETAIL,
      errors: { tableIds: ['Must have at least 1 element.'] },
    },
  ),
  accept('getParty', 'The party as the EPOS stored it', { params: { partyId: IDS.party }, answer: SEATED }),
  refuse('getParty', { params: { partyId: 'unknown' } }, NO_PARTY),
  accept('listParties', 'The party at a table', { query: { tableId: IDS.table }, answer: getSinglePage(SEATED) }),
  refuse('listParties', { query: { limit: '0' } }, NO_LIMIT),
  accept('updateParty', 'The party has left', {
    params: { partyId: IDS.party },
    body: LEFT,
    answer: { id: IDS.party, ...LEFT, reservationId: IDS.reservation },
  }),
  refuse('updateParty', { params: { partyId: 'unknown' }, body: LEFT }, NO_PARTY),
  accept('deleteParty', 'A party that was seated by mistake', { params: { partyId: IDS.party } }),
  refuse('deleteParty', { params: { partyId: 'unknown' } }, NO_PARTY),
  accept('deleteReservation', 'The reservation is cancelled', { params: { reservationId: IDS.reservation } }),
  refuse('deleteReservation', { params: { reservationId: 'unknown' } }, NO_RESERVATION),
];
