import { readEposAnswer, readWholeOrder } from './epos-data-reading.js';
import type { OrderStatus } from './epos-data-orders.js';
import { readPlacedStatus } from './order-status.js';
import { isMembers, type Members } from '../shapes/reshape.js';

// Each function reads only the members that answer its question. The rest of the order may be unreadable (ADR 0123).

/** The payments of an order, reduced to their intents. */
export interface ListedIntents {
  readonly intentIds: ReadonlySet<string>;
  /** False: a payment of the order cannot be read, and may be any payment. */
  readonly isComplete: boolean;
}

/**
 * The intents that an order lists. Null when the answer is no order, or does not show its payments: that it has none
 * is then not known.
 */
export function readListedIntents(json: unknown): ListedIntents | null {
  if (!isMembers(json)) return null;
  const payments = findMember(json, 'payments');
  if (payments === undefined || payments === null) {
    // Many tills leave an empty list out. Only an order that can be read otherwise proves that there is none.
    const reading = readEposAnswer('GetOrderById', json);
    const isOrder = reading.ok && reading.value.id !== undefined;
    return isOrder || readWholeOrder(json) !== null ? { intentIds: new Set(), isComplete: true } : null;
  }
  if (!Array.isArray(payments)) return null;
  const ids = (payments as readonly unknown[]).map(readIntentId);
  return {
    intentIds: new Set(ids.filter((id) => id !== null && id !== '')) as ReadonlySet<string>,
    isComplete: !ids.includes(null),
  };
}

/**
 * Whether the answer to RecordOrderPaymentById shows that the payment is recorded: its order lists the intent, or does
 * not list payments at all, or the whole answer keeps the contract. Anything else leaves the outcome unknown.
 */
export function isPaymentRecorded(json: unknown, intentId: string): boolean {
  if (!isMembers(json)) return false;
  if (readListedIntents(json)?.intentIds.has(intentId) === true || readWholeOrder(json) !== null) return true;
  if (findMember(json, 'payments') !== undefined) return false;
  const reading = readEposAnswer('RecordOrderPaymentById', json);
  return reading.ok && (reading.value.id !== undefined || isMembers(findMember(json, 'details')));
}

/** An order that the service placed, has asked to cancel or looks for; a null status is a word of the till. */
export interface PlacedOrderAnswer {
  readonly id: string | null;
  readonly status: OrderStatus | null;
  /** The word as it was sent, for people. */
  readonly statusText: string;
}

/** Reads id and status of an order. Null when the answer is no object. */
export function readPlacedOrder(json: unknown): PlacedOrderAnswer | null {
  if (!isMembers(json)) return null;
  const id = findMember(json, 'id');
  const status = findMember(json, 'status');
  return {
    id:
      typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : typeof id === 'string' && id !== '' ? id : null,
    status: readPlacedStatus(status),
    statusText: typeof status === 'string' ? status.slice(0, STATUS_LENGTH_MAX) : typeof status,
  };
}

const STATUS_LENGTH_MAX = 60;

/** The intent of a payment; empty for a foreign payment, which has none, and null when it cannot be read. */
function readIntentId(payment: unknown): string | null {
  if (!isMembers(payment)) return null;
  const id = findMember(payment, 'paymentIntentId') ?? '';
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' ? id : null;
}

/** A member in any case; null for two of them that differ. */
function findMember(members: Members, name: string): unknown {
  const spellings = Object.keys(members).filter((each) => each.toLowerCase() === name.toLowerCase());
  const values = spellings.map((each) => members[each]).filter((value) => value !== null && value !== undefined);
  if (values.length > 1 && new Set(values.map((value) => JSON.stringify(value))).size > 1) return AMBIGUOUS;
  return values[0];
}

/** Neither a text nor a list, so every reader refuses it. */
const AMBIGUOUS = {};
