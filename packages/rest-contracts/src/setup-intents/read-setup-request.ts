import type { Readable } from '@pos/core/refusals';
import type { NewSetupIntent } from '@pos/core/setup-intents';
import type { BodyOf } from '../operation/operation.js';
import { readSavedCard, readSharedParts } from '../payment-intents/read-intent-parts.js';
import type { createSetupIntent } from './setup-intent-operations.js';

type SetupRequestBody = Omit<BodyOf<typeof createSetupIntent>, 'card'>;

/** The creation request in the terms of the use case; a missing member is null. */
export function readSetupRequest(body: SetupRequestBody) {
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
    details: readSharedParts(body),
  };
}

/** The members of a refused request that are checked against the account and the time. */
export function listReadableSetupMembers({
  intendedAmount,
  expireAt,
  reference,
  metadata,
}: Readable<SetupRequestBody>): Readable<NewSetupIntent> {
  return { intendedAmount, expireAt, reference, metadata };
}
