import type { Caller } from '@pos/core/accounts';
import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { reverseUntaken } from '@pos/core/captures-refunds';
import { isUuid } from '@pos/core/ids';
import type { Difference } from '@pos/core/ledger';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { TablePaymentState } from '@pos/core/tables';
import type { Alarm } from '@pos/core/operators';
import { isApprovalMissing } from '@pos/core/terminals';
import { Refusal, requireValue } from '@pos/core/refusals';
import { findAcquirerCall, lockAcquirerCall, lockIntent } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { listTablePaymentsOfIntent } from '@pos/store/tables';
import { insertOperatorCall, listUnansweredAlarms } from '@pos/store/repositories';
import { findDifference, findOpenDifference } from '@pos/store/reconciliation';
import { requestReversal } from '../authorisations/reversal-request.js';
import { answerAlarm } from '../alarms/alarms.js';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';
import type { ReconciliationService } from '../reconciliation/reconciliation-service.js';
import { findPendingCall, type PendingCall } from '../acquirer-calls/open-calls.js';
import { updateCall } from '../alarms/call-update.js';

/** The line that shows that the acquirer does not have a payment: a difference, or the payment's call with an alarm. */
interface UntakenPaymentRequest {
  readonly caller: Pick<Caller, 'keyId'>;
  readonly note: string;
  readonly paymentId: string;
}

/**
 * Corrects the books of a payment that an operator has not found at the acquirer: the payment is Reversed, with its
 * ledger entry, its event and its webhooks, and the differences and alarms about it are answered. A reversal is ordered
 * too, which takes nothing where nothing was taken, so no payer loses money by a mistake. Done once: a second decision
 * finds the payment Reversed. Refuses `pending_payment_not_found`, and `pending_payment_not_decidable` for a payment
 * that nothing shows to be missing, and for one of which a part was captured or returned.
 */
export async function markNotTaken(
  tx: Tx,
  request: UntakenPaymentRequest,
  reconciliation: Pick<ReconciliationService, 'answerDifference'>,
): Promise<PendingCall> {
  const { caller, note, paymentId } = request;
  const named = isUuid(paymentId) ? await findDifference(tx, paymentId) : null;
  const reference = named?.reference ?? paymentId;
  const found = await findPendingCall(tx, reference);
  if (found === null) throw new Refusal('pending_payment_not_found', 'there is no such payment');
  const call = requireAuthorisation(found.call);
  const locked = requireValue(await lockIntent(tx, requireValue(call.paymentIntentId, 'the intent')), 'the intent');
  const lockedCall = requireValue(await lockAcquirerCall(tx, reference), `call ${reference}`);
  const { difference, alarms } = await readEvidence(tx, { paymentId, reference });
  if (lockedCall.outcome !== 'Approved' || lockedCall.reverseReference !== null) {
    throw createUndecidableRefusal(`the payment is ${locked.intent.status}, and its reversal is ordered already`);
  }
  await requireNotOpen(tx, locked.intent);
  const reversalReference = await tx.newId('reversal');
  const decision = decideOrRefuse(() => reverseUntaken(locked.intent, { reference: reversalReference, now: tx.now }));
  await requestReversal(tx, lockedCall, reversalReference);
  const ordered = requireValue(await findAcquirerCall(tx, reference), `call ${reference}`);
  await updateCall(tx, { ...ordered, outcome: 'Reversed' });
  for (const { id: alarmId } of alarms) await answerAlarm(tx, { caller, alarmId, note });
  if (difference?.state === 'Open') await reconciliation.answerDifference(tx, { caller, note, id: difference.id });
  await insertOperatorCall(tx, {
    ...{ keyId: caller.keyId, action: 'MarkNotTaken', subject: paymentId, note, isConfirmed: false, outcome: 'Done' },
    ...{ stateBefore: locked.intent.status, stateAfter: decision.intent.status },
  });
  await commitIntent(tx, locked, decision);
  return { ...found, call: { ...ordered, outcome: 'Reversed' } };
}

/** The authorisation of a payment: of a capture or a refund nothing can be marked as not taken. */
function requireAuthorisation(call: AcquirerCall): AcquirerCall {
  if (call.kind === 'Authorise' && call.state === 'Settled' && call.paymentIntentId !== null) return call;
  throw createUndecidableRefusal('MarkNotTaken is for the authorisation of a payment that has ended');
}

/** What is still at work on the payment decides about its money: its own line of the pending list is decided first. */
async function requireNotOpen(tx: Tx, intent: PaymentIntent): Promise<void> {
  decideOrRefuse(() => {
    requireNotHeldForOrder(intent);
  });
  const payments = await listTablePaymentsOfIntent(tx, intent.id);
  const open = payments.find(({ state }) => !ENDED.has(state));
  if (open !== undefined) throw createUndecidableRefusal(`the payment at the table is ${open.state}: decide about it`);
}

const ENDED: ReadonlySet<TablePaymentState> = new Set(['Recorded', 'GivenBack', 'Ended']);

/**
 * The open difference and the unanswered alarms about a payment or a refund of which something says that the acquirer does not
 * have it: a difference `NotBooked`, or an alarm `MachineApprovalDiffers` by which it is unknown, declined or reversed there.
 * The alarm is also raised where the acquirer has it with another amount, transaction, reference or card; that alone shows
 * nothing. Refuses `pending_payment_not_decidable` where nothing says it.
 */
export async function readEvidence(
  tx: Tx,
  { paymentId, reference }: { readonly paymentId: string; readonly reference: string },
): Promise<{ readonly difference: Difference | null; readonly alarms: readonly Alarm[] }> {
  const named = isUuid(paymentId) ? await findDifference(tx, paymentId) : null;
  const difference = named ?? (await findOpenDifference(tx, 'NotBooked', reference));
  const alarms = await listUnansweredAlarms(tx, { kind: 'MachineApprovalDiffers', subject: reference });
  const isNotBooked = difference?.kind === 'NotBooked' && difference.state === 'Open';
  if (isNotBooked || alarms.some(({ details }) => isApprovalMissing(details))) return { difference, alarms };
  throw createUndecidableRefusal('no open difference NotBooked and no alarm says that the acquirer does not have it');
}

function decideOrRefuse<T>(decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refusal) throw createUndecidableRefusal(error.message);
    throw error;
  }
}

/** The refusal of a decision that the state of its subject does not permit. */
export function createUndecidableRefusal(reason: string): Refusal {
  return new Refusal('pending_payment_not_decidable', reason);
}
