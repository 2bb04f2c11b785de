import { add, money } from '@pos/core/money';
import { JOURNEY_NEEDS } from '@pos/core/tables';
import { createId } from '@pos/core/ids';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listCapabilities, getDataRefused, requireCapabilities } from '../flow-context/data-calls.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { lockOrder, unlockOrder } from '../steps/order-locking.js';
import { checkPaid, payOrder, sendRecord, recordOnOrder, sendOrderPaymentRecord } from '../steps/order-paying.js';
import { chooseOrder, orderAmount } from '../steps/order-steps.js';
import { lastPayment } from '../steps/pay-steps.js';
import { listParameters } from '../flow-context/run-params.js';

const ON_ORDER = ['orderId', 'tableId', 'waiterId'] as const;
const POLL_INTERVAL_MS = 100;
const LOCK_MS = 60_000;

const recordAgain: FlowStep = {
  name: 'record again',
  act: (context) => sendRecord(context, 'order-record.once'),
};

const payTooMuch = payOrder((context) => {
  const rest = orderAmount(context);
  return add(rest, money(1, rest.currencyCode));
});

const recordTooMuch: FlowStep = {
  name: 'record',
  act: async (context) => {
    const received = await sendOrderPaymentRecord(context, lastPayment(context));
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    const finding = { member: 'RecordOrderPaymentById', expected: 'Conflict', found };
    context.step.check(found === 'Conflict', { clause: 'order-record.no-overpay', ...finding });
  },
};

const reverse: FlowStep = {
  name: 'reversed',
  act: async (context) => {
    const { flowContext, step } = context;
    const { cards, scope } = flowContext.parts;
    const payment = lastPayment(context);
    await cards.requestReversal(scope, payment);
    flowContext.payments.delete(payment);
    while ((await cards.intentStatus(scope, payment)) !== 'Reversed') {
      await pause(POLL_INTERVAL_MS, undefined, { signal: step.signal });
    }
    step.note(`payment ${payment.paymentId}: went back to its card`);
  },
};

const recordUnanswered: FlowStep = {
  name: 'record',
  act: async (context) => {
    const { step } = context;
    const received = await sendOrderPaymentRecord(context, lastPayment(context), { withholdAnswer: true });
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    const finding = { member: 'RecordOrderPaymentById', expected: 'an answer, which is withheld', found };
    step.require(received.outcome === 'noAnswer', { clause: 'order-record.books', ...finding });
  },
};

const unknownOrder: FlowStep = {
  name: 'unknown order',
  act: async (context) => {
    const { account, scope } = context.flowContext.parts;
    const orderId = randomUUID();
    const refused = { errorType: 'NotFound', clause: 'unknown.order' } as const;
    await getDataRefused(context, 'GetOrderById', { params: { orderId }, ...refused });
    const registered = await listCapabilities(context);
    if (registered.has('CreateOrderLock')) {
      const expiry = presentMoment(new Date(Date.now() + LOCK_MS));
      const params = { orderId, lockId: randomUUID(), expiry };
      await getDataRefused(context, 'CreateOrderLock', { params, ...refused });
    }
    const paymentIntentId = createId('paymentIntent', scope.environment, randomBytes(16));
    const paidAmount = { value: 1, currencyCode: account.currencies[0] ?? 'GBP' };
    await getDataRefused(context, 'RecordOrderPaymentById', {
      params: { orderId, paymentIntentId, paidAmount },
      ...refused,
    });
  },
};

const needsOrders: FlowStep = {
  name: 'registered',
  act: (context) => requireCapabilities(context, ...JOURNEY_NEEDS.PayAtTable),
};

/** The effect of a payment on an order: once, and at most what is owed. */
export const ORDER_RECORD_FLOWS: readonly Flow[] = [
  {
    name: 'record-duplicate',
    params: listParameters(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      ...([chooseOrder, lockOrder, payOrder()] as const),
      ...[recordOnOrder, recordAgain, checkPaid('order-record.once'), unlockOrder],
    ],
  },
  {
    name: 'record-conflict-reversed',
    params: listParameters(...ON_ORDER),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      ...([chooseOrder, lockOrder, payTooMuch, recordTooMuch] as const),
      ...[reverse, checkPaid('order-record.no-overpay'), unlockOrder],
    ],
  },
  {
    name: 'record-unanswered',
    params: listParameters(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      ...([chooseOrder, lockOrder, payOrder(), recordUnanswered] as const),
      ...[{ ...recordOnOrder, name: 'record again' }, checkPaid('order-record.once'), unlockOrder],
    ],
  },
  {
    name: 'unknown-order',
    params: listParameters('waiterId'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [needsOrders, unknownOrder],
  },
];
