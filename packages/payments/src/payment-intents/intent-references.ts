import { type RefusalMembers, Violations } from '@pos/core/refusals';
import { type CustomerId, isId, type PaymentMethodId, type SetupIntentId } from '@pos/core/identity';
import type { IntentDetails, PaymentMethod } from '@pos/core/payment-intents';
import { isUsable } from '@pos/core/setup-intents';
import { findCustomer } from '@pos/store/repositories';
import type { Reader, Tx } from '@pos/store/database';
import { findSavedCard, lockSetupIntent } from '@pos/store/payments';
import { findValidSecret } from '../customers/customer-secrets.js';

/** The proof that the payer may be offered saved cards, and the preferred one. Neither is ever returned. */
export interface SavedCardRequest {
  readonly secret?: string | undefined;
  readonly savedCardId?: string | undefined;
}

/** The existing records that a request for an intent refers to. */
export interface IntentReferences {
  readonly customerId: CustomerId | undefined;
  readonly savedCard: SavedCardRequest;
  readonly paymentMethods: readonly PaymentMethod[];
  readonly setupIntentId: SetupIntentId | null;
}

export interface CheckedReferences {
  /** Members that name something that does not exist. A record of another account counts as unknown. */
  readonly unknown: RefusalMembers;
  /** What the intent stores of a request for saved cards. */
  readonly savedCards: StoredCardReferences;
}

type StoredCardReferences = Pick<IntentDetails, 'customerSecretId' | 'savedCardId'>;

/**
 * Looks up the references of a request. A setup intent stays locked, so that it is still authorised when the payment
 * is stored. A customer does not, because intents are kept longer than customers.
 */
export async function checkReferences(tx: Tx, references: IntentReferences): Promise<CheckedReferences> {
  const { customerId, setupIntentId } = references;
  const violations = new Violations();
  const isKnown = customerId === undefined || (await findCustomer(tx, customerId)) !== null;
  if (!isKnown) violations.add('customer.id', 'is not a customer');
  const savedCards = isKnown ? await checkSavedCard(tx, references, violations) : {};
  if (setupIntentId !== null) {
    const locked = await lockSetupIntent(tx, setupIntentId);
    if (locked === null || !isUsable(locked.setup)) {
      violations.add('setupIntentId', 'is not an authorised setup intent');
    }
  }
  return { unknown: violations.members, savedCards };
}

const UNKNOWN_CARD = 'is not a saved card of the customer';

/** A checkout with saved cards needs the customer, a valid customer secret, and the method. */
async function checkSavedCard(
  reader: Reader,
  { customerId, savedCard: { secret, savedCardId }, paymentMethods }: IntentReferences,
  violations: Violations,
): Promise<StoredCardReferences> {
  if (secret === undefined && savedCardId === undefined) return {};
  if (customerId === undefined) violations.add('customer.id', 'is needed for saved cards');
  if (secret === undefined) violations.add('customer.secret', 'is needed for a saved card');
  if (!paymentMethods.includes('SavedCard')) violations.add('paymentMethods', 'must hold SavedCard for saved cards');
  if (secret === undefined || customerId === undefined) {
    if (savedCardId !== undefined) violations.add('customer.savedCardId', UNKNOWN_CARD);
    return {};
  }
  const validSecret = await findValidSecret(reader, { text: secret, customerId });
  if (validSecret === null) violations.add('customer.secret', 'is not a secret of the customer, or not any more');
  // A caller that may not see the customer's cards does not learn which cards exist.
  const first =
    savedCardId === undefined || validSecret === null ? null : await findStoredCardId(reader, customerId, savedCardId);
  if (savedCardId !== undefined && first === null) violations.add('customer.savedCardId', UNKNOWN_CARD);
  return {
    ...(validSecret !== null && { customerSecretId: validSecret.id }),
    ...(first !== null && { savedCardId: first }),
  };
}

async function findStoredCardId(
  reader: Reader,
  customerId: CustomerId,
  cardId: string,
): Promise<PaymentMethodId | null> {
  const card = isId('paymentMethod', cardId) ? await findSavedCard(reader, cardId) : null;
  return card?.customerId === customerId && card.state === 'Stored' ? card.id : null;
}
