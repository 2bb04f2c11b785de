import type { Bill, BillItem, BillItemModifier, Session, Table } from '@pos/grpc-contracts/tables';
import { TableStatus } from '@pos/grpc-contracts/tables';
import type { EposItem, EposOrder, EposTable, OrderStatus } from '@pos/rest-contracts/epos-data-orders';
import { parseMoment } from '@pos/rest-contracts/moment';

/** What the pay-at-table contract knows of an order beside the order itself. */
export interface OrderPlace {
  readonly sessionId: string;
  readonly orderId: string;
  readonly firstSeenAt: Date;
  /** Null for an order that is not had at a table, or at one that nobody knows. */
  readonly tableName: string | null;
  readonly covers: number | null;
}

const NAME_LENGTH_MAX = 24;
const FINAL: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['Finalized', 'Canceled', 'Failed']);
const FINISHED: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['Finalized', 'Canceled']);

/** Whether nothing more happens to an order. */
function isFinal({ status }: EposOrder): boolean {
  return FINAL.has(status);
}

/** What was paid, without tips; said by the EPOS or added up. */
function paidOf({ paidAmount, payments = [] }: EposOrder): number {
  return paidAmount?.value ?? payments.reduce((sum, payment) => sum + payment.paidAmount.value, 0);
}

/** An order without a total owes nobody knows what, so it cannot be paid, whatever it says of itself. */
export function isPayable(order: EposOrder): boolean {
  const { totalAmount, payable } = order;
  if (totalAmount === undefined) return false;
  return payable ?? (!isFinal(order) && totalAmount.value > paidOf(order));
}

/** Whether the order is this waiter's, however many noughts the EPOS writes before his number. */
export function isServedBy({ details }: EposOrder, waiter: number): boolean {
  const waiterId = details.dineIn?.waiterId ?? '';
  return /^\d+$/.test(waiterId) && Number(waiterId) === waiter;
}

/** The order as a session. */
export function sessionOf(order: EposOrder, place: OrderPlace): Session {
  const { displayName, details, createdAt, updatedAt, status } = order;
  const changedAt = momentOf(updatedAt) ?? momentOf(createdAt) ?? place.firstSeenAt;
  const waiter = waiterOf(details.dineIn?.waiterId);
  return {
    id: place.sessionId,
    name: cut(filled(displayName) ?? filled(place.tableName) ?? place.orderId),
    tableName: place.tableName ?? undefined,
    createdAt: momentOf(createdAt) ?? place.firstSeenAt,
    finishedAt: FINISHED.has(status) ? changedAt : undefined,
    isPayable: isPayable(order),
    numberOfCovers: place.covers ?? undefined,
    waiter: waiter === null ? undefined : { id: waiter, name: undefined },
  };
}

/** Sessions of one list have names of their own: equal ones are numbered. */
export function named(sessions: readonly Session[]): Session[] {
  const counts = new Map<string, number>();
  for (const { name } of sessions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const given = new Map<string, number>();
  return sessions.map((session) => {
    if (counts.get(session.name) === 1) return session;
    const number = (given.get(session.name) ?? 0) + 1;
    given.set(session.name, number);
    return { ...session, name: `${session.name} - ${number}` };
  });
}

/** What an order owes, or why it is no bill: an EPOS is another company's program. */
export function billOf(order: EposOrder, { sessionId, firstSeenAt }: OrderPlace): Bill | { readonly fault: string } {
  const { totalAmount, serviceChargeAmount, taxLines = [], note } = order;
  if (totalAmount === undefined) return { fault: 'the order has no total' };
  const other = currenciesOf(order).find((currency) => currency !== totalAmount.currencyCode);
  if (other !== undefined) return { fault: `the order is in ${totalAmount.currencyCode} and in ${other}` };
  return {
    sessionId,
    currency: totalAmount.currencyCode,
    totalAmount: BigInt(totalAmount.value),
    paidAmount: BigInt(paidOf(order)),
    taxAmount: BigInt(taxLines.reduce((sum, { amountTotal }) => sum + amountTotal.value, 0)),
    serviceCharge: serviceChargeAmount === undefined ? undefined : BigInt(serviceChargeAmount.value),
    note,
    items: itemsOf(order, momentOf(order.updatedAt) ?? momentOf(order.createdAt) ?? firstSeenAt),
  };
}

/** The order's own table, and those of the others in the list. A table where an order is open is taken. */
export function tablesOf(tables: readonly EposTable[], open: readonly EposOrder[]): Table[] {
  const taken = new Set(open.filter((order) => !isFinal(order)).map(({ details }) => details.dineIn?.tableId));
  return tables.map(({ id, name, maxCovers = 0 }) => ({
    name: tableNameOf(name),
    maxCovers,
    status: taken.has(id) ? TableStatus.TABLE_STATUS_OCCUPIED : TableStatus.TABLE_STATUS_AVAILABLE,
  }));
}

/** Card machines join the names of table and session by " - ", so a table's name has none. */
export function tableNameOf(name: string): string {
  return name.replaceAll(' - ', '-');
}

/** A waiter of the pay-at-table contract is a number; other text is none. */
function waiterOf(waiterId: string | undefined): number | null {
  if (waiterId === undefined || !/^\d{1,9}$/.test(waiterId)) return null;
  return Number(waiterId) === 0 ? null : Number(waiterId);
}

function itemsOf({ items = [], discounts = [] }: EposOrder, lastOrderedAt: Date): BillItem[] {
  const lines = items.flatMap((item) => [
    { item, quantity: item.quantity },
    ...(item.subItems ?? []).map((sub) => ({ item: sub, quantity: sub.quantity * item.quantity })),
  ]);
  const sold = lines.map(({ item, quantity }, index) => ({
    id: `${index + 1}-${item.plu}`,
    name: item.name,
    category: [],
    quantity,
    amountPerItem: BigInt(item.amountPerItem.value),
    lastOrderedAt,
    modifiers: (item.modifiers ?? []).map(modifierOf),
  }));
  const taken = discounts.map(({ name, amountTotal }, index) => ({
    id: `${sold.length + index + 1}-discount`,
    name,
    category: [],
    quantity: 1,
    amountPerItem: -BigInt(Math.abs(amountTotal.value)),
    lastOrderedAt,
    modifiers: [],
  }));
  return [...sold, ...taken];
}

function modifierOf({
  plu,
  name,
  quantity,
  amountPerItem,
}: NonNullable<EposItem['modifiers']>[number]): BillItemModifier {
  return { id: plu, name, quantity, amountPerModifier: BigInt(amountPerItem.value) };
}

function currenciesOf({ items = [], discounts = [], taxLines = [], payments = [], ...order }: EposOrder): string[] {
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

function momentOf(text: string | undefined): Date | null {
  return text === undefined ? null : parseMoment(text);
}

function filled(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}

function cut(text: string): string {
  return Array.from(text).slice(0, NAME_LENGTH_MAX).join('');
}
