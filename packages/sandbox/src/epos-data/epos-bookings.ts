import type {
  EposDataParams,
  EposNewParty,
  EposNewReservation,
  EposParty,
  EposReservation,
  PartySearch,
  ReservationSearch,
} from '@pos/rest-contracts/epos-data';
import { EposDataRefusal } from './epos-data-refusal.js';
import { buildPage, type CursorPage } from './cursor-page.js';
import { findTable, buildTableId } from './epos-tables.js';
import type { DiningSession, Restaurant } from '../restaurant/restaurant.js';

/** The status of a party that the service did not create. */
const SEATED_STATUS = 'Seated';

/**
 * Parties at the tables, and reservations. Walk-in payers are parties too, so that each order names one. A table has
 * one party at a time. The payer's notes and the payments of a deposit stay as the service sent them.
 */
export class EposBookings {
  readonly #restaurant: Restaurant;
  readonly #isWalkIn: (session: DiningSession) => boolean;
  readonly #parties = new Map<string, EposParty>();
  readonly #reservations = new Map<string, EposReservation>();
  /** EPOS ids by the ids of the service. */
  readonly #eposIdsByServiceId = new Map<string, string>();
  /** Walk-in parties that were deleted or have left. */
  readonly #departedIds = new Set<string>();
  #createdCount = 0;

  /** `isWalkIn` is false for an order that the service made: such an order names its party itself. */
  constructor(restaurant: Restaurant, isWalkIn: (session: DiningSession) => boolean) {
    this.#restaurant = restaurant;
    this.#isWalkIn = isWalkIn;
  }

  /** The party of a session at a table, or null. */
  findPartyId(session: DiningSession): string | null {
    const id = buildPartyId(session.id);
    return session.tableName === null || this.#departedIds.has(id) || !this.#isWalkIn(session) ? null : id;
  }

