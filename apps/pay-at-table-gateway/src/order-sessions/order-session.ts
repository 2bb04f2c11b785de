import {
  type Bill,
  type BillItem,
  type BillItemModifier,
  type Session,
  type Table,
  TableStatus,
} from '@pos/grpc-contracts/tables';
import { formatSessionLabel } from '@pos/core/tables';
import { toWholeLine } from '@pos/grpc-contracts/bill-quantities';
import type { LabelledOrderSession } from '@pos/store/tables';
import type { EposItem, EposOrder, EposTable, OrderStatus } from '@pos/rest-contracts/epos-data';
import { parseMoment } from '@pos/rest-contracts/shapes';

/** The data of a session that its order does not contain. */
export interface OrderSessionDetails {
  readonly sessionId: string;
  readonly orderId: string;
  readonly firstSeenAt: Date;
  /** Null for an order without a table, or at an unknown one. */
  readonly tableName: string | null;
  readonly covers: number | null;
  /** Its number among sessions with the same name, once it was listed beside another one. */
  readonly label: LabelledOrderSession['label'];
}

const SESSION_NAME_LENGTH_MAX = 24;
const FINAL_STATUSES: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['Finalized', 'Canceled', 'Failed']);
const FINISHED_STATUSES: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['Finalized', 'Canceled']);

/** Whether an order is closed. */
function isFinalOrder({ status }: EposOrder): boolean {
  return FINAL_STATUSES.has(status);
}

/** The paid amount without tips: from the EPOS, or the sum of the payments. */
function sumPaid({ paidAmount, payments = [] }: EposOrder): number {
  return paidAmount?.value ?? payments.reduce((sum, payment) => sum + payment.paidAmount.value, 0);
}

/** The amount of an order without a total is unknown, so it cannot be paid in any status. */
export function isPayable(order: EposOrder): boolean {
  const { totalAmount, payable } = order;
  // A closed order is never offered, even if the EPOS says that it is payable.
  if (totalAmount === undefined || isFinalOrder(order)) return false;
  return payable ?? totalAmount.value > sumPaid(order);
}

/** The order as a session. */
export function toSession(order: EposOrder, sessionDetails: OrderSessionDetails): Session {
  const { displayName, details, createdAt, updatedAt, status } = order;
  const changedAt = parseOptionalMoment(updatedAt) ?? parseOptionalMoment(createdAt) ?? sessionDetails.firstSeenAt;
  const waiter = parseWaiterId(details.dineIn?.waiterId);
  const { label, tableName, orderId } = sessionDetails;
  const name = cutSessionName(toNonEmptyText(displayName) ?? toNonEmptyText(tableName) ?? orderId);
  return {
    id: sessionDetails.sessionId,
    name: label?.name === name ? formatSessionLabel(label) : name,
    tableName: sessionDetails.tableName ?? undefined,
    createdAt: parseOptionalMoment(createdAt) ?? sessionDetails.firstSeenAt,
    finishedAt: FINISHED_STATUSES.has(status) ? changedAt : undefined,
    isPayable: isPayable(order),
    numberOfCovers: sessionDetails.covers ?? undefined,
    waiter: waiter === null ? undefined : { id: waiter, name: undefined },
  };
}

/** The bill of an order, or its violation. */
export function toBill(
  order: EposOrder,
  { sessionId, firstSeenAt }: OrderSessionDetails,
): Bill | { readonly fault: string } {
  const { totalAmount, serviceChargeAmount, taxLines = [], note } = order;
  if (totalAmount === undefined) return { fault: 'the order has no total' };
  const otherCurrency = listCurrencies(order).find((currency) => currency !== totalAmount.currencyCode);
  if (otherCurrency !== undefined)
    return { fault: `the order is in ${totalAmount.currencyCode} and in ${otherCurrency}` };
  return {
    sessionId,
    currency: totalAmount.currencyCode,
    totalAmount: BigInt(totalAmount.value),
    paidAmount: BigInt(sumPaid(order)),
    taxAmount: BigInt(taxLines.reduce((sum, { amountTotal }) => sum + amountTotal.value, 0)),
    serviceCharge: serviceChargeAmount === undefined ? undefined : BigInt(serviceChargeAmount.value),
    note,
    items: toBillItems(
      order,
      parseOptionalMoment(order.updatedAt) ?? parseOptionalMoment(order.createdAt) ?? firstSeenAt,
    ),
  };
}

