import type { EposDataParams } from '@pos/rest-contracts/epos-data';
import type {
  EposParty,
  EposReservation,
  NewParty,
  NewReservation,
  PartySearch,
  ReservationSearch,
} from '@pos/rest-contracts/epos-data-bookings';
import { EposDataRefusal } from './epos-data-refusal.js';
import { pageOf, type Page } from './epos-pages.js';
import { findTable, tableIdOf } from './epos-tables.js';
import type { DiningSession, Restaurant } from './restaurant.js';

/** What a party is called that came in without a word of the service. */
const SEATED = 'Seated';

/**
 * Who sits where, and who is coming. Guests of the evening are parties too, so that an order names one. A table has one
 * party at a time; what the guest wrote and the payments of a deposit stay as the service sent them.
 */
export class EposBookings {
  readonly #restaurant: Restaurant;
  readonly #isGuest: (session: DiningSession) => boolean;
  readonly #parties = new Map<string, EposParty>();
  readonly #reservations = new Map<string, EposReservation>();
  /** The ids that the service knows them by. */
  readonly #served = new Map<string, string>();
  /** Guests of the evening that were deleted, or have left. */
  readonly #gone = new Set<string>();
  #made = 0;

  /** Who is no guest of the evening: an order that the service made says itself whose it is. */
  constructor(restaurant: Restaurant, isGuest: (session: DiningSession) => boolean) {
    this.#restaurant = restaurant;
    this.#isGuest = isGuest;
  }

  /** The party of a session at a table, or null. */
  partyOf(session: DiningSession): string | null {
    const id = partyIdOf(session.id);
    return session.tableName === null || this.#gone.has(id) || !this.#isGuest(session) ? null : id;
  }

