import { resendAuthorisation } from '@pos/core/acquirer-calls';
import type { Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { findDatedAcquirerCall, lockAcquirerCall } from '@pos/store/payments';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { computeCallDeadline } from '../acquirer/money-call.js';
import { updateCall } from '../alarms/call-update.js';

/**
 * Prepares an authorisation to be sent again under its reference, before a repeat of its request sends it. A process that
 * has crashed could not store that its call has no answer, so it is stored now: a refusal of the repeat is then no proof
 * that nothing is booked. Returns false if nothing may be sent.
 */
export function prepareRepeat(
  database: Database,
  settings: PaymentSettings,
  { scope, reference }: { readonly scope: Scope; readonly reference: string },
): Promise<boolean> {
  return database.transact(scope, async (tx) => {
    const call = await lockAcquirerCall(tx, reference);
    const dated = await findDatedAcquirerCall(tx, reference);
    if (call === null || dated === null) return false;
    const times = { createdAt: dated.createdAt, databaseNow: tx.databaseNow };
    const resent = resendAuthorisation(call, { ...times, deadlineAt: computeCallDeadline(tx, settings) });
    if (resent === null) return false;
    await updateCall(tx, resent);
    return true;
  });
}
