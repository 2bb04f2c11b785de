import { add, money } from '@pos/core/money/money';
import { JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import { createId } from '@pos/core/identity/ids';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { listCapabilities, getDataRefused, requireCapabilities } from '../scene/data-asking.js';
import type { Flow, FlowStep } from '../scene/flow.js';
import { lockOrder, unlockOrder } from '../steps/order-locking.js';
import { checkPaid, payOrder, sendRecord, recordOnOrder, publishOrderPayment } from '../steps/order-paying.js';
import { chooseOrder, orderAmount } from '../steps/order-steps.js';
import { lastPayment } from '../steps/pay-steps.js';
import { listParameters } from '../scene/run-params.js';

const ON_ORDER = ['orderId', 'tableId', 'waiterId'] as const;
const LOOK_EVERY_MS = 100;
const LOCK_MS = 60_000;

const recordAgain: FlowStep = {
  name: 'record again',
  act: (stage) => sendRecord(stage, 'order-record.once'),
};

const payTooMuch = payOrder((stage) => {
  const rest = orderAmount(stage);
  return add(rest, money(1, rest.currencyCode));
});

const recordTooMuch: FlowStep = {
  name: 'record',
  act: async (stage) => {
    const received = await publishOrderPayment(stage, lastPayment(stage));
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    const finding = { member: 'RecordOrderPaymentById', expected: 'Conflict', found };
    stage.step.check(found === 'Conflict', { clause: 'order-record.no-overpay', ...finding });
  },
};

const reverse: FlowStep = {
  name: 'reversed',
  act: async (stage) => {
    const { scene, step } = stage;
    const { cards, scope } = scene.parts;
    const payment = lastPayment(stage);
    await cards.giveBack(scope, payment);
    scene.payments.delete(payment);
    while ((await cards.intentStatus(scope, payment)) !== 'Reversed') {
      await pause(LOOK_EVERY_MS, undefined, { signal: step.signal });
    }
    step.note(`payment ${payment.paymentId}: went back to its card`);
  },
};

const recordUnanswered: FlowStep = {
  name: 'record',
  act: async (stage) => {
    const { step } = stage;
    const received = await publishOrderPayment(stage, lastPayment(stage), { withholdAnswer: true });
    const found = received.outcome === 'refused' ? received.code : received.outcome;
    const finding = { member: 'RecordOrderPaymentById', expected: 'an answer, which is withheld', found };
    step.require(received.outcome === 'noAnswer', { clause: 'order-record.books', ...finding });
  },
};

const unknownOrder: FlowStep = {
  name: 'unknown order',
  act: async (stage) => {
    const { account, scope } = stage.scene.parts;
    const orderId = randomUUID();
    const refused = { errorType: 'NotFound', clause: 'unknown.order' } as const;
    await getDataRefused(stage, 'GetOrderById', { params: { orderId }, ...refused });
    const registered = await listCapabilities(stage);
    if (registered.has('CreateOrderLock')) {
      const expiry = presentMoment(new Date(Date.now() + LOCK_MS));
      const params = { orderId, lockId: randomUUID(), expiry };
      await getDataRefused(stage, 'CreateOrderLock', { params, ...refused });
    }
    const paymentIntentId = createId('paymentIntent', scope.environment, randomBytes(16));
    const paidAmount = { value: 1, currencyCode: account.currencies[0] ?? 'GBP' };
    await getDataRefused(stage, 'RecordOrderPaymentById', {
      params: { orderId, paymentIntentId, paidAmount },
      ...refused,
    });
  },
};

const needsOrders: FlowStep = {
  name: 'registered',
  act: (stage) => requireCapabilities(stage, ...JOURNEY_NEEDS.PayAtTable),
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
