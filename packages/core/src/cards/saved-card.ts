import { assert } from '../refusals/assert.js';
import type { CardFundingType } from './card.js';
import type { CardScheme } from './schemes.js';
import type { CustomerId, PaymentMethodId, SetupIntentId } from '../identity/identity.js';

/** Erased: the number is gone, and only the description is left. */
export type SavedCardState = 'Pending' | 'Stored' | 'Erased';

/** The visible data of a card before the acquirer has answered anything about it. */
export interface CardDescription {
  /** First 8 digits, `****`, last 4. */
  readonly maskedNumber: string;
  readonly last4: string;
  /** By the number's range; null where none of ours owns it. */
  readonly scheme: CardScheme | null;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cardholderName: string;
}

/** A card in the vault, without its number. It can be charged only while it is Stored. */
export interface SavedCard extends CardDescription {
  readonly id: PaymentMethodId;
  readonly version: number;
  readonly state: SavedCardState;
  readonly customerId: CustomerId | null;
  readonly setupIntentId: SetupIntentId | null;
  /** The reference of the attempt that created it. */
  readonly acquirerReference: string;
  readonly fundingType: CardFundingType;
  /** When its attempt was approved. */
  readonly storedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A card as it is stored with its attempt: it cannot be used until the attempt is approved. */
export function createPendingCard(
  request: Pick<SavedCard, 'id' | 'customerId' | 'setupIntentId' | 'acquirerReference'> & {
    readonly card: CardDescription;
    readonly now: Date;
  },
): SavedCard {
  const { card, now, ...rest } = request;
  const times = { storedAt: null, createdAt: now, updatedAt: now };
  return { ...rest, ...card, version: 1, state: 'Pending', fundingType: 'Unknown', ...times };
}

/** Stores the card of an approved attempt: from now on it can be charged. */
export function storeCard(card: SavedCard, fundingType: CardFundingType, now: Date): SavedCard {
  assert(card.state === 'Pending', `a card that is ${card.state} is not stored`);
  return { ...card, state: 'Stored', fundingType, storedAt: now, updatedAt: now };
}

/**
 * Marks the card as erased: from this commit on its number is not read any more, and the vault deletes it right
 * after.
 */
export function markCardErased(card: SavedCard, now: Date): SavedCard {
  return { ...card, state: 'Erased', updatedAt: now };
}
