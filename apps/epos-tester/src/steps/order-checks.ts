import { exceeds, isPositive, isSameAmount, type Money, money, subtract, sum } from '@pos/core/money';
import type { EposArea, EposMoney, EposOrder, EposOrderPayment, EposTable } from '@pos/rest-contracts/epos-data';
import type { StepContext } from '../flow-context/flow-context.js';

/** Path of the member in the answer: `data[2]`; empty for the answer itself. */
type OrderCheckContext = string;

const FINAL_STATUSES: ReadonlySet<string> = new Set(['Finalized', 'Canceled', 'Failed']);

/** What is still to be paid on an order; null for one without a total, which cannot be paid. */
export function getOutstanding(order: EposOrder): Money | null {
  const total = findMoney(order.totalAmount);
  return total === null ? null : subtract(total, sumPaid(order, total.currencyCode));
}

/** What is paid on an order: its own figure, or else the sum of its payments. */
export function sumPaid({ paidAmount, payments = [] }: EposOrder, currencyCode: string): Money {
  return findMoney(paidAmount) ?? sumMoney(payments, ({ paidAmount: paid }) => paid, currencyCode);
}

/** The tips of an order: its own figure, or else the sum of its payments. */
export function sumTips({ tipsAmount, payments = [] }: EposOrder, currencyCode: string): Money {
  return findMoney(tipsAmount) ?? sumMoney(payments, ({ tipsAmount: tips }) => tips, currencyCode);
}

/** Whether an order can be paid now: its own flag, or else by its status and its balance. */
export function isPayableOrder(order: EposOrder): boolean {
  const rest = getOutstanding(order);
  const owes = rest !== null && isPositive(rest);
  return owes && (order.payable ?? !FINAL_STATUSES.has(order.status));
}

/** Checks every clause about an order; its id only where it was requested by one. */
export function checkOrder(
  context: StepContext,
  order: EposOrder,
  { at, id }: { readonly at: OrderCheckContext; readonly id?: string },
): void {
  const { step } = context;
  if (id !== undefined && order.id !== undefined) {
    const finding = { clause: 'order.same', member: memberOf(at, 'id'), expected: id, found: order.id } as const;
    step.check(order.id === id, finding);
  }
  if (!hasSingleCurrency(context, order, at)) return;
  const total = findMoney(order.totalAmount);
  if (total === null) return;
  const { currencyCode } = total;
  const paid = sumPaid(order, currencyCode);
  checkPayments(context, order, { at, paid });
  step.check(total.value >= 0 && paid.value >= 0 && !exceeds(paid, total), {
    ...{ clause: 'order.within-total', member: memberOf(at, 'paidAmount'), expected: `from 0 to ${total.value}` },
    found: paid.value,
  });
  const isClosed = FINAL_STATUSES.has(order.status) || !isPositive(subtract(total, paid));
  step.check(!(isClosed && order.payable === true), {
    ...{ clause: 'order.payable', member: memberOf(at, 'payable'), expected: 'false: it is closed, or owes nothing' },
    found: true,
  });
}

/** Checks the payments of an order, where it lists them. */
function checkPayments(
  { step }: StepContext,
  order: EposOrder,
  { at, paid }: { readonly at: OrderCheckContext; readonly paid: Money },
): void {
  const { payments } = order;
  if (payments === undefined) return;
  const { currencyCode } = paid;
  const booked = sumMoney(payments, ({ paidAmount }) => paidAmount, currencyCode);
  step.check(isSameAmount(paid, booked), {
    ...{ clause: 'order.paid', member: memberOf(at, 'paidAmount'), found: paid.value },
    expected: `${booked.value}, the sum of the payments`,
  });
  const tipped = sumMoney(payments, ({ tipsAmount }) => tipsAmount, currencyCode);
  const tips = sumTips(order, currencyCode);
  step.check(isSameAmount(tips, tipped), {
    ...{ clause: 'order.tips', member: memberOf(at, 'tipsAmount'), expected: `${tipped.value}, the sum of the tips` },
    found: tips.value,
  });
}

