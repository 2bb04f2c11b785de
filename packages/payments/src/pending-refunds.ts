import { ALARM_AFTER_MS } from '@pos/core/table-payment';
import { openMachineRefunds, type OpenRefund } from '@pos/store/acquirer-calls';
import type { Reader } from '@pos/store/database';
import type { PaymentSettings } from './settings.js';

/** A line of the pending list that is no payment at a table: a refund on a card machine whose end is open. */
export interface PendingRefund extends OpenRefund {
  readonly isAlarming: boolean;
}

/**
 * Refunds on card machines that keep their reservation until the machine or the acquirer tells, longest open first: of
 * sessions that have expired, and whatever has been open for longer than a call to the acquirer may be.
 */
export async function pendingRefunds(
  reader: Reader,
  { databaseNow, settings }: { readonly databaseNow: Date; readonly settings: Pick<PaymentSettings, 'callPendingMs'> },
): Promise<PendingRefund[]> {
  const open = await openMachineRefunds(reader, new Date(databaseNow.getTime() - settings.callPendingMs));
  return open.map((refund) => ({ ...refund, isAlarming: isRefundAlarming(refund, databaseNow) }));
}

/** Open for a minute: somebody should look. */
export function isRefundAlarming({ since }: Pick<OpenRefund, 'since'>, databaseNow: Date): boolean {
  return databaseNow.getTime() - since.getTime() >= ALARM_AFTER_MS;
}
