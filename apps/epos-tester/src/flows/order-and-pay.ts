import { JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import type { EposDataParams } from '@pos/rest-contracts/epos-data/epos-data';
import type { EposOrder, EposOrderPayment } from '@pos/rest-contracts/epos-data/epos-data-orders';
import { setTimeout as pause } from 'node:timers/promises';
import { isZero } from '@pos/core/money/money';
import { callData, listCapabilities, getData, requireResult } from '../scene/data-asking.js';
import type { Flow, FlowStep } from '../scene/flow.js';
import { findOrderableItem, createOrder, buildOrder, type OrderableItem } from '../steps/made-orders.js';
import { listAllOrders } from '../steps/order-steps.js';
import { listOrderPaymentsPublishedBy } from '../steps/order-paying.js';
import { lastPayment, payByCard } from '../steps/pay-steps.js';
import { listParameters } from '../scene/run-params.js';
import type { TesterStage } from '../scene/scene.js';
import { publishEvent } from './booking-capabilities.js';
import { registerCapability } from './capabilities.js';

const LOOK_EVERY_MS = 100;

/** What a payer orders and pays before the restaurant receives the order. */
interface OrderBasket {
  ware: OrderableItem | null;
  asked: EposDataParams<'CreateOrder'> | null;
  orderId: string | null;
}

/** A payer orders and pays by phone: the money is held first, and captured once the EPOS has the order. */
export const ORDER_AND_PAY_FLOWS: readonly Flow[] = [
  {
    name: 'order-and-pay',
    params: listParameters('waiterId', 'gratuity'),
    needs: JOURNEY_NEEDS.OrderAndPay,
    steps: () => {
      const basket: OrderBasket = { ware: null, asked: null, orderId: null };
      return [
        registerCapability(...JOURNEY_NEEDS.OrderAndPay),
        { name: 'authorise', act: (stage) => authorisePayment(stage, basket) },
        { name: 'create', act: (stage) => createBasketOrder(stage, basket) },
        { name: 'create again', act: (stage) => repeatCreate(stage, basket) },
        { name: 'find', act: (stage) => findCreatedOrder(stage, basket) },
        { name: 'capture', act: (stage) => capturePayment(stage, basket) },
        publishCaptured,
      ];
    },
  },
];

const publishCaptured: FlowStep = {
  name: 'event',
  act: async (stage) => {
    const event = 'payment_intent.status_updated';
    if (!(await listCapabilities(stage)).has(`HandleEvent:${event}`)) {
      stage.step.note('HandleEvent is not registered, so nothing is told');
      return;
    }
    const { intentId: paymentIntentId } = lastPayment(stage);
    await publishEvent(stage, event, { paymentIntentId, paymentStatus: 'Captured', captureMode: 'Manual' });
  },
};

async function authorisePayment(stage: TesterStage, basket: OrderBasket): Promise<void> {
  basket.ware = await findOrderableItem(stage);
  const { price: base, item } = basket.ware;
  // An order without an answer is created again, which gives the same order.
  stage.scene.retell = (later) => repeatOrder(later, basket);
  const request = { base, title: item.name, captureMode: 'Manual', id: item.plu } as const;
  await payByCard(stage, request);
}

async function createBasketOrder(stage: TesterStage, basket: OrderBasket): Promise<void> {
  if (basket.ware === null) return;
  const { payments } = stage.scene;
  const payment = lastPayment(stage);
  const { intentId: paymentIntentId, base, gratuity } = payment;
  const paid = { paymentIntentId, paidAmount: { ...base }, ...(!isZero(gratuity) && { tipsAmount: { ...gratuity } }) };
  basket.asked = buildOrder(basket.ware, [paid]);
  payments.set(payment, 'unknown');
  const { made } = stage.scene.orders;
  try {
    basket.orderId = (await createOrder(stage, basket.asked)).id;
    payments.set(payment, 'recorded');
  } finally {
    // The EPOS has refused: there is no order to cancel, and the money can be released.
    const isMade = made.has(`order ${basket.asked.serviceOrderId}`);
    if (!isMade) payments.set(payment, 'refused');
  }
}

async function repeatCreate(stage: TesterStage, { asked, orderId }: OrderBasket): Promise<void> {
  if (asked === null) return;
  const received = await callData(stage, 'CreateOrder', { params: asked });
  const { id } = requireResult(stage, received, { name: 'CreateOrder', clause: 'order.create-once' });
  stage.step.check(id === orderId, {
    ...{ clause: 'order.create-once', member: 'id', expected: orderId ?? '', found: id },
  });
}

/** An order whose answer was lost is found by its payment, at any table that the payer may have now. */
async function findCreatedOrder(stage: TesterStage, { asked, orderId }: OrderBasket): Promise<void> {
  const [paid] = asked?.payments ?? [];
  if (paid === undefined || orderId === null) return;
  const read = await getData(stage, 'GetOrderById', { params: { orderId } });
  checkListed(stage, read, { paid, member: 'payments' });
  const all = await listAllOrders(stage, { payableOnly: false });
  const at = all.findIndex(({ id }) => id === orderId);
  checkListed(stage, all[at], { paid, member: at < 0 ? 'data' : `data[${at}].payments` });
}

function checkListed(
  { step }: TesterStage,
  order: EposOrder | undefined,
  { paid, member }: { readonly paid: EposOrderPayment; readonly member: string },
): void {
  const listed = order?.payments?.find(({ paymentIntentId }) => paymentIntentId === paid.paymentIntentId);
  const isSame = listed?.paidAmount.value === paid.paidAmount.value && getTip(listed) === getTip(paid);
  const expected = `${paid.paymentIntentId ?? ''} with ${paid.paidAmount.value} and a tip of ${getTip(paid)}`;
  const found = listed === undefined ? undefined : `${listed.paidAmount.value} and a tip of ${getTip(listed)}`;
  step.check(isSame, { clause: 'order.prepaid', member, expected, found });
}

function getTip({ tipsAmount }: EposOrderPayment): number {
  return tipsAmount?.value ?? 0;
}

async function capturePayment(stage: TesterStage, { asked }: OrderBasket): Promise<void> {
  const { scene, step } = stage;
  const { cards, scope } = scene.parts;
  const payment = lastPayment(stage);
  // From here on the order is paid, so it stays.
  scene.orders.made.delete(`order ${asked?.serviceOrderId ?? ''}`);
  await cards.capture(scope, payment);
  while ((await cards.intentStatus(scope, payment)) !== 'Captured') {
    await pause(LOOK_EVERY_MS, undefined, { signal: step.signal });
  }
}

async function repeatOrder(stage: TesterStage, { asked }: OrderBasket): Promise<void> {
  if (asked === null) return;
  const { payments } = stage.scene;
  const payment = lastPayment(stage);
  payments.set(
    payment,
    listOrderPaymentsPublishedBy(
      await callData(stage, 'CreateOrder', { params: asked }),
      payments.get(payment) ?? 'no',
    ),
  );
}
