import type { BodyOf } from './operation.js';
import { readSavedCard, readShared } from './read-intent-parts.js';
import type { createSetupIntent } from './setup-intent-operations.js';

/** The creation request in the words of the use case; what was not sent is null. */
export function readSetupWish(body: Omit<BodyOf<typeof createSetupIntent>, 'card'>) {
  return {
    merchantInitiatedTransactionType: body.merchantInitiatedTransactionType,
    terms: body.terms,
    intendedAmount: body.intendedAmount ?? null,
    reference: body.reference,
    description: body.description ?? null,
    paymentMethods: [...new Set(body.paymentMethods)],
    paymentSource: 'api' as const,
    expireAt: body.expireAt ?? null,
    metadata: body.metadata,
    savedCard: readSavedCard(body),
    details: readShared(body),
  };
}
