import { isAlarming, isPending, type TablePayment } from '@pos/core/tables';
import type { Reader } from '@pos/store/database';
import { listOpenTablePayments } from '@pos/store/tables';

/** The payments that wait for their EPOS, longest first. */
export async function listPaymentsWaitingForEpos(reader: Reader): Promise<TablePayment[]> {
  return (await listOpenTablePayments(reader)).filter(({ state }) => WAITING_STATES.has(state));
}

/** A line of the list of payments that are neither recorded nor given back. */
export interface PendingTablePayment {
  readonly payment: TablePayment;
  readonly isAlarming: boolean;
}

/**
 * Money that was taken at tables, or may be held for them, and has not reached its destination, longest open first.
 */
export async function listPendingPayments(reader: Reader, databaseNow: Date): Promise<PendingTablePayment[]> {
  const open = await listOpenTablePayments(reader);
  return open.filter(isPending).map((payment) => ({ payment, isAlarming: isAlarming(payment, databaseNow) }));
}

const WAITING_STATES: ReadonlySet<TablePayment['state']> = new Set(['Approved', 'RecordUnknown']);
