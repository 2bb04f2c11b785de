import type { TablePaymentOutput } from '@pos/core/tables';
import type { TablePaymentResult } from './table-payment-requests.js';

/** Whether the runner unlocks next, and keeps the payment until then. A device that pays step by step unlocks by itself. */
export function isUnlockedByUs({ payment, outputs }: Pick<TablePaymentResult, 'payment' | 'outputs'>): boolean {
  return payment.origin === 'journey' && outputs.some((output) => output.do === 'unlock');
}

/** Whether the EPOS receives a report about a part that has ended without money. */
export function isUnsuccessfulReport({ do: what }: TablePaymentOutput): boolean {
  return what === 'reportUnsuccessful';
}

/** The next call of a runner; `readOutcome` is no call: `advancePayment` has read it. */
export function findNextCall(outputs: readonly TablePaymentOutput[]): TablePaymentCall | null {
  return outputs.find(isCall) ?? null;
}
export type TablePaymentCall =
  | { readonly do: 'prove' }
  | { readonly do: 'record' | 'lock' | 'readBill' | 'readOrder' }
  | Extract<TablePaymentOutput, { do: 'giveBack' }>;

function isCall(output: TablePaymentOutput): output is TablePaymentCall {
  return CALLS.has(output.do);
}

const CALLS: ReadonlySet<TablePaymentOutput['do']> = new Set([
  'prove',
  'record',
  'lock',
  'readBill',
  'readOrder',
  'giveBack',
]);
