import type { AnswerDistortion } from './epos-faults.js';
import { withOddFields, withOddMembers } from './odd-members.js';
import { WRONG_CLOCK_MS } from '../epos/epos-locks.js';

// Applies the active faults to the answers of an EPOS, for every kind of answer and every transport.

/** Longer than any transport takes: 4 MiB over REST and gRPC, 1 MiB in a frame. */
const HUGE_ANSWER_LENGTH = 5 * 1024 * 1024;
const ENUM_MEMBERS: ReadonlySet<string> = new Set(['status', 'lineType', 'receiptLineType', 'orderType', 'size']);
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** The text of an answer after distortion, bare or inside a frame. */
export function distortText(json: unknown, distortion: AnswerDistortion, write: (json: unknown) => string): string {
  const text = write(distortJson(json, distortion));
  return distortion.isBroken ? text.slice(0, Math.max(1, text.length - 2)) : text;
}

/** The JSON of an answer with wrong values in it. */
function distortJson(json: unknown, distortion: AnswerDistortion): unknown {
  const distorted = mapLeaves(json, (member, value) => {
    if (distortion.hasWrongClock && typeof value === 'string' && TIMESTAMP.test(value)) return shiftTimestamp(value);
    if (distortion.hasWrongCurrency && (member === 'currencyCode' || member === 'currency'))
      return replaceCurrency(value);
    if (distortion.hasUnknownEnum && ENUM_MEMBERS.has(member)) return 'UNHEARD_OF';
    return value;
  });
  const withOdd = distortion.hasOddMembers ? withOddMembers(distorted) : distorted;
  const withTotals = distortion.hasWrongTotals ? distortTotals(withOdd) : withOdd;
  return distortion.isHuge ? enlargeJson(withTotals) : withTotals;
}

/**
 * A gRPC message with wrong values. Members whose type permits no wrong value stay. Currencies and totals are not
 * changed here: bills are distorted where they are built.
 */
export function distortMessage<T>(message: T, distortion: AnswerDistortion): T;
export function distortMessage(message: unknown, distortion: AnswerDistortion): unknown {
  let isEnlarged = !distortion.isHuge;
  return mapLeaves(distortion.hasOddMembers ? withOddFields(message) : message, (member, value) => {
    if (distortion.hasWrongClock && value instanceof Date) return new Date(value.getTime() + WRONG_CLOCK_MS);
    if (distortion.hasUnknownEnum && ENUM_MEMBERS.has(member)) return 'UNRECOGNIZED';
    if (isEnlarged || typeof value !== 'string' || ENUM_MEMBERS.has(member) || member === '$case') return value;
    isEnlarged = true;
    return value + 'x'.repeat(HUGE_ANSWER_LENGTH);
  });
}

function mapLeaves(value: unknown, mapLeaf: (member: string, value: unknown) => unknown, member = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, mapLeaf, member));
  if (typeof value !== 'object' || value === null || value instanceof Date) return mapLeaf(member, value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapLeaves(each, mapLeaf, name)]));
}

function shiftTimestamp(moment: string): string {
  return new Date(Date.parse(moment) + WRONG_CLOCK_MS).toISOString();
}

function replaceCurrency(currencyCode: unknown): string {
  return currencyCode === 'GBP' ? 'EUR' : 'GBP';
}

/** More paid than owed, wherever something is owed. */
function distortTotals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(distortTotals);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, distortTotals(each)]));
  const { totalAmount, paidAmount } = members;
  if (!isMoney(totalAmount) || !isMoney(paidAmount)) return members;
  return { ...members, paidAmount: { ...totalAmount, value: totalAmount.value * 2 + 1 } };
}

function isMoney(value: unknown): value is { readonly value: number } {
  return typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'number';
}

function enlargeJson(json: unknown): unknown {
  const padding = 'x'.repeat(HUGE_ANSWER_LENGTH);
  if (Array.isArray(json)) return [...(json as unknown[]), { padding }];
  return typeof json === 'object' && json !== null ? { ...json, padding } : { padding };
}
