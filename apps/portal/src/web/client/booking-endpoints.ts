import type * as tables from '@pos/rest-contracts/orders/bookings/dining-tables';
import type * as parties from '@pos/rest-contracts/orders/bookings/parties';
import type * as reservations from '@pos/rest-contracts/orders/bookings/reservations';
import type { ReturnsOf, SentBodyOf } from '@pos/rest-contracts/operation/operation';
import type { Endpoint } from './endpoint.js';

// The bookings at the EPOS of the account.

export type ReservationAnswer = ReturnsOf<typeof reservations.getReservation>;
export type PartyAnswer = ReturnsOf<typeof parties.getParty>;
export type SentReservation = SentBodyOf<typeof reservations.createReservation>;

/** The first part of the keys of their answers. */
export const BOOKINGS = 'bookings';

export const listReservations: Endpoint<typeof reservations.listReservations> = {
  method: 'GET',
  path: '/epos/reservations',
};
export const createReservation: Endpoint<typeof reservations.createReservation> = {
  method: 'POST',
  path: '/epos/reservations',
};
export const updateReservation: Endpoint<typeof reservations.updateReservation> = {
  method: 'PUT',
  path: '/epos/reservations/{reservationId}',
};
export const deleteReservation: Endpoint<typeof reservations.deleteReservation> = {
  method: 'DELETE',
  path: '/epos/reservations/{reservationId}',
};
export const listParties: Endpoint<typeof parties.listParties> = { method: 'GET', path: '/epos/parties' };
export const listTables: Endpoint<typeof tables.listTables> = { method: 'GET', path: '/epos/tables' };
