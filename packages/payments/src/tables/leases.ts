import { abandonJourney } from '@pos/core/tables/journey';
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
} from '@pos/core/tables/lease';
import { Refusal } from '@pos/core/refusals/refusal';
import type { Tx } from '@pos/store/database/database';
import { listJourneysOfLease, lockJourney, updateJourney } from '@pos/store/tables/journeys';
import {
  insertLease,
  type LeasesOfSession,
  lockLease,
  lockLeasesOfSession,
  updateLease,
  updateLeaseUnlessChanged,
} from '@pos/store/tables/leases';
import { hasClaimedTimer, scheduleAndClaim } from '@pos/store/queues/timer-claim';
import { cancelTimer, type ClaimedTimer, schedule } from '@pos/store/queues/timers';

/** Who wants a session. The owner is the device: of a card machine its TID. */
export interface LeaseRequest {
  readonly sessionId: string;
  readonly owner: string;
  readonly requestor: Requestor;
}

/** A lease in the caller's hands; `isLockDoubtful`: an earlier lock of ours may still be at the EPOS and is let go first. */
export interface HeldLease {
  readonly outcome: 'held';
  readonly lease: Lease;
  readonly isNew: boolean;
  readonly mayBeLockedBefore: boolean;
}

/** A lock that an earlier lease left at the EPOS is being let go right now, which would break a lock made meanwhile. */
export class UnlockInProgress extends Error {
  override readonly name = 'UnlockUnderWay';
}

/**
 * Who may take payments on a session: rows of ours, whatever the EPOS can lock. A lock call at the EPOS is noted here
 * before it is made, so that whoever finds the lease after a crash knows that a lock may stand. Times are database time.
 */
export class Leases {
  /**
   * `unlockedAtMs`: how much is left of the claim of a lease's timer when the unlocking that was made under it has certainly
   * ended. A worker that died must not keep the session from everybody for the rest of its claim.
   */
  constructor(
    private readonly lengthMs: number = LEASE_LENGTH_MS,
    private readonly unlockedAtMs = 0,
  ) {}

  /**
   * Gives the session to the device. A new lease is written as one that may be locked at the EPOS: the call comes next.
   * The place is the session's leases, where they were read already. Throws UnlockUnderWay, to be tried again; so is a transaction that breaks a unique index (23505), because another
   * device was faster between our look and our write.
   */
  async acquire(tx: Tx, call: LeaseRequest, sessionLeases?: LeasesOfSession): Promise<HeldLease | LeaseRefusal> {
    const { open, unreleased } = sessionLeases ?? (await lockLeasesOfSession(tx, call.sessionId));
    const request = { ...call, leaseId: await tx.newUuid(), lengthMs: this.lengthMs };
    const answer = acquireLease(open, request, tx.databaseNow);
    if (answer.outcome === 'refused') return answer;
    if (!answer.isNew) {
      return { ...answer, lease: await updateLease(tx, answer.lease), mayBeLockedBefore: false };
    }
    if (answer.ended !== null) await this.#end(tx, { lease: answer.ended, unlock: false, dueAt: null });
    const subjects = unreleased.map(({ leaseId }) => leaseId);
    const claims = { kind: 'session-lease', subjects, marginMs: this.unlockedAtMs } as const;
    if (unreleased.length > 0 && (await hasClaimedTimer(tx, claims))) {
      throw new UnlockInProgress(call.sessionId);
    }
    // The new lease takes over what the old ones left: their unlocking now would break its lock.
    for (const old of unreleased) await updateLease(tx, lockGivenUp(old));
    const lease: Lease = { ...answer.lease, eposLocked: true };
    await insertLease(tx, lease);
    await scheduleExpiry(tx, lease);
    return {
      outcome: 'held',
      lease,
      isNew: true,
      mayBeLockedBefore: unreleased.length > 0 || answer.ended?.eposLocked === true,
    };
  }

  /** Any command of the device that works under this lease keeps it alive. Refuses `lease_over`. */
  async renewForOwner(tx: Tx, leaseId: string, owner: string): Promise<Lease> {
    return updateLease(tx, this.extendLease(tx, await lockLease(tx, leaseId), owner));
  }

  /** The same for a command on a journey under this lease, whichever device has it by now. Refuses `lease_over`. */
  async renewForJourney(tx: Tx, leaseId: string): Promise<Lease> {
    const lease = await lockLease(tx, leaseId);
    return updateLease(tx, this.extendLease(tx, lease, lease?.owner ?? ''));
  }

  /**
   * The lease of a session, as it was read for changing it, for a command of the device. It is kept alive by what comes of
   * the command: the caller writes it by `open` or `releaseInHand`. Refuses `lease_over`.
   */
  extendLease(tx: Tx, found: Lease | null, owner: string): Lease {
    return requireHeld(renewByCommand(found, owner, { lengthMs: this.lengthMs, now: tx.databaseNow }));
  }

  /** Another device goes on under the lease. Refuses `lease_over`. */
  async moveToDevice(tx: Tx, lease: Lease, to: Pick<Lease, 'owner' | 'requestor'>): Promise<Lease> {
    return updateLease(tx, moveLease(lease, to));
  }

  /** A lock call to the EPOS goes out next, in the name of whoever asks; a lock that may stand is extended in its own name. */
  async markLockRequested(tx: Tx, lease: Lease, requestor = lease.requestor): Promise<Lease> {
    return lease.eposLocked ? lease : updateLease(tx, { ...lease, requestor, eposLocked: true });
  }

  /** The EPOS has locked; a lost lease is held again. Null when the lease has ended meanwhile. */
  async markLocked(tx: Tx, leaseId: string): Promise<Lease | null> {
    const lease = await lockLease(tx, leaseId);
    if (lease === null || isLeaseOver(lease)) return null;
    if (lease.state === 'Held' && lease.eposLocked) return lease;
    return updateLease(tx, lockTaken(lease, null));
  }

