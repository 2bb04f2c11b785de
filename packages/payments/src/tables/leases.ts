import { abandonJourney } from '@pos/core/journeys';
import {
  acquireLease,
  renewByCommand,
  expireLease,
  forceLease,
  type Lease,
  type LeaseAnswer,
  type LeaseEnd,
  type LeaseRefusal,
  lockGivenUp,
  lockLost,
  lockTaken,
  LEASE_LENGTH_MS,
  moveLease,
  closePayment,
  openPayment,
  releaseLease,
  type Requestor,
} from '@pos/core/tables';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import {
  insertLease,
  insertLeaseOfFreeSession,
  type LeasesOfSession,
  listJourneysOfLease,
  lockJourney,
  lockLease,
  lockLeasesOfSession,
  updateLease,
  updateLeaseUnlessChanged,
} from '@pos/store/tables';
import { cancelTimer, type ClaimedTimer, hasClaimedTimer, schedule, scheduleAndClaim } from '@pos/store/queues';
import { commitJourney } from './journey-commit.js';

/** A request for a session. The owner is the device: for a card machine its TID. */
export interface LeaseRequest {
  readonly sessionId: string;
  readonly owner: string;
  readonly requestor: Requestor;
}

/**
 * A lease that the caller holds; `isLockDoubtful`: an earlier lock of ours may still be at the EPOS and is released
 * first.
 */
export interface HeldLease {
  readonly outcome: 'held';
  readonly lease: Lease;
  readonly isNew: boolean;
  readonly isLockDoubtful: boolean;
}

/** A lease as it is stored, and as it is written next. */
export interface LeaseChange {
  readonly before: Lease;
  readonly lease: Lease;
}

/** A lock that an earlier lease left at the EPOS is being released right now, which would break a new lock. */
export class UnlockInProgress extends Error {
  override readonly name = 'UnlockInProgress';
}

/**
 * The right to take payments on a session: rows of ours, for every kind of lock at the EPOS. A lock call to the EPOS
 * is stored here before it is made, so that a process that finds the lease after a crash expects a lock. Times are
 * database time.
 */
export class Leases {
  /**
   * `unlockedAtMs`: the rest of a timer's claim at which an unlock call under this claim has certainly ended. After
   * a crash the session is free from then on, instead of at the end of the claim.
   */
  constructor(
    private readonly lengthMs: number = LEASE_LENGTH_MS,
    private readonly unlockedAtMs = 0,
  ) {}

  /**
   * Gives the session to the device. A new lease is written as one that may be locked at the EPOS, because that call
   * comes next. `sessionLeases`: the session's leases, if they were read or are assumed. Throws UnlockInProgress, after
   * which the caller tries again. It also tries again after a unique violation (23505): another device was faster
   * between our read and write.
   */
  async acquire(tx: Tx, call: LeaseRequest, sessionLeases?: LeasesOfSession): Promise<HeldLease | LeaseRefusal> {
    const { open, unreleased } = sessionLeases ?? (await lockLeasesOfSession(tx, call.sessionId));
    const request = { ...call, leaseId: await tx.newUuid(), lengthMs: this.lengthMs };
    const answer = acquireLease(open, request, tx.databaseNow);
    if (answer.outcome === 'refused') return answer;
    if (!answer.isNew) {
      return {
        ...answer,
        lease: await updateLease(tx, requireValue(open, 'the lease that is renewed'), answer.lease),
        isLockDoubtful: false,
      };
    }
    if (open !== null && answer.ended !== null)
      await this.#end(tx, open, { lease: answer.ended, unlock: false, dueAt: null });
    const subjects = unreleased.map(({ leaseId }) => leaseId);
    const claims = { kind: 'session-lease', subjects, marginMs: this.unlockedAtMs } as const;
    if (unreleased.length > 0 && (await hasClaimedTimer(tx, claims))) {
      throw new UnlockInProgress(call.sessionId);
    }
    // The new lease takes over the locks of the old ones: unlocking them now would break its lock.
    for (const old of unreleased) await updateLease(tx, old, lockGivenUp(old));
    const lease: Lease = { ...answer.lease, eposLocked: true };
    if (sessionLeases?.isAssumed === true) insertLeaseOfFreeSession(tx, lease);
    else await insertLease(tx, lease);
    await scheduleExpiry(tx, lease);
    return {
      outcome: 'held',
      lease,
      isNew: true,
      isLockDoubtful: unreleased.length > 0 || answer.ended?.eposLocked === true,
    };
  }

