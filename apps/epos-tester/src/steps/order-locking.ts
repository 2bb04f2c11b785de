import { isSameAmount } from '@pos/core/money';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { randomUUID } from 'node:crypto';
import { callData, listCapabilities, getData, requireResult } from '../flow-context/data-calls.js';
import type { FlowStep } from '../flow-context/flow.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { checkOrder, findMoney } from './order-checks.js';
import { getOrder, useOrder } from './order-steps.js';

/** As long as the service locks an order whose lock it cannot extend. */
const LOCK_MS = 15 * 60_000;

/** Locks the order of the flow for its payments, where locks are registered. */
export const lockOrder: FlowStep = {
  name: 'lock',
  act: async (context) => {
    if (await usesLocks(context)) await createLock(context, LOCK_MS);
    else context.step.note('locks are not registered, so none is taken');
  },
};

/** Unlocks the order of the flow. */
export const unlockOrder: FlowStep = {
  name: 'unlock',
  act: async (context) => {
    const { orders } = context.flowContext;
    const { id } = getOrder(context);
    const { lockId } = orders;
    if (lockId === null) {
      context.step.note('there is no lock to let go of');
      return;
    }
    const params = { orderId: id, lockId };
    const order = await getData(context, 'DeleteOrderLock', { params, clause: 'order-lock.releases' });
    orders.locks.delete(lockId);
    orders.lockId = null;
    checkOrder(context, order, { at: '', id });
  },
};

/** Whether this EPOS records payments under a lock. */
export async function usesLocks(context: StepContext): Promise<boolean> {
  const registered = await listCapabilities(context);
  return registered.has('CreateOrderLock') && registered.has('DeleteOrderLock');
}

/**
 * Locks the order of the flow under a new id and returns its expiry. Ends the step under the given clause when the
 * EPOS refuses. Warns of a conflict where an earlier lock has expired.
 */
export async function createLock(
  context: StepContext,
  forMs: number,
  clause: 'order-lock.takes' | 'order-lock.expires' | 'order-lock.releases' = 'order-lock.takes',
): Promise<number> {
  const { flowContext, step } = context;
  const { id, order: before } = getOrder(context);
  const lockId = randomUUID();
  const expiresAt = Date.now() + forMs;
  // From here on it may be locked, whether an answer arrives or not.
  flowContext.orders.locks.set(lockId, id);
  const params = { orderId: id, lockId, expiry: presentMoment(new Date(expiresAt)) };
  const received = await callData(context, 'CreateOrderLock', { params });
  // Then another device has the lock, and it is not ours to remove.
  if (received.outcome === 'refused' && received.code !== 'UnexpectedError') flowContext.orders.locks.delete(lockId);
  if (clause === 'order-lock.expires' && received.outcome === 'refused' && received.code === 'Conflict') {
    // The contract lets the EPOS decide whether a lock ends at its expiry.
    step.warn({ clause, member: 'CreateOrderLock', expected: 'its result', found: received.code });
    return expiresAt;
  }
  const order = requireResult(context, received, { name: 'CreateOrderLock', clause });
  flowContext.orders.lockId = lockId;
  checkOrder(context, order, { at: '', id });
  const [total, expected] = [findMoney(order.totalAmount), findMoney(before.totalAmount)];
  const isSame = total === null || expected === null || isSameAmount(total, expected);
  step.check(isSame, {
    ...{ clause: 'order-lock.bill', member: 'totalAmount', expected: String(expected?.value), found: total?.value },
  });
  if (flowContext.payments.size === 0) {
    // Payments of others before the lock do not count.
    flowContext.orders.expectedPaid = null;
    flowContext.orders.expectedTips = null;
  }
  useOrder(context, { id, order });
  return expiresAt;
}

/** Deletes a lock that the flow has left; a lock that the EPOS no longer has is gone. */
export async function deleteLock(
  context: StepContext,
  { lockId, orderId }: { readonly lockId: string; readonly orderId: string },
): Promise<void> {
  const received = await callData(context, 'DeleteOrderLock', { params: { orderId, lockId } });
  if (received.outcome === 'answered' || (received.outcome === 'refused' && received.code === 'NotFound')) {
    context.flowContext.orders.locks.delete(lockId);
    return;
  }
  context.step.check(false, {
    clause: 'order-lock.releases',
    member: 'DeleteOrderLock',
    expected: 'its result',
    found: received.outcome === 'refused' ? received.code : received.outcome,
  });
}
