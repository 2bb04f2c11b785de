import type { Scope } from '@pos/core/identity';
import { type EposAnswer, type Lease, type Requestor, UNLOCK_TRIES_MAX } from '@pos/core/tables';
import type { LeaseChange, Leases } from '@pos/payments/tables';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database, OptimisticWork } from '@pos/store/database';
import { type ClaimedTimer, claimTimer, LeaseLost, type TimerQueue } from '@pos/store/queues';
import type { EposResolver } from './epos-resolver.js';
import type { SessionLockService } from './session-lock-service.js';

const UNLOCK_RETRY_MS = 2_000;
const RECORD_UNLOCK_TRIES_MAX = 2;

/** Ends expired leases, and unlocks the session of every ended lease at the EPOS. */
export class LeaseTimerWorker {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly leases: Leases;
      readonly locks: SessionLockService;
      readonly getEpos: EposResolver;
      readonly callLimitMs: number;
      readonly claimMs: number;
      readonly log: Log;
    },
  ) {}

  /** Unlocks at once the session of a lease that has just ended; a failure is retried by its timer. */
  async unlockEndedLease(scope: Scope, leaseId: string): Promise<void> {
    const timer = { kind: 'session-lease', subject: leaseId } as const;
    const claimed = await this.parts.database.transact(scope, (tx) => claimTimer(tx, timer, this.parts.claimMs));
    if (claimed !== null) await this.work(claimed);
  }

  /** Ends a lease and unlocks the session at once, for a device that waits for the answer of the EPOS. */
  async endLease<Found>(
    scope: Scope,
    requestor: Requestor,
    { decide, ...reads }: OptimisticWork<Found, LeaseChange>,
  ): Promise<EposAnswer<null>> {
    const { database, leases, getEpos, callLimitMs, claimMs } = this.parts;
    const endedLease = await database.transactOptimistically(scope, {
      ...reads,
      decide: async (tx, found: Found) => leases.releaseAndClaim(tx, await decide(tx, found), claimMs),
    });
    const { lease } = endedLease;
    const claimed = endedLease.claimed();
    if (!lease.eposLocked) return { outcome: 'answered', value: null };
    const call = { requestor, deadlineMs: callLimitMs };
    const answer = await getEpos(scope).unlockSession(lease.sessionId, call);
    if (claimed !== null) await this.#recordUnlock(claimed, lease, answer.outcome === 'answered');
    return answer;
  }

  /** Stores the result of an unlock. The device receives the answer of the EPOS even if this fails; the timer repeats it then. */
  async #recordUnlock(claimed: ClaimedTimer, lease: Lease, isGone: boolean): Promise<void> {
    const { database, queue, leases, log } = this.parts;
    for (let tries = 0; tries < RECORD_UNLOCK_TRIES_MAX; tries += 1) {
      try {
        await database.transactOptimistically(claimed.scope, {
          read: () => Promise.resolve(),
          decide: async (tx) => {
            // The timer repeats an unlock whose result is lost, and a new lease is stored only after the result.
            if (isGone) tx.commitWithoutFlush();
            await Promise.all([
              isGone ? leases.markLeaseUnlocked(tx, lease) : null,
              queue.complete(tx, claimed, isGone ? null : { inMs: UNLOCK_RETRY_MS }),
            ]);
          },
        });
        return;
      } catch (error) {
        if (error instanceof LeaseLost) return;
        log.warn('lease.unlock_result_not_stored', { lease_id: lease.leaseId, error });
      }
    }
  }

  /** Processes the due timer of a lease. */
  async work(claimed: ClaimedTimer): Promise<void> {
    const { database, queue, leases } = this.parts;
    try {
      const lease = await database.transact(claimed.scope, async (tx) => {
        const expiryCheck = await leases.checkExpiry(tx, claimed.subject);
        if ('unlock' in expiryCheck) return expiryCheck.unlock;
        const { lookAgainAt } = expiryCheck;
        const inMs = lookAgainAt === null ? null : Math.max(0, lookAgainAt.getTime() - tx.databaseNow.getTime());
        await queue.complete(tx, claimed, inMs === null ? null : { inMs });
        return null;
      });
      if (lease !== null) await this.#unlockSession(claimed, lease);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  async #unlockSession(claimed: ClaimedTimer, { leaseId, sessionId, requestor }: Lease): Promise<void> {
    const { database, queue, leases, locks, log } = this.parts;
    const { scope, attempts } = claimed;
    const isUnlocked = await locks.unlockSession(scope, sessionId, { requestor, triesMax: 1 });
    const isGivenUp = !isUnlocked && attempts >= UNLOCK_TRIES_MAX;
    if (isGivenUp)
      log.warn('lease.unlock_abandoned', { account_id: scope.accountId, lease_id: leaseId, session_id: sessionId });
    await database.transact(scope, async (tx) => {
      if (!isUnlocked && !isGivenUp) {
        await queue.complete(tx, claimed, { inMs: UNLOCK_RETRY_MS * 2 ** (attempts - 1) });
        return;
      }
      await leases.markUnlocked(tx, leaseId);
      await queue.complete(tx, claimed, null);
    });
  }
}