  /** The EPOS has no lock of this lease any more; the lease, if it still runs, stays. */
  async markUnlocked(tx: Tx, leaseId: string): Promise<void> {
    const lease = await lockLease(tx, leaseId);
    if (lease?.eposLocked === true) await updateLease(tx, lockGivenUp(lease));
  }

  /** The same for a lease as it was written last by the caller, who holds no lock of it any more. */
  async markLeaseUnlocked(tx: Tx, lease: Lease): Promise<void> {
    if (!tx.isLocking) await updateLease(tx, lockGivenUp(lease));
    else if ((await updateLeaseUnlessChanged(tx, lockGivenUp(lease))) === null)
      await this.markUnlocked(tx, lease.leaseId);
  }

  /** The EPOS would not lock for us: nothing new starts until it does. */
  async markLockRefused(tx: Tx, leaseId: string): Promise<void> {
    const lease = await lockLease(tx, leaseId);
    if (lease !== null && !isLeaseOver(lease)) await updateLease(tx, lockLost(lease));
  }

  /** A card is about to be asked for. Refuses `lease_over` while the EPOS's lock is lost. */
  async openPayment(tx: Tx, lease: Lease): Promise<Lease> {
    return updateLease(tx, requireHeld(openPayment(lease)));
  }

  /** A payment has come to its end, in whatever way; after the last one the lease ages again. */
  async closePayment(tx: Tx, lease: Lease): Promise<Lease> {
    const closed = await updateLease(tx, closePayment(lease, this.lengthMs, tx.databaseNow));
    if (!isLeaseOver(closed) && closed.openPayments === 0) await scheduleExpiry(tx, closed);
    return closed;
  }

  /** A payment that had ended is open after all: the lease lives until it has ended again. */
  async reopenPayment(tx: Tx, lease: Lease): Promise<Lease> {
    return updateLease(tx, { ...lease, openPayments: lease.openPayments + 1 });
  }

  /** Lets the session go. `isLocked` false: nothing is to be told to the EPOS, because it never locked. Refuses `lease_money_open`. */
  async release(tx: Tx, lease: Lease, { isLocked = lease.eposLocked } = {}): Promise<Lease> {
    const end = releaseLease({ ...lease, eposLocked: isLocked }, tx.databaseNow);
    return this.#end(tx, end);
  }

  /**
   * Lets a session go on whose lease no journey runs, for a caller who tells the EPOS right away: the timer that would do
   * it is his for so long, which `claimed` says after the commit. Refuses `lease_money_open`.
   */
  async releaseAndClaim(
    tx: Tx,
    lease: Lease,
    claimMs: number,
  ): Promise<{ readonly lease: Lease; readonly claimed: () => ClaimedTimer | null }> {
    const { lease: ended, unlock } = releaseLease(lease, tx.databaseNow);
    const released = await updateLease(tx, { ...ended, eposLocked: unlock });
    const timer = { kind: 'session-lease', subject: released.leaseId } as const;
    if (unlock) return { lease: released, claimed: scheduleAndClaim(tx, timer, claimMs) };
    cancelTimer(tx, timer);
    return { lease: released, claimed: () => null };
  }

  /** A person takes the lease away. Refuses `lease_not_found`, `lease_over`, and `lease_money_open` unless it is confirmed. */
  async forceRelease(
    tx: Tx,
    leaseId: string,
    isConfirmed: boolean,
  ): Promise<{ readonly before: Lease; readonly lease: Lease }> {
    const before = await lockLease(tx, leaseId);
    if (before === null) throw new Refusal('lease_not_found', 'there is no such lease');
    return { before, lease: await this.#end(tx, forceLease(before, isConfirmed, tx.databaseNow)) };
  }

  /**
   * The lease's time to be looked at has come. `unlock`: it has ended and the EPOS may still hold its lock. Otherwise
   * says when to look again; null when nothing is to be looked at any more, or a closing payment will say when.
   */
  async checkExpiry(
    tx: Tx,
    leaseId: string,
  ): Promise<{ readonly unlock: Lease } | { readonly lookAgainAt: Date | null }> {
    const lease = await lockLease(tx, leaseId);
    if (lease === null) return { lookAgainAt: null };
    if (isLeaseOver(lease)) return lease.eposLocked ? { unlock: lease } : { lookAgainAt: null };
    const end = expireLease(lease, tx.databaseNow);
    if (end.lease === lease) return { lookAgainAt: end.dueAt };
    // Its unlocking is a deadline of its own, with tries of its own.
    if (end.unlock) await this.#end(tx, end);
    else await this.#write(tx, end);
    return { lookAgainAt: null };
  }

  async #end(tx: Tx, end: LeaseEnd): Promise<Lease> {
    const lease = await this.#write(tx, end);
    const timer = { kind: 'session-lease', subject: lease.leaseId } as const;
    if (end.unlock) schedule(tx, { ...timer, dueInMs: 0, isRepeat: true });
    else cancelTimer(tx, timer);
    return lease;
  }

  /** A lease that ends takes its idle journeys with it; one with open money goes on until that is settled. */
  async #write(tx: Tx, { lease, unlock }: LeaseEnd): Promise<Lease> {
    const written = await updateLease(tx, { ...lease, eposLocked: unlock });
    for (const { id } of await listJourneysOfLease(tx, lease.leaseId)) {
      const journey = await lockJourney(tx, id);
      if (journey === null) continue;
      const after = abandonJourney(journey, tx.now);
      if (after !== journey) await updateJourney(tx, after);
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
