import { type AcquirerCall, concludeAcquirerCall } from '@pos/core/acquirer-calls';
import { isAbandonedCharge } from '@pos/core/captures-refunds';
import { recordChargeReversal } from '@pos/core/payment-intents';
import type { Tx } from '@pos/store/database';
import type { LockedIntent } from '@pos/store/payments';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { updateCall } from '../alarms/call-update.js';

/**
 * Ends an authorisation that was given up: the acquirer has no money of it any more. The history of a charged payment
 * then shows `Reversed`, because nobody was present who could see that the money returned. The intent is locked before
 * the call.
 */
export async function endReversedAuthorisation(
  tx: Tx,
  locked: LockedIntent | null,
  original: AcquirerCall | null,
): Promise<void> {
  if (original === null || original.state === 'Settled') return;
  await updateCall(tx, concludeAcquirerCall(original, 'Reversed'));
  if (locked === null || !isAbandonedCharge(original)) return;
  const transactionId = original.result?.kind === 'challenged' ? original.result.transactionId : null;
  const attempt = { transactionId, amount: original.amount, card: null };
  await commitIntent(tx, locked, recordChargeReversal(locked.intent, attempt, tx.now));
}
