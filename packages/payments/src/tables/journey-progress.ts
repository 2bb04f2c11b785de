import type { Bill, Lease, TablePayment } from '@pos/core/tables';
import { applyPaymentState, type Journey, applyEarlierPart } from '@pos/core/journeys';
import { add, isSameAmount } from '@pos/core/money';
import type { Tx } from '@pos/store/database';
import { lockNewestJourney } from '@pos/store/tables';
import { commitJourney } from './journey-commit.js';
import { isLeaseOver } from './leases.js';

/** A payment before and after its step. */
interface PaymentChange {
  readonly before: TablePayment;
  readonly payment: TablePayment;
}

/** A journey and its lease, both locked. */
interface LockedJourney {
  readonly journey: Journey;
  readonly lease: Lease | null;
}

/**
 * Updates a journey after its payment. A part that it records after its lease was forced also counts as paid in the
 * journey that was begun on the session meanwhile (ADR 0035).
 */
export async function updateJourneyAfterPayment(
  tx: Tx,
  { journey, lease }: LockedJourney,
  step: PaymentChange,
): Promise<void> {
  const updated = await commitJourney(tx, journey, applyPayment(journey, step, tx.now));
  const { inHand, partsPaid } = journey.plan;
  // While the lease is held, no other journey runs there.
  if (lease === null || !isLeaseOver(lease) || inHand === null || updated.plan.partsPaid === partsPaid) return;
  const last = await lockNewestJourneyOfSession(tx, journey);
  if (last.id !== journey.id) await commitJourney(tx, last, applyEarlierPart(last, inHand.request, tx.now));
}

/**
 * The start of a journey locks the newest one first: once that is locked here, no newer one takes its shares unseen.
 */
async function lockNewestJourneyOfSession(tx: Tx, journey: Journey): Promise<Journey> {
  let last = journey;
  for (;;) {
    const newest = await lockNewestJourney(tx, journey.sessionId);
    if (newest === null || newest.id === last.id) return last;
    last = newest;
  }
}

/** Moves the journey. Its bill contains a recorded part at once; the EPOS's own amounts are read right after. */
function applyPayment(journey: Journey, { before, payment }: PaymentChange, now: Date): Journey {
  const updated = applyPaymentState(journey, payment, now);
  const isBooked = payment.state === 'Recorded' && before.state !== 'Recorded';
  if (!isBooked || payment.paidBefore === null || !isSameAmount(journey.bill.paid, payment.paidBefore)) {
    return { ...updated, updatedAt: now };
  }
  const bill: Bill = { ...journey.bill, paid: add(journey.bill.paid, payment.base) };
  return { ...updated, bill, updatedAt: now };
}
