import type { Money } from '../money/money.js';

// Reservations and parties. The EPOS of the account stores them; the service stores their ids only (ADR 0130).

/** What the service keeps an id of its own for. */
export const BOOKING_KINDS = ['Reservation', 'Party'] as const;
export type BookingKind = (typeof BOOKING_KINDS)[number];

/** The content of a reservation. */
export interface ReservationDetails {
  readonly name: string;
  readonly covers: number;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly tableIds: readonly string[];
  readonly hostNotes?: string | undefined;
  readonly guestRequests?: string | undefined;
}

export interface Reservation extends ReservationDetails {
  readonly id: string;
}

/** What was paid for a booking in advance. */
export interface PartyDeposit {
  readonly totalAmount: Money;
  readonly paymentIntentIds: readonly string[];
  readonly description?: string | undefined;
}

interface PartyMembers {
  readonly tableIds: readonly string[];
  readonly startTime: Date;
  readonly expectedEndTime?: Date | undefined;
  readonly name?: string | undefined;
  readonly covers?: number | undefined;
  readonly hostNotes?: string | undefined;
  readonly guestRequests?: string | undefined;
  readonly deposit?: PartyDeposit | undefined;
}

/** A party that is seated. */
export interface NewParty extends PartyMembers {
  readonly status?: string | undefined;
  readonly reservationId?: string | undefined;
}

/** The whole content of a party from now on. With an end it has left. */
export interface PartyChange extends PartyMembers {
  readonly status: string;
  readonly endTime?: Date | undefined;
}

export interface Party extends PartyChange {
  readonly id: string;
  readonly reservationId?: string | undefined;
}

export interface DiningArea {
  readonly id: string;
  readonly name: string;
  readonly waiterIds?: readonly string[] | undefined;
}

export interface DiningTable extends DiningArea {
  readonly maxCovers?: number | undefined;
  readonly areaId?: string | undefined;
}

/** The requested page of a search; `before` and `after` exclude each other. */
export interface EposPageRequest {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A page in the order of the EPOS. */
export interface EposPage<T> {
  readonly elements: readonly T[];
  readonly before: string | null;
  readonly after: string | null;
  /** How many elements were left out because they cannot be read. */
  readonly unreadableCount: number;
}

export interface ReservationSearch {
  readonly tableId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly page: EposPageRequest;
}

export interface PartySearch {
  readonly tableId?: string | undefined;
  readonly isCompletedOnly: boolean;
  readonly page: EposPageRequest;
}

export interface TableSearch {
  readonly areaId?: string | undefined;
  readonly waiterId?: string | undefined;
  readonly page: EposPageRequest;
}

/**
 * Whether a reservation of the EPOS is the one that was requested. An EPOS does not return the id that the service gave
 * it, so the content is compared. A table has one reservation at a time.
 */
export function isRequestedReservation(requested: ReservationDetails, found: ReservationDetails): boolean {
  return (
    requested.name === found.name &&
    requested.startTime.getTime() === found.startTime.getTime() &&
    requested.endTime.getTime() === found.endTime.getTime() &&
    isSameSet(requested.tableIds, found.tableIds)
  );
}

/** The same for a party. */
export function isRequestedParty(requested: NewParty, found: Party): boolean {
  return (
    requested.name === found.name &&
    requested.startTime.getTime() === found.startTime.getTime() &&
    isSameSet(requested.tableIds, found.tableIds)
  );
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).size === new Set(other).size && one.every((each) => other.includes(each));
}
