import type { Bill, BillItem } from '@pos/core/tables';
import { isPositive, money, negate, subtract, sum, multiply, type Money } from '@pos/core/money';
import type { EposItem, EposOrder, EposOrderPayment, NewOrder, OrderStatus } from '@pos/rest-contracts/epos-data';
import { buildTableId } from './epos-tables.js';
import { isPayable, type DiningSession } from '../restaurant/restaurant.js';

/** A payment on an order. One that did not come over the EPOS Data API has no intent. */
export interface OrderPayment {
  readonly intentId: string | null;
  readonly paid: Money;
  readonly tips: Money | null;
}

/** What an order has beyond its session. */
export interface OrderDetails {
  /** Null for an order that the restaurant took itself. */
  readonly request: NewOrder | null;
  readonly isCanceled: boolean;
  readonly partyId: string | null;
  readonly payments: readonly OrderPayment[];
  readonly updatedAt: Date;
}

/** Tax is inside the prices; two decimals are implied. */
const VAT_PERCENTAGE = 2_000;

/** Maps a session to an order: the same bill, line by line, with discounts apart. */
export function presentOrder(session: DiningSession, orderDetails: OrderDetails): EposOrder {
  const { bill } = session;
  const { request, updatedAt } = orderDetails;
  return {
    id: session.id,
    status: getOrderStatus(session, orderDetails.isCanceled),
    details: request?.details ?? buildDetails(session, orderDetails.partyId),
    createdAt: session.createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    displayName: request?.displayName ?? session.name,
    ...(request?.reference !== undefined && { reference: request.reference }),
    ...(request?.customer !== undefined && { customer: request.customer }),
    ...(request?.note !== undefined && { note: request.note }),
    payable: isPayable(session),
    ...(bill !== null && presentOrderBill(bill, orderDetails)),
  };
}

function presentOrderBill(bill: Bill, { request, payments }: OrderDetails) {
  const { currencyCode } = bill.total;
  const recordedTotal = sum(
    payments.map(({ paid }) => paid),
    currencyCode,
  );
  const cash = subtract(bill.paid, recordedTotal);
  const all = isPositive(cash) ? [{ intentId: null, paid: cash, tips: null }, ...payments] : payments;
  const tips = sum(
    all.flatMap((each) => each.tips ?? []),
    currencyCode,
  );
  const lines = request ?? buildLines(bill);
  return {
    items: lines.items,
    ...(lines.discounts !== undefined && { discounts: lines.discounts }),
    ...(lines.taxLines !== undefined && { taxLines: lines.taxLines }),
    ...(bill.serviceCharge !== null && { serviceChargeAmount: { ...bill.serviceCharge } }),
    totalAmount: { ...bill.total },
    paidAmount: { ...bill.paid },
    tipsAmount: { ...tips },
    payments: all.map(presentPayment),
  };
}

function getOrderStatus({ finishedAt, bill }: DiningSession, isCanceled: boolean): OrderStatus {
  if (isCanceled) return 'Canceled';
  if (finishedAt !== null) return 'Finalized';
  return bill === null ? 'New' : 'Accepted';
}

function buildDetails({ tableName, waiter }: DiningSession, partyId: string | null): EposOrder['details'] {
  if (tableName === null) return { orderType: 'Collection', collection: { asap: true } };
  const at = { tableId: buildTableId(tableName), waiterId: String(waiter.id) };
  return { orderType: 'DineIn', dineIn: { ...at, ...(partyId !== null && { partyId }) } };
}

function buildLines({ items, tax }: Bill): Pick<EposOrder, 'discounts' | 'taxLines'> & { items: EposItem[] } {
  const isDiscount = ({ amountPerItem }: BillItem): boolean => amountPerItem.value < 0;
  const discounts = items.filter(isDiscount).map(({ id, name, amountPerItem, quantity }) => ({
    name,
    amountTotal: { ...negate(multiply(amountPerItem, quantity)) },
    discountReference: id,
  }));
  return {
    items: items.filter((item) => !isDiscount(item)).map(presentItem),
    ...(discounts.length > 0 && { discounts }),
    taxLines: [{ name: 'VAT', amountTotal: { ...tax }, amountPercentage: VAT_PERCENTAGE }],
  };
}

function presentItem({ id, name, quantity, amountPerItem, modifiers }: BillItem): EposItem {
  return {
    ...{ name, quantity, plu: id.replace(/^\d+-/, ''), amountPerItem: { ...amountPerItem } },
    ...(modifiers.length > 0 && {
      modifiers: modifiers.map((each) => ({
        ...{ name: each.name, quantity: each.quantity, plu: each.id },
        amountPerItem: { ...each.amountPerModifier },
      })),
    }),
  };
}

function presentPayment({ intentId, paid, tips }: OrderPayment): EposOrderPayment {
  return {
    ...(intentId !== null && { paymentIntentId: intentId }),
    paidAmount: { ...paid },
    ...(tips !== null && { tipsAmount: { ...tips } }),
  };
}

/** Builds the bill of a new order: sub-items and discounts are lines of their own. */
export function createOrderBill(sessionId: string, request: NewOrder, orderedAt: Date): Bill {
  const { items, totalAmount, payments, discounts = [], taxLines = [], serviceChargeAmount } = request;
  const { currencyCode } = totalAmount;
  const lines = items.flatMap((item) => [
    { item, quantity: item.quantity },
    ...(item.subItems ?? []).map((sub) => ({ item: sub, quantity: sub.quantity * item.quantity })),
  ]);
  const orderLines = lines.map(({ item, quantity }, index) => ({
    ...{ id: `${index + 1}-${item.plu}`, name: item.name, category: [], quantity, lastOrderedAt: orderedAt },
    amountPerItem: item.amountPerItem,
    modifiers: (item.modifiers ?? []).map((each) => ({
      ...{ id: each.plu, name: each.name, quantity: each.quantity },
      amountPerModifier: each.amountPerItem,
    })),
  }));
  const discountLines = discounts.map(({ name, amountTotal }, index) => ({
    ...{ id: `${orderLines.length + index + 1}-discount`, name, category: ['Discounts'], quantity: 1, modifiers: [] },
    amountPerItem: money(-Math.abs(amountTotal.value), amountTotal.currencyCode),
    lastOrderedAt: orderedAt,
  }));
  const total = (amounts: readonly Money[]): Money => sum(amounts, currencyCode);
  return {
    ...{ sessionId, total: totalAmount, items: [...orderLines, ...discountLines], note: request.note ?? null },
    paid: total(payments.map(({ paidAmount }) => paidAmount)),
    tax: total(taxLines.map(({ amountTotal }) => amountTotal)),
    serviceCharge: serviceChargeAmount ?? null,
  };
}
