import { isAlarming, isPending, type TablePayment } from '@pos/core/table-payment';
import type { Reader } from '@pos/store/database';
import { openTablePayments } from '@pos/store/table-payments';

/** The payments that wait for their EPOS, longest first. */
export async function paymentsWaitingForEpos(reader: Reader): Promise<TablePayment[]> {
  return (await openTablePayments(reader)).filter(({ state }) => WAITING_STATES.has(state));
}

/** A line of the list of payments that are neither recorded nor given back. */
export interface PendingPayment {
  readonly payment: TablePayment;
  readonly isAlarming: boolean;
}

/** Money that was taken at tables, or may be held for them, and has not arrived where it belongs, longest open first. */
export async function pendingPayments(reader: Reader, databaseNow: Date): Promise<PendingPayment[]> {
  const open = await openTablePayments(reader);
  return open.filter(isPending).map((payment) => ({ payment, isAlarming: isAlarming(payment, databaseNow) }));
}

const WAITING_STATES: ReadonlySet<TablePayment['state']> = new Set(['Approved', 'RecordUnknown']);
