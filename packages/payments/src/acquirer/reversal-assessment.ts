import type { AcquirerCall } from '@pos/core/acquirer-calls';
import {
  type AcquirerAnswer,
  type AcquirerBooking,
  type AcquirerCapabilities,
  evaluateRefusedReversal,
  isForgotten,
  isNotFoundFinal,
  type RefusedReversal,
} from '@pos/core/acquirer';
import { exceeds, sum } from '@pos/core/money';
import { DAY_MS } from '@pos/core/time';
import { NOT_FOUND_NEEDED } from '@pos/core/terminals';
import type { Tx } from '@pos/store/database';
import { incrementNotFoundCount, resetNotFoundCount } from '@pos/store/payments';
import type { BookingsUnderReference } from './acquirer-books.js';
import { raiseUntraceableAlarm } from './call-alarms.js';

// What an acquirer says of an authorisation that was given up, and whose reversal it refuses. An acquirer that does not
// remember the reversal of an unknown reference refuses it until the authorisation has arrived, or cannot arrive any more.

/** What is known beside the answer. */
interface AssessmentFacts {
  readonly original: AcquirerCall | null;
  readonly reversal: AcquirerCall;
  /** What the acquirer has declared; null while it is not known. */
  readonly capabilities: AcquirerCapabilities | null;
  /** Two answers within this time count as one. */
  readonly intervalMs: number;
}

/**
 * Assesses an inquiry of the authorisation. "Not found" ends it only where the acquirer has declared when that is final, and
 * says it three times after that, with waits between them. An acquirer that does not keep the reference any longer
 * cannot say it: that raises an alarm, and an operator decides by its books. The reversal has to be locked.
 */
export async function assessByInquiry(
  tx: Tx,
  inquired: AcquirerAnswer,
  { original, reversal, capabilities, intervalMs }: AssessmentFacts,
): Promise<RefusedReversal> {
  if (inquired.outcome !== 'notFound' || original === null || capabilities === null) {
    await resetNotFoundCount(tx, reversal.reference);
    return evaluateRefusedReversal(inquired, { isNotFoundFinal: false });
  }
  const age = { lastSentBy: original.deadlineAt, databaseNow: tx.databaseNow };
  if (isForgotten(capabilities, age)) await raiseUntraceableAlarm(tx, original);
  const canCount = isNotFoundFinal(capabilities, age);
  const count = canCount ? await incrementNotFoundCount(tx, reversal.reference, intervalMs) : 0;
  return evaluateRefusedReversal(inquired, { isNotFoundFinal: count >= NOT_FOUND_NEEDED });
}

/**
 * Until when a call may still be booked: as long after its deadline as the acquirer has declared, or a day if it has not.
 * Before that, books without the call say nothing final.
 */
export function getArrivalEnd(
  { deadlineAt }: Pick<AcquirerCall, 'deadlineAt'>,
  capabilities: Pick<AcquirerCapabilities, 'notFoundFinalAfterMs'> | null,
): Date {
  return new Date(deadlineAt.getTime() + (capabilities?.notFoundFinalAfterMs ?? DAY_MS));
}

/**
 * Assesses the acquirer's books, which an operator has ordered to decide. Captured money is refunded: the sum of all parts,
 * once no file can name another part. An authorisation that complete books do not hold took none, once it cannot arrive
 * any more.
 */
export function assessByBooks(
  { bookings, isCompleteBetween }: Pick<BookingsUnderReference, 'bookings' | 'isCompleteBetween'>,
  {
    original,
    capabilities,
    databaseNow,
  }: Pick<AssessmentFacts, 'capabilities'> & {
    readonly original: Pick<AcquirerCall, 'reference' | 'amount' | 'deadlineAt'>;
    readonly databaseNow: Date;
  },
): RefusedReversal {
  const lines = bookings.filter(({ reference }) => reference === original.reference);
  const captures = lines.filter(({ kind, status }) => kind === 'Capture' && status === 'booked');
  const arrivesUntil = getArrivalEnd(original, capabilities);
  // By the calendar of the acquirer the day may be the one before.
  const sinceDay = new Date(original.deadlineAt.getTime() - DAY_MS);
  const isComplete = isCompleteBetween(sinceDay, arrivesUntil);
  if (captures.length > 0) return assessCaptures(captures, { original, isComplete });
  if (lines.length > 0) {
    const isOver = lines.every(({ status }) => status !== 'booked');
    return isOver ? { kind: 'nothingTaken' } : { kind: 'undecided' };
  }
  return isComplete && arrivesUntil <= databaseNow ? { kind: 'nothingTaken' } : { kind: 'undecided' };
}

/** Parts in another currency than the authorisation have no sum to refund. */
function assessCaptures(
  captures: readonly AcquirerBooking[],
  { original, isComplete }: { readonly original: Pick<AcquirerCall, 'amount'>; readonly isComplete: boolean },
): RefusedReversal {
  const { currencyCode } = original.amount;
  const amounts = captures.map(({ amount }) => amount);
  if (amounts.some((amount) => amount.currencyCode !== currencyCode)) return { kind: 'undecided' };
  const captured = sum(amounts, currencyCode);
  const isAwaited = exceeds(original.amount, captured) && !isComplete;
  return isAwaited ? { kind: 'undecided' } : { kind: 'refund', amount: captured };
}
