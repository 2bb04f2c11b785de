import { isSameAmount } from '@pos/core/money/money';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import { randomUUID } from 'node:crypto';
import { callData, listCapabilities, getData, requireResult } from '../scene/data-asking.js';
import type { FlowStep } from '../scene/flow.js';
import type { TesterStage } from '../scene/scene.js';
import { checkOrder, findMoney } from './order-checks.js';
import { getOrder, useOrder } from './order-steps.js';

/** As long as the service locks an order whose lock it cannot extend. */
const LOCK_MS = 15 * 60_000;

/** Locks the order of the scene for its payments, where locks are registered. */
export const lockOrder: FlowStep = {
  name: 'lock',
  act: async (stage) => {
    if (await usesLocks(stage)) await createLock(stage, LOCK_MS);
    else stage.step.note('locks are not registered, so none is taken');
  },
};

/** Unlocks the order of the scene. */
export const unlockOrder: FlowStep = {
  name: 'unlock',
  act: async (stage) => {
    const { orders } = stage.scene;
    const { id } = getOrder(stage);
    const { lockId } = orders;
    if (lockId === null) {
      stage.step.note('there is no lock to let go of');
      return;
    }
    const params = { orderId: id, lockId };
    const order = await getData(stage, 'DeleteOrderLock', { params, clause: 'order-lock.releases' });
    orders.locks.delete(lockId);
    orders.lockId = null;
    checkOrder(stage, order, { at: '', id });
  },
};

/** Whether this EPOS records payments under a lock. */
export async function usesLocks(stage: TesterStage): Promise<boolean> {
  const registered = await listCapabilities(stage);
  return registered.has('CreateOrderLock') && registered.has('DeleteOrderLock');
}

/**
 * Locks the order of the scene under a new id and returns its expiry. Ends the step under the given clause when the
 * EPOS refuses. Warns of a conflict where an earlier lock has expired.
 */
export async function createLock(
  stage: TesterStage,
  forMs: number,
  clause: 'order-lock.takes' | 'order-lock.expires' | 'order-lock.releases' = 'order-lock.takes',
): Promise<number> {
  const { scene, step } = stage;
  const { id, order: before } = getOrder(stage);
  const lockId = randomUUID();
  const expiresAt = Date.now() + forMs;
  // From here on it may be locked, whether an answer arrives or not.
  scene.orders.locks.set(lockId, id);
  const params = { orderId: id, lockId, expiry: presentMoment(new Date(expiresAt)) };
  const received = await callData(stage, 'CreateOrderLock', { params });
  // Then another device has the lock, and it is not ours to remove.
  if (received.outcome === 'refused' && received.code !== 'UnexpectedError') scene.orders.locks.delete(lockId);
  if (clause === 'order-lock.expires' && received.outcome === 'refused' && received.code === 'Conflict') {
    // The contract lets the EPOS decide whether a lock ends at its expiry.
    step.warn({ clause, member: 'CreateOrderLock', expected: 'its result', found: received.code });
    return expiresAt;
  }
  const order = requireResult(stage, received, { name: 'CreateOrderLock', clause });
  scene.orders.lockId = lockId;
  checkOrder(stage, order, { at: '', id });
  const [total, expected] = [findMoney(order.totalAmount), findMoney(before.totalAmount)];
  const isSame = total === null || expected === null || isSameAmount(total, expected);
  step.check(isSame, {
    ...{ clause: 'order-lock.bill', member: 'totalAmount', expected: String(expected?.value), found: total?.value },
  });
  if (scene.payments.size === 0) {
    // Payments of others before the lock do not count.
    scene.orders.expectedPaid = null;
    scene.orders.expectedTips = null;
  }
  useOrder(stage, { id, order });
  return expiresAt;
}

/** Deletes a lock that the flow has left; a lock that the EPOS no longer has is gone. */
export async function deleteLock(
  stage: TesterStage,
  { lockId, orderId }: { readonly lockId: string; readonly orderId: string },
): Promise<void> {
  const received = await callData(stage, 'DeleteOrderLock', { params: { orderId, lockId } });
  if (received.outcome === 'answered' || (received.outcome === 'refused' && received.code === 'NotFound')) {
    stage.scene.orders.locks.delete(lockId);
    return;
  }
  stage.step.check(false, {
    clause: 'order-lock.releases',
    member: 'DeleteOrderLock',
    expected: 'its result',
    found: received.outcome === 'refused' ? received.code : received.outcome,
  });
}
