import type { PaymentIntentId, SetupIntentId } from '@pos/core/identity';
import { getTransactionId } from '@pos/core/acquirer-calls';
import { readClientSecret } from '@pos/core/ids';
import { requireValue } from '@pos/core/refusals';
import { findAcquirerCall, findPageSecret } from '@pos/store/payments';
import type { Reader } from '@pos/store/database';

/** The attempt of the payer who reads a public view: only they may see its transaction, and what they have entered. */
export interface ProvenAttempt {
  /** Null where there is no transaction yet. */
  readonly transactionId: string | null;
  readonly isApproved: boolean;
}

/**
 * The attempt on the intent that the secret of a page has begun; null for any other text. The intent's own secret proves
 * nothing: everybody with the link can read it until it is used.
 */
export async function findProvenAttempt(
  reader: Reader,
  intentId: PaymentIntentId | SetupIntentId,
  secret: string | null,
): Promise<ProvenAttempt | null> {
  if (secret === null || readClientSecret(secret)?.intentId !== intentId) return null;
  const pageSecret = await findPageSecret(reader, secret);
  if (pageSecret === null || pageSecret.usedBy === null || pageSecret.intentId !== intentId) return null;
  const call = requireValue(await findAcquirerCall(reader, pageSecret.usedBy), `call ${pageSecret.usedBy}`);
  return { transactionId: getTransactionId(call), isApproved: call.outcome === 'Approved' };
}
