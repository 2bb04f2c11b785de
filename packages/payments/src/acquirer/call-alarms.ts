import type { AcquirerCall, AcquirerErrorStatus } from '@pos/core/acquirer-calls';
import { type AcquirerAnswer, type Contradiction, findAmountMismatch, findContradiction } from '@pos/core/acquirer';
import type { AlarmDetails } from '@pos/core/operators';
import type { Money } from '@pos/core/money';
import type { Tx } from '@pos/store/database';
import { endAlarms, raiseAlarm } from '../alarms/alarms.js';

/** Raises an alarm if the answer contradicts how the call has ended. Changes nothing else. Returns whether it did. */
export async function raiseContradictionAlarm(tx: Tx, call: AcquirerCall, answer: AcquirerAnswer): Promise<boolean> {
  const found = findContradiction(call, answer);
  if (found !== null) await raiseContradiction(tx, call, found);
  return found !== null;
}

/** Raises an alarm if the answer approves another amount than the one that was asked for. Such an answer changes nothing. */
export async function raiseMisstatedAmountAlarm(
  tx: Tx,
  call: AcquirerCall,
  { answer, expected }: { readonly answer: AcquirerAnswer; readonly expected: Money },
): Promise<boolean> {
  const found = findAmountMismatch(expected, answer);
  if (found !== null) await raiseContradiction(tx, call, found);
  return found !== null;
}

/** What the acquirer was asked: to make the call, or about one that is made. It may permit one of them only. */
export type AlarmedRequest = 'call' | 'inquiry';

/** Raises an alarm: the acquirer refuses our credentials, so nothing is sent until its configuration is fixed. */
export function raiseAccessRefusedAlarm(tx: Tx, call: AcquirerCall, status: AcquirerErrorStatus): Promise<void> {
  return raiseAccessRefused(tx, call, { status, request: 'call' });
}

/** The same where it refuses an inquiry about the call. */
export function raiseInquiryRefusedAlarm(tx: Tx, call: AcquirerCall, status: AcquirerErrorStatus): Promise<void> {
  return raiseAccessRefused(tx, call, { status, request: 'inquiry' });
}

async function raiseAccessRefused(
  tx: Tx,
  call: AcquirerCall,
  { status, request }: { readonly status: AcquirerErrorStatus; readonly request: AlarmedRequest },
): Promise<void> {
  await raiseAlarm(tx, {
    kind: 'AcquirerAccessRefused',
    subject: call.kind,
    occurrence: getAccessOccurrence(call, request),
    message: `The acquirer answers ${status} to a ${call.kind}. No money moves until its credentials and permissions are fixed.`,
    details: { ...toAlarmDetails(call), status },
  });
}

/** Answers the alarm about refused credentials: the acquirer has answered such a request. */
export function endAccessRefusedAlarm(tx: Tx, call: AcquirerCall, request: AlarmedRequest): void {
  endAlarms(tx, {
    ...{ kind: 'AcquirerAccessRefused', subject: call.kind },
    occurrence: getAccessOccurrence(call, request),
  });
}

/** Each acquirer has credentials of its own. Later calls are found by the name of the acquirer. */
function getAccessOccurrence({ acquirer }: AcquirerCall, request: AlarmedRequest): string {
  return request === 'call' ? acquirer : `${acquirer} ${request}`;
}

/** Raises an alarm: neither the reversal nor what came in its place was accepted. */
export async function raiseMoneyNotReturnedAlarm(tx: Tx, call: AcquirerCall, why: string): Promise<void> {
  await raiseAlarm(tx, {
    kind: 'MoneyNotReturned',
    subject: call.originalReference ?? call.reference,
    message: `The acquirer refuses a ${call.kind} (${why}), so the payer's money is not returned. Have the acquirer return it.`,
    details: { ...toAlarmDetails(call), why },
  });
}

/** Raises an alarm: no inquiry shows any more whether an authorisation took money; the acquirer's books can. */
export async function raiseUntraceableAlarm(tx: Tx, call: AcquirerCall): Promise<void> {
  await raiseAlarm(tx, {
    kind: 'AuthorisationUntraceable',
    subject: call.reference,
    message: `The acquirer has never found an authorisation of ${call.deadlineAt.toISOString()}, and does not keep it any longer. Look for it in the statements of the acquirer.`,
    details: { ...toAlarmDetails(call), acquirer: call.acquirer },
  });
}

/** Raises an alarm: a call has been open for longer than it may be. */
export async function raiseCallOpenAlarm(tx: Tx, call: AcquirerCall): Promise<void> {
  await raiseAlarm(tx, {
    kind: 'AcquirerCallOpen',
    subject: call.reference,
    message: `A ${call.kind} has been open since ${call.deadlineAt.toISOString()}. It is on the pending list.`,
    details: { ...toAlarmDetails(call), state: call.state },
  });
}

async function raiseContradiction(tx: Tx, call: AcquirerCall, found: Contradiction): Promise<void> {
  const { difference, first, second } = found;
  await raiseAlarm(tx, {
    kind: 'AcquirerAnswerContradicted',
    subject: call.reference,
    occurrence: difference,
    message: `The acquirer contradicts itself about the ${difference} of a ${call.kind}: ${first}, then ${second}. Compare its books with ours.`,
    details: { ...toAlarmDetails(call), difference, first, second },
  });
}

function toAlarmDetails(call: AcquirerCall): AlarmDetails {
  const { reference, originalReference, paymentIntentId, terminalSessionId, amount } = call;
  return {
    ...{ callKind: call.kind, reference, originalReference, paymentIntentId, terminalSessionId },
    ...{ amount: amount.value, currency: amount.currencyCode },
  };
}
