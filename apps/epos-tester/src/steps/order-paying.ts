import { add, isSameAmount, isZero, type Money } from '@pos/core/money';
import type { SandboxFaults } from '@pos/grpc-contracts/gateway-internal';
import { type EposDataParams, readEposAnswer } from '@pos/rest-contracts/epos-data';
import type { CapturedPayment } from '../drivers/card-payments.js';
import type { ClauseId } from '../checks/clauses.js';
import { callData, requireResult } from '../flow-context/data-calls.js';
import type { DataAnswer, EposReply } from '../drivers/epos-driver.js';
import type { FlowStep } from '../flow-context/flow.js';
import { lastPayment, payByCard } from './pay-steps.js';
import type { StepContext, RecordState } from '../flow-context/flow-context.js';
import { checkOrder, getOutstanding, sumPaid, sumTips } from './order-checks.js';
import { createLock, usesLocks } from './order-locking.js';
import { orderAmount, getOrder, useOrder } from './order-steps.js';

const RELOCK_MS = 60_000;

/**
 * Takes a card payment for the order of the flow: `share` of it, or all of it. Its own tip has priority over that of
 * the run.
 */
export function payOrder(share: (context: StepContext) => Money = orderAmount, tip: number | null = null): FlowStep {
  return {
    name: 'pay',
    act: async (context) => {
      const { id, order } = getOrder(context);
      const request = { base: share(context), id, title: order.displayName ?? id, captureMode: 'Auto' } as const;
      await payByCard(context, { ...request, repeatRecord: repeatOrderRecord, ...(tip !== null && { tip }) });
    },
  };
}

/** Records the last card payment of the flow on its order. */
export const recordOnOrder: FlowStep = {
  name: 'record',
  act: async (context) => {
    await sendRecord(context, 'order-record.books');
    const { orders } = context.flowContext;
    const { base, gratuity } = lastPayment(context);
    if (orders.expectedPaid !== null) orders.expectedPaid = add(orders.expectedPaid, base);
    if (orders.expectedTips !== null) orders.expectedTips = add(orders.expectedTips, gratuity);
  },
};

/** Reads the order again and checks, under the given clause, that exactly the recorded amount is paid. */
export function checkPaid(clause: ClauseId = 'order-record.base-only'): FlowStep {
  return { name: 'check-paid', act: (context) => comparePaidAmounts(context, clause) };
}

/** Records the last card payment. Ends the step under the given clause when the EPOS refuses. */
export async function sendRecord(context: StepContext, clause: ClauseId): Promise<void> {
  const { id } = getOrder(context);
  const received = await sendOrderPaymentRecord(context, lastPayment(context));
  const order = requireResult(context, received, { name: 'RecordOrderPaymentById', clause });
  checkOrder(context, order, { at: '', id });
  useOrder(context, { id, order });
}

/**
 * Records a card payment on its order at the EPOS and stores the result. May be repeated: the intent stays the same.
 */
export async function sendOrderPaymentRecord(
  context: StepContext,
  payment: CapturedPayment,
  faults: Partial<SandboxFaults> = {},
): Promise<EposReply<DataAnswer>> {
  const { payments } = context.flowContext;
  const before = payments.get(payment) ?? 'no';
  // A step that is aborted during the call does not get its result.
  payments.set(payment, before === 'recorded' ? before : 'unknown');
  const params = recordParams(context, payment);
  const received = await callData(context, 'RecordOrderPaymentById', { params, faults });
  payments.set(payment, getOrderRecordState(received, before));
  return received;
}

/** The parameters of the call that records a card payment on an order. */
function recordParams(
  { flowContext }: StepContext,
  { sessionId: orderId, intentId, base, gratuity }: CapturedPayment,
): EposDataParams<'RecordOrderPaymentById'> {
  const { lockId } = flowContext.orders;
  return {
    ...{ orderId, paymentIntentId: intentId, paidAmount: { ...base } },
    ...(!isZero(gratuity) && { tipsAmount: { ...gratuity } }),
    ...(lockId !== null && { lockId }),
  };
}

/** The new state of a payment, from the answer and its previous state. */
export function getOrderRecordState(received: EposReply<unknown>, before: RecordState): RecordState {
  switch (received.outcome) {
    case 'answered':
      return 'recorded';
    case 'refused':
      if (received.code === 'UnexpectedError') return before === 'recorded' ? before : 'unknown';
      // A refusal after a missing answer proves nothing: the first call may have booked it.
      return before === 'no' ? 'refused' : before;
    case 'noAnswer':
    case 'unreadable':
      return before === 'recorded' ? before : 'unknown';
    case 'credentialsRefused':
    case 'notSent':
      return before;
  }
}

async function comparePaidAmounts(context: StepContext, clause: ClauseId): Promise<void> {
  const { flowContext, step } = context;
  const { id, order: before } = getOrder(context);
  const { expectedPaid, expectedTips } = flowContext.orders;
  const received = await callData(context, 'GetOrderById', { params: { orderId: id } });
  const rest = getOutstanding(before);
  if (received.outcome === 'refused' && received.code === 'NotFound' && rest !== null && isZero(rest)) {
    // An EPOS may archive a paid order; then there is no balance to check.
    step.note('the order was closed by the payment that paid it');
    return;
  }
  const order = requireResult(context, received, { name: 'GetOrderById', clause: 'data.result' });
  checkOrder(context, order, { at: '', id });
  useOrder(context, { id, order });
  if (expectedPaid === null || expectedTips === null) return;
  const { currencyCode } = expectedPaid;
  const [paid, tips] = [sumPaid(order, currencyCode), sumTips(order, currencyCode)];
  step.check(isSameAmount(paid, expectedPaid), {
    ...{ clause, member: 'paidAmount', expected: String(expectedPaid.value), found: paid.value },
  });
  step.check(isSameAmount(tips, expectedTips), {
    ...{ clause: 'order-record.tip', member: 'tipsAmount', expected: String(expectedTips.value), found: tips.value },
  });
  for (const [{ intentId }, recordState] of flowContext.payments) {
    step.check(recordState !== 'recorded' || isListed(order, intentId), {
      ...{ clause: 'order-record.intent', member: 'payments', expected: `one of ${intentId}`, found: undefined },
    });
  }
}

/** Records the same payment again, so that afterwards it is on the order exactly once. */
async function repeatOrderRecord(context: StepContext, payment: CapturedPayment): Promise<void> {
  const { flowContext } = context;
  const received = await sendOrderPaymentRecord(context, payment);
  if (received.outcome === 'answered') return;
  const read = await callData(context, 'GetOrderById', { params: { orderId: payment.sessionId } });
  const order = read.outcome === 'answered' ? readEposAnswer('GetOrderById', read.answer.json) : null;
  if (order?.ok === true && isListed(order.value, payment.intentId)) flowContext.payments.set(payment, 'recorded');
  else if (received.outcome === 'refused' && received.code === 'Conflict' && (await usesLocks(context))) {
    await createLock(context, RELOCK_MS);
    await sendOrderPaymentRecord(context, payment);
  }
}

function isListed(
  { payments = [] }: { readonly payments?: readonly { readonly paymentIntentId?: string | undefined }[] | undefined },
  intentId: string,
): boolean {
  return payments.some(({ paymentIntentId }) => paymentIntentId === intentId);
}