  /** Renews the lease by any command of its device. Refuses `lease_over`. */
  async renewForOwner(tx: Tx, leaseId: string, owner: string): Promise<Lease> {
    const { before, lease } = this.extendLease(tx, await lockLease(tx, leaseId), owner);
    return updateLease(tx, before, lease);
  }

  /** The same for a command on a journey under this lease, from the device that has it now. Refuses `lease_over`. */
  async renewForJourney(tx: Tx, leaseId: string): Promise<Lease> {
    const found = await lockLease(tx, leaseId);
    const { before, lease } = this.extendLease(tx, found, found?.owner ?? '');
    return updateLease(tx, before, lease);
  }

  /**
   * Renews a lease for a command of the device; `found` was read for changing it. The result is not written yet: the
   * caller writes it by `openPayment` or `releaseAndClaim`. Refuses `lease_over`.
   */
  extendLease(tx: Tx, found: Lease | null, owner: string): LeaseChange {
    const lease = requireHeld(renewByCommand(found, owner, { lengthMs: this.lengthMs, now: tx.databaseNow }));
    return { before: requireValue(found, 'the lease that is renewed'), lease };
  }

  /** Moves the lease to another device. Refuses `lease_over`. */
  async moveToDevice(tx: Tx, lease: Lease, to: Pick<Lease, 'owner' | 'requestor'>): Promise<Lease> {
    return updateLease(tx, lease, moveLease(lease, to));
  }

  /**
   * Stores that a lock call to the EPOS comes next, in the name of `requestor`; an existing lock is extended in its
   * own name.
   */
  async markLockRequested(tx: Tx, lease: Lease, requestor = lease.requestor): Promise<Lease> {
    return lease.eposLocked ? lease : updateLease(tx, lease, { ...lease, requestor, eposLocked: true });
  }

  /** Stores the EPOS's lock; a lost lease is held again. Null when the lease has ended meanwhile. */
  async markLocked(tx: Tx, leaseId: string): Promise<Lease | null> {
    const lease = await lockLease(tx, leaseId);
    if (lease === null || isLeaseOver(lease)) return null;
    if (lease.state === 'Held' && lease.eposLocked) return lease;
    return updateLease(tx, lease, lockTaken(lease, null));
  }

  /** Stores that the EPOS has no lock of this lease any more; a running lease stays. */
  async markUnlocked(tx: Tx, leaseId: string): Promise<void> {
    const lease = await lockLease(tx, leaseId);
    if (lease?.eposLocked === true) await updateLease(tx, lease, lockGivenUp(lease));
  }

  /** The same for a lease as the caller wrote it last, without its row lock. */
  async markLeaseUnlocked(tx: Tx, lease: Lease): Promise<void> {
    if (!tx.isLocking) await updateLease(tx, lease, lockGivenUp(lease));
    else if ((await updateLeaseUnlessChanged(tx, lease, lockGivenUp(lease))) === null)
      await this.markUnlocked(tx, lease.leaseId);
  }

  /** Stores that the EPOS refused to lock: nothing new starts until it does. */
  async markLockRefused(tx: Tx, leaseId: string): Promise<void> {
    const lease = await lockLease(tx, leaseId);
    if (lease !== null && !isLeaseOver(lease)) await updateLease(tx, lease, lockLost(lease));
  }

  /** Counts a payment whose card is about to be requested. Refuses `lease_over` while the EPOS's lock is lost. */
  async openPayment(tx: Tx, { before, lease }: LeaseChange): Promise<Lease> {
    return updateLease(tx, before, requireHeld(openPayment(lease)));
  }

  /**
   * Counts a payment as ended, with any result; after the last one the lease ages again. Its timer is set: the first
   * check finds the new end of the lease, and a check during a payment is repeated.
   */
  async closePayment(tx: Tx, lease: Lease): Promise<Lease> {
    return updateLease(tx, lease, closePayment(lease, this.lengthMs, tx.databaseNow));
  }

  /** A payment that had ended is open after all: the lease stays valid until the payment has ended again. */
  async reopenPayment(tx: Tx, lease: Lease): Promise<Lease> {
    return updateLease(tx, lease, { ...lease, openPayments: lease.openPayments + 1 });
  }