/** Checks every clause about a list of areas. */
export function checkAreas({ step }: StepContext, areas: readonly EposArea[]): void {
  const ids = areas.map(({ id }) => id);
  areas.forEach(({ id, name }, index) => {
    step.check(ids.indexOf(id) === index && name.trim() !== '', {
      ...{ clause: 'area.named', member: `[${index}]`, expected: 'an id of its own and a name' },
      found: `${id} ${name}`,
    });
  });
}

/** Checks every clause about the tables of a search. */
export function checkTables(
  { step }: StepContext,
  tables: readonly EposTable[],
  /** The area in the request; null: none. */
  areaId: string | null,
): void {
  const names = tables.map((table) => `${table.areaId ?? ''} ${table.name}`);
  tables.forEach((table, index) => {
    const at = `data[${index}]`;
    step.check(table.name.trim() !== '' && names.indexOf(names[index] ?? '') === index, {
      ...{ clause: 'table.unique', member: `${at}.name`, expected: 'a name of its own in its area', found: table.name },
    });
    if (areaId === null) return;
    step.check(table.areaId === areaId, {
      ...{ clause: 'tables.filter', member: `${at}.areaId`, expected: areaId, found: table.areaId },
    });
  });
}

/** Checks every clause about the result of a search for payable orders. */
export function checkFoundOrders({ flowContext, step }: StepContext, orders: readonly EposOrder[]): void {
  const { payableOnly, tableId } = flowContext.params;
  orders.forEach((order, index) => {
    const [clause, at] = ['orders.filter', `data[${index}]`] as const;
    if (payableOnly) {
      const found = order.payable;
      step.check(isPayableOrder(order), { clause, member: `${at}.payable`, expected: 'true', found });
    }
    if (tableId === null) return;
    const found = order.details.dineIn?.tableId;
    step.check(found === tableId, { clause, member: `${at}.details.dineIn.tableId`, expected: tableId, found });
  });
}

/** An amount as `Money`, or null when it is invalid. */
export function findMoney(amount: EposMoney | undefined): Money | null {
  return amount === undefined ? null : money(amount.value, amount.currencyCode);
}

function hasSingleCurrency({ flowContext, step }: StepContext, order: EposOrder, at: OrderCheckContext): boolean {
  const { currencies } = flowContext.parts.account;
  const { totalAmount, paidAmount, tipsAmount, serviceChargeAmount, payments = [] } = order;
  const amounts = [
    totalAmount,
    paidAmount,
    tipsAmount,
    serviceChargeAmount,
    ...payments.map((each) => each.paidAmount),
  ];
  const found = [...new Set(amounts.flatMap((amount) => amount?.currencyCode ?? []))];
  const before = flowContext.orders.current?.order.totalAmount?.currencyCode;
  const [only] = found;
  const isKnown = only === undefined || currencies.some((currency) => currency === only);
  const isSame =
    only === undefined || before === undefined || flowContext.orders.current?.id !== order.id || only === before;
  return step.check(found.length <= 1 && isKnown && isSame, {
    ...{ clause: 'order.currency', member: memberOf(at, 'totalAmount.currencyCode') },
    ...{ expected: before ?? currencies.join(' or '), found: found.join(', ') },
  });
}

function sumMoney(
  payments: readonly EposOrderPayment[],
  amountOf: (payment: EposOrderPayment) => EposMoney | undefined,
  currencyCode: string,
): Money {
  const amounts = payments.flatMap((payment) => findMoney(amountOf(payment)) ?? []);
  return sum(
    amounts.filter((amount) => amount.currencyCode === currencyCode),
    currencyCode,
  );
}

function memberOf(at: OrderCheckContext, member: string): string {
  return at === '' ? member : `${at}.${member}`;
}
