import type { BillPart, BillView, TableView } from '@pos/rest-contracts/sandbox';

/** A payment that the waiter prepares. */
export interface PreparedPayment {
  readonly table: TableView;
  readonly part: BillPart;
  /** About what the part is, for display. */
  readonly amount: number;
  readonly currency: string;
}

/** The screen that the waiter has reached while no payment runs. */
export type FlowStep =
  | { readonly at: 'idle' }
  | { readonly at: 'tables' }
  | { readonly at: 'bill' | 'split' | 'code'; readonly table: TableView; readonly bill: BillView }
  | { readonly at: 'tip'; readonly prepared: PreparedPayment }
  | { readonly at: 'amount'; readonly firstDigits: string }
  | { readonly at: 'loading' }
  | { readonly at: 'receipt' };

/** The payment of all that is left of a bill. */
export function prepareFull(table: TableView, bill: BillView): PreparedPayment {
  return { table, part: { mode: 'full' }, amount: bill.outstanding, currency: bill.currency };
}

/** The next of several equal parts after one was paid; null: the last was paid, or the parts were not equal. */
export function prepareNextShare(paid: PreparedPayment, bill: BillView): PreparedPayment | null {
  if (paid.part.mode !== 'equal' || paid.part.people < 2 || bill.outstanding === 0) return null;
  const people = paid.part.people - 1;
  return { ...paid, part: { mode: 'equal', people }, amount: Math.ceil(bill.outstanding / people) };
}

/** The table with the smallest bill, among the first few. */
export function findSmallestBill(
  bills: readonly (readonly [TableView, BillView])[],
): readonly [TableView, BillView] | null {
  const open = bills.filter(([, bill]) => bill.outstanding > 0);
  return open.reduce<readonly [TableView, BillView] | null>(
    (smallest, each) => (smallest === null || each[1].outstanding < smallest[1].outstanding ? each : smallest),
    null,
  );
}
