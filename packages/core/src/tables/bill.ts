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

/** One line of a bill; a negative price is a discount. The price is that of one, without its modifiers. */
export interface BillItem {
  readonly id: string;
  readonly name: string;
  readonly category: readonly string[];
  readonly quantity: number;
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

/** Why a bill is not used. No card is ever requested for such a bill. */
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

export type CheckedBill =
  | { readonly outcome: 'sound'; readonly bill: Bill }
  | { readonly outcome: 'unsound'; readonly fault: BillViolationKind; readonly detail: string };

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
 * Checks a bill. An EPOS is another company's program, so its bill is used only if every amount is plausible. An
 * invalid bill is an outcome, not a Refusal.
 */
export function checkBill(unchecked: UncheckedBill, expected: BillExpectation): CheckedBill {
  const fault =
    findHeadViolation(unchecked, expected) ?? findTotalsViolation(unchecked) ?? findItemsViolation(unchecked.items);
  if (fault !== null) return { outcome: 'unsound', ...fault };
  const { currency, sessionId, note, serviceCharge } = unchecked;
  const exact = (amount: number | bigint): Money => money(Number(amount), currency);
  return {
    outcome: 'sound',
    bill: {
      sessionId,
      total: exact(unchecked.totalAmount),
      paid: exact(unchecked.paidAmount),
      tax: exact(unchecked.taxAmount),
      serviceCharge: serviceCharge === null || serviceCharge === undefined ? null : exact(serviceCharge),
      note: note ?? null,
      items: unchecked.items.map((item) => ({
        id: item.id,
        name: item.name,
        category: item.category,
        quantity: item.quantity,
        amountPerItem: exact(item.amountPerItem),
        lastOrderedAt: item.lastOrderedAt ?? null,
        modifiers: item.modifiers.map(({ id, name, quantity, amountPerModifier }) => ({
          id,
          name,
          quantity,
          amountPerModifier: exact(amountPerModifier),
        })),
      })),
    },
  };
}

interface BillViolation {
  readonly fault: BillViolationKind;
  readonly detail: string;
}

function findHeadViolation(bill: UncheckedBill, expected: BillExpectation): BillViolation | null {
  const { currency } = bill;
  if (bill.sessionId !== expected.sessionId) return createBillViolation('other_session', bill.sessionId);
  if (!/^[A-Z]{3}$/.test(currency)) return createBillViolation('currency_malformed', currency);
  if (expected.currencyCode !== undefined && currency !== expected.currencyCode) {
    return createBillViolation('currency_changed', currency);
  }
  if (!expected.currencies.includes(currency)) return createBillViolation('currency_not_enabled', currency);
  return isTooLong(bill.note ?? '') ? createBillViolation('text_too_long', 'note') : null;
}

function findTotalsViolation(bill: UncheckedBill): BillViolation | null {
  const amounts = {
    totalAmount: bill.totalAmount,
    paidAmount: bill.paidAmount,
    taxAmount: bill.taxAmount,
    serviceCharge: bill.serviceCharge ?? 0,
  };
  for (const [name, amount] of Object.entries(amounts)) {
    if (!isExact(amount)) return createBillViolation('amount_not_exact', name);
    if (amount < 0) return createBillViolation('amount_negative', name);
    if (amount > AMOUNT_MAX) return createBillViolation('amount_too_large', name);
  }
  const { totalAmount, paidAmount, taxAmount, serviceCharge } = amounts;
  if (paidAmount > totalAmount) return createBillViolation('paid_exceeds_total', `${paidAmount} of ${totalAmount}`);
  if (taxAmount > totalAmount) return createBillViolation('tax_exceeds_total', `${taxAmount} of ${totalAmount}`);
  if (serviceCharge > totalAmount) {
    return createBillViolation('service_charge_exceeds_total', `${serviceCharge} of ${totalAmount}`);
  }
  return null;
}

function findItemsViolation(items: readonly UncheckedBillItem[]): BillViolation | null {
  if (items.length > BILL_ITEMS_MAX) return createBillViolation('too_many_items', `${items.length}`);
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(item.id)) return createBillViolation('item_id_repeated', item.id);
    seen.add(item.id);
    const wrong = findItemViolation(item);
    if (wrong !== null) return wrong;
  }
  return null;
}

function findItemViolation(item: UncheckedBillItem): BillViolation | null {
  if (item.id === '') return createBillViolation('item_id_missing', item.name);
  if ([item.id, item.name, ...item.category].some(isTooLong))
    return createBillViolation('text_too_long', item.id.slice(0, 40));
  if (item.category.length > BILL_MODIFIERS_MAX) return createBillViolation('text_too_long', 'category');
  if (item.modifiers.length > BILL_MODIFIERS_MAX) return createBillViolation('too_many_modifiers', item.id);
  if (!isQuantity(item.quantity)) return createBillViolation('quantity_invalid', item.id);
  const prices = [item.amountPerItem, ...item.modifiers.map((modifier) => modifier.amountPerModifier)];
  if (!prices.every(isExact)) return createBillViolation('amount_not_exact', item.id);
  let one = BigInt(item.amountPerItem);
  for (const modifier of item.modifiers) {
    if (isTooLong(modifier.id) || isTooLong(modifier.name)) return createBillViolation('text_too_long', item.id);
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

function isQuantity(quantity: number): boolean {
  return Number.isSafeInteger(quantity) && quantity >= 0 && quantity <= BILL_QUANTITY_MAX;
}

function isTooLong(text: string): boolean {
  return text.length > BILL_TEXT_MAX;
}
