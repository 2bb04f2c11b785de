import type * as rest from '@pos/rest-contracts/bookings';
import type { ReturnsOf, SentBodyOf } from '@pos/rest-contracts/operation';
import type { Endpoint } from './endpoint.js';

// The bookings at the EPOS of the account.

export type ReservationAnswer = ReturnsOf<typeof rest.getReservation>;
export type PartyAnswer = ReturnsOf<typeof rest.getParty>;
export type SentReservation = SentBodyOf<typeof rest.createReservation>;

/** The first part of the keys of their answers. */
export const BOOKINGS = 'bookings';

export const listReservations: Endpoint<typeof rest.listReservations> = {
  method: 'GET',
  path: '/epos/reservations',
};
export const createReservation: Endpoint<typeof rest.createReservation> = {
  method: 'POST',
  path: '/epos/reservations',
};
export const updateReservation: Endpoint<typeof rest.updateReservation> = {
  method: 'PUT',
  path: '/epos/reservations/{reservationId}',
};
export const deleteReservation: Endpoint<typeof rest.deleteReservation> = {
  method: 'DELETE',
  path: '/epos/reservations/{reservationId}',
};
export const listParties: Endpoint<typeof rest.listParties> = { method: 'GET', path: '/epos/parties' };
export const listTables: Endpoint<typeof rest.listTables> = { method: 'GET', path: '/epos/tables' };
