import type { AuditedChange } from '@pos/core/administration';
import { createViolation } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { type DeadLetter, findDeadLetter, listDeadLetters } from '@pos/store/webhooks';
import { listSubscriptions, replayDelivery, replayRange } from '@pos/payments/webhooks';
import { recordChange, requireAccount } from '@pos/payments/audit';

/** The newest dead letters of the account, over all its subscriptions. Refuses an unknown account. */
export async function listAccountDeadLetters(reader: Reader, limit: number): Promise<DeadLetter[]> {
  await requireAccount(reader);
  return listDeadLetters(reader, limit);
}

/** Queues a dead letter again, with all its attempts. Refuses a delivery that is none. */
export async function replayDeadLetter(tx: Tx, change: AuditedChange, id: string): Promise<DeadLetter> {
  await requireAccount(tx);
  const letter = await findDeadLetter(tx, id);
  if (letter === null) throw createViolation('validation_failed', 'delivery', 'is not a dead letter of the account');
  await replayDelivery(tx, { id: letter.id, subscriptionId: letter.subscriptionId });
  const before = { state: 'DeadLettered', event: letter.event, lastError: letter.lastError };
  await recordChange(tx, change, { action: 'ReplayDelivery', subject: id, before, after: { state: 'Pending' } });
  return letter;
}

/** Has a worker queue all dead letters of the account again, and returns their number. */
export async function replayAllDeadLetters(tx: Tx, change: AuditedChange): Promise<number> {
  await requireAccount(tx);
  let queued = 0;
  for (const { id } of await listSubscriptions(tx)) {
    queued += await replayRange(tx, id, { from: null, to: null, states: ['DeadLettered'] });
  }
  const { accountId } = tx.scope;
  await recordChange(tx, change, { action: 'ReplayDeadLetters', subject: accountId, after: { queued } });
  return queued;
}
