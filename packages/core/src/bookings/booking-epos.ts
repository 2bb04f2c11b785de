import type { Scope } from '../identity/identity.js';
import type {
  DiningArea,
  DiningTable,
  EposPage,
  NewParty,
  Party,
  PartyChange,
  PartySearch,
  Reservation,
  ReservationDetails,
  ReservationSearch,
  TableSearch,
} from './booking.js';

/**
 * How a call to an EPOS ended. `notSent`: the EPOS has received nothing. `noAnswer`: there is no usable answer, so after
 * a change nobody can say whether it was made.
 */
export type BookingReply<T> =
  | { readonly outcome: 'answered'; readonly value: T }
  | { readonly outcome: 'refused'; readonly error: BookingError; readonly reason: string }
  | { readonly outcome: 'notSent' | 'noAnswer'; readonly reason: string };

/** Why an EPOS refused a call: nothing was changed. */
export type BookingError = 'NotFound' | 'Conflict' | 'InvalidRequest';

/** A booking that exists at the EPOS, and the id that the service has for it. */
export interface BookingReference {
  readonly id: string;
  readonly serviceId: string;
}

/** The calls of the EPOS Data API about bookings. None of them rejects. */
export interface BookingEpos {
  searchReservations(scope: Scope, search: ReservationSearch): Promise<BookingReply<EposPage<Reservation>>>;
  getReservation(scope: Scope, id: string): Promise<BookingReply<Reservation>>;
  createReservation(scope: Scope, serviceId: string, details: ReservationDetails): Promise<BookingReply<Reservation>>;
  updateReservation(
    scope: Scope,
    reference: BookingReference,
    details: ReservationDetails,
  ): Promise<BookingReply<Reservation>>;
  deleteReservation(scope: Scope, id: string): Promise<BookingReply<null>>;
  /** `waitMs`: how long the caller waits at most. */
  searchParties(scope: Scope, search: PartySearch, waitMs?: number): Promise<BookingReply<EposPage<Party>>>;
  getParty(scope: Scope, id: string): Promise<BookingReply<Party>>;
  /** `serviceReservationId`: the service's id of the reservation that the party has come for. */
  createParty(
    scope: Scope,
    ids: { readonly serviceId: string; readonly serviceReservationId: string | null },
    party: NewParty,
  ): Promise<BookingReply<Party>>;
  updateParty(scope: Scope, reference: BookingReference, party: PartyChange): Promise<BookingReply<Party>>;
  deleteParty(scope: Scope, id: string): Promise<BookingReply<null>>;
  listAreas(scope: Scope): Promise<BookingReply<readonly DiningArea[]>>;
  searchTables(scope: Scope, search: TableSearch): Promise<BookingReply<EposPage<DiningTable>>>;
}
