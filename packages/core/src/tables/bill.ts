import { add, AMOUNT_MAX, isPositive, money, subtract, multiply, type Money } from '../money/money.js';

/**
 * What a session owes, as its EPOS reports it, checked. Total contains taxes, discounts and service charge, never
 * tips.
 */
export interface Bill {
  readonly sessionId: string;
  readonly total: Money;
  readonly paid: Money;
  readonly tax: Money;
  readonly serviceCharge: Money | null;
  readonly items: readonly BillItem[];
  readonly note: string | null;
}

/** One line of a bill; a negative price is a discount, a negative quantity a void. The price is that of one, without its modifiers. */
export interface BillItem {
  readonly id: string;
  readonly name: string;
  readonly category: readonly string[];
  readonly quantity: number;
  /** For a weight or a part of a portion: the quantity, while the line is one piece at its whole price. */
  readonly quantityThousandths?: number;
  readonly amountPerItem: Money;
  readonly modifiers: readonly BillModifier[];
  readonly lastOrderedAt: Date | null;
}

/** A change of an item; the quantity is per single item. */
export interface BillModifier {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly amountPerModifier: Money;
}

/** The outstanding amount; zero if more is paid than owed. */
export function computeOutstanding(bill: Bill): Money {
  const rest = subtract(bill.total, bill.paid);
  return isPositive(rest) ? rest : money(0, rest.currencyCode);
}

/** The price of a line with its modifiers, before discounts and service charge are spread over it. */
export function computeLinePrice(item: BillItem): Money {
  const one = item.modifiers.reduce(
    (price, modifier) => add(price, multiply(modifier.amountPerModifier, modifier.quantity)),
    item.amountPerItem,
  );
  return multiply(one, item.quantity);
}

/** A bill as received from the EPOS, not checked yet. Whole numbers of 64 bits arrive as bigint. */
export interface UncheckedBill {
  readonly sessionId: string;
  readonly currency: string;
  readonly totalAmount: number | bigint;
  readonly paidAmount: number | bigint;
  readonly taxAmount: number | bigint;
  readonly serviceCharge?: number | bigint | null | undefined;
  readonly note?: string | null | undefined;
  readonly items: readonly UncheckedBillItem[];
}

export interface UncheckedBillItem {
  readonly id: string;
  readonly name: string;
  readonly category: readonly string[];
  readonly quantity: number;
  readonly quantityThousandths?: number | undefined;
  readonly amountPerItem: number | bigint;
  readonly lastOrderedAt?: Date | null | undefined;
  readonly modifiers: readonly UncheckedBillModifier[];
}

export interface UncheckedBillModifier {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly amountPerModifier: number | bigint;
}

/** What is wrong with a bill. Only what makes it unknown what is owed keeps it from being used. */
export type BillViolationKind =
  | 'other_session'
  | 'currency_malformed'
  | 'currency_changed'
  | 'currency_not_enabled'
  | 'amount_not_exact'
  | 'amount_negative'
  | 'amount_too_large'
  | 'paid_exceeds_total'
  | 'tax_exceeds_total'
  | 'service_charge_exceeds_total'
  | 'too_many_items'
  | 'too_many_modifiers'
  | 'quantity_invalid'
  | 'item_id_repeated'
  | 'item_id_missing'
  | 'text_too_long';

export interface BillViolation {
  readonly fault: BillViolationKind;
  readonly detail: string;
}

/**
 * A sound bill can be paid. Its deviations do not matter for that: the members that they name are corrected or left
 * out. No card is ever requested for an unsound one.
 */
export type CheckedBill =
  | { readonly outcome: 'sound'; readonly bill: Bill; readonly deviations: readonly BillViolation[] }
  | ({ readonly outcome: 'unsound' } & BillViolation);

/**
 * What the bill must match: the requested session, the account's currencies, and the currency this journey began in.
 */
export interface BillExpectation {
  readonly sessionId: string;
  readonly currencies: readonly string[];
  readonly currencyCode?: string;
}

export const BILL_ITEMS_MAX = 1_000;
export const BILL_MODIFIERS_MAX = 100;
export const BILL_QUANTITY_MAX = 100_000;
export const BILL_TEXT_MAX = 1_024;

