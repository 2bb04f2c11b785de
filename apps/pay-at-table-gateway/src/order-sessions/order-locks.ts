import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { LOCK_EXTEND_EVERY_MS, lockExpiry, type LockFlow, chooseLockFlow, type Requestor } from '@pos/core/tables';
import type { EposOrder } from '@pos/rest-contracts/epos-data';
import { isMembers } from '@pos/rest-contracts/shapes';
import type { Database } from '@pos/store/database';
import {
  deleteOrderLock,
  findOrderLock,
  lockOrderLock,
  type OrderLock,
  putOrderLock,
  updateOrderLock,
} from '@pos/store/tables';
import { cancelTimer, schedule } from '@pos/store/queues';
import type { TablesOutcome } from '../epos-calls/tables-call.js';
import type { OrderCallResult, OrderApiClient } from './order-api-client.js';

/** An order to lock or unlock. */
export interface OrderLockTarget {
  readonly scope: Scope;
  readonly sessionId: string;
  readonly orderId: string;
  readonly requestor: Requestor;
}

/**
 * Our locks on orders. The id of a lock is stored before the call, so that a lock without an answer can be released by its
 * id. The lease of the session names its owner.
 */
export class OrderLocks {
  constructor(private readonly database: Database) {}

  /** Locks the order and returns it. If the EPOS has no locks, only reads the order. */
  async acquireLock(calls: OrderApiClient, target: OrderLockTarget): Promise<OrderCallResult<EposOrder>> {
    const { scope, sessionId, orderId } = target;
    const flow = getLockFlow(calls);
    if (flow === 'leaseOnly') return calls.callEpos('GetOrderById', { orderId }, 'lock');
    const found = await this.database.read(scope, (reader) => findOrderLock(reader, sessionId));
    if (found?.state === 'Coming') {
      const end = await this.#deleteLock(calls, scope, found);
      if (end.outcome !== 'answered') return { end, outcome: EARLIER_LOCK_FAILURE };
    }
    // With the same id the EPOS extends the existing lock.
    const isRelock = found?.state === 'Held' && found.orderId === orderId;
    const lockId = isRelock ? found.lockId : randomUUID();
    const expiresAt = await this.database.transact(scope, async (tx) => {
      const expiry = lockExpiry(flow, tx.databaseNow);
      await putOrderLock(tx, { ...target, lockId, expiresAt: expiry });
      return expiry;
    });
    const result = await calls.callEpos(
      'CreateOrderLock',
      { orderId, lockId, expiry: expiresAt.toISOString() },
      'lock',
    );
    const isAnswered = isOrderAnswered(result);
    if (isAnswered) await this.#markAcquired(target, { lockId, expiresAt, flow });
    else if ('end' in result && isDefiniteRefusal(result.end))
      await this.#restorePreviousLock(target, { lockId, previousLock: isRelock ? found : null });
    if ('value' in result ? result.value.totalAmount !== undefined : !isAnswered) return result;
    // The order is locked, and the answer does not show what it costs.
    return calls.callEpos('GetOrderById', { orderId }, 'lock');
  }

  /** Releases the order. A lock that the EPOS does not have counts as released. */
  async releaseLock(
    calls: OrderApiClient,
    { scope, sessionId }: Pick<OrderLockTarget, 'scope' | 'sessionId'>,
  ): Promise<TablesOutcome> {
    if (getLockFlow(calls) === 'leaseOnly') return UNLOCKED_OUTCOME;
    const found = await this.database.read(scope, (reader) => findOrderLock(reader, sessionId));
    if (found === null) return { outcome: 'refused', code: 'SESSION_NOT_LOCKED', reason: 'no lock of ours is on it' };
    return this.#deleteLock(calls, scope, found);
  }

  /**
   * The lock id for the record of a payment; null without a lock of ours. `isGone`: our lock is lost or has expired, and the
   * order must be locked again first.
   */
  async findLockId(
    scope: Scope,
    sessionId: string,
  ): Promise<{ readonly lockId: string | null; readonly isGone: boolean }> {
    return this.database.transact(scope, async (tx) => {
      const found = await findOrderLock(tx, sessionId);
      const isGone = found !== null && (found.state === 'Lost' || found.expiresAt <= tx.databaseNow);
      return { lockId: found?.lockId ?? null, isGone };
    });
  }

