import { lockExpiry, planExtension } from '@pos/core/tables';
import type { Leases } from '@pos/payments/tables';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { findLeaseOfSession, findOrderLock, lockOrderLock, type OrderLock, updateOrderLock } from '@pos/store/tables';
import { type ClaimedTimer, LeaseLost, type TimerQueue } from '@pos/store/queues';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import { buildRequestorHeaders } from './order-api-client.js';

const EXTENSION_TIMEOUT_MS = 20_000;

/**
 * Extends our locks on orders while their sessions are leased, for all gateways. A lock that the EPOS has deleted, or that
 * has expired without an answer, is lost, and the lease with it: no payment starts until the order is locked again.
 */
export class OrderLockExtender {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly leases: Leases;
      readonly callData: (request: DataCallRequest) => Promise<DataOutcome>;
      readonly log: Log;
    },
  ) {}

  /** Processes the due timer of a lock. */
  async work(claimed: ClaimedTimer): Promise<void> {
    const { database, queue } = this.parts;
    const { scope, subject: sessionId } = claimed;
    try {
      const heldLock = await database.transact(scope, async (tx) => {
        const lock = await findOrderLock(tx, sessionId);
        const lease = await findLeaseOfSession(tx, sessionId);
        // Without a lease the lock is not needed: it was released, or expires.
        if (lock?.state !== 'Held' || lease === null) {
          await queue.complete(tx, claimed, null);
          return null;
        }
        return { lock, expiresAt: lockExpiry('lockAndExtend', tx.databaseNow) };
      });
      if (heldLock !== null) await this.#extendLock(claimed, heldLock.lock, heldLock.expiresAt);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  async #extendLock(claimed: ClaimedTimer, lock: OrderLock, expiresAt: Date): Promise<void> {
    const { database, queue, leases, callData, log } = this.parts;
    const { scope } = claimed;
    const { orderId, lockId, requestor, sessionId } = lock;
    const outcome = await callData({
      ...{ scope, headers: buildRequestorHeaders(requestor), waitMs: EXTENSION_TIMEOUT_MS, fence: null, faults: null },
      name: 'ExtendOrderLock',
      params: { orderId, lockId, expiry: expiresAt.toISOString() },
    });
    const answer = classifyExtension(outcome);
    await database.transact(scope, async (tx) => {
      const currentLock = await lockOrderLock(tx, sessionId);
      if (currentLock?.lockId !== lockId || currentLock.state !== 'Held') {
        await queue.complete(tx, claimed, null);
        return;
      }
      const next = planExtension(answer, lock.expiresAt, tx.databaseNow);
      if (answer === 'extended') updateOrderLock(tx, currentLock, { state: 'Held', expiresAt });
      if (next === null) {
        updateOrderLock(tx, currentLock, { state: 'Lost', expiresAt: currentLock.expiresAt });
        const lease = await findLeaseOfSession(tx, sessionId);
        if (lease !== null) await leases.markLockRefused(tx, lease.leaseId);
        log.warn('order_lock.lost', { account_id: scope.accountId, session_id: sessionId, order_id: orderId, answer });
      }
      const inMs = next === null ? null : Math.max(0, next.getTime() - tx.databaseNow.getTime());
      await queue.complete(tx, claimed, inMs === null ? null : { inMs });
    });
  }
}

function classifyExtension(outcome: DataOutcome): 'extended' | 'refused' | 'unanswered' {
  if (outcome.outcome === 'answered') return 'extended';
  return outcome.outcome === 'refused' && outcome.error.errorType !== 'UnexpectedError' ? 'refused' : 'unanswered';
}
