import { JOURNEY_NEEDS } from '@pos/core/tables';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { getData, getDataRefused, requireCapabilities } from '../flow-context/data-calls.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { lastPayment } from '../steps/pay-steps.js';
import { checkOrder } from '../steps/order-checks.js';
import { createLock, lockOrder, unlockOrder } from '../steps/order-locking.js';
import { checkPaid, payOrder, sendOrderPaymentRecord } from '../steps/order-paying.js';
import { chooseOrder, getOrder, searchOrders } from '../steps/order-steps.js';
import { listParameters } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { registerCapability } from './capabilities.js';

/** How much longer than the wait an extended lock is valid, so that a slow EPOS does not exceed it. */
const EXTENDED_BEYOND_MS = 30_000;
const SECOND_LOCK_MS = 60_000;

/** The preconditions of lock flows. */
const LOCKS = [...JOURNEY_NEEDS.PayAtTable, 'CreateOrderLock', 'DeleteOrderLock'] as const;
const needsLocks = registerCapability(...LOCKS);

const readLocked: FlowStep = {
  name: 'read',
  act: async (context) => {
    const { id } = getOrder(context);
    const order = await getData(context, 'GetOrderById', { params: { orderId: id }, clause: 'order-lock.readable' });
    checkOrder(context, order, { at: '', id });
  },
};

const searchLocked: FlowStep = {
  name: 'search locked',
  act: async (context) => {
    const { id } = getOrder(context);
    const found = await searchOrders(context, true);
    context.step.check(
      found.some((order) => order.id === id),
      {
        clause: 'order-lock.readable',
        member: 'data',
        expected: `the locked order ${id}`,
        found: `${found.length} others`,
      },
    );
  },
};

const lockForSeconds: FlowStep = {
  name: 'lock',
  act: async (context) => {
    await createLock(context, context.flowContext.params.lockSeconds * 1000);
  },
};

/** Checks that another lock on a locked order is refused, under the given clause. */
export const lockFromOtherDevice = (clause: 'order-lock.exclusive' | 'order-lock.extends'): FlowStep => ({
  name: 'second lock',
  act: async (context) => {
    const expiry = presentMoment(new Date(Date.now() + SECOND_LOCK_MS));
    const params = { orderId: getOrder(context).id, lockId: randomUUID(), expiry };
    // An EPOS that permits it has given us a lock, which must be deleted.
    context.flowContext.orders.locks.set(params.lockId, params.orderId);
    const isRefused = await getDataRefused(context, 'CreateOrderLock', { params, errorType: 'Conflict', clause });
    if (isRefused) context.flowContext.orders.locks.delete(params.lockId);
  },
});

const lockAgain: FlowStep = {
  name: 'lock again',
  act: async (context) => {
    await createLock(context, SECOND_LOCK_MS, 'order-lock.releases');
  },
};

const lockAfterExpiry: FlowStep = {
  name: 'second lock',
  act: async (context) => {
    await createLock(context, SECOND_LOCK_MS, 'order-lock.expires');
  },
};

const extendTwice: FlowStep = {
  name: 'extend',
  waitsMs: ({ lockSeconds }) => lockSeconds * 1000,
  act: async (context) => {
    const forMs = context.flowContext.params.lockSeconds * 1000;
    const first = Date.now() + forMs;
    await extendLock(context, first + forMs);
    await extendLock(context, first + forMs + EXTENDED_BEYOND_MS);
    await pause(Math.max(0, first - Date.now()), undefined, { signal: context.step.signal });
  },
};

const wait: FlowStep = {
  name: 'wait',
  waitsMs: ({ waitSeconds }) => waitSeconds * 1000,
  act: async ({ flowContext, step }) => {
    await pause(flowContext.params.waitSeconds * 1000, undefined, { signal: step.signal });
  },
};

const recordUnlocked: FlowStep = {
  name: 'record',
  act: async (context) => {
    const received = await sendOrderPaymentRecord(context, lastPayment(context));
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    context.step.check(found === 'Conflict', {
      ...{ clause: 'order-record.needs-lock', member: 'RecordOrderPaymentById', expected: 'Conflict', found },
    });
  },
};

/** Lets the lock of the flow expire later. */
export async function extendLock(context: StepContext, expiresAt: number): Promise<void> {
  const { lockId } = context.flowContext.orders;
  await requireCapabilities(context, 'ExtendOrderLock');
  if (lockId === null) return;
  const params = { orderId: getOrder(context).id, lockId, expiry: presentMoment(new Date(expiresAt)) };
  await getData(context, 'ExtendOrderLock', { params, clause: 'order-lock.extends' });
}

const ON_ORDER = ['orderId', 'tableId', 'waiterId'] as const;

/** The rules for locked and unlocked orders. */
export const ORDER_LOCK_FLOWS: readonly Flow[] = [
  {
    name: 'read-while-locked',
    params: listParameters(...ON_ORDER),
    needs: LOCKS,
    steps: () => [needsLocks, chooseOrder, lockOrder, readLocked, searchLocked, unlockOrder],
  },
  {
    name: 'lock-conflict',
    params: listParameters(...ON_ORDER),
    needs: LOCKS,
    steps: () => [
      needsLocks,
      chooseOrder,
      lockOrder,
      lockFromOtherDevice('order-lock.exclusive'),
      unlockOrder,
      lockAgain,
    ],
  },
  {
    name: 'lock-expiry',
    params: listParameters(...ON_ORDER, 'lockSeconds', 'waitSeconds'),
    needs: LOCKS,
    steps: () => [needsLocks, chooseOrder, lockForSeconds, wait, lockAfterExpiry, unlockOrder],
  },
  {
    name: 'lock-extend',
    params: listParameters(...ON_ORDER, 'lockSeconds'),
    needs: [...LOCKS, 'ExtendOrderLock'],
    steps: () => [
      registerCapability(...LOCKS, 'ExtendOrderLock'),
      ...[chooseOrder, lockForSeconds, extendTwice, lockFromOtherDevice('order-lock.extends'), unlockOrder],
    ],
  },
  {
    name: 'record-without-lock',
    params: listParameters(...ON_ORDER, 'amount'),
    needs: LOCKS,
    steps: () => [needsLocks, chooseOrder, payOrder(), recordUnlocked, checkPaid('order-record.needs-lock')],
  },
];
