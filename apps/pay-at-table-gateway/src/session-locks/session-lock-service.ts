import type { Scope } from '@pos/core/identity';
import {
  type EposAnswer,
  type EposErrorCode,
  type EposRefused,
  type EposSilence,
  type Lease,
  LOCK_DELETE_TRIES_MAX,
  type Requestor,
  type TablePayment,
  type TablePaymentInput,
  type UncheckedBill,
} from '@pos/core/tables';
import { type HeldLease, isLeaseOver, type LeaseRequest, type Leases, UnlockInProgress } from '@pos/payments/tables';
import { createTablesFailure } from '@pos/service-kit/grpc';
import type { Database, Reader } from '@pos/store/database';
import { isUniqueViolation } from '@pos/postgres/statements';
import {
  findLease,
  findLeaseOfSession,
  type LeasesOfSession,
  lockLease,
  lockLeasesOfSession,
  readOrderOfSession,
} from '@pos/store/tables';
import { setTimeout as pause } from 'node:timers/promises';
import type { EposResolver } from './epos-resolver.js';

/** The outcome of a lock call. The bill is null when this lease already had the lock: it must be read. */
export type LockOutcome =
  | { readonly outcome: 'locked'; readonly bill: UncheckedBill | null }
  | EposRefused
  | { readonly outcome: EposSilence; readonly reason: string };

const CONFLICT_RETRIES_MAX = 5;
/** How long to wait for a running unlock, and how often to check it. */
export const UNLOCK_WAIT_MAX_MS = 2_000;
export const UNLOCK_POLL_MS = 10;
const UNLOCK_POLL_MAX_MS = 400;

/** Most sessions are free, and the write of the new lease proves it. */
const ASSUMED_FREE: LeasesOfSession = { open: null, unreleased: [], isAssumed: true };

/** A lease that the caller holds, with a further read. */
export interface AcquiredLease<T> {
  readonly held: HeldLease;
  readonly also: T;
  /** The order of the session; null if the EPOS keeps sessions. */
  readonly orderId: string | null;
}

