import { createPartyParams, createReservationParams, type DataRow, addMinutes } from './data-call-cases.js';
import type { TestDataApi } from './builders.js';

const createTestParty = ({ ask }: TestDataApi) => ask('CreateParty', createPartyParams());
const createTestReservation = ({ ask }: TestDataApi) => ask('CreateReservation', createReservationParams());
/** Parties and reservations. */
export const BOOKING_ROWS: readonly DataRow[] = [
  ['a party is seated', null, 'CreateParty', () => createPartyParams(), 'ok'],
  [
    'a table has one party at a time',
    createTestParty,
    'CreateParty',
    () => createPartyParams({ servicePartyId: 'sp-2' }),
    'Conflict',
  ],
  [
    'a party needs an existing table',
    null,
    'CreateParty',
    () => createPartyParams({ tableIds: ['77'] }),
    'InvalidRequest',
  ],
  ['a party needs a table', null, 'CreateParty', () => createPartyParams({ tableIds: [] }), 'InvalidRequest'],
  [
    'a party needs a status that is not empty',
    null,
    'CreateParty',
    () => createPartyParams({ status: '' }),
    'InvalidRequest',
  ],
  [
    'a party needs an existing reservation if it names one',
    null,
    'CreateParty',
    () => createPartyParams({ reservationId: 'none' }),
    'InvalidRequest',
  ],
  [
    'a walk-in party sits there already',
    null,
    'CreateParty',
    ({ open }) => createPartyParams({ tableIds: [`t-${open.tableName ?? ''}`] }),
    'Conflict',
  ],
  ['a party is read', createTestParty, 'GetPartyById', () => ({ partyId: 'party-1' }), 'ok'],
  ['an unknown party is not read', null, 'GetPartyById', () => ({ partyId: 'party-1' }), 'NotFound'],
  [
    'a party moves to a free table',
    createTestParty,
    'UpdateParty',
    () => createPartyParams({ partyId: 'party-1', status: 'Moved', tableIds: ['t-U2'] }),
    'ok',
  ],
  [
    'a party needs a status when it changes',
    createTestParty,
    'UpdateParty',
    () => createPartyParams({ partyId: 'party-1' }),
    'InvalidRequest',
  ],
  [
    'a party does not move to the table of another',
    createTestParty,
    'UpdateParty',
    ({ open }) => createPartyParams({ partyId: 'party-1', status: 'Moved', tableIds: [`t-${open.tableName ?? ''}`] }),
    'Conflict',
  ],
  ['a party is deleted', createTestParty, 'DeletePartyById', () => ({ partyId: 'party-1' }), 'ok'],
  ['an unknown party is not deleted', null, 'DeletePartyById', () => ({ partyId: 'party-1' }), 'NotFound'],
  ['a table is reserved', null, 'CreateReservation', () => createReservationParams(), 'ok'],
  [
    'a reservation ends after its start',
    null,
    'CreateReservation',
    () => createReservationParams({ endTime: addMinutes(60) }),
    'InvalidRequest',
  ],
  [
    'a reservation needs an existing table',
    null,
    'CreateReservation',
    () => createReservationParams({ tableIds: ['77'] }),
    'InvalidRequest',
  ],
  [
    'a reservation is changed',
    createTestReservation,
    'UpdateReservation',
    () => createReservationParams({ reservationId: 'reservation-1', covers: 6 }),
    'ok',
  ],
  [
    'an unknown reservation is not changed',
    null,
    'UpdateReservation',
    () => createReservationParams({ reservationId: 'reservation-1' }),
    'NotFound',
  ],
  [
    'a reservation is deleted',
    createTestReservation,
    'DeleteReservationById',
    () => ({ reservationId: 'reservation-1' }),
    'ok',
  ],
  [
    'an unknown reservation is not deleted',
    null,
    'DeleteReservationById',
    () => ({ reservationId: 'reservation-1' }),
    'NotFound',
  ],
];
