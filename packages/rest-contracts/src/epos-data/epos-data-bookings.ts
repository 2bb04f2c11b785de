import { z } from 'zod';
import { EposCursor, EposId, EposMoment, EposMoney, getEposPage } from './epos-data-shapes.js';

const tableIds = z.array(EposId).min(1);

const Deposit = z
  .object({
    totalAmount: EposMoney.describe('The sum of the deposit.'),
    paymentIntentIds: z.array(EposId).describe('Ids of the payment intents (`pi_…`) that the deposit was paid by.'),
    description: z.string().optional().describe('Text about the deposit, for staff.'),
  })
  .meta({ id: 'EposDeposit', description: 'The payments of a deposit are never changed by the EPOS.' });

const PARTY_MEMBERS = {
  tableIds: tableIds.describe('Ids of the tables of the party, at least one.'),
  startTime: EposMoment.describe('When the party arrives or has arrived.'),
  expectedEndTime: EposMoment.optional().describe('When the party is expected to leave.'),
  name: z.string().optional().describe('Name under which the party is known.'),
  covers: z.int().min(0).optional().describe('How many people the party has.'),
  hostNotes: z.string().optional().meta({ description: 'Never shown to guests.' }),
  guestRequests: z.string().optional().meta({ description: "The guest's words; the EPOS does not edit them." }),
  deposit: Deposit.optional().describe('What was paid for the booking in advance.'),
};

/** A group at one or more tables; a table has one party at a time. */
export const EposParty = z
  .object({
    ...PARTY_MEMBERS,
    id: EposId.describe('Id of the party at the EPOS, unique among current parties.'),
    status: z.string().min(1).describe('Status of the party, in words of the EPOS.'),
    endTime: EposMoment.optional().meta({ description: 'Set once the party has left.' }),
    reservationId: z.string().optional().describe('Id of the reservation at the EPOS, if there was one.'),
  })
  .meta({
    id: 'EposParty',
    examples: [{ id: 'p-1', status: 'Seated', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z', covers: 4 }],
  });
export type EposParty = z.output<typeof EposParty>;

export const EposNewParty = z
  .object({
    ...PARTY_MEMBERS,
    servicePartyId: EposId.describe('Id of the party in the service, for reference.'),
    serviceReservationId: z.string().optional().describe('Id of the reservation in the service, if there was one.'),
    status: z.string().min(1).optional().describe('Status of the party, in words of the EPOS.'),
    reservationId: z.string().optional().meta({ description: 'A reservation of the EPOS.' }),
  })
  .meta({
    id: 'EposNewParty',
    examples: [{ servicePartyId: 'sp-1', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z' }],
  });
export type EposNewParty = z.output<typeof EposNewParty>;

export const PartyUpdate = z
  .object({
    ...PARTY_MEMBERS,
    servicePartyId: EposId.describe('Id of the party in the service, for reference.'),
    status: z.string().min(1).describe('Status of the party, in words of the EPOS.'),
    endTime: EposMoment.optional().describe('When the party left.'),
  })
  .meta({
    id: 'EposPartyUpdate',
    examples: [{ servicePartyId: 'sp-1', status: 'Left', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z' }],
  });
export type PartyUpdate = z.output<typeof PartyUpdate>;

export const PartySearch = z
  .object({
    tableId: z.string().optional().describe('Only parties at this table.'),
    completedOnly: z
      .boolean()
      .optional()
      .meta({ description: 'True: only parties that have left; else none of them.' }),
    cursor: EposCursor.optional().describe('Which page.'),
  })
  .meta({ id: 'EposPartySearch', examples: [{ tableId: 't-7' }] });
export type PartySearch = z.output<typeof PartySearch>;
export const EposPartyPage = getEposPage('EposPartyPage', EposParty);

const RESERVATION_MEMBERS = {
  name: z.string().describe('Name under which the table is reserved.'),
  covers: z.int().min(0).describe('How many people are expected.'),
  startTime: EposMoment.describe('When the reservation begins.'),
  endTime: EposMoment.describe('When the table is free again.'),
  tableIds: tableIds.describe('Ids of the reserved tables, at least one.'),
  hostNotes: z.string().optional().meta({ description: 'Never shown to guests.' }),
  guestRequests: z.string().optional().meta({ description: "The guest's words; the EPOS does not edit them." }),
};
const RESERVATION = {
  name: 'Ada',
  covers: 4,
  startTime: '2026-03-01T19:00:00.000Z',
  endTime: '2026-03-01T21:00:00.000Z',
  tableIds: ['t-7'],
};

export const EposReservation = z
  .object({ ...RESERVATION_MEMBERS, id: EposId.describe('Id of the reservation, unique within the EPOS.') })
  .meta({ id: 'EposReservation', examples: [{ id: 'r-1', ...RESERVATION }] });
export type EposReservation = z.output<typeof EposReservation>;

/** The service always sends its own id; an EPOS need not require it to create the reservation. */
export const EposNewReservation = z
  .object({
    ...RESERVATION_MEMBERS,
    serviceReservationId: z
      .string()
      .optional()
      .describe('Id of the reservation in the service. The service always sends it.'),
  })
  .meta({ id: 'EposNewReservation', examples: [{ ...RESERVATION, serviceReservationId: 'sr-1' }] });
export type EposNewReservation = z.output<typeof EposNewReservation>;

export const ReservationUpdate = z
  .object({ ...RESERVATION_MEMBERS, serviceReservationId: EposId.describe('Id of the reservation in the service.') })
  .meta({ id: 'EposReservationUpdate', examples: [{ ...RESERVATION, serviceReservationId: 'sr-1' }] });
export type ReservationUpdate = z.output<typeof ReservationUpdate>;

export const ReservationSearch = z
  .object({
    tableId: z.string().optional().describe('Only reservations of this table.'),
    fromTime: EposMoment.optional().describe('Only reservations that end after this time.'),
    toTime: EposMoment.optional().describe('Only reservations that begin before this time.'),
    cursor: EposCursor.optional().describe('Which page.'),
  })
  .meta({ id: 'EposReservationSearch', examples: [{ fromTime: '2026-03-01T00:00:00.000Z' }] });
export type ReservationSearch = z.output<typeof ReservationSearch>;
export const EposReservationPage = getEposPage('EposReservationPage', EposReservation);
