import { createHash } from 'node:crypto';
import { type AcquirerCall, applyCallMove, createAcquirerCall, concludeAcquirerCall } from '@pos/core/acquirer-calls';
import type { RefusedReversal as ReversalAssessment, Verdict } from '@pos/core/acquirer';
import { Refusal, requireValue } from '@pos/core/refusals';
import { isPositive, type Money } from '@pos/core/money';
import {
  findAcquirerCall,
  insertAcquirerCall,
  lockAcquirerCall,
  type LockedIntent,
  lockIntent,
} from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { cancelTimer, schedule } from '@pos/store/queues';
import { endReversedAuthorisation } from './reversed-authorisation.js';
import { raiseMoneyNotReturnedAlarm } from './call-alarms.js';
import { updateCall } from '../alarms/call-update.js';

/** How long one try of the refund may take before the worker asks again; no money waits for it. */
const REFUND_DEADLINE_MS = 10_000;
const REFERENCE_LENGTH_MAX = 64;
/** How many refunds are tried for one refused reversal; each after the first by an operator's decision. */
const REFUNDS_MAX = 9;

/** An authorisation that was given up, and the reversal of it. */
interface RefusedReversal {
  /** The payment of both, locked before the calls; null if they are about none. */
  readonly locked: LockedIntent | null;
  readonly original: AcquirerCall | null;
  readonly reversal: AcquirerCall;
}

/**
 * The acquirer refuses for good to reverse an authorisation that we gave up: taken money is refunded under a reference
 * derived from the reversal's; where none was taken, the authorisation is over. Returns false where it is not decided
 * which of the two: the reversal stays open and is repeated.
 */
export async function replaceRefusedReversal(
  tx: Tx,
  { locked, original, reversal }: RefusedReversal,
  { verdict, assessment }: { readonly verdict: Verdict; readonly assessment: ReversalAssessment },
): Promise<boolean> {
  if (assessment.kind === 'undecided') return false;
  cancelTimer(tx, { kind: 'acquirer-call', subject: reversal.reference });
  const amount = assessment.kind === 'refund' ? assessment.amount : reversal.amount;
  const refused = await updateCall(tx, { ...applyCallMove(reversal, 'decline', verdict.result), amount });
  if (assessment.kind === 'refund' && isPositive(assessment.amount)) {
    const reference = buildReplacementReference(reversal.reference, 1);
    await requestReplacementRefund(tx, refused, { reference, amount: assessment.amount });
    return true;
  }
  await closeReversal(tx, { locked, original, reversal: refused });
  return true;
}

/** Whether the call is a refund that replaces a refused reversal: nothing of its payment is reserved for it. */
export function isReplacementRefund(call: AcquirerCall, original: AcquirerCall | null): boolean {
  const isGivenUp = original !== null && original.reverseReference !== null && original.outcome !== 'Approved';
  return call.kind === 'Refund' && call.terminalSessionId === null && isGivenUp;
}

/**
 * Ends a refund that replaces a refused reversal. Done: the authorisation is undone. Refused: an alarm is raised, and
 * the reversal stays on the pending list, because the acquirer still has the payer's money.
 */
export async function concludeReplacementRefund(
  tx: Tx,
  {
    locked,
    refund,
    original,
    verdict,
  }: Pick<RefusedReversal, 'locked'> & {
    readonly refund: AcquirerCall;
    readonly original: AcquirerCall;
    readonly verdict: Verdict;
  },
): Promise<void> {
  const answeredRefund = { ...refund, result: verdict.result ?? refund.result };
  await updateCall(tx, concludeAcquirerCall(answeredRefund, verdict.isDone ? 'Approved' : 'Declined'));
  cancelTimer(tx, { kind: 'acquirer-call', subject: refund.reference });
  if (!verdict.isDone) {
    const reason = verdict.result?.kind === 'refused' ? verdict.result.message : 'refused';
    return raiseMoneyNotReturnedAlarm(tx, refund, reason);
  }
  const reversal = requireValue(original.reverseReference, 'the reversal that was refused');
  await closeReversal(tx, {
    locked,
    original,
    reversal: requireValue(await lockAcquirerCall(tx, reversal), `call ${reversal}`),
  });
}

/** The acquirer has no money of the payer any more: a payment that waits for that continues. */
async function closeReversal(tx: Tx, { locked, original, reversal }: RefusedReversal): Promise<void> {
  if (reversal.state !== 'Settled') await updateCall(tx, concludeAcquirerCall(reversal, 'Declined'));
  await endReversedAuthorisation(tx, locked, original);
  const waitingId = original?.terminalSessionId ?? reversal.terminalSessionId ?? reversal.paymentIntentId;
  if (waitingId !== null) tx.hint('journeys', waitingId);
}

/** Closes a reversal that was refused for good, after the acquirer's books have shown that the money is back. */
export async function closeRefusedReversal(tx: Tx, refused: AcquirerCall): Promise<void> {
  const { reference, originalReference, paymentIntentId } = refused;
  const locked = paymentIntentId === null ? null : await lockIntent(tx, paymentIntentId);
  const original = await lockAcquirerCall(tx, requireValue(originalReference, 'what was to be reversed'));
  const reversal = requireValue(await lockAcquirerCall(tx, reference), `call ${reference}`);
  await closeReversal(tx, { locked, original, reversal });
}

/**
 * Orders the refund in place of a refused reversal again: the one under way is asked for at once; after a refusal the next
 * one gets a reference of its own.
 */
export async function repeatReplacementRefund(tx: Tx, reversal: AcquirerCall): Promise<void> {
  for (let number = 1; number <= REFUNDS_MAX; number += 1) {
    const reference = buildReplacementReference(reversal.reference, number);
    const refund = await findAcquirerCall(tx, reference);
    if (refund === null) return requestReplacementRefund(tx, reversal, { reference, amount: reversal.amount });
    if (refund.state !== 'Settled') {
      scheduleCallNow(tx, reference);
      return;
    }
  }
  throw new Refusal('pending_payment_not_decidable', `the acquirer has refused ${REFUNDS_MAX} refunds`);
}

async function requestReplacementRefund(
  tx: Tx,
  { acquirer, merchantId, originalReference, paymentIntentId, setupIntentId }: AcquirerCall,
  { reference, amount }: { readonly reference: string; readonly amount: Money },
): Promise<void> {
  const refund = createAcquirerCall({
    ...{ reference, kind: 'Refund', acquirer, merchantId, originalReference, paymentIntentId, setupIntentId, amount },
    terminalSessionId: null,
    deadlineAt: new Date(tx.databaseNow.getTime() + REFUND_DEADLINE_MS),
  });
  await insertAcquirerCall(tx, refund);
  scheduleCallNow(tx, reference);
}

function scheduleCallNow(tx: Tx, reference: string): void {
  schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: 0, isRepeat: true });
}

/** Derived, so that a second worker that receives the refusal orders no second refund. */
function buildReplacementReference(reversal: string, number: number): string {
  const reference = `rf${number === 1 ? '' : number}-${reversal}`;
  if (reference.length <= REFERENCE_LENGTH_MAX) return reference;
  return `rf${number}-${createHash('sha256').update(reversal).digest('hex').slice(0, 40)}`;
}
