import type { Scope } from '@pos/core/identity';
import type { BookingReference, PartyChange } from '@pos/core/bookings';
import { createInProgressRefusal } from '@pos/store/idempotency';
import type { Database, Tx } from '@pos/store/database';
import { computeBookingKeptUntil } from '@pos/store/queues';
import {
  bindBooking,
  type BookingKey,
  type BookingLease,
  claimBooking,
  deleteBooking,
  type DepositClaim,
  endDepositClaims,
  findServiceId,
  listDepositClaims,
  lockBookingOwner,
  releaseBooking,
  releaseUnstartedClaims,
  settleDepositClaims,
} from '@pos/store/tables';
import { LEASE_MS } from './booking-creation.js';
import { isNotFound, isUnchanged } from './booking-replies.js';
import { claimDeposit } from './deposits.js';

/** A change of a party that has a deposit, before it or after it. */
interface DepositChange {
  readonly key: BookingKey;
  readonly id: string;
  /** Whether the service had no id of the party before: the party was created at the EPOS. */
  readonly isNew: boolean;
  readonly lease: BookingLease;
  readonly before: readonly DepositClaim[];
  readonly after: readonly DepositClaim[];
}

/**
 * The payments of a party's deposit while the party changes. The new ones are claimed before the EPOS is called, and the
 * old ones are released after it has answered. One change of such a party runs at a time.
 */
export class DepositChanges {
  constructor(private readonly database: Database) {}

  /** Null: the party has no deposit, and gets none. */
  begin(
    scope: Scope,
    { id, serviceId: reserved }: BookingReference,
    party: PartyChange,
  ): Promise<DepositChange | null> {
    return this.database.transact(scope, async (tx) => {
      // Another change may have stored the party since this one was first requested.
      const known = await findServiceId(tx, 'Party', id);
      const serviceId = known ?? reserved;
      const before = await listDepositClaims(tx, serviceId);
      if (before.length === 0 && party.deposit === undefined) return null;
      const key = { kind: 'Party', serviceId } as const;
      const keepUntil = computeBookingKeptUntil(tx.now, party.startTime, party.expectedEndTime);
      const isBound = known === null && (await bindBooking(tx, key, { eposId: id, keepUntil, requestedAt: null }));
      if (known === null && !isBound) throw createInProgressRefusal();
      const { lease } = await claimBooking(tx, key, { leaseMs: LEASE_MS, keepUntil });
      const after = await claimDeposit(tx, serviceId, party);
      return { key, id, isNew: isBound, lease, before, after };
    });
  }

  /** The EPOS may have answered that it does not have the party, which then gives up its payments unless it has come. */
  async releaseMissing(scope: Scope, id: string, error: unknown): Promise<void> {
    if (!isNotFound(error)) return;
    await this.database.transact(scope, async (tx) => {
      const serviceId = await findServiceId(tx, 'Party', id);
      if (serviceId !== null) await releaseUnstartedClaims(tx, serviceId);
    });
  }

  /** The EPOS has made the change. A party that has left keeps its payments for good. */
  async settle(tx: Tx, change: DepositChange | null, { deposit, endTime }: PartyChange): Promise<void> {
    if (change === null || !(await releaseBooking(tx, change.key, { lease: change.lease, mayExist: true }))) return;
    const { serviceId } = change.key;
    // One that leaves without naming its deposit may have had it taken off the bill.
    if (endTime === undefined || deposit !== undefined) await settleDepositClaims(tx, serviceId, change.after);
    if (endTime !== undefined) await endDepositClaims(tx, serviceId);
  }

  /** The change has failed. Unless the EPOS has certainly not made it, the payments of both deposits stay the party's. */
  async abandon(scope: Scope, change: DepositChange, error: unknown): Promise<void> {
    const { key, id, isNew, lease, before } = change;
    await this.database.transact(scope, async (tx) => {
      if (isNew) await lockBookingOwner(tx, key.kind, id);
      const isReleased = await releaseBooking(tx, key, { lease, mayExist: true });
      if (!isReleased || !isUnchanged(error)) return;
      await settleDepositClaims(tx, key.serviceId, before);
      if (isNotFound(error)) await releaseUnstartedClaims(tx, key.serviceId);
      if (isNew) await deleteBooking(tx, key.kind, id);
    });
  }
}