/** The locks of leased sessions at their EPOSes, which protect them from other clients of the EPOS. */
export class SessionLockService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly leases: Leases;
      readonly getEpos: EposResolver;
      readonly callLimitMs: number;
    },
  ) {}

  /**
   * Acquires our lease on a session in one transaction, together with a further read. A device that loses a race gets the
   * owner; a running unlock is waited for. The first try reads no lease and assumes a free session. Refuses with the
   * error of the contract if another device has the session.
   */
  async acquireLease<T>(
    scope: Scope,
    request: LeaseRequest,
    also: (reader: Reader) => Promise<T>,
  ): Promise<AcquiredLease<T>> {
    const { database, leases } = this.parts;
    const untilMs = performance.now() + UNLOCK_WAIT_MAX_MS;
    let polls = 0;
    let isAssumedFree = true;
    for (let conflicts = 0; ;) {
      try {
        const found = await database.transactOptimistically(scope, {
          read: (decisionReader) =>
            Promise.all([
              isAssumedFree && !decisionReader.isLocking
                ? ASSUMED_FREE
                : lockLeasesOfSession(decisionReader, request.sessionId),
              also(decisionReader),
            ]),
          decide: async (tx, [sessionLeases, read]) => ({
            held: await leases.acquire(tx, request, sessionLeases),
            also: read,
            getOrderId: readOrderOfSession(tx, request.sessionId),
          }),
        });
        const { held } = found;
        if (held.outcome === 'refused') throw createTablesFailure(held.code, held.reason);
        return { held, also: found.also, orderId: found.getOrderId() };
      } catch (error) {
        isAssumedFree = false;
        if (error instanceof UnlockInProgress) {
          if (performance.now() >= untilMs) {
            throw createTablesFailure('SESSION_ALREADY_LOCKED', 'the session is being unlocked: try again');
          }
          polls += 1;
          // Many callers may wait for one session, so their polls have jitter and become less frequent.
          await pause(Math.min(UNLOCK_POLL_MAX_MS, UNLOCK_POLL_MS * 2 ** polls) * (0.5 + Math.random()));
        } else if (!isUniqueViolation(error) || ++conflicts > CONFLICT_RETRIES_MAX) throw error;
      }
    }
  }

  /**
   * Locks the session for a lease whose row already contains the lock. `mayBeOurs`: an earlier lock of this lease may exist,
   * and is valid. `isDoubtful`: a lock that must not exist any more is released first.
   */
  async lockSession(
    scope: Scope,
    lease: Lease,
    lockOptions: { readonly requestor: Requestor; readonly mayBeOurs: boolean; readonly isDoubtful?: boolean },
  ): Promise<LockOutcome> {
    const { requestor, mayBeOurs } = lockOptions;
    if (lockOptions.isDoubtful === true)
      await this.unlockSession(scope, lease.sessionId, { requestor, triesMax: LOCK_DELETE_TRIES_MAX });
    let answer = await this.#callLock(scope, lease.sessionId, requestor);
    // A lock whose answer was lost may exist without a known owner: it is released, then locked again.
    if (answer.outcome === 'noAnswer') {
      const isUnlocked = await this.unlockSession(scope, lease.sessionId, {
        requestor,
        triesMax: LOCK_DELETE_TRIES_MAX,
      });
      if (isUnlocked) answer = await this.#callLock(scope, lease.sessionId, requestor);
    }
    if (answer.outcome === 'answered') return this.#recordLocked(scope, lease, answer.value);
    const isOurs = mayBeOurs && answer.outcome === 'refused' && answer.code === 'SESSION_ALREADY_LOCKED';
    return isOurs ? this.#recordLocked(scope, lease, null) : answer;
  }

  /** Locks again so that a payment can be recorded; under an own lease "already locked" is as good as locked. */
  async relockSession(
    scope: Scope,
    { leaseId, sessionId }: TablePayment,
    requestor: Requestor,
  ): Promise<TablePaymentInput> {
    const found = await this.parts.database.transact(scope, async (tx) => {
      const lease = leaseId === null ? null : await lockLease(tx, leaseId);
      if (lease !== null && !isLeaseOver(lease))
        return { ours: await this.parts.leases.markLockRequested(tx, lease), other: null };
      return { ours: null, other: await findLeaseOfSession(tx, sessionId) };
    });
    if (found.other !== null) return { kind: 'lockHeldByOther', note: `the session is ${found.other.owner}'s now` };
    const answer =
      found.ours === null
        ? toLockOutcome(await this.#callLock(scope, sessionId, requestor))
        : await this.lockSession(scope, found.ours, { requestor, mayBeOurs: true });
    if (answer.outcome === 'locked') return { kind: 'locked' };
    const { reason: note } = answer;
    if (answer.outcome !== 'refused') return { kind: 'lockUnanswered', note };
    return { kind: answer.code === 'SESSION_ALREADY_LOCKED' ? 'lockHeldByOther' : 'lockRefused', note };
  }

  /** Unlocks the session. True: the EPOS has certainly no lock of ours any more. */
  async unlockSession(
    scope: Scope,
    sessionId: string,
    { requestor, triesMax }: { readonly requestor: Requestor; readonly triesMax: number },
  ): Promise<boolean> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const answer = await this.parts.getEpos(scope).unlockSession(sessionId, this.#buildCall(requestor));
      if (answer.outcome === 'answered') return true;
      if (answer.outcome === 'refused' && NOT_LOCKED_CODES.has(answer.code)) return true;
      if (answer.outcome === 'notConnected') return false;
    }
    return false;
  }

  /** Unlocks the session between two parts, unless another device has it now. */
  async unlockAfterPart(scope: Scope, { leaseId, sessionId }: TablePayment, requestor: Requestor): Promise<boolean> {
    const isLeasedByOther = await this.parts.database.read(scope, async (reader) => {
      const lease = leaseId === null ? null : await findLease(reader, leaseId);
      if (lease !== null && !isLeaseOver(lease)) return false;
      return (await findLeaseOfSession(reader, sessionId)) !== null;
    });
    return !isLeasedByOther && this.unlockSession(scope, sessionId, { requestor, triesMax: 1 });
  }

  #callLock(scope: Scope, sessionId: string, requestor: Requestor): Promise<EposAnswer<UncheckedBill>> {
    return this.parts.getEpos(scope).lockSession(sessionId, this.#buildCall(requestor));
  }

  async #recordLocked(scope: Scope, { leaseId, state }: Lease, bill: UncheckedBill | null): Promise<LockOutcome> {
    const { database, leases } = this.parts;
    // The row of a lease contains the lock before the call. Only a lease that had lost its lock must be updated.
    if (state !== 'Held') await database.transact(scope, (tx) => leases.markLocked(tx, leaseId));
    return { outcome: 'locked', bill };
  }

  #buildCall(requestor: Requestor) {
    return { requestor, deadlineMs: this.parts.callLimitMs };
  }
}

/** The error codes of an EPOS that does not have the lock. */
const NOT_LOCKED_CODES: ReadonlySet<EposErrorCode> = new Set(['SESSION_NOT_LOCKED', 'SESSION_NO_SUCH_SESSION']);

function toLockOutcome(answer: EposAnswer<UncheckedBill>): LockOutcome {
  return answer.outcome === 'answered' ? { outcome: 'locked', bill: answer.value } : answer;
}
