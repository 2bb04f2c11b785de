import { isOpen } from '@pos/core/acquirer-calls';
import type { PaymentIntentId, SetupIntentId } from '@pos/core/identity';
import type { Attempt } from '@pos/core/payment-intents';
import { assert, requireValue } from '@pos/core/refusals';
import { deleteContacts, findChallengedReference, findOnlineAttempt, lockAcquirerCall } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { cancelTimer } from '@pos/store/queues';
import { requestReversal } from './reversal-request.js';
import { erasePendingCard } from '../customers/card-erasure.js';

/**
 * From this age on, a challenge without an answer counts as abandoned, and another payer may end it. Pages of issuers
 * time out after at most ten minutes, most after five.
 */
export const CHALLENGE_ABANDONED_MS = 5 * 60 * 1000;

/** A challenge that is over for its payer. Nothing new may be authorised before the acquirer has acknowledged the reversal. */
export interface EndedChallenge {
  /** The reference of the call that reverses the challenged authorisation. */
  readonly reversalReference: string;
  /** What the history of the intent shows; null if the challenge was ended before. */
  readonly attempt: Attempt | null;
}

/**
 * Ends the challenge that waits for its payer, and orders the reversal of its authorisation. Null where none waits: the
 * payer's answer is at the acquirer already, or the challenge is younger than `minAgeMs`. The intent has to be locked.
 */
export async function orderChallengeEnd(
  tx: Tx,
  intentId: PaymentIntentId | SetupIntentId,
  minAgeMs: number,
): Promise<EndedChallenge | null> {
  const reference = await findChallengedReference(tx, intentId);
  if (reference === null) return null;
  const attempt = requireValue(await findOnlineAttempt(tx, reference), `attempt ${reference}`);
  const call = requireValue(await lockAcquirerCall(tx, reference), `call ${reference}`);
  if (call.reverseReference !== null) return { reversalReference: call.reverseReference, attempt: null };
  // The payer's answer came first.
  if (call.state !== 'Challenged' || !isOpen(call)) return null;
  if (tx.now.getTime() - attempt.createdAt.getTime() < minAgeMs) return null;
  const { result } = call;
  assert(result?.kind === 'challenged', 'a challenged call has its challenge');
  await erasePendingCard(tx, attempt);
  deleteContacts(tx, attempt);
  const reversalReference = await tx.newUuid();
  await requestReversal(tx, { ...call, result: { ...result, isEnded: true } }, reversalReference);
  cancelTimer(tx, { kind: 'acquirer-call', subject: reference });
  return { reversalReference, attempt: { transactionId: result.transactionId, amount: call.amount, card: null } };
}
