import type { BookingEpos, BookingKind } from '@pos/core/bookings';
import { requireValue } from '@pos/core/refusals';
import type { EposCapability } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import type { Database, Tx } from '@pos/store/database';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { computeBookingKeptUntil } from '@pos/store/queues';
import { bindBooking, type BookingKey, deleteBooking, findServiceId, putBooking } from '@pos/store/tables';
import type { AccountCache } from '../accounts/account-cache.js';
import { releaseContent } from './booking-content.js';
import { BookingCreation } from './booking-creation.js';
import { recordBookingChange } from './booking-events.js';
import { requireCapability, requireEposId } from './booking-replies.js';

/** The dependencies of the use cases of bookings. */
export interface BookingParts {
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly epos: BookingEpos;
}

/** A booking that is to be changed, and the call that changes it. */
interface ChangeSubject {
  readonly kind: BookingKind;
  readonly capability: EposCapability;
  readonly id: string;
}

/** A booking that the EPOS has changed. */
interface CompletedChange {
  readonly key: BookingKey;
  readonly id: string;
  readonly ends: readonly (Date | undefined)[];
  readonly settle?: (tx: Tx) => Promise<void>;
}

/** The steps around a call to the EPOS that reservations and parties share. */
export class BookingAccess {
  readonly creation: BookingCreation;

  constructor(private readonly parts: BookingParts) {
    this.creation = new BookingCreation(parts.database);
  }

  /** Refuses `epos_cannot_book` unless the EPOS has registered the call. */
  requireReadable(scope: Scope, capability: EposCapability): Promise<void> {
    return this.parts.database.read(scope, (reader) => requireCapability(reader, capability));
  }

  /** Reserves an id for the booking under the key, and creates the booking with it. */
  createWithKey<T, Body>(
    operation: IdempotentOperation<T, Body>,
    kind: BookingKind,
    create: (serviceId: string) => Promise<T>,
  ): Promise<OperationOutcome<Body>> {
    let created: { readonly booking: T } | null = null;
    return operation.run({
      reserve: async (tx) => {
        await this.parts.accounts.getEnabled(tx);
        const serviceId = await tx.newUuid();
        await putBooking(tx, { kind, serviceId }, computeBookingKeptUntil(tx.now));
        return serviceId;
      },
      execute: async (serviceId) => {
        created = { booking: await create(serviceId) };
      },
      getResult: () => Promise.resolve(requireValue(created, 'the booking').booking),
    });
  }

  /** Changes a booking once per key. A repeat after an unanswered change sends the same change again. */
  changeWithKey<T, Body>(
    operation: IdempotentOperation<T, Body>,
    subject: ChangeSubject,
    change: (serviceId: string) => Promise<T>,
  ): Promise<OperationOutcome<Body>> {
    let changed: { readonly result: T } | null = null;
    return operation.run({
      reserve: (tx) => this.#reserveChange(tx, subject),
      execute: async (serviceId) => {
        changed = { result: await change(serviceId) };
      },
      getResult: () => Promise.resolve(requireValue(changed, 'the changed booking').result),
    });
  }

  /** Stores the caller's id of a booking, unless it is stored. Refuses a disabled account. */
  async putCallersBooking(scope: Scope, key: BookingKey): Promise<void> {
    await this.parts.database.transact(scope, async (tx) => {
      await this.parts.accounts.getEnabled(tx);
      await putBooking(tx, key, computeBookingKeptUntil(tx.now));
    });
  }

  /** The service's id of a booking that is to be changed; a new one for a booking that was created at the EPOS. */
  beginChange(scope: Scope, subject: ChangeSubject): Promise<string> {
    return this.parts.database.transact(scope, (tx) => this.#reserveChange(tx, subject));
  }

  /**
   * Stores the ids of a booking that the EPOS has changed, and publishes the change. `ends`: the known ends of the booking.
   * `settle` is done with it.
   */
  async completeChange(scope: Scope, change: CompletedChange): Promise<void> {
    const { key, id, ends, settle } = change;
    await this.parts.database.transact(scope, async (tx) => {
      const keepUntil = computeBookingKeptUntil(tx.now, ...ends);
      // It locks the owner of the booking, which every transaction does before it locks the booking.
      await bindBooking(tx, key, { eposId: id, keepUntil, requestedAt: null });
      await settle?.(tx);
      await recordBookingChange(tx, key.kind, id);
    });
  }

  /** Deletes the ids of a booking that the EPOS has deleted, and publishes the deletion. */
  async completeDeletion(
    scope: Scope,
    { kind, id }: { readonly kind: BookingKind; readonly id: string },
    release?: (tx: Tx, serviceId: string) => Promise<void>,
  ): Promise<void> {
    await this.parts.database.transact(scope, async (tx) => {
      for (const serviceId of await deleteBooking(tx, kind, id)) {
        await releaseContent(tx, { kind, serviceId });
        await release?.(tx, serviceId);
      }
      await recordBookingChange(tx, kind, id);
    });
  }

  async #reserveChange(tx: Tx, { kind, capability, id }: ChangeSubject): Promise<string> {
    await this.parts.accounts.getEnabled(tx);
    await requireCapability(tx, capability);
    requireEposId(kind, id);
    return (await findServiceId(tx, kind, id)) ?? tx.newUuid();
  }
}
