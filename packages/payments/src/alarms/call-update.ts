import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { Tx } from '@pos/store/database';
import { updateAcquirerCall } from '@pos/store/payments';
import { endAlarms } from './alarms.js';

/**
 * Writes the call, and answers the alarms whose cause ends with it. A call that ends before its deadline has raised none,
 * and costs no statement more.
 */
export async function updateCall(tx: Tx, call: AcquirerCall): Promise<AcquirerCall> {
  const { reference: subject, state, outcome, deadlineAt } = call;
  const updated = await updateAcquirerCall(tx, call);
  if (state === 'Settled' && deadlineAt < tx.databaseNow) endAlarms(tx, { kind: 'AcquirerCallOpen', subject });
  if (outcome === 'Reversed') {
    endAlarms(tx, { kind: 'MoneyNotReturned', subject });
    endAlarms(tx, { kind: 'AuthorisationUntraceable', subject });
  }
  return updated;
}
