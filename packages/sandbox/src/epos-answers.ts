import type { Spoiling } from './epos-faults.js';
import { WRONG_CLOCK_MS } from './epos-locks.js';

// Answers of an EPOS on their way out, spoiled as the faults say: whatever the answer is, and whichever way it travels.

/** Longer than any transport takes: 4 MiB over REST and gRPC, 1 MiB in a frame. */
const HUGE_LENGTH = 5 * 1024 * 1024;
const ENUM_MEMBERS: ReadonlySet<string> = new Set(['status', 'lineType', 'receiptLineType', 'orderType', 'size']);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** What the JSON of an answer has become, as text; bare or inside a frame. */
export function spoiledText(json: unknown, spoiling: Spoiling, write: (json: unknown) => string): string {
  const text = write(spoiledJson(json, spoiling));
  return spoiling.isBroken ? text.slice(0, Math.max(1, text.length - 2)) : text;
}

/** The JSON of an answer with wrong values in it. */
function spoiledJson(json: unknown, spoiling: Spoiling): unknown {
  const changed = mapped(json, (member, value) => {
    if (spoiling.hasWrongClock && typeof value === 'string' && MOMENT.test(value)) return later(value);
    if (spoiling.hasWrongCurrency && (member === 'currencyCode' || member === 'currency')) return otherCurrency(value);
    if (spoiling.hasUnknownEnum && ENUM_MEMBERS.has(member)) return 'UNHEARD_OF';
    return value;
  });
  const counted = spoiling.hasWrongTotals ? withWrongTotals(changed) : changed;
  return spoiling.isHuge ? enlarged(counted) : counted;
}

/**
 * A message of gRPC with wrong values in it; what cannot be spoiled in its shape stays. Currencies and totals are not
 * touched: bills are distorted where they are drawn up.
 */
export function spoiledMessage<T>(message: T, spoiling: Spoiling): T;
export function spoiledMessage(message: unknown, spoiling: Spoiling): unknown {
  let isLong = !spoiling.isHuge;
  return mapped(message, (member, value) => {
    if (spoiling.hasWrongClock && value instanceof Date) return new Date(value.getTime() + WRONG_CLOCK_MS);
    if (spoiling.hasUnknownEnum && ENUM_MEMBERS.has(member)) return 'UNRECOGNIZED';
    if (isLong || typeof value !== 'string' || ENUM_MEMBERS.has(member) || member === '$case') return value;
    isLong = true;
    return value + 'x'.repeat(HUGE_LENGTH);
  });
}

function mapped(value: unknown, leaf: (member: string, value: unknown) => unknown, member = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, leaf, member));
  if (typeof value !== 'object' || value === null || value instanceof Date) return leaf(member, value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, leaf, name)]));
}

function later(moment: string): string {
  return new Date(Date.parse(moment) + WRONG_CLOCK_MS).toISOString();
}

function otherCurrency(currencyCode: unknown): string {
  return currencyCode === 'GBP' ? 'EUR' : 'GBP';
}

/** More paid than owed, wherever something is owed. */
function withWrongTotals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWrongTotals);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withWrongTotals(each)]));
  const { totalAmount, paidAmount } = members;
  if (!isMoney(totalAmount) || !isMoney(paidAmount)) return members;
  return { ...members, paidAmount: { ...totalAmount, value: totalAmount.value * 2 + 1 } };
}

function isMoney(value: unknown): value is { readonly value: number } {
  return typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'number';
}

function enlarged(json: unknown): unknown {
  const padding = 'x'.repeat(HUGE_LENGTH);
  if (Array.isArray(json)) return [...(json as unknown[]), { padding }];
  return typeof json === 'object' && json !== null ? { ...json, padding } : { padding };
}
