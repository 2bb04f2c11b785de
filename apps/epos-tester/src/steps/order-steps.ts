import { isPositive, type Money, money, minimum } from '@pos/core/money/money';
import type { EposOrder, OrderSearch } from '@pos/rest-contracts/epos-data/epos-data-orders';
import type { EposCursor } from '@pos/rest-contracts/epos-data/epos-data-shapes';
import { JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import { getData, requireCapabilities } from '../scene/data-asking.js';
import type { FlowStep } from '../scene/flow.js';
import type { TesterStage } from '../scene/scene.js';
import { checkFoundOrders, checkOrder, isPayableOrder, getOutstanding, sumPaid, sumTips } from './order-checks.js';
import type { OrderInUse } from '../scene/order-scene.js';

const PAGE_LIMIT = 50;
const PAGES_MAX = 20;

/** Finds the order of the flow, by parameter or the first suitable one. */
export const chooseOrder: FlowStep = {
  name: 'search',
  act: async (stage) => {
    await requireCapabilities(stage, ...JOURNEY_NEEDS.PayAtTable);
    await findOrder(stage);
  },
};

/** Reads the order again and checks it against the contract. */
export const readOrder: FlowStep = {
  name: 'read',
  act: async (stage) => {
    const { id } = getOrder(stage);
    const order = await getData(stage, 'GetOrderById', { params: { orderId: id } });
    checkOrder(stage, order, { at: '', id });
    useOrder(stage, { id, order });
  },
};

/** Finds the order of the scene without a check of the other capabilities. */
export async function findOrder(stage: TesterStage): Promise<void> {
  const { scene, step } = stage;
  const { accountId } = scene.parts.scope;
  const wanted = scene.params.orderId;
  const candidates = wanted === null ? await payableOrders(stage) : [await getOrderById(stage, wanted)];
  for (const candidate of candidates) {
    if (!isPayableOrder(candidate.order)) continue;
    if (!scene.parts.sessionsInUse.take(accountId, candidate.id, scene.parts.runId)) continue;
    step.saw('sandbox.order', { member: 'orders', what: 'one that can be paid' });
    useOrder(stage, candidate);
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
export async function searchOrders(stage: TesterStage, payableOnly: boolean): Promise<EposOrder[]> {
  const { tableId, waiterId } = stage.scene.params;
  const dineIn = { ...(tableId !== null && { tableId }), ...(waiterId !== null && { waiterId: String(waiterId) }) };
  const details = Object.keys(dineIn).length === 0 ? {} : { details: { dineIn } };
  return listAllOrders(stage, { ...details, payableOnly });
}

/** The same for every kind of search. */
export async function listAllOrders(stage: TesterStage, search: Omit<OrderSearch, 'cursor'>): Promise<EposOrder[]> {
  const found: EposOrder[] = [];
  let cursor: EposCursor = { limit: PAGE_LIMIT };
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, after } = await getData(stage, 'SearchOrders', { params: { ...search, cursor } });
    found.push(...data);
    if (typeof after !== 'string') break;
    cursor = { limit: PAGE_LIMIT, after };
  }
  return found;
}

/** The order of the scene. The step that finds it comes first in every flow that needs one. */
export function getOrder({ scene, step }: TesterStage): OrderInUse {
  return (
    scene.orders.current ??
    step.fail({ clause: 'sandbox.order', member: 'order', expected: 'an order to play on', found: undefined })
  );
}

/** The amount of the flow: the parameter, at most what is outstanding. */
export function orderAmount(stage: TesterStage): Money {
  const rest = getOutstanding(getOrder(stage).order);
  if (rest === null || !isPositive(rest)) {
    const expected = 'more than 0';
    return stage.step.fail({ clause: 'sandbox.order', member: 'outstanding', expected, found: rest?.value });
  }
  const { amount } = stage.scene.params;
  return amount === null ? rest : minimum(money(amount, rest.currencyCode), rest);
}

/** Stores the order in its current state. The first state is the base for later balances. */
export function useOrder({ scene: { orders } }: TesterStage, current: OrderInUse): void {
  orders.current = current;
  const currencyCode = current.order.totalAmount?.currencyCode;
  if (currencyCode === undefined) return;
  orders.expectedPaid ??= sumPaid(current.order, currencyCode);
  orders.expectedTips ??= sumTips(current.order, currencyCode);
}

async function payableOrders(stage: TesterStage): Promise<OrderInUse[]> {
  const orders = await searchOrders(stage, true);
  if (stage.scene.params.payableOnly) checkFoundOrders(stage, orders);
  return orders.flatMap((order) => (order.id === undefined ? [] : [{ id: order.id, order }]));
}

async function getOrderById(stage: TesterStage, id: string): Promise<OrderInUse> {
  return { id, order: await getData(stage, 'GetOrderById', { params: { orderId: id } }) };
}
