import { JOURNEY_NEEDS } from '@pos/core/tables';
import type { EposDataParams, EposOrder, EposOrderPayment } from '@pos/rest-contracts/epos-data';
import { setTimeout as pause } from 'node:timers/promises';
import { isZero } from '@pos/core/money';
import { callData, listCapabilities, getData, requireResult } from '../flow-context/data-calls.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { findOrderableItem, createOrder, buildOrder, type OrderableItem } from '../steps/created-orders.js';
import { listAllOrders } from '../steps/order-steps.js';
import { getOrderRecordState } from '../steps/order-paying.js';
import { lastPayment, payByCard } from '../steps/pay-steps.js';
import { listParameters } from '../flow-context/run-params.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { sendEvent } from './booking-capabilities.js';
import { registerCapability } from './capabilities.js';

const POLL_INTERVAL_MS = 100;

/** The item, the request and the id of the order that a payer pays in advance. */
interface OrderAndPayState {
  orderableItem: OrderableItem | null;
  createRequest: EposDataParams<'CreateOrder'> | null;
  orderId: string | null;
}

/** A payer orders and pays by phone: the money is held first, and captured once the EPOS has the order. */
export const ORDER_AND_PAY_FLOWS: readonly Flow[] = [
  {
    name: 'order-and-pay',
    params: listParameters('waiterId', 'gratuity'),
    needs: JOURNEY_NEEDS.OrderAndPay,
    steps: () => {
      const state: OrderAndPayState = { orderableItem: null, createRequest: null, orderId: null };
      return [
        registerCapability(...JOURNEY_NEEDS.OrderAndPay),
        { name: 'authorise', act: (context) => authorisePayment(context, state) },
        { name: 'create', act: (context) => createPaidOrder(context, state) },
        { name: 'create again', act: (context) => repeatCreate(context, state) },
        { name: 'find', act: (context) => findCreatedOrder(context, state) },
        { name: 'capture', act: (context) => capturePayment(context, state) },
        sendCapturedEvent,
      ];
    },
  },
];

const sendCapturedEvent: FlowStep = {
  name: 'event',
  act: async (context) => {
    const event = 'payment_intent.status_updated';
    if (!(await listCapabilities(context)).has(`HandleEvent:${event}`)) {
      context.step.note('HandleEvent is not registered, so no event is sent');
      return;
    }
    const { intentId: paymentIntentId } = lastPayment(context);
    await sendEvent(context, event, { paymentIntentId, paymentStatus: 'Captured', captureMode: 'Manual' });
  },
};

async function authorisePayment(context: StepContext, state: OrderAndPayState): Promise<void> {
  state.orderableItem = await findOrderableItem(context);
  const { price: base, item } = state.orderableItem;
  const request = { base, title: item.name, captureMode: 'Manual', id: item.plu } as const;
  // The repeat of a CreateOrder that got no answer returns the same order.
  await payByCard(context, { ...request, repeatRecord: (cleanup) => repeatOrder(cleanup, state) });
}

async function createPaidOrder(context: StepContext, state: OrderAndPayState): Promise<void> {
  if (state.orderableItem === null) return;
  const { payments } = context.flowContext;
  const payment = lastPayment(context);
  const { intentId: paymentIntentId, base, gratuity } = payment;
  const paid = { paymentIntentId, paidAmount: { ...base }, ...(!isZero(gratuity) && { tipsAmount: { ...gratuity } }) };
  state.createRequest = buildOrder(state.orderableItem, [paid]);
  payments.set(payment, 'unknown');
  const { undoActions } = context.flowContext.orders;
  try {
    state.orderId = (await createOrder(context, state.createRequest)).id;
    payments.set(payment, 'recorded');
  } finally {
    // The EPOS has refused: there is no order to cancel, and the money can be released.
    const isMade = undoActions.has(`order ${state.createRequest.serviceOrderId}`);
    if (!isMade) payments.set(payment, 'refused');
  }
}

async function repeatCreate(context: StepContext, { createRequest, orderId }: OrderAndPayState): Promise<void> {
  if (createRequest === null) return;
  const received = await callData(context, 'CreateOrder', { params: createRequest });
  const { id } = requireResult(context, received, { name: 'CreateOrder', clause: 'order.create-once' });
  context.step.check(id === orderId, {
    ...{ clause: 'order.create-once', member: 'id', expected: orderId ?? '', found: id },
  });
}

/** An order whose answer was lost is found by its payment, at any table that the payer may have now. */
async function findCreatedOrder(context: StepContext, { createRequest, orderId }: OrderAndPayState): Promise<void> {
  const [paid] = createRequest?.payments ?? [];
  if (paid === undefined || orderId === null) return;
  const read = await getData(context, 'GetOrderById', { params: { orderId } });
  checkListedPayment(context, read, { paid, member: 'payments' });
  const all = await listAllOrders(context, { payableOnly: false });
  const at = all.findIndex(({ id }) => id === orderId);
  checkListedPayment(context, all[at], { paid, member: at < 0 ? 'data' : `data[${at}].payments` });
}

function checkListedPayment(
  { step }: StepContext,
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

async function capturePayment(context: StepContext, { createRequest }: OrderAndPayState): Promise<void> {
  const { flowContext, step } = context;
  const { cards, scope } = flowContext.parts;
  const payment = lastPayment(context);
  // From here on the order is paid, so it stays.
  flowContext.orders.undoActions.delete(`order ${createRequest?.serviceOrderId ?? ''}`);
  await cards.capture(scope, payment);
  while ((await cards.intentStatus(scope, payment)) !== 'Captured') {
    await pause(POLL_INTERVAL_MS, undefined, { signal: step.signal });
  }
}

async function repeatOrder(context: StepContext, { createRequest }: OrderAndPayState): Promise<void> {
  if (createRequest === null) return;
  const { payments } = context.flowContext;
  const payment = lastPayment(context);
  payments.set(
    payment,
    getOrderRecordState(
      await callData(context, 'CreateOrder', { params: createRequest }),
      payments.get(payment) ?? 'no',
    ),
  );
}
