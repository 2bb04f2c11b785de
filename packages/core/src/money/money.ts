import { assert } from '../refusals/assert.js';

/** An exact number of minor units (pence, cents) of one currency. */
export interface Money {
  readonly value: number;
  readonly currencyCode: string;
}

/** The largest amount of a card payment: twelve digits fit a card message. */
export const AMOUNT_MAX = 999_999_999_999;

/** Creates an amount. A fraction, or a number that is not exact, is a Defect: amounts are never rounded on input. */
export function money(value: number, currencyCode: string): Money {
  assert(Number.isSafeInteger(value), `not a whole number of minor units: ${value}`);
  assert(/^[A-Z]{3}$/.test(currencyCode), `not a currency code: ${currencyCode}`);
  return { value: value === 0 ? 0 : value, currencyCode };
}

export function zeroMoney(currencyCode: string): Money {
  return money(0, currencyCode);
}

export function add(first: Money, second: Money): Money {
  return money(first.value + second.value, sameCurrency(first, second));
}

export function subtract(from: Money, amount: Money): Money {
  return money(from.value - amount.value, sameCurrency(from, amount));
}

export function negate(amount: Money): Money {
  return money(-amount.value, amount.currencyCode);
}

/** The sum of the amounts; the currency is named because an empty list has none. */
export function sum(amounts: readonly Money[], currencyCode: string): Money {
  return amounts.reduce(add, zeroMoney(currencyCode));
}

/** A price multiplied by a whole number. */
export function multiply(price: Money, quantity: number): Money {
  assert(Number.isSafeInteger(quantity), `not a whole quantity: ${quantity}`);
  return money(price.value * quantity, price.currencyCode);
}

/** Below zero, zero or above zero, for a sort function. */
function compare(first: Money, second: Money): number {
  sameCurrency(first, second);
  return first.value - second.value;
}

export function isPositive(amount: Money): boolean {
  return amount.value > 0;
}

export function isZero(amount: Money): boolean {
  return amount.value === 0;
}

export function exceeds(amount: Money, limit: Money): boolean {
  return compare(amount, limit) > 0;
}

export function isSameAmount(first: Money, second: Money): boolean {
  return first.currencyCode === second.currencyCode && first.value === second.value;
}

export function minimum(first: Money, second: Money): Money {
  return exceeds(first, second) ? second : first;
}

/**
 * The next equal part of a bill, rounded up: the early payers carry the odd pennies, and the last
 * one takes what is left, so the parts always add up to the bill.
 */
export function shareEqually(bill: { readonly outstanding: Money; readonly partsLeft: number }): Money {
  const { outstanding, partsLeft } = bill;
  assert(Number.isSafeInteger(partsLeft) && partsLeft > 0, `not a number of parts: ${partsLeft}`);
  assert(outstanding.value >= 0, 'a part of less than nothing');
  const whole = Math.floor(outstanding.value / partsLeft);
  const oddPennies = outstanding.value - whole * partsLeft;
  return money(oddPennies > 0 ? whole + 1 : whole, outstanding.currencyCode);
}

/**
 * Spreads an amount over weights exactly: each gets its floor, and the remaining pennies are added one by one to the
 * largest remainders, the earlier first. A negative amount (a discount) is spread in the same way.
 */
export function allocate(total: Money, weights: readonly number[]): Money[] {
  assert(weights.length > 0, 'nothing to spread over');
  assert(
    weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0),
    'a weight below nothing',
  );
  // Products of two safe integers leave the exact range of a number; bigint keeps them whole.
  const whole = weights.reduce((weighed, weight) => weighed + BigInt(weight), 0n);
  assert(whole > 0n, 'all weights are nothing');
  const size = BigInt(Math.abs(total.value));
  const shares = weights.map((weight, index) => {
    const product = size * BigInt(weight);
    return { index, units: product / whole, remainder: product % whole };
  });
  let leftOver = size - shares.reduce((given, share) => given + share.units, 0n);
  const byRemainder = [...shares].sort((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  );
  for (const share of byRemainder) {
    if (leftOver === 0n) break;
    share.units += 1n;
    leftOver -= 1n;
  }
  const sign = total.value < 0 ? -1 : 1;
  return shares.map((share) => money(sign * Number(share.units), total.currencyCode));
}

/** The first fraction of an amount, to the nearest unit, halves up. Exact for any fraction. */
export function takeFraction(amount: Money, fraction: { readonly part: bigint; readonly whole: bigint }): Money {
  const { part, whole } = fraction;
  assert(whole > 0n && part >= 0n && part <= whole, 'not a fraction of something');
  assert(amount.value >= 0, 'a part of less than nothing');
  return money(Number((BigInt(amount.value) * part * 2n + whole) / (whole * 2n)), amount.currencyCode);
}

function sameCurrency(first: Money, second: Money): string {
  assert(
    first.currencyCode === second.currencyCode,
    `two currencies in one sum: ${first.currencyCode}, ${second.currencyCode}`,
  );
  return first.currencyCode;
}
