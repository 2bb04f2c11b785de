import { isPositive, money, type Money } from '@pos/core/money';
import type { EposDataParams, EposItem, EposOrder, EposOrderPayment } from '@pos/rest-contracts/epos-data';
import { randomUUID } from 'node:crypto';
import { callData, listCapabilities, requireResult } from '../flow-context/data-calls.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { checkOrder, findMoney } from './order-checks.js';
import { searchOrders } from './order-steps.js';

/** An item that the restaurant sells, and its price. */
export interface OrderableItem {
  readonly item: EposItem;
  readonly price: Money;
}

/** Finds an item on an existing order, so that the EPOS has it on its menu. */
export async function findOrderableItem(context: StepContext): Promise<OrderableItem> {
  for (const { items = [] } of await searchOrders(context, false)) {
    const item = items.find(({ amountPerItem: { value } }) => value > 0);
    if (item === undefined) continue;
    const { name, plu, amountPerItem } = item;
    const price = money(amountPerItem.value, amountPerItem.currencyCode);
    if (isPositive(price)) return { item: { name, plu, quantity: 1, amountPerItem }, price };
  }
  const expected = 'one with an item that has a price';
  return context.step.fail({ clause: 'sandbox.order', member: 'orders', expected, found: undefined });
}

/** An order for that item, to be fetched, with the payments that were already made for it. */
export function buildOrder(
  { item, price }: OrderableItem,
  payments: EposOrderPayment[],
): EposDataParams<'CreateOrder'> {
  return {
    details: { orderType: 'Collection', collection: { asap: true } },
    items: [item],
    totalAmount: { ...price },
    serviceOrderId: randomUUID(),
    payments,
    displayName: 'EPOS tester',
  };
}

/**
 * Creates an order at the EPOS, and registers its cancellation for the cleanup. Ends the step when the answer differs
 * from the request.
 */
export async function createOrder(
  context: StepContext,
  request: EposDataParams<'CreateOrder'>,
): Promise<{ readonly id: string; readonly order: EposOrder }> {
  const { undoActions } = context.flowContext.orders;
  const key = `order ${request.serviceOrderId}`;
  // With any answer it may exist. Created again under the same id it is the same order, and can be cancelled.
  undoActions.set(key, async (later) => {
    const received = await callData(later, 'CreateOrder', { params: request });
    if (received.outcome === 'refused') return;
    const { id } = requireResult(later, received, { name: 'CreateOrder', clause: 'order.created' });
    if (id !== undefined) await cancelOrder(later, id);
  });
  const received = await callData(context, 'CreateOrder', { params: request });
  if (received.outcome === 'refused' && received.code !== 'UnexpectedError') undoActions.delete(key);
  const order = requireResult(context, received, { name: 'CreateOrder', clause: 'order.created' });
  checkOrder(context, order, { at: '' });
  const { id } = order;
  if (id === undefined) {
    return context.step.fail({ clause: 'schema.missing', member: 'id', expected: 'an id', found: undefined });
  }
  undoActions.set(key, (later) => cancelOrder(later, id));
  const total = findMoney(order.totalAmount);
  context.step.check(total === null || total.value === request.totalAmount.value, {
    ...{ clause: 'order.created', member: 'totalAmount', expected: String(request.totalAmount.value) },
    found: total?.value,
  });
  return { id, order };
}

/** Cancels an order of the flow, if cancelling is registered. Its payment can then be returned. */
async function cancelOrder(context: StepContext, orderId: string): Promise<void> {
  const { flowContext, step } = context;
  if (!(await listCapabilities(context)).has('CancelOrderById')) {
    step.note(`order ${orderId}: stays, for CancelOrderById is not registered`);
    return;
  }
  const received = await callData(context, 'CancelOrderById', { params: { orderId } });
  const isGone = received.outcome === 'answered' || (received.outcome === 'refused' && received.code === 'NotFound');
  step.check(isGone, {
    ...{ clause: 'order.cancels', member: 'CancelOrderById', expected: 'its result' },
    found: received.outcome === 'refused' ? received.code : received.outcome,
  });
  if (!isGone) return;
  for (const payment of flowContext.payments.keys()) flowContext.payments.set(payment, 'refused');
}
