import { isPositive, type Money, money, minimum } from '@pos/core/money';
import type { EposCursor, EposOrder, OrderSearch } from '@pos/rest-contracts/epos-data';
import { JOURNEY_NEEDS } from '@pos/core/tables';
import { getData, requireCapabilities } from '../flow-context/data-calls.js';
import type { FlowStep } from '../flow-context/flow.js';
import type { StepContext } from '../flow-context/flow-context.js';
import { checkFoundOrders, checkOrder, isPayableOrder, getOutstanding, sumPaid, sumTips } from './order-checks.js';
import type { OrderInUse } from '../flow-context/order-flow-state.js';

const PAGE_LIMIT = 50;
const PAGES_MAX = 20;

/** Finds the order of the flow, by parameter or the first suitable one. */
export const chooseOrder: FlowStep = {
  name: 'search',
  act: async (context) => {
    await requireCapabilities(context, ...JOURNEY_NEEDS.PayAtTable);
    await findOrder(context);
  },
};

/** Reads the order again and checks it against the contract. */
export const readOrder: FlowStep = {
  name: 'read',
  act: async (context) => {
    const { id } = getOrder(context);
    const order = await getData(context, 'GetOrderById', { params: { orderId: id } });
    checkOrder(context, order, { at: '', id });
    useOrder(context, { id, order });
  },
};

/** Finds the order of the flow without a check of the other capabilities. */
export async function findOrder(context: StepContext): Promise<void> {
  const { flowContext, step } = context;
  const { accountId } = flowContext.parts.scope;
  const wanted = flowContext.params.orderId;
  const candidates = wanted === null ? await payableOrders(context) : [await getOrderById(context, wanted)];
  for (const candidate of candidates) {
    if (!isPayableOrder(candidate.order)) continue;
    if (!flowContext.parts.sessionReservations.reserve(accountId, candidate.id, flowContext.parts.runId)) continue;
    step.saw('sandbox.order', { member: 'orders', what: 'one that can be paid' });
    useOrder(context, candidate);
    return;
  }
  step.fail({
    clause: 'sandbox.order',
    member: 'orders',
    expected: 'one that can be paid and that no other run uses',
    found: `${candidates.length} that cannot`,
  });
}

/** Every order of a search, page by page, as far as the service would read, for the table and waiter of the run. */
export async function searchOrders(context: StepContext, payableOnly: boolean): Promise<EposOrder[]> {
  const { tableId, waiterId } = context.flowContext.params;
  const dineIn = { ...(tableId !== null && { tableId }), ...(waiterId !== null && { waiterId: String(waiterId) }) };
  const details = Object.keys(dineIn).length === 0 ? {} : { details: { dineIn } };
  return listAllOrders(context, { ...details, payableOnly });
}

/** The same for every kind of search. */
export async function listAllOrders(context: StepContext, search: Omit<OrderSearch, 'cursor'>): Promise<EposOrder[]> {
  const found: EposOrder[] = [];
  let cursor: EposCursor = { limit: PAGE_LIMIT };
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, after } = await getData(context, 'SearchOrders', { params: { ...search, cursor } });
    found.push(...data);
    if (typeof after !== 'string') break;
    cursor = { limit: PAGE_LIMIT, after };
  }
  return found;
}

/** The order of the flow. The step that finds it comes first in every flow that needs one. */
export function getOrder({ flowContext, step }: StepContext): OrderInUse {
  return (
    flowContext.orders.current ??
    step.fail({ clause: 'sandbox.order', member: 'order', expected: 'an order to play on', found: undefined })
  );
}

/** The amount of the flow: the parameter, at most what is outstanding. */
export function orderAmount(context: StepContext): Money {
  const rest = getOutstanding(getOrder(context).order);
  if (rest === null || !isPositive(rest)) {
    const expected = 'more than 0';
    return context.step.fail({ clause: 'sandbox.order', member: 'outstanding', expected, found: rest?.value });
  }
  const { amount } = context.flowContext.params;
  return amount === null ? rest : minimum(money(amount, rest.currencyCode), rest);
}

/** Stores the order in its current state. The first state is the base for later balances. */
export function useOrder({ flowContext: { orders } }: StepContext, current: OrderInUse): void {
  orders.current = current;
  const currencyCode = current.order.totalAmount?.currencyCode;
  if (currencyCode === undefined) return;
  orders.expectedPaid ??= sumPaid(current.order, currencyCode);
  orders.expectedTips ??= sumTips(current.order, currencyCode);
}

async function payableOrders(context: StepContext): Promise<OrderInUse[]> {
  const orders = await searchOrders(context, true);
  if (context.flowContext.params.payableOnly) checkFoundOrders(context, orders);
  return orders.flatMap((order) => (order.id === undefined ? [] : [{ id: order.id, order }]));
}

async function getOrderById(context: StepContext, id: string): Promise<OrderInUse> {
  return { id, order: await getData(context, 'GetOrderById', { params: { orderId: id } }) };
}
