import { lockExpiry, nextExtension } from '@pos/core/lease';
import type { Leases } from '@pos/payments/leases';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { findLeaseOfSession } from '@pos/store/leases';
import { findOrderLock, lockOrderLock, type OrderLock, updateOrderLock } from '@pos/store/orders';
import { type ClaimedTimer, LeaseLost, type TimerQueue } from '@pos/store/timers';
import type { DataOutcome, DataWish } from '../epos/tables-call.js';
import { headersOf } from './order-calls.js';

const EXTENSION_WAIT_MS = 20_000;

/**
 * Extends our locks on orders while their sessions are leased, whichever gateway it is. A lock that the EPOS does not know
 * any more, or that has run out unanswered, is lost, and its lease with it: no new payment starts until it is locked anew.
 */
export class OrderLockKeeper {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly leases: Leases;
      readonly ask: (wish: DataWish) => Promise<DataOutcome>;
      readonly log: Log;
    },
  ) {}

  /** Works the due row of a lock. */
  async work(claimed: ClaimedTimer): Promise<void> {
    const { database, queue } = this.parts;
    const { scope, subject: sessionId } = claimed;
    try {
      const found = await database.transact(scope, async (tx) => {
        const lock = await findOrderLock(tx, sessionId);
        const lease = await findLeaseOfSession(tx, sessionId);
        // Without a lease nobody needs it: it was let go, or is left to run out.
        if (lock?.state !== 'Held' || lease === null) {
          await queue.complete(tx, claimed, null);
          return null;
        }
        return { lock, expiresAt: lockExpiry('lockAndExtend', tx.databaseNow) };
      });
      if (found !== null) await this.#extend(claimed, found.lock, found.expiresAt);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  async #extend(claimed: ClaimedTimer, lock: OrderLock, expiresAt: Date): Promise<void> {
    const { database, queue, leases, ask, log } = this.parts;
    const { scope } = claimed;
    const { orderId, lockId, requestor, sessionId } = lock;
    const said = await ask({
      ...{ scope, headers: headersOf(requestor), waitMs: EXTENSION_WAIT_MS, fence: null, faults: null },
      name: 'ExtendOrderLock',
      params: { orderId, lockId, expiry: expiresAt.toISOString() },
    });
    const answer = answerOf(said);
    await database.transact(scope, async (tx) => {
      const now = await lockOrderLock(tx, sessionId);
      if (now?.lockId !== lockId || now.state !== 'Held') {
        await queue.complete(tx, claimed, null);
        return;
      }
      const next = nextExtension(answer, lock.expiresAt, tx.databaseNow);
      if (answer === 'extended') updateOrderLock(tx, now, { state: 'Held', expiresAt });
      if (next === null) {
        updateOrderLock(tx, now, { state: 'Lost', expiresAt: now.expiresAt });
        const lease = await findLeaseOfSession(tx, sessionId);
        if (lease !== null) await leases.markLockRefused(tx, lease.leaseId);
        log.warn('order_lock.lost', { account_id: scope.accountId, session_id: sessionId, order_id: orderId, answer });
      }
      const inMs = next === null ? null : Math.max(0, next.getTime() - tx.databaseNow.getTime());
      await queue.complete(tx, claimed, inMs === null ? null : { inMs });
    });
  }
}

function answerOf(said: DataOutcome): 'extended' | 'refused' | 'unanswered' {
  if (said.outcome === 'answered') return 'extended';
  return said.outcome === 'refused' && said.error.errorType !== 'UnexpectedError' ? 'refused' : 'unanswered';
}