/**
 * Checks a bill. An EPOS is another company's program, so its bill is used only if it is certain what is owed. What
 * does not matter for that, such as a line without a plausible price, is left out and named. An invalid bill is an
 * outcome, not a Refusal.
 */
export function checkBill(unchecked: UncheckedBill, expected: BillExpectation): CheckedBill {
  const fault = findHeadViolation(unchecked, expected) ?? findTotalsViolation(unchecked);
  if (fault !== null) return { outcome: 'unsound', ...fault };
  const { currency, sessionId, note = null, totalAmount, paidAmount } = unchecked;
  const deviations: BillViolation[] = [];
  const exact = (amount: number | bigint): Money => money(Number(amount), currency);
  if (paidAmount > totalAmount) {
    deviations.push(createBillViolation('paid_exceeds_total', `${paidAmount} of ${totalAmount}`));
  }
  const items = readItems(unchecked.items, exact, deviations);
  const tax = readPartAmount(unchecked, 'taxAmount', deviations);
  const serviceCharge = readPartAmount(unchecked, 'serviceCharge', deviations);
  if (note !== null && isTooLong(note)) deviations.push(createBillViolation('text_too_long', 'note'));
  return {
    outcome: 'sound',
    bill: {
      sessionId,
      total: exact(totalAmount),
      paid: exact(paidAmount),
      tax: exact(tax ?? 0),
      serviceCharge: serviceCharge === null ? null : exact(serviceCharge),
      note: note === null ? null : cutText(note),
      items,
    },
    deviations,
  };
}

function findHeadViolation(bill: UncheckedBill, expected: BillExpectation): BillViolation | null {
  const { currency } = bill;
  if (bill.sessionId !== expected.sessionId) return createBillViolation('other_session', bill.sessionId);
  if (!/^[A-Z]{3}$/.test(currency)) return createBillViolation('currency_malformed', currency);
  if (expected.currencyCode !== undefined && currency !== expected.currencyCode) {
    return createBillViolation('currency_changed', currency);
  }
  return expected.currencies.includes(currency) ? null : createBillViolation('currency_not_enabled', currency);
}

/** Total and paid amount decide what is owed. An overpaid bill is known well enough: nothing is. */
function findTotalsViolation({ totalAmount, paidAmount }: UncheckedBill): BillViolation | null {
  for (const [name, amount] of Object.entries({ totalAmount, paidAmount })) {
    const fault = findAmountFault(amount);
    if (fault !== null) return createBillViolation(fault, name);
  }
  return null;
}

/** Tax and service charge are parts of the total: nobody pays them beside it. */
function readPartAmount(
  bill: UncheckedBill,
  name: 'taxAmount' | 'serviceCharge',
  deviations: BillViolation[],
): number | bigint | null {
  const amount = bill[name] ?? null;
  if (amount === null) return null;
  const fault = findAmountFault(amount);
  if (fault !== null) {
    deviations.push(createBillViolation(fault, name));
    return null;
  }
  const exceeds = name === 'taxAmount' ? 'tax_exceeds_total' : 'service_charge_exceeds_total';
  if (amount > bill.totalAmount) deviations.push(createBillViolation(exceeds, `${amount} of ${bill.totalAmount}`));
  return amount;
}

function findAmountFault(amount: number | bigint): BillViolationKind | null {
  if (!isExact(amount)) return 'amount_not_exact';
  if (amount < 0) return 'amount_negative';
  return amount > AMOUNT_MAX ? 'amount_too_large' : null;
}