  /** The lock for the record of a payment; null: a lock is required, and there is none. */
  async findRecordLock(
    calls: OrderApiClient,
    { scope, sessionId }: Pick<OrderLockTarget, 'scope' | 'sessionId'>,
  ): Promise<{ readonly lockId: string | null } | null> {
    const { lockId, isGone } = await this.findLockId(scope, sessionId);
    return isGone || (lockId === null && getLockFlow(calls) !== 'leaseOnly') ? null : { lockId };
  }

  async #deleteLock(calls: OrderApiClient, scope: Scope, lock: OrderLock): Promise<TablesOutcome> {
    const { orderId, lockId, sessionId } = lock;
    const result = await calls.callEpos('DeleteOrderLock', { orderId, lockId }, 'unlock');
    // The EPOS has answered: the content of its order does not matter to an unlock.
    const isGone =
      'value' in result ||
      result.outcome.outcome === 'answered' ||
      (result.outcome.outcome === 'refused' && result.outcome.error.errorType === 'NotFound');
    if (!isGone) return result.end;
    await this.database.transact(scope, async (tx) => {
      if (await deleteOrderLock(tx, lock)) cancelTimer(tx, { kind: 'order-lock', subject: sessionId });
    });
    return UNLOCKED_OUTCOME;
  }

  async #markAcquired(
    { scope, sessionId }: OrderLockTarget,
    { lockId, expiresAt, flow }: { readonly lockId: string; readonly expiresAt: Date; readonly flow: LockFlow },
  ): Promise<void> {
    await this.database.transact(scope, async (tx) => {
      const lock = await lockOrderLock(tx, sessionId);
      if (lock?.lockId !== lockId) return;
      updateOrderLock(tx, lock, { state: 'Held', expiresAt });
      if (flow !== 'lockAndExtend') return;
      schedule(tx, { kind: 'order-lock', subject: sessionId, dueInMs: LOCK_EXTEND_EVERY_MS, isRepeat: true });
    });
  }

  /** The EPOS has refused: an earlier lock stays, and the new one is removed. */
  async #restorePreviousLock(
    { scope, sessionId }: OrderLockTarget,
    { lockId, previousLock }: { readonly lockId: string; readonly previousLock: OrderLock | null },
  ): Promise<void> {
    await this.database.transact(scope, async (tx) => {
      const lock = await lockOrderLock(tx, sessionId);
      if (lock?.lockId !== lockId) return;
      if (previousLock === null) await deleteOrderLock(tx, lock);
      else updateOrderLock(tx, lock, { state: previousLock.state, expiresAt: previousLock.expiresAt });
    });
  }
}

/** No call was made, because an earlier lock exists. */
const EARLIER_LOCK_FAILURE = {
  outcome: 'notSent',
  cause: 'noConnection',
  reason: 'an earlier lock is not let go yet',
} as const;
const UNLOCKED_OUTCOME: TablesOutcome = { outcome: 'answered', answer: { $case: 'unlockSession', value: {} } };

function getLockFlow(calls: OrderApiClient): LockFlow {
  return chooseLockFlow(LOCK_CAPABILITIES.filter((capability) => calls.hasCapability(capability)));
}

const LOCK_CAPABILITIES = ['CreateOrderLock', 'ExtendOrderLock', 'DeleteOrderLock'] as const;

/** Whether the EPOS has answered an order, readable or not: then it has locked it. */
function isOrderAnswered(result: OrderCallResult<EposOrder>): boolean {
  return 'value' in result || (result.outcome.outcome === 'answered' && isMembers(result.outcome.json));
}

/** Whether the EPOS has certainly not locked: it refused, or received nothing. */
function isDefiniteRefusal({ outcome }: TablesOutcome): boolean {
  return outcome !== 'noAnswer';
}
