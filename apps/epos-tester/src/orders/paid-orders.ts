import { JOURNEY_NEEDS } from '@pos/core/epos-capability';
import { readEposAnswer } from '@pos/rest-contracts/epos-data-reading';
import { askData, capabilitiesOf } from '../data-asking.js';
import { lastPayment } from '../pay-steps.js';
import type { Stage } from '../scene.js';
import { findWare, makeOrder, orderFor } from './made-orders.js';
import { lockOrder, unlockOrder } from './order-locking.js';
import { payOrder, recordOnOrder } from './order-paying.js';
import { takeUp } from './order-steps.js';

/**
 * Makes an order, pays all of it, and asks for it to be cancelled: an EPOS refuses that, or else there is money that no
 * order knows of. What was paid stays on the order, which owes nothing; from an EPOS that gave the order up it goes back.
 */
export async function cancelPaid(stage: Stage): Promise<void> {
  const { scene, step } = stage;
  const registered = await capabilitiesOf(stage);
  if (!JOURNEY_NEEDS.PayAtTable.every((needed) => registered.has(needed))) {
    step.note('payments are not recorded, so no order that was paid on can be cancelled');
    return;
  }
  const asked = orderFor(await findWare(stage), []);
  const made = await makeOrder(stage, asked);
  takeUp(stage, made);
  for (const { act } of [lockOrder, payOrder(), recordOnOrder]) await act(stage);
  // From here on it is paid for, so it stays.
  scene.orders.made.delete(`order ${asked.serviceOrderId}`);
  await unlockOrder.act(stage);
  const heard = await askData(stage, 'CancelOrderById', { params: { orderId: made.id } });
  const found = heard.outcome === 'refused' ? heard.code : heard.outcome;
  const finding = { clause: 'order.keeps-paid', member: 'CancelOrderById', expected: 'Conflict', found } as const;
  const isKept = step.check(found === 'Conflict' || found === 'NotFound', finding);
  if (!isKept && (await isGivenUp(stage, made.id))) scene.payments.set(lastPayment(stage), 'refused');
}

/** Whether the order itself says that it was cancelled, not only the answer to the call. */
async function isGivenUp(stage: Stage, orderId: string): Promise<boolean> {
  const heard = await askData(stage, 'GetOrderById', { params: { orderId } });
  const read = heard.outcome === 'answered' ? readEposAnswer('GetOrderById', heard.answer.json) : null;
  return read?.ok === true && read.value.status === 'Canceled';
}