function readItems(
  items: readonly UncheckedBillItem[],
  exact: (amount: number | bigint) => Money,
  deviations: BillViolation[],
): BillItem[] {
  if (items.length > BILL_ITEMS_MAX) deviations.push(createBillViolation('too_many_items', `${items.length}`));
  const seen = new Set<string>();
  return items.slice(0, BILL_ITEMS_MAX).flatMap((item, index): BillItem[] => {
    const id = createItemId(item, index, { seen, deviations });
    const wrong = findItemViolation(item);
    if (wrong !== null) {
      deviations.push(wrong);
      return [];
    }
    const { name, category, quantity, quantityThousandths, amountPerItem, lastOrderedAt, modifiers } = item;
    if ([item.id, name, ...category, ...modifiers.flatMap((each) => [each.id, each.name])].some(isTooLong)) {
      deviations.push(createBillViolation('text_too_long', item.id.slice(0, 40)));
    }
    if (category.length > BILL_MODIFIERS_MAX) deviations.push(createBillViolation('text_too_long', 'category'));
    return [
      {
        id,
        name: cutText(name),
        category: category.slice(0, BILL_MODIFIERS_MAX).map(cutText),
        quantity,
        ...(quantityThousandths !== undefined && { quantityThousandths }),
        amountPerItem: exact(amountPerItem),
        lastOrderedAt: lastOrderedAt ?? null,
        modifiers: modifiers.map((modifier) => ({
          id: cutText(modifier.id),
          name: cutText(modifier.name),
          quantity: modifier.quantity,
          amountPerModifier: exact(modifier.amountPerModifier),
        })),
      },
    ];
  });
}

/** Lines are paid by their ids, so each gets one of its own; the same at every reading of the same bill. */
function createItemId(
  { id, name }: UncheckedBillItem,
  index: number,
  { seen, deviations }: { readonly seen: Set<string>; readonly deviations: BillViolation[] },
): string {
  if (id === '') deviations.push(createBillViolation('item_id_missing', name.slice(0, 40)));
  else if (seen.has(id)) deviations.push(createBillViolation('item_id_repeated', id.slice(0, 40)));
  let own = cutText(id === '' ? `line-${index + 1}` : id);
  for (let number = 2; seen.has(own); number += 1) own = `${cutText(id).slice(0, BILL_TEXT_MAX - 8)}#${number}`;
  seen.add(own);
  return own;
}

/** Why the price of a line is not known; then the line is left out. */
function findItemViolation(item: UncheckedBillItem): BillViolation | null {
  if (item.modifiers.length > BILL_MODIFIERS_MAX) return createBillViolation('too_many_modifiers', item.id);
  if (!isQuantity(item.quantity)) return createBillViolation('quantity_invalid', item.id);
  const prices = [item.amountPerItem, ...item.modifiers.map((modifier) => modifier.amountPerModifier)];
  if (!prices.every(isExact)) return createBillViolation('amount_not_exact', item.id);
  let one = BigInt(item.amountPerItem);
  for (const modifier of item.modifiers) {
    if (!isQuantity(modifier.quantity)) return createBillViolation('quantity_invalid', `${item.id} ${modifier.id}`);
    one += BigInt(modifier.amountPerModifier) * BigInt(modifier.quantity);
    // Each partial sum is checked: linePrice adds in this order and must never leave the exact numbers.
    if (!isPayable(one)) return createBillViolation('amount_too_large', item.id);
  }
  return isPayable(one * BigInt(item.quantity)) ? null : createBillViolation('amount_too_large', item.id);
}

function createBillViolation(name: BillViolationKind, detail: string): BillViolation {
  return { fault: name, detail };
}

function isExact(amount: number | bigint): boolean {
  if (typeof amount === 'number') return Number.isSafeInteger(amount);
  return amount >= BigInt(Number.MIN_SAFE_INTEGER) && amount <= BigInt(Number.MAX_SAFE_INTEGER);
}

function isPayable(amount: bigint): boolean {
  return amount >= BigInt(-AMOUNT_MAX) && amount <= BigInt(AMOUNT_MAX);
}

/** Whole: weights and parts of a portion arrive as one piece at the price of the line. Negative for a void. */
function isQuantity(quantity: number): boolean {
  return Number.isSafeInteger(quantity) && Math.abs(quantity) <= BILL_QUANTITY_MAX;
}

function isTooLong(text: string): boolean {
  return text.length > BILL_TEXT_MAX;
}

function cutText(text: string): string {
  return isTooLong(text) ? text.slice(0, BILL_TEXT_MAX).replace(/[\ud800-\udbff]$/, '') : text;
}