  listParties(): EposParty[] {
    this.#syncParties();
    return [...this.#parties.values()];
  }

  listReservations(): EposReservation[] {
    return [...this.#reservations.values()];
  }

  getParty(partyId: string): EposParty {
    this.#syncParties();
    const party = this.#parties.get(partyId);
    if (party === undefined) throw new EposDataRefusal('NotFound', `There is no party ${partyId}`);
    return party;
  }

  /** Seats a party once for each id of the service. */
  createParty({ servicePartyId, serviceReservationId, ...request }: EposNewParty): EposParty {
    const existingParty = this.#eposIdsByServiceId.get(`party ${servicePartyId}`);
    if (existingParty !== undefined && this.#parties.has(existingParty)) return this.getParty(existingParty);
    const reservationId =
      request.reservationId ?? this.#eposIdsByServiceId.get(`reservation ${serviceReservationId ?? ''}`);
    if (request.reservationId !== undefined && !this.#reservations.has(request.reservationId)) {
      throw new EposDataRefusal('InvalidRequest', `reservationId: there is no reservation ${request.reservationId}`);
    }
    this.#checkTables(request.tableIds, null);
    this.#createdCount += 1;
    const id = `party-${this.#createdCount}`;
    this.#eposIdsByServiceId.set(`party ${servicePartyId}`, id);
    const party = {
      ...{ ...request, id, status: request.status ?? SEATED_STATUS },
      ...(reservationId !== undefined && { reservationId }),
    };
    this.#seatParty(party);
    return party;
  }

  /** Updates what the service may change. A party with an end has left, and its tables are to be cleared. */
  updateParty({ partyId, servicePartyId, ...request }: EposDataParams<'UpdateParty'>): EposParty {
    const found = this.getParty(partyId);
    this.#checkTables(request.tableIds, found);
    this.#eposIdsByServiceId.set(`party ${servicePartyId}`, found.id);
    const { reservationId } = found;
    const party = { ...request, id: found.id, ...(reservationId !== undefined && { reservationId }) };
    this.#clearTables(found);
    this.#seatParty(party);
    return party;
  }

  deleteParty(partyId: string): void {
    const found = this.getParty(partyId);
    this.#parties.delete(found.id);
    this.#departedIds.add(found.id);
    this.#clearTables(found);
  }

  searchParties({ tableId, completedOnly = false, cursor }: PartySearch): CursorPage<EposParty> {
    return buildPage(this.listParties(), {
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

  /** Stores a reservation once for each id of the service. */
  createReservation({ serviceReservationId, ...request }: EposNewReservation): EposReservation {
    const existingParty = this.#eposIdsByServiceId.get(`reservation ${serviceReservationId ?? ''}`);
    if (serviceReservationId !== undefined && existingParty !== undefined && this.#reservations.has(existingParty)) {
      return this.getReservation(existingParty);
    }
    this.#checkReservation(request);
    this.#createdCount += 1;
    const reservation = { ...request, id: `reservation-${this.#createdCount}` };
    this.#reservations.set(reservation.id, reservation);
    if (serviceReservationId !== undefined)
      this.#eposIdsByServiceId.set(`reservation ${serviceReservationId}`, reservation.id);
    return reservation;
  }

  updateReservation(changes: EposDataParams<'UpdateReservation'>): EposReservation {
    const { reservationId, serviceReservationId, ...request } = changes;
    const { id } = this.getReservation(reservationId);
    this.#checkReservation(request);
    const reservation = { ...request, id };
    this.#reservations.set(id, reservation);
    this.#eposIdsByServiceId.set(`reservation ${serviceReservationId}`, id);
    return reservation;
  }

  deleteReservation(reservationId: string): void {
    this.#reservations.delete(this.getReservation(reservationId).id);
  }

  /** Reservations whose time at the table overlaps the requested span. */
  searchReservations({ tableId, fromTime, toTime, cursor }: ReservationSearch): CursorPage<EposReservation> {
    const from = fromTime === undefined ? -Infinity : Date.parse(fromTime);
    const to = toTime === undefined ? Infinity : Date.parse(toTime);
    return buildPage(this.listReservations(), {
      idOf: ({ id }) => id,
      matches: ({ tableIds, startTime, endTime }) =>
        (tableId === undefined || tableIds.includes(tableId)) &&
        Date.parse(endTime) > from &&
        Date.parse(startTime) < to,
      cursor,
    });
  }

  reset(): void {
    for (const each of [this.#parties, this.#reservations, this.#eposIdsByServiceId, this.#departedIds]) each.clear();
    this.#createdCount = 0;
  }

  getState() {
    return {
      parties: [...this.#parties.values()],
      reservations: this.listReservations(),
      served: [...this.#eposIdsByServiceId],
      gone: [...this.#departedIds],
      made: this.#createdCount,
    };
  }

  restore({ parties, reservations, served, gone: deleted, made: created }: ReturnType<EposBookings['getState']>): void {
    this.reset();
    for (const party of parties) this.#parties.set(party.id, party);
    for (const reservation of reservations) this.#reservations.set(reservation.id, reservation);
    for (const [name, id] of served) this.#eposIdsByServiceId.set(name, id);
    for (const id of deleted) this.#departedIds.add(id);
    this.#createdCount = created;
  }

  /** Adds parties that have arrived since the last call, and removes those that have left. */
  #syncParties(): void {
    for (const session of this.#restaurant.sessions()) {
      const { tableName, name, covers, createdAt, finishedAt } = session;
      const id = buildPartyId(session.id);
      if (tableName === null || this.#departedIds.has(id) || !this.#isWalkIn(session)) continue;
      const existingParty = this.#parties.get(id);
      const seatedParty = { id, status: SEATED_STATUS, name, covers, tableIds: [buildTableId(tableName)] };
      const party: EposParty = existingParty ?? { ...seatedParty, startTime: createdAt.toISOString() };
      const endTime = finishedAt?.toISOString();
      const hasLeft = endTime !== undefined && party.endTime === undefined;
      this.#parties.set(id, hasLeft ? { ...party, status: 'Left', endTime } : party);
    }
  }

  #seatParty(party: EposParty): void {
    this.#parties.set(party.id, party);
    if (party.endTime === undefined) this.#restaurant.setTableStatus(this.#listTableNames(party), 'Occupied');
  }

  #clearTables(party: EposParty): void {
    if (party.endTime === undefined) this.#restaurant.setTableStatus(this.#listTableNames(party), 'PendingAvailable');
  }

  #listTableNames({ tableIds }: EposParty): string[] {
    return tableIds.flatMap((id) => findTable(this.#restaurant, id)?.name ?? []);
  }

  #checkTables(tableIds: readonly string[], ownParty: EposParty | null): void {
    const unknown = tableIds.find((id) => findTable(this.#restaurant, id) === null);
    if (unknown !== undefined) throw new EposDataRefusal('InvalidRequest', `tableIds: there is no table ${unknown}`);
    const occupyingParty = this.listParties().find(
      ({ id, endTime, tableIds: occupiedTableIds }) =>
        id !== ownParty?.id && endTime === undefined && occupiedTableIds.some((each) => tableIds.includes(each)),
    );
    if (occupyingParty !== undefined)
      throw new EposDataRefusal('Conflict', `${occupyingParty.name ?? occupyingParty.id} sits there`);
  }

  #checkReservation({ tableIds, startTime, endTime }: Omit<EposReservation, 'id'>): void {
    const unknown = tableIds.find((id) => findTable(this.#restaurant, id) === null);
    if (unknown !== undefined) throw new EposDataRefusal('InvalidRequest', `tableIds: there is no table ${unknown}`);
    if (Date.parse(endTime) <= Date.parse(startTime)) {
      throw new EposDataRefusal('InvalidRequest', 'endTime: is not after startTime');
    }
  }
}

function buildPartyId(sessionId: string): string {
  return `guests-${sessionId}`;
}
