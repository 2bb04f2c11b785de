import { ALARM_AFTER_MS } from '@pos/core/table-payment';
import { openMachineRefunds, type OpenRefund } from '@pos/store/acquirer-calls';
import type { Reader } from '@pos/store/database';

/** A line of the pending list that is no payment at a table: a refund session that expired with its end unknown. */
export interface PendingRefund extends OpenRefund {
  readonly isAlarming: boolean;
}

/** Refunds on card machines that keep their reservation until the machine or the acquirer tells, longest open first. */
export async function pendingRefunds(reader: Reader, databaseNow: Date): Promise<PendingRefund[]> {
  const open = await openMachineRefunds(reader);
  return open.map((refund) => ({ ...refund, isAlarming: isRefundAlarming(refund, databaseNow) }));
}

/** Open for a minute: somebody should look. */
export function isRefundAlarming({ since }: Pick<OpenRefund, 'since'>, databaseNow: Date): boolean {
  return databaseNow.getTime() - since.getTime() >= ALARM_AFTER_MS;
}
