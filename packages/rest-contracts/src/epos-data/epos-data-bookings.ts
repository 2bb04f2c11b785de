import { z } from 'zod';
import { EposCursor, EposId, EposMoment, EposMoney, getEposPage } from './epos-data-shapes.js';

const tableIds = z.array(EposId).min(1);

const Deposit = z
  .object({ totalAmount: EposMoney, paymentIntentIds: z.array(EposId), description: z.string().optional() })
  .meta({ id: 'EposDeposit', description: 'The payments of a deposit are never changed by the EPOS.' });

const PARTY_MEMBERS = {
  tableIds,
  startTime: EposMoment,
  expectedEndTime: EposMoment.optional(),
  name: z.string().optional(),
  covers: z.int().min(0).optional(),
  hostNotes: z.string().optional().meta({ description: 'Never shown to guests.' }),
  guestRequests: z.string().optional().meta({ description: "The guest's words; the EPOS does not edit them." }),
  deposit: Deposit.optional(),
};

/** A group at one or more tables; a table has one party at a time. */
export const EposParty = z
  .object({
    ...PARTY_MEMBERS,
    id: EposId,
    status: z.string().min(1),
    endTime: EposMoment.optional().meta({ description: 'Set once the party has left.' }),
    reservationId: z.string().optional(),
  })
  .meta({
    id: 'EposParty',
    examples: [{ id: 'p-1', status: 'Seated', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z', covers: 4 }],
  });
export type EposParty = z.output<typeof EposParty>;

export const NewParty = z
  .object({
    ...PARTY_MEMBERS,
    servicePartyId: EposId,
    serviceReservationId: z.string().optional(),
    status: z.string().min(1).optional(),
    reservationId: z.string().optional().meta({ description: 'A reservation of the EPOS.' }),
  })
  .meta({
    id: 'EposNewParty',
    examples: [{ servicePartyId: 'sp-1', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z' }],
  });
export type NewParty = z.output<typeof NewParty>;

export const PartyUpdate = z
  .object({ ...PARTY_MEMBERS, servicePartyId: EposId, status: z.string().min(1), endTime: EposMoment.optional() })
  .meta({
    id: 'EposPartyUpdate',
    examples: [{ servicePartyId: 'sp-1', status: 'Left', tableIds: ['t-7'], startTime: '2026-03-01T19:00:00.000Z' }],
  });
export type PartyUpdate = z.output<typeof PartyUpdate>;

export const PartySearch = z
  .object({
    tableId: z.string().optional(),
    completedOnly: z
      .boolean()
      .optional()
      .meta({ description: 'True: only parties that have left; else none of them.' }),
    cursor: EposCursor.optional(),
  })
  .meta({ id: 'EposPartySearch', examples: [{ tableId: 't-7' }] });
export type PartySearch = z.output<typeof PartySearch>;
export const EposPartyPage = getEposPage('EposPartyPage', EposParty);

const RESERVATION_MEMBERS = {
  name: z.string(),
  covers: z.int().min(0),
  startTime: EposMoment,
  endTime: EposMoment,
  tableIds,
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
  .object({ ...RESERVATION_MEMBERS, id: EposId })
  .meta({ id: 'EposReservation', examples: [{ id: 'r-1', ...RESERVATION }] });
export type EposReservation = z.output<typeof EposReservation>;

/** The service always sends its own id; an EPOS need not require it to create the reservation. */
export const NewReservation = z
  .object({ ...RESERVATION_MEMBERS, serviceReservationId: z.string().optional() })
  .meta({ id: 'EposNewReservation', examples: [{ ...RESERVATION, serviceReservationId: 'sr-1' }] });
export type NewReservation = z.output<typeof NewReservation>;

export const ReservationUpdate = z
  .object({ ...RESERVATION_MEMBERS, serviceReservationId: EposId })
  .meta({ id: 'EposReservationUpdate', examples: [{ ...RESERVATION, serviceReservationId: 'sr-1' }] });
export type ReservationUpdate = z.output<typeof ReservationUpdate>;

export const ReservationSearch = z
  .object({
    tableId: z.string().optional(),
    fromTime: EposMoment.optional(),
    toTime: EposMoment.optional(),
    cursor: EposCursor.optional(),
  })
  .meta({ id: 'EposReservationSearch', examples: [{ fromTime: '2026-03-01T00:00:00.000Z' }] });
export type ReservationSearch = z.output<typeof ReservationSearch>;
export const EposReservationPage = getEposPage('EposReservationPage', EposReservation);
