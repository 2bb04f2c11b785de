import { JOURNEY_NEEDS } from '@pos/core/tables';
import { readEposAnswer } from '@pos/rest-contracts/epos-data';
import { callData, listCapabilities } from '../flow-context/data-calls.js';
import { lastPayment } from './pay-steps.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { findOrderableItem, createOrder, buildOrder } from './created-orders.js';
import { lockOrder, unlockOrder } from './order-locking.js';
import { payOrder, recordOnOrder } from './order-paying.js';
import { useOrder } from './order-steps.js';

/**
 * Creates an order, pays all of it, and requests its cancellation, which an EPOS must refuse: otherwise there would be
 * money without an order. The payment stays on the order, which owes nothing. If the EPOS cancels it, the payment is
 * returned.
 */
export async function cancelPaidOrder(context: StepContext): Promise<void> {
  const { flowContext, step } = context;
  const registered = await listCapabilities(context);
  if (!JOURNEY_NEEDS.PayAtTable.every((needed) => registered.has(needed))) {
    step.note('payments are not recorded, so no order that was paid on can be cancelled');
    return;
  }
  const asked = buildOrder(await findOrderableItem(context), []);
  const made = await createOrder(context, asked);
  useOrder(context, made);
  for (const { act } of [lockOrder, payOrder(), recordOnOrder]) await act(context);
  // From here on it is paid, so it stays.
  flowContext.orders.undoActions.delete(`order ${asked.serviceOrderId}`);
  await unlockOrder.act(context);
  const received = await callData(context, 'CancelOrderById', { params: { orderId: made.id } });
  const found = received.outcome === 'refused' ? received.code : received.outcome;
  const finding = { clause: 'order.keeps-paid', member: 'CancelOrderById', expected: 'Conflict', found } as const;
  const isKept = step.check(found === 'Conflict' || found === 'NotFound', finding);
  if (!isKept && (await isReturned(context, made.id))) flowContext.payments.set(lastPayment(context), 'refused');
}

/** Whether the order itself is cancelled, not only the answer to the call. */
async function isReturned(context: StepContext, orderId: string): Promise<boolean> {
  const received = await callData(context, 'GetOrderById', { params: { orderId } });
  const read = received.outcome === 'answered' ? readEposAnswer('GetOrderById', received.answer.json) : null;
  return read?.ok === true && read.value.status === 'Canceled';
}
