import {
  type BookingReference,
  type EposPage,
  isRequestedReservation,
  type Reservation,
  type ReservationDetails,
  type ReservationSearch,
} from '@pos/core/bookings';
import type { Scope } from '@pos/core/identity';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { BookingAccess, type BookingParts } from './booking-access.js';
import type { CallersBooking, NewBooking } from './booking-content.js';
import { requireAnswer, requireBooking, requireEposId } from './booking-replies.js';

const KIND = 'Reservation';
const PAGE_SIZE = 50;

/** Reservations at the EPOS of an account. */
export class Reservations {
  readonly #access: BookingAccess;

  constructor(private readonly parts: BookingParts) {
    this.#access = new BookingAccess(parts);
  }

  async list(scope: Scope, search: ReservationSearch): Promise<EposPage<Reservation>> {
    await this.#access.requireReadable(scope, 'SearchReservations');
    return requireAnswer(await this.parts.epos.searchReservations(scope, search));
  }

  async get(scope: Scope, id: string): Promise<Reservation> {
    await this.#access.requireReadable(scope, 'GetReservationById');
    requireEposId(KIND, id);
    return requireBooking(KIND, await this.parts.epos.getReservation(scope, id));
  }

  /** Creates a reservation under an idempotency key, or without one. */
  createWithKey<Body>(
    operation: IdempotentOperation<Reservation, Body>,
    details: ReservationDetails,
  ): Promise<OperationOutcome<Body>> {
    return this.#access.createWithKey(operation, KIND, (serviceId) =>
      this.#create(operation.scope, { serviceId }, details),
    );
  }

  /**
   * Creates a reservation under an id of the caller: a repeat returns the reservation of the first call. Refuses
   * `idempotency_key_reused` for other content under the id.
   */
  async createWithId(scope: Scope, booking: CallersBooking, details: ReservationDetails): Promise<Reservation> {
    await this.#access.putCallersBooking(scope, { kind: KIND, serviceId: booking.serviceId });
    return this.#create(scope, booking, details);
  }

  async update(scope: Scope, id: string, details: ReservationDetails): Promise<Reservation> {
    const serviceId = await this.#access.beginChange(scope, { kind: KIND, capability: 'UpdateReservation', id });
    return this.#update(scope, { id, serviceId }, details);
  }

  updateWithKey<Body>(
    operation: IdempotentOperation<Reservation, Body>,
    id: string,
    details: ReservationDetails,
  ): Promise<OperationOutcome<Body>> {
    const subject = { kind: KIND, capability: 'UpdateReservation', id } as const;
    return this.#access.changeWithKey(operation, subject, (serviceId) =>
      this.#update(operation.scope, { id, serviceId }, details),
    );
  }

  async delete(scope: Scope, id: string): Promise<void> {
    await this.#access.beginChange(scope, { kind: KIND, capability: 'DeleteReservationById', id });
    await this.#delete(scope, id);
  }

  deleteWithKey(operation: IdempotentOperation<null, null>, id: string): Promise<OperationOutcome<null>> {
    const subject = { kind: KIND, capability: 'DeleteReservationById', id } as const;
    return this.#access.changeWithKey(operation, subject, () => this.#delete(operation.scope, id));
  }

  async #update(scope: Scope, reference: BookingReference, details: ReservationDetails): Promise<Reservation> {
    const { id, serviceId } = reference;
    const reply = await this.parts.epos.updateReservation(scope, reference, details);
    const reservation = requireBooking(KIND, reply);
    await this.#access.completeChange(scope, { key: { kind: KIND, serviceId }, id, ends: [details.endTime] });
    return reservation;
  }

  async #delete(scope: Scope, id: string): Promise<null> {
    requireBooking(KIND, await this.parts.epos.deleteReservation(scope, id));
    await this.#access.completeDeletion(scope, { kind: KIND, id });
    return null;
  }

  #create(scope: Scope, booking: NewBooking, details: ReservationDetails): Promise<Reservation> {
    const { epos } = this.parts;
    const { serviceId, content } = booking;
    const { startTime: from, endTime: to } = details;
    return this.#access.creation.create(scope, serviceId, {
      kind: KIND,
      capabilities: { create: 'CreateReservation', read: 'GetReservationById', search: 'SearchReservations' },
      create: () => epos.createReservation(scope, serviceId, details),
      read: (id) => epos.getReservation(scope, id),
      searchPage: (after) => epos.searchReservations(scope, { from, to, page: { limit: PAGE_SIZE, after } }),
      isRequested: (found) => isRequestedReservation(details, found),
      content,
      ends: [to],
    });
  }
}
