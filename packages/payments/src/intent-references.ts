import { Faults } from '@pos/core/faults';
import { type CustomerId, isId, type PaymentMethodId, type SetupIntentId } from '@pos/core/identity';
import type { IntentDetails } from '@pos/core/intent-details';
import type { PaymentMethod } from '@pos/core/payment-intent';
import type { RefusalMembers } from '@pos/core/refusal';
import { isUsable } from '@pos/core/setup-intent';
import { findCustomer } from '@pos/store/customers';
import type { Reader, Tx } from '@pos/store/database';
import { findSavedCard } from '@pos/store/saved-cards';
import { lockSetup } from '@pos/store/setup-intents';
import { findGoodSecret } from './customer-secrets.js';

/** What proves that the payer may be offered saved cards, and which one. Neither is ever written back. */
export interface SavedCardWish {
  readonly secret?: string | undefined;
  readonly savedCardId?: string | undefined;
}

/** What a wish for an intent names of what there already is. */
export interface References {
  readonly customerId: CustomerId | undefined;
  readonly savedCard: SavedCardWish;
  readonly paymentMethods: readonly PaymentMethod[];
  readonly setupIntentId: SetupIntentId | null;
}

export interface CheckedReferences {
  /** Members that name what there is not. Something of another account is as unknown as what never was. */
  readonly unknown: RefusalMembers;
  /** What the intent keeps of a wish for saved cards. */
  readonly savedCards: SavedCardsKept;
}

type SavedCardsKept = Pick<IntentDetails, 'customerSecretId' | 'savedCardId'>;

/**
 * Looks up what a wish names. A setup intent stays locked, so that it is still authorised when the payment is stored; a
 * customer is not, for intents outlive him.
 */
export async function checkReferences(tx: Tx, references: References): Promise<CheckedReferences> {
  const { customerId, setupIntentId } = references;
  const faults = new Faults();
  const isKnown = customerId === undefined || (await findCustomer(tx, customerId)) !== null;
  if (!isKnown) faults.note('customer.id', 'is not a customer');
  const savedCards = isKnown ? await checkSavedCard(tx, references, faults) : {};
  if (setupIntentId !== null) {
    const locked = await lockSetup(tx, setupIntentId);
    if (locked === null || !isUsable(locked.setup)) {
      faults.note('setupIntentId', 'is not an authorised setup intent');
    }
  }
  return { unknown: faults.members, savedCards };
}

const UNKNOWN_CARD = 'is not a saved card of the customer';

/** A checkout with saved cards needs the customer, a good secret of his, and the method. */
async function checkSavedCard(
  reader: Reader,
  { customerId, savedCard: { secret, savedCardId }, paymentMethods }: References,
  faults: Faults,
): Promise<SavedCardsKept> {
  if (secret === undefined && savedCardId === undefined) return {};
  if (customerId === undefined) faults.note('customer.id', 'is needed for saved cards');
  if (secret === undefined) faults.note('customer.secret', 'is needed for a saved card');
  if (!paymentMethods.includes('SavedCard')) faults.note('paymentMethods', 'must hold SavedCard for saved cards');
  if (secret === undefined || customerId === undefined) {
    if (savedCardId !== undefined) faults.note('customer.savedCardId', UNKNOWN_CARD);
    return {};
  }
  const good = await findGoodSecret(reader, { text: secret, customerId });
  if (good === null) faults.note('customer.secret', 'is not a secret of the customer, or not any more');
  // Whoever has not proved that he may see the customer's cards does not learn which there are.
  const first = savedCardId === undefined || good === null ? null : await storedCardId(reader, customerId, savedCardId);
  if (savedCardId !== undefined && first === null) faults.note('customer.savedCardId', UNKNOWN_CARD);
  return { ...(good !== null && { customerSecretId: good.id }), ...(first !== null && { savedCardId: first }) };
}

async function storedCardId(reader: Reader, customerId: CustomerId, cardId: string): Promise<PaymentMethodId | null> {
  const card = isId('paymentMethod', cardId) ? await findSavedCard(reader, cardId) : null;
  return card?.customerId === customerId && card.state === 'Stored' ? card.id : null;
}