/** The tables with their states. A table with an open order is occupied. */
export function toTables(tables: readonly EposTable[], openOrders: readonly EposOrder[]): Table[] {
  const occupiedTableIds = new Set(
    openOrders.filter((order) => !isFinalOrder(order)).map(({ details }) => details.dineIn?.tableId),
  );
  return tables.map(({ id, name, maxCovers = 0 }) => ({
    name: normaliseTableName(name),
    maxCovers,
    status: occupiedTableIds.has(id) ? TableStatus.TABLE_STATUS_OCCUPIED : TableStatus.TABLE_STATUS_AVAILABLE,
  }));
}

/** Card machines join the names of table and session with " - ", so the name of a table must not contain it. */
export function normaliseTableName(name: string): string {
  return name.replaceAll(' - ', '-');
}

/** The number of a waiter; null for other text. */
function parseWaiterId(waiterId: string | undefined): number | null {
  if (waiterId === undefined || !/^\d{1,9}$/.test(waiterId)) return null;
  return Number(waiterId) === 0 ? null : Number(waiterId);
}

function toBillItems({ items = [], discounts = [] }: EposOrder, lastOrderedAt: Date): BillItem[] {
  const lines = items.flatMap((item) => [
    { item, quantity: item.quantity, amountTotal: item.amountTotal },
    ...(item.subItems ?? []).map((sub) => ({
      item: sub,
      quantity: sub.quantity * item.quantity,
      // The total of a sub-item is that of one parent.
      amountTotal: item.quantity === 1 ? sub.amountTotal : undefined,
    })),
  ]);
  const itemLines = lines.map(({ item, quantity, amountTotal }, index) => ({
    id: `${index + 1}-${item.plu}`,
    name: item.name,
    category: [],
    lastOrderedAt,
    ...toWholeLine({
      quantity,
      amountPerItem: BigInt(item.amountPerItem.value),
      amountTotal: amountTotal === undefined ? undefined : BigInt(amountTotal.value),
      modifiers: (item.modifiers ?? []).map(toBillItemModifier),
    }),
  }));
  const discountLines = discounts.map(({ name, amountTotal }, index) => ({
    id: `${itemLines.length + index + 1}-discount`,
    name,
    category: [],
    quantity: 1,
    amountPerItem: -BigInt(Math.abs(amountTotal.value)),
    lastOrderedAt,
    modifiers: [],
  }));
  return [...itemLines, ...discountLines];
}

function toBillItemModifier({
  plu,
  name,
  quantity,
  amountPerItem,
}: NonNullable<EposItem['modifiers']>[number]): BillItemModifier {
  return { id: plu, name, quantity, amountPerModifier: BigInt(amountPerItem.value) };
}

function listCurrencies({ items = [], discounts = [], taxLines = [], payments = [], ...order }: EposOrder): string[] {
  const lines = items.flatMap((item) => [item, ...(item.subItems ?? [])]);
  const amounts = [
    ...lines.flatMap(({ amountPerItem, modifiers = [] }) => [
      amountPerItem,
      ...modifiers.map((each) => each.amountPerItem),
    ]),
    ...[...discounts, ...taxLines].map(({ amountTotal }) => amountTotal),
    ...payments.map(({ paidAmount }) => paidAmount),
    ...[order.paidAmount, order.serviceChargeAmount].filter((amount) => amount !== undefined),
  ];
  return amounts.map(({ currencyCode }) => currencyCode);
}

function parseOptionalMoment(text: string | undefined): Date | null {
  return text === undefined ? null : parseMoment(text);
}

function toNonEmptyText(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}

function cutSessionName(text: string): string {
  return Array.from(text).slice(0, SESSION_NAME_LENGTH_MAX).join('');
}
