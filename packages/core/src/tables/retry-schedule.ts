import { requireValue } from '../refusals/assert.js';
import type { TablePayment } from './table-payment.js';

/** How long a lost lock is requested again before the record call is sent without it. */
export const RELOCK_MS = 30_000;
/** How long an unanswered call may still arrive; a refusal is not trusted before. */
export const DOUBT_MS = 60_000;
/** How long giving back is tried before an operator is alerted. */
export const GIVE_BACK_MS = 24 * 60 * 60 * 1000;
/** The wait between slow checks: after an hour, without credentials, and after an operator was alerted. */
export const SLOW_WAIT_MS = 10 * 60 * 1000;

/** The waits between searches for the card transaction of a device; the device waits for the last one, too. */
const PROOF_WAITS_MS = [500, 1_000, 1_500];
const RECORD_WAIT_FIRST_MS = 1_000;
const RECORD_WAIT_MAX_MS = 60_000;
const FREQUENT_RETRY_MS = 60 * 60 * 1000;
const GIVE_BACK_WAIT_FIRST_MS = 10_000;
const GIVE_BACK_WAIT_MAX_MS = 10 * 60 * 1000;

/** When to record, lock or read again: 1 s doubling to 60 s, from an hour after the approval every ten minutes. */
export function recordRetryAt(payment: Pick<TablePayment, 'since' | 'tries'>, now: Date): Date {
  const isOld = hasLasted(payment.since, FREQUENT_RETRY_MS, now);
  return addMilliseconds(
    now,
    isOld ? SLOW_WAIT_MS : doubleDelay(RECORD_WAIT_FIRST_MS, payment.tries, RECORD_WAIT_MAX_MS),
  );
}

/** When to look for a card transaction again, or null after the last time. */
export function computeProofRetryAt({ tries }: Pick<TablePayment, 'tries'>, now: Date): Date | null {
  const waitMs = PROOF_WAITS_MS[tries];
  return waitMs === undefined ? null : addMilliseconds(now, waitMs);
}

/** When to repeat a give-back that was not answered: 10 s doubling to ten minutes. */
export function computeGiveBackRetryAt(payment: Pick<TablePayment, 'tries'>, now: Date): Date {
  return addMilliseconds(now, doubleDelay(GIVE_BACK_WAIT_FIRST_MS, payment.tries, GIVE_BACK_WAIT_MAX_MS));
}

/**
 * When to repeat a give-back that the acquirer refused: 10 s doubling to an hour, and from a day on (`isLate`) each
 * hour, because each try is a call of its own that is stored with the payment.
 */
export function computeRefusedGiveBackRetryAt(payment: Pick<TablePayment, 'tries'>, now: Date, isLate: boolean): Date {
  return addMilliseconds(
    now,
    isLate ? FREQUENT_RETRY_MS : doubleDelay(GIVE_BACK_WAIT_FIRST_MS, payment.tries, FREQUENT_RETRY_MS),
  );
}

/**
 * When to repeat a capture that the acquirer refused: 10 s doubling to an hour, because each try is stored with the
 * payment.
 */
export function captureRetryAt({ tries }: Pick<TablePayment, 'tries'>, now: Date): Date {
  return addMilliseconds(now, doubleDelay(GIVE_BACK_WAIT_FIRST_MS, tries, FREQUENT_RETRY_MS));
}

/** Whether an unanswered call from before the doubted refusal may still arrive. */
export function isDoubtYoung(payment: TablePayment, now: Date): boolean {
  return payment.doubtAt !== null && now < endOfDoubt(payment);
}

export function endOfDoubt(payment: TablePayment): Date {
  return addMilliseconds(requireValue(payment.doubtAt, 'the refusal that is doubted'), DOUBT_MS);
}

export function hasLasted(since: Date, ms: number, now: Date): boolean {
  return now.getTime() - since.getTime() >= ms;
}

export function addMilliseconds(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

function doubleDelay(firstMs: number, times: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** times, maxMs);
}
