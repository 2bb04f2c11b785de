import { type AcquirerCall, isOpenTooLong, computeInquiryDelay } from '@pos/core/acquirer-calls';
import { findAcquirerCall, findDatedAcquirerCall, listOpenCalls, type OpenAcquirerCall } from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import { type ClaimedTimer, schedule } from '@pos/store/queues';
import { raiseCallOpenAlarm } from '../acquirer/call-alarms.js';
import { repeatReplacementRefund } from '../acquirer/undo-refund.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** A line of the pending list that is a call to the acquirer without an outcome. */
export interface PendingCall extends OpenAcquirerCall {
  readonly isAlarming: true;
}

/**
 * Decides when an open call is tried again, and raises an alarm once it has been open for too long. Returns the wait in
 * milliseconds.
 */
export async function computeNextInquiry(tx: Tx, claimed: ClaimedTimer, settings: PaymentSettings): Promise<number> {
  const { inquiryIntervalMs: baseMs, callPendingMs: pendingMs } = settings;
  const call = await findAcquirerCall(tx, claimed.subject);
  if (call === null) return baseMs;
  const { databaseNow } = tx;
  if (isOpenTooLong(call, { pendingMs, databaseNow })) await raiseCallOpenAlarm(tx, call);
  return computeInquiryDelay(call, { tries: claimed.attempts, baseMs, pendingMs, databaseNow });
}

/** Calls to the acquirer that have been open for longer than a setting, and reversals that were refused for good. */
export async function listPendingCalls(
  reader: Reader,
  { databaseNow, settings }: { readonly databaseNow: Date; readonly settings: PaymentSettings },
): Promise<PendingCall[]> {
  const open = await listOpenCalls(reader, new Date(databaseNow.getTime() - settings.callPendingMs));
  return open.map((each) => ({ ...each, isAlarming: true }));
}

const REFERENCE = /^[\x20-\x7e]{1,64}$/;

/** Finds a line of the pending list by its call's reference, concluded or not; null for an unknown one. */
export async function findPendingCall(reader: Reader, reference: string): Promise<PendingCall | null> {
  const found = REFERENCE.test(reference) ? await findDatedAcquirerCall(reader, reference) : null;
  return found === null ? null : { ...found, isAlarming: true };
}

/** Whether an operator may decide about the call: it is on the pending list. */
export function isCallPending(
  call: AcquirerCall,
  { databaseNow, settings }: { readonly databaseNow: Date; readonly settings: PaymentSettings },
): boolean {
  const isOpen = call.state !== 'Settled' && call.reverseReference === null;
  return (
    isOpen && (call.state === 'Declined' || isOpenTooLong(call, { pendingMs: settings.callPendingMs, databaseNow }))
  );
}

/** Has the call repeated at once; of a reversal that was refused for good the refund in its place, under a new reference. */
export async function retryPendingCall(tx: Tx, call: AcquirerCall): Promise<void> {
  if (call.state === 'Declined') return repeatReplacementRefund(tx, call);
  schedule(tx, { kind: 'acquirer-call', subject: call.reference, dueInMs: 0, isRepeat: true });
}
