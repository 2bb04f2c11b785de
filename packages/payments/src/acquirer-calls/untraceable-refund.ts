import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { AcquirerCapabilities } from '@pos/core/acquirer';
import { requireValue } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { lockAcquirerCall, lockIntent } from '@pos/store/payments';
import type { BookingsUnderReference } from '../acquirer/acquirer-books.js';
import { assessByBooks } from '../acquirer/reversal-assessment.js';
import { replaceRefusedReversal } from '../acquirer/undo-refund.js';
import type { CallProgress } from './call-conclusion.js';

/** The books show nothing that could be reversed. */
const NOT_LISTED = { isDone: false, isFailure: true, result: { kind: 'refused', message: 'NOT_FOUND' } } as const;

/**
 * Ends the reversal of an authorisation by what the acquirer's books show of the authorisation. Open: they do not decide,
 * or the authorisation counts and its reversal is somebody's request.
 */
export async function concludeByBooks(
  tx: Tx,
  sentReversal: AcquirerCall,
  { books, capabilities }: { readonly books: BookingsUnderReference; readonly capabilities: AcquirerCapabilities },
): Promise<CallProgress> {
  const { paymentIntentId } = sentReversal;
  const locked = paymentIntentId === null ? null : await lockIntent(tx, paymentIntentId);
  const original = await lockAcquirerCall(tx, requireValue(sentReversal.originalReference, 'what is reversed'));
  const reversal = requireValue(await lockAcquirerCall(tx, sentReversal.reference), `call ${sentReversal.reference}`);
  if (reversal.state === 'Settled' || reversal.state === 'Declined') return 'over';
  if (original === null || original.outcome === 'Approved') return 'open';
  const assessment = assessByBooks(books, { original, capabilities, databaseNow: tx.databaseNow });
  const isReplaced = await replaceRefusedReversal(
    tx,
    { locked, original, reversal },
    { verdict: NOT_LISTED, assessment },
  );
  return isReplaced ? 'over' : 'open';
}
