import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { Refusal, requireValue } from '@pos/core/refusals';
import { ALARM_AFTER_MS } from '@pos/core/tables';
import { lockAcquirerCall, listOpenMachineRefunds, type OpenMachineRefund } from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** A line of the pending list that is no payment at a table: a refund on a card machine whose end is open. */
export interface PendingMachineRefund extends OpenMachineRefund {
  readonly isAlarming: boolean;
}

/**
 * Refunds on card machines that keep their reservation until the machine or the acquirer reports, longest open
 * first: those of expired sessions, and those that have been open for longer than a call to the acquirer may be.
 */
export async function listPendingMachineRefunds(
  reader: Reader,
  { databaseNow, settings }: { readonly databaseNow: Date; readonly settings: Pick<PaymentSettings, 'callPendingMs'> },
): Promise<PendingMachineRefund[]> {
  const open = await listOpenMachineRefunds(reader, new Date(databaseNow.getTime() - settings.callPendingMs));
  return open.map((refund) => ({ ...refund, isAlarming: isRefundAlarming(refund, databaseNow) }));
}

/** Open for a minute: an operator should look. */
export function isRefundAlarming({ since }: Pick<OpenMachineRefund, 'since'>, databaseNow: Date): boolean {
  return databaseNow.getTime() - since.getTime() >= ALARM_AFTER_MS;
}

/**
 * Locks the call of a refund and refuses one that is not open. No intent or session may be locked after it: they
 * come before the call in the lock order.
 */
export async function requireOpenRefund<R extends OpenMachineRefund>(tx: Tx, refund: R): Promise<R> {
  const call = requireValue(await lockAcquirerCall(tx, refund.call.reference), `call ${refund.call.reference}`);
  requireOpenCall(call);
  return { ...refund, call };
}

/** Refuses a refund that has ended, and one whose card machine still runs it. */
export function requireOpenCall({ state }: AcquirerCall): void {
  if (state === 'Unknown') return;
  const reason = state === 'Settled' ? 'the refund has ended' : 'the card machine is still at work';
  throw new Refusal('pending_payment_not_decidable', reason);
}
