import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { LOCK_EXTEND_EVERY_MS, lockExpiry, type LockFlow, lockFlowOf, type Requestor } from '@pos/core/lease';
import type { EposOrder } from '@pos/rest-contracts/epos-data-orders';
import type { Database } from '@pos/store/database';
import {
  deleteOrderLock,
  findOrderLock,
  lockOrderLock,
  type OrderLock,
  putOrderLock,
  updateOrderLock,
} from '@pos/store/orders';
import { cancelTimer, schedule } from '@pos/store/timers';
import type { EposOutcome } from '../epos/tables-call.js';
import type { Got, OrderCalls } from './order-calls.js';

/** An order that is to be locked or let go. */
export interface LockPlace {
  readonly scope: Scope;
  readonly sessionId: string;
  readonly orderId: string;
  readonly requestor: Requestor;
}

/**
 * Our locks on orders. The id of a lock is written down before the EPOS is asked, so that one whose answer was lost can be
 * let go by its id; our lease above it says whose it is.
 */
export class OrderLocks {
  constructor(private readonly database: Database) {}

  /** Locks the order and answers it as locked. Where the EPOS has no locks it only reads the order. */
  async take(calls: OrderCalls, place: LockPlace): Promise<Got<EposOrder>> {
    const { scope, sessionId, orderId } = place;
    const flow = flowOf(calls);
    if (flow === 'leaseOnly') return calls.get('GetOrderById', { orderId }, 'lock');
    const found = await this.database.read(scope, (reader) => findOrderLock(reader, sessionId));
    if (found?.state === 'Coming') {
      const end = await this.#letGo(calls, scope, found);
      if (end.outcome !== 'answered') return { end, said: NOTHING_SAID };
    }
    // The same id again is how an EPOS knows its own lock; the lock lasts longer by it.
    const isAgain = found?.state === 'Held' && found.orderId === orderId;
    const lockId = isAgain ? found.lockId : randomUUID();
    const expiresAt = await this.database.transact(scope, async (tx) => {
      const until = lockExpiry(flow, tx.databaseNow);
      await putOrderLock(tx, { ...place, lockId, expiresAt: until });
      return until;
    });
    const got = await calls.get('CreateOrderLock', { orderId, lockId, expiry: expiresAt.toISOString() }, 'lock');
    if ('value' in got) await this.#taken(place, { lockId, expiresAt, flow });
    else if (isDefinite(got.end)) await this.#notTaken(place, { lockId, before: isAgain ? found : null });
    return got;
  }

  /** Lets the order go. A lock that the EPOS does not know, or no more, is gone. */
  async release(calls: OrderCalls, { scope, sessionId }: Pick<LockPlace, 'scope' | 'sessionId'>): Promise<EposOutcome> {
    if (flowOf(calls) === 'leaseOnly') return UNLOCKED;
    const found = await this.database.read(scope, (reader) => findOrderLock(reader, sessionId));
    if (found === null) return { outcome: 'refused', code: 'SESSION_NOT_LOCKED', reason: 'no lock of ours is on it' };
    return this.#letGo(calls, scope, found);
  }

  /**
   * The id that a payment is recorded under; null where no lock of ours is on the order. `isGone`: ours is lost or has run out,
   * so that the order has to be locked anew first.
   */
  async idFor(scope: Scope, sessionId: string): Promise<{ readonly lockId: string | null; readonly isGone: boolean }> {
    return this.database.transact(scope, async (tx) => {
      const found = await findOrderLock(tx, sessionId);
      const isGone = found !== null && (found.state === 'Lost' || found.expiresAt <= tx.databaseNow);
      return { lockId: found?.lockId ?? null, isGone };
    });
  }

  /** The lock under which a payment told of at the table is recorded; null: a lock of ours is needed and there is none. */
  async forRecord(
    calls: OrderCalls,
    { scope, sessionId }: Pick<LockPlace, 'scope' | 'sessionId'>,
  ): Promise<{ readonly lockId: string | null } | null> {
    const { lockId, isGone } = await this.idFor(scope, sessionId);
    return isGone || (lockId === null && flowOf(calls) !== 'leaseOnly') ? null : { lockId };
  }

  async #letGo(calls: OrderCalls, scope: Scope, lock: OrderLock): Promise<EposOutcome> {
    const { orderId, lockId, sessionId } = lock;
    const got = await calls.get('DeleteOrderLock', { orderId, lockId }, 'unlock');
    const isGone = 'value' in got || (got.said.outcome === 'refused' && got.said.error.errorType === 'NotFound');
    if (!isGone) return got.end;
    await this.database.transact(scope, async (tx) => {
      if (await deleteOrderLock(tx, lock)) cancelTimer(tx, { kind: 'order-lock', subject: sessionId });
    });
    return UNLOCKED;
  }

  async #taken(
    { scope, sessionId }: LockPlace,
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

  /** The EPOS has said no: what stood before stands, and a new lock is none. */
  async #notTaken(
    { scope, sessionId }: LockPlace,
    { lockId, before }: { readonly lockId: string; readonly before: OrderLock | null },
  ): Promise<void> {
    await this.database.transact(scope, async (tx) => {
      const lock = await lockOrderLock(tx, sessionId);
      if (lock?.lockId !== lockId) return;
      if (before === null) await deleteOrderLock(tx, lock);
      else updateOrderLock(tx, lock, { state: before.state, expiresAt: before.expiresAt });
    });
  }
}

/** Nothing was asked, because an earlier lock stands in the way. */
const NOTHING_SAID = { outcome: 'notSent', why: 'noConnection', reason: 'an earlier lock is not let go yet' } as const;
const UNLOCKED: EposOutcome = { outcome: 'answered', answer: { $case: 'unlockSession', value: {} } };

function flowOf(calls: OrderCalls): LockFlow {
  return lockFlowOf(LOCK_CAPABILITIES.filter((capability) => calls.can(capability)));
}

const LOCK_CAPABILITIES = ['CreateOrderLock', 'ExtendOrderLock', 'DeleteOrderLock'] as const;

/** The EPOS has certainly not locked: it said so, or was never asked. */
function isDefinite({ outcome }: EposOutcome): boolean {
  return outcome !== 'noAnswer';
}
