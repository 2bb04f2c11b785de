import { ORDER_STATUSES, type OrderStatus } from './epos-data-orders.js';

/** Other spellings of a documented status. */
const SPELLINGS: ReadonlyMap<string, OrderStatus> = new Map([
  ...ORDER_STATUSES.map((status) => [status.toLowerCase(), status] as const),
  ['cancelled', 'Canceled'],
  ['finalised', 'Finalized'],
]);

/**
 * Words of tills for an order that is closed. A list does not offer such an order. They are no answer to CreateOrder:
 * the contract does not say what they mean for money.
 */
const CLOSED_WORDS: ReadonlyMap<string, OrderStatus> = new Map([
  ...['complete', 'completed', 'closed', 'paid', 'settled', 'finished', 'done'].map(
    (word) => [word, 'Finalized'] as const,
  ),
  ...['void', 'voided', 'deleted', 'abandoned', 'expired', 'canceling', 'cancelling'].map(
    (word) => [word, 'Canceled'] as const,
  ),
  ...['rejected', 'declined', 'refused', 'denied', 'error'].map((word) => [word, 'Failed'] as const),
]);

/**
 * The status of an order that the service has placed, has asked to cancel, or looks for: a documented status in any
 * spelling, `New` where there is none, and null for any other word, which must never lead to a capture.
 */
export function readPlacedStatus(sent: unknown): OrderStatus | null {
  if (sent === undefined || sent === null) return 'New';
  return typeof sent === 'string' ? (SPELLINGS.get(sent.trim().toLowerCase()) ?? null) : null;
}

/** The status of an order of a list: also words that certainly mean a closed order. Other values stay as they are. */
export function toListedStatus(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  const word = sent.trim().toLowerCase();
  return SPELLINGS.get(word) ?? CLOSED_WORDS.get(word) ?? sent;
}
