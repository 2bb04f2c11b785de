import {
  type BookingReference,
  type EposPage,
  isRequestedParty,
  type NewParty,
  type Party,
  type PartyChange,
  type PartySearch,
} from '@pos/core/bookings';
import type { Scope } from '@pos/core/identity';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { findServiceId, releaseDepositClaims } from '@pos/store/tables';
import { BookingAccess, type BookingParts } from './booking-access.js';
import type { CallersBooking, NewBooking } from './booking-content.js';
import { requireAnswer, requireBooking, requireEposId } from './booking-replies.js';
import { DepositChanges } from './deposit-changes.js';
import { claimDeposit } from './deposits.js';

const KIND = 'Party';
const PAGE_SIZE = 50;

/** Parties at the tables of an account's EPOS. */
export class Parties {
  readonly #access: BookingAccess;
  readonly #deposits: DepositChanges;

  constructor(private readonly parts: BookingParts) {
    this.#access = new BookingAccess(parts);
    this.#deposits = new DepositChanges(parts.database);
  }

  async list(scope: Scope, search: PartySearch): Promise<EposPage<Party>> {
    await this.#access.requireReadable(scope, 'SearchParties');
    return requireAnswer(await this.parts.epos.searchParties(scope, search));
  }

  async get(scope: Scope, id: string): Promise<Party> {
    await this.#access.requireReadable(scope, 'GetPartyById');
    requireEposId(KIND, id);
    return requireBooking(KIND, await this.parts.epos.getParty(scope, id));
  }

  /** Creates a party under an idempotency key, or without one. Refuses a deposit that was not paid. */
  createWithKey<Body>(operation: IdempotentOperation<Party, Body>, party: NewParty): Promise<OperationOutcome<Body>> {
    return this.#access.createWithKey(operation, KIND, (serviceId) =>
      this.#create(operation.scope, { serviceId }, party),
    );
  }

  /**
   * Creates a party under an id of the caller: a repeat returns the party of the first call. Refuses
   * `idempotency_key_reused` for other content under the id.
   */
  async createWithId(scope: Scope, booking: CallersBooking, party: NewParty): Promise<Party> {
    await this.#access.putCallersBooking(scope, { kind: KIND, serviceId: booking.serviceId });
    return this.#create(scope, booking, party);
  }

  async update(scope: Scope, id: string, party: PartyChange): Promise<Party> {
    const serviceId = await this.#access.beginChange(scope, { kind: KIND, capability: 'UpdateParty', id });
    return this.#update(scope, { id, serviceId }, party);
  }

  updateWithKey<Body>(
    operation: IdempotentOperation<Party, Body>,
    id: string,
    party: PartyChange,
  ): Promise<OperationOutcome<Body>> {
    const subject = { kind: KIND, capability: 'UpdateParty', id } as const;
    return this.#access.changeWithKey(operation, subject, (serviceId) =>
      this.#update(operation.scope, { id, serviceId }, party),
    );
  }

  async delete(scope: Scope, id: string): Promise<void> {
    await this.#access.beginChange(scope, { kind: KIND, capability: 'DeletePartyById', id });
    await this.#delete(scope, id);
  }

  deleteWithKey(operation: IdempotentOperation<null, null>, id: string): Promise<OperationOutcome<null>> {
    const subject = { kind: KIND, capability: 'DeletePartyById', id } as const;
    return this.#access.changeWithKey(operation, subject, () => this.#delete(operation.scope, id));
  }

  async #update(scope: Scope, reference: BookingReference, party: PartyChange): Promise<Party> {
    const { id } = reference;
    const change = await this.#deposits.begin(scope, reference, party);
    const serviceId = change?.key.serviceId ?? reference.serviceId;
    let updated: Party;
    try {
      updated = requireBooking(KIND, await this.parts.epos.updateParty(scope, { id, serviceId }, party));
    } catch (error) {
      if (change !== null) await this.#deposits.abandon(scope, change, error);
      throw error;
    }
    await this.#access.completeChange(scope, {
      ...{ key: { kind: KIND, serviceId }, id, ends: [party.startTime, party.expectedEndTime, party.endTime] },
      settle: (tx) => this.#deposits.settle(tx, change, party),
    });
    return updated;
  }

  async #delete(scope: Scope, id: string): Promise<null> {
    try {
      requireBooking(KIND, await this.parts.epos.deleteParty(scope, id));
    } catch (error) {
      await this.#deposits.releaseMissing(scope, id, error);
      throw error;
    }
    await this.#access.completeDeletion(scope, { kind: KIND, id }, releaseDepositClaims);
    return null;
  }

  async #create(scope: Scope, booking: NewBooking, party: NewParty): Promise<Party> {
    const { epos, database } = this.parts;
    const { serviceId, content } = booking;
    const { tableIds, reservationId } = party;
    const serviceReservationId = await database.read(scope, async (reader) =>
      reservationId === undefined ? null : findServiceId(reader, 'Reservation', reservationId),
    );
    const [tableId] = tableIds;
    return this.#access.creation.create(scope, serviceId, {
      kind: KIND,
      capabilities: { create: 'CreateParty', read: 'GetPartyById', search: 'SearchParties' },
      create: () => epos.createParty(scope, { serviceId, serviceReservationId }, party),
      read: (id) => epos.getParty(scope, id),
      searchPage: (after) =>
        epos.searchParties(scope, { tableId, isCompletedOnly: false, page: { limit: PAGE_SIZE, after } }),
      isRequested: (found) => isRequestedParty(party, found),
      content,
      ends: [party.startTime, party.expectedEndTime],
      reserve: (tx) => claimDeposit(tx, serviceId, party),
      release: (tx) => releaseDepositClaims(tx, serviceId),
    });
  }
}