  /**
   * Releases the session. `isLocked` false: the EPOS is not called, because it never locked. Refuses
   * `lease_money_open`.
   */
  async release(tx: Tx, lease: Lease, { isLocked = lease.eposLocked } = {}): Promise<Lease> {
    const end = releaseLease({ ...lease, eposLocked: isLocked }, tx.databaseNow);
    return this.#end(tx, lease, end);
  }

  /**
   * Releases a session whose lease has no running journey, for a caller that unlocks at the EPOS right away. The
   * caller holds the timer of the unlocking for this time; `claimed` returns it after the commit. Refuses
   * `lease_money_open`.
   */
  async releaseAndClaim(
    tx: Tx,
    { before, lease }: LeaseChange,
    claimMs: number,
  ): Promise<{ readonly lease: Lease; readonly claimed: () => ClaimedTimer | null }> {
    const { lease: ended, unlock } = releaseLease(lease, tx.databaseNow);
    const released = await updateLease(tx, before, { ...ended, eposLocked: unlock });
    const timer = { kind: 'session-lease', subject: released.leaseId } as const;
    if (unlock) return { lease: released, claimed: scheduleAndClaim(tx, timer, claimMs) };
    cancelTimer(tx, timer);
    return { lease: released, claimed: () => null };
  }

  /**
   * An operator takes the lease away. Refuses `lease_not_found`, `lease_over`, and `lease_money_open` unless it is
   * confirmed.
   */
  async forceRelease(
    tx: Tx,
    leaseId: string,
    isConfirmed: boolean,
  ): Promise<{ readonly before: Lease; readonly lease: Lease }> {
    const before = await lockLease(tx, leaseId);
    if (before === null) throw new Refusal('lease_not_found', 'there is no such lease');
    return { before, lease: await this.#end(tx, before, forceLease(before, isConfirmed, tx.databaseNow)) };
  }

  /**
   * Checks a lease at its due time. `unlock`: it has ended and the EPOS may still hold its lock. Otherwise returns
   * when to check again; null when no check is needed any more. A lease whose payment ends meanwhile ends later.
   */
  async checkExpiry(
    tx: Tx,
    leaseId: string,
  ): Promise<{ readonly unlock: Lease } | { readonly lookAgainAt: Date | null }> {
    const lease = await lockLease(tx, leaseId);
    if (lease === null) return { lookAgainAt: null };
    if (isLeaseOver(lease)) return lease.eposLocked ? { unlock: lease } : { lookAgainAt: null };
    const end = expireLease(lease, tx.databaseNow);
    if (end.lease === lease) {
      return { lookAgainAt: end.dueAt ?? new Date(tx.databaseNow.getTime() + this.lengthMs) };
    }
    // Its unlocking has its own deadline and tries.
    if (end.unlock) await this.#end(tx, lease, end);
    else await this.#write(tx, lease, end);
    return { lookAgainAt: null };
  }

  async #end(tx: Tx, before: Lease, end: LeaseEnd): Promise<Lease> {
    const lease = await this.#write(tx, before, end);
    const timer = { kind: 'session-lease', subject: lease.leaseId } as const;
    if (end.unlock) schedule(tx, { ...timer, dueInMs: 0, isRepeat: true });
    else cancelTimer(tx, timer);
    return lease;
  }

  /**
   * Writes a lease. If it ends, its idle journeys end with it; a journey with open money continues until that is
   * settled.
   */
  async #write(tx: Tx, before: Lease, { lease, unlock }: LeaseEnd): Promise<Lease> {
    const written = await updateLease(tx, before, { ...lease, eposLocked: unlock });
    for (const { id } of await listJourneysOfLease(tx, lease.leaseId)) {
      const journey = await lockJourney(tx, id);
      if (journey === null) continue;
      const after = abandonJourney(journey, tx.now);
      if (after !== journey) await commitJourney(tx, journey, after);
    }
    return written;
  }
}

export function isLeaseOver({ state }: Pick<Lease, 'state'>): boolean {
  return state === 'Released' || state === 'Forced';
}

function requireHeld(answer: LeaseAnswer): Lease {
  if (answer.outcome === 'refused') throw new Refusal('lease_over', answer.reason);
  return answer.lease;
}

async function scheduleExpiry(tx: Tx, lease: Lease): Promise<void> {
  const dueInMs = lease.expiresAt.getTime() - tx.databaseNow.getTime();
  schedule(tx, { kind: 'session-lease', subject: lease.leaseId, dueInMs, isRepeat: true });
}