  parties(): EposParty[] {
    this.#meet();
    return [...this.#parties.values()];
  }

  reservations(): EposReservation[] {
    return [...this.#reservations.values()];
  }

  getParty(partyId: string): EposParty {
    this.#meet();
    const party = this.#parties.get(partyId);
    if (party === undefined) throw new EposDataRefusal('NotFound', `There is no party ${partyId}`);
    return party;
  }

  /** Seats a party once for each id of the service. */
  createParty({ servicePartyId, serviceReservationId, ...asked }: NewParty): EposParty {
    const known = this.#served.get(`party ${servicePartyId}`);
    if (known !== undefined && this.#parties.has(known)) return this.getParty(known);
    const reservationId = asked.reservationId ?? this.#served.get(`reservation ${serviceReservationId ?? ''}`);
    if (asked.reservationId !== undefined && !this.#reservations.has(asked.reservationId)) {
      throw new EposDataRefusal('InvalidRequest', `reservationId: there is no reservation ${asked.reservationId}`);
    }
    this.#judgeTables(asked.tableIds, null);
    this.#made += 1;
    const id = `party-${this.#made}`;
    this.#served.set(`party ${servicePartyId}`, id);
    const party = {
      ...{ ...asked, id, status: asked.status ?? SEATED },
      ...(reservationId !== undefined && { reservationId }),
    };
    this.#sit(party);
    return party;
  }

  /** Replaces what the service may change; a party with an end has left, and its tables are to be cleared. */
  updateParty({ partyId, servicePartyId, ...asked }: EposDataParams<'UpdateParty'>): EposParty {
    const found = this.getParty(partyId);
    this.#judgeTables(asked.tableIds, found);
    this.#served.set(`party ${servicePartyId}`, found.id);
    const { reservationId } = found;
    const party = { ...asked, id: found.id, ...(reservationId !== undefined && { reservationId }) };
    this.#clear(found);
    this.#sit(party);
    return party;
  }

  deleteParty(partyId: string): void {
    const found = this.getParty(partyId);
    this.#parties.delete(found.id);
    this.#gone.add(found.id);
    this.#clear(found);
  }

  searchParties({ tableId, completedOnly = false, cursor }: PartySearch): Page<EposParty> {
    return pageOf(this.parties(), {
      idOf: ({ id }) => id,
      matches: ({ tableIds, endTime }) =>
        (tableId === undefined || tableIds.includes(tableId)) && (endTime !== undefined) === completedOnly,
      cursor,
    });
  }

  getReservation(reservationId: string): EposReservation {
    const reservation = this.#reservations.get(reservationId);
    if (reservation === undefined) throw new EposDataRefusal('NotFound', `There is no reservation ${reservationId}`);
    return reservation;
  }

  /** Writes a reservation down once for each id of the service. */
  createReservation({ serviceReservationId, ...asked }: NewReservation): EposReservation {
    const known = this.#served.get(`reservation ${serviceReservationId ?? ''}`);
    if (serviceReservationId !== undefined && known !== undefined && this.#reservations.has(known)) {
      return this.getReservation(known);
    }
    this.#judgeReservation(asked);
    this.#made += 1;
    const reservation = { ...asked, id: `reservation-${this.#made}` };
    this.#reservations.set(reservation.id, reservation);
    if (serviceReservationId !== undefined) this.#served.set(`reservation ${serviceReservationId}`, reservation.id);
    return reservation;
  }

  updateReservation(changes: EposDataParams<'UpdateReservation'>): EposReservation {
    const { reservationId, serviceReservationId, ...asked } = changes;
    const { id } = this.getReservation(reservationId);
    this.#judgeReservation(asked);
    const reservation = { ...asked, id };
    this.#reservations.set(id, reservation);
    this.#served.set(`reservation ${serviceReservationId}`, id);
    return reservation;
  }

  deleteReservation(reservationId: string): void {
    this.#reservations.delete(this.getReservation(reservationId).id);
  }

  /** Those whose time at the table touches the span that was asked for. */
  searchReservations({ tableId, fromTime, toTime, cursor }: ReservationSearch): Page<EposReservation> {
    const from = fromTime === undefined ? -Infinity : Date.parse(fromTime);
    const to = toTime === undefined ? Infinity : Date.parse(toTime);
    return pageOf(this.reservations(), {
      idOf: ({ id }) => id,
      matches: ({ tableIds, startTime, endTime }) =>
        (tableId === undefined || tableIds.includes(tableId)) &&
        Date.parse(endTime) > from &&
        Date.parse(startTime) < to,
      cursor,
    });
  }

  reset(): void {
    for (const each of [this.#parties, this.#reservations, this.#served, this.#gone]) each.clear();
    this.#made = 0;
  }

  state() {
    return {
      parties: [...this.#parties.values()],
      reservations: this.reservations(),
      served: [...this.#served],
      gone: [...this.#gone],
      made: this.#made,
    };
  }

  restore({ parties, reservations, served, gone, made }: ReturnType<EposBookings['state']>): void {
    this.reset();
    for (const party of parties) this.#parties.set(party.id, party);
    for (const reservation of reservations) this.#reservations.set(reservation.id, reservation);
    for (const [name, id] of served) this.#served.set(name, id);
    for (const id of gone) this.#gone.add(id);
    this.#made = made;
  }

  /** Writes down the guests that have come in or gone since. */
  #meet(): void {
    for (const session of this.#restaurant.sessions()) {
      const { tableName, name, covers, createdAt, finishedAt } = session;
      const id = partyIdOf(session.id);
      if (tableName === null || this.#gone.has(id) || !this.#isGuest(session)) continue;
      const known = this.#parties.get(id);
      const seated = { id, status: SEATED, name, covers, tableIds: [tableIdOf(tableName)] };
      const party: EposParty = known ?? { ...seated, startTime: createdAt.toISOString() };
      const endTime = finishedAt?.toISOString();
      const hasLeft = endTime !== undefined && party.endTime === undefined;
      this.#parties.set(id, hasLeft ? { ...party, status: 'Left', endTime } : party);
    }
  }

  #sit(party: EposParty): void {
    this.#parties.set(party.id, party);
    if (party.endTime === undefined) this.#restaurant.setTables(this.#namesOf(party), 'Occupied');
  }

  #clear(party: EposParty): void {
    if (party.endTime === undefined) this.#restaurant.setTables(this.#namesOf(party), 'PendingAvailable');
  }

  #namesOf({ tableIds }: EposParty): string[] {
    return tableIds.flatMap((id) => findTable(this.#restaurant, id)?.name ?? []);
  }

  #judgeTables(tableIds: readonly string[], own: EposParty | null): void {
    const unknown = tableIds.find((id) => findTable(this.#restaurant, id) === null);
    if (unknown !== undefined) throw new EposDataRefusal('InvalidRequest', `tableIds: there is no table ${unknown}`);
    const taken = this.parties().find(
      ({ id, endTime, tableIds: theirs }) =>
        id !== own?.id && endTime === undefined && theirs.some((each) => tableIds.includes(each)),
    );
    if (taken !== undefined) throw new EposDataRefusal('Conflict', `${taken.name ?? taken.id} sits there`);
  }

  #judgeReservation({ tableIds, startTime, endTime }: Omit<EposReservation, 'id'>): void {
    const unknown = tableIds.find((id) => findTable(this.#restaurant, id) === null);
    if (unknown !== undefined) throw new EposDataRefusal('InvalidRequest', `tableIds: there is no table ${unknown}`);
    if (Date.parse(endTime) <= Date.parse(startTime)) {
      throw new EposDataRefusal('InvalidRequest', 'endTime: is not after startTime');
    }
  }
}

function partyIdOf(sessionId: string): string {
  return `guests-${sessionId}`;
}
