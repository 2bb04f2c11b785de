import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment, MomentInput } from '../shapes/shapes.js';
import {
  BOOKING_CHANGE_REFUSALS,
  BOOKINGS_TAG,
  CoversInput,
  EPOS_CALL_REFUSALS,
  EPOS_PAGE_MEMBERS,
  EposIdInput,
  getBookingPage,
  isOneDirection,
  NameInput,
  NotesInput,
  ONE_DIRECTION,
  TableIdsInput,
} from './booking-shapes.js';

const EXAMPLE = {
  name: 'Ada',
  covers: 4,
  startTime: '2026-03-01T19:00:00.000Z',
  endTime: '2026-03-01T21:00:00.000Z',
  tableIds: ['t-7'],
} as const;

const Reservation = z
  .object({
    id: z.string().describe('Id of the reservation, unique within the EPOS of the account.'),
    name: z.string().describe('Name under which the table is reserved.'),
    covers: z.int().min(0).describe('How many people are expected.'),
    startTime: Moment.describe('When the reservation begins.'),
    endTime: Moment.describe('When the table is free again.'),
    tableIds: z.array(z.string()).describe('Ids of the reserved tables.'),
    hostNotes: z.string().optional().describe('Notes of the staff. Do not show them to guests.'),
    guestRequests: z.string().optional().describe("The guest's words."),
  })
  .meta({ id: 'Reservation', examples: [{ id: 'r-1', ...EXAMPLE, tableIds: ['t-7'] }] });
export type Reservation = z.output<typeof Reservation>;

const NewReservation = z
  .object({
    name: NameInput.describe('Name under which the table is reserved.'),
    covers: CoversInput.describe('How many people are expected.'),
    startTime: MomentInput.describe('When the reservation begins.'),
    endTime: MomentInput.describe('When the table is free again; after `startTime`.'),
    tableIds: TableIdsInput.describe('Ids of the reserved tables, at least one.'),
    hostNotes: NotesInput.optional().describe('Notes of the staff, which guests never see.'),
    guestRequests: NotesInput.optional().describe("The guest's words; the EPOS does not edit them."),
  })
  .refine(({ startTime, endTime }) => startTime < endTime, { error: 'Must be after startTime.', path: ['endTime'] })
  .meta({ id: 'NewReservation', examples: [{ ...EXAMPLE, tableIds: ['t-7'] }] });
export type NewReservation = z.output<typeof NewReservation>;

const shared = { tag: BOOKINGS_TAG, version: 'optional' } as const;
const params = z.object({ reservationId: z.string().describe('Id of the reservation at the EPOS.') });

export const listReservations = {
  ...shared,
  id: 'listReservations',
  method: 'GET',
  path: '/epos/reservations',
  summary: 'List reservations',
  description:
    'Searches at the EPOS of the account, which stores all reservations. A reservation is in the answer if its time at ' +
    'the table overlaps the requested span. The EPOS must have registered SearchReservations.',
  permission: 'bookings.read',
  idempotency: 'none',
  query: z
    .object({
      tableId: EposIdInput.optional().describe('Only reservations of this table.'),
      from: MomentInput.optional().describe('Only reservations that end after this time.'),
      to: MomentInput.optional().describe('Only reservations that begin before this time.'),
      ...EPOS_PAGE_MEMBERS,
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getBookingPage('ReservationPage', Reservation),
  refusals: EPOS_CALL_REFUSALS,
} as const satisfies Operation;

export const getReservation = {
  ...shared,
  id: 'getReservation',
  method: 'GET',
  path: '/epos/reservations/{reservationId}',
  summary: 'Read a reservation',
  description: 'The EPOS must have registered GetReservationById.',
  permission: 'bookings.read',
  idempotency: 'none',
  params,
  returns: Reservation,
  refusals: ['reservation_not_found', ...EPOS_CALL_REFUSALS],
} as const satisfies Operation;

export const createReservation = {
  ...shared,
  id: 'createReservation',
  method: 'POST',
  path: '/epos/reservations',
  summary: 'Create a reservation',
  description:
    'The EPOS stores the reservation under an id of its own. Send an idempotency key: after `epos_unanswered` nobody ' +
    'can say whether the EPOS has the reservation, and a repeat with the key first searches for it. A repeat without the ' +
    'key may create a second one. The EPOS must have registered CreateReservation, and SearchReservations for the repeat.',
  permission: 'bookings.write',
  idempotency: 'optional',
  body: NewReservation,
  returns: Reservation,
  refusals: BOOKING_CHANGE_REFUSALS,
} as const satisfies Operation;

export const updateReservation = {
  ...shared,
  id: 'updateReservation',
  method: 'PUT',
  path: '/epos/reservations/{reservationId}',
  summary: 'Change a reservation',
  description:
    'Replaces the whole reservation: a member that is not sent is removed. The EPOS must have registered ' +
    'UpdateReservation. After `epos_unanswered` the request may be repeated.',
  permission: 'bookings.write',
  idempotency: 'optional',
  params,
  body: NewReservation,
  returns: Reservation,
  refusals: ['reservation_not_found', ...BOOKING_CHANGE_REFUSALS],
} as const satisfies Operation;

export const deleteReservation = {
  ...shared,
  id: 'deleteReservation',
  method: 'DELETE',
  path: '/epos/reservations/{reservationId}',
  summary: 'Cancel a reservation',
  description:
    'The EPOS must have registered DeleteReservationById. After `epos_unanswered` the request may be repeated; ' +
    '`reservation_not_found` then says that the first one was executed.',
  permission: 'bookings.write',
  idempotency: 'optional',
  params,
  returns: null,
  refusals: ['reservation_not_found', ...BOOKING_CHANGE_REFUSALS],
} as const satisfies Operation;

export const RESERVATION_OPERATIONS = [
  listReservations,
  getReservation,
  createReservation,
  updateReservation,
  deleteReservation,
] as const;
