import { type CustomerId, isId, type PaymentMethodId, type SetupIntentId } from '@pos/core/identity';
import {
  type CardExpiry,
  type CardFundingType,
  createPendingCard,
  getEnd,
  isPast,
  markCardErased,
  type SavedCard,
  storeCard,
} from '@pos/core/cards';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { Refusal } from '@pos/core/refusals';
import { lockCustomer } from '@pos/store/repositories';
import { getAccountTime } from '@pos/store/clock';
import type { Reader, Tx } from '@pos/store/database';
import {
  findSavedCard,
  hasOpenAttemptOfCard,
  insertSavedCard,
  listStoredCards,
  lockCardsOfOwner,
  lockSavedCard,
  type OnlineAttempt,
  updateSavedCard,
} from '@pos/store/payments';
import { cancelTimer, schedule } from '@pos/store/queues';
import { findKnownCustomer } from './customer-secrets.js';

/** Writes a card that its payer allows to be stored, in the transaction of its attempt. */
export function insertPendingCard(
  tx: Tx,
  newCard: Pick<SavedCard, 'id' | 'customerId' | 'setupIntentId' | 'acquirerReference'> & {
    readonly card: Parameters<typeof createPendingCard>[0]['card'];
  },
): void {
  insertSavedCard(tx, createPendingCard({ ...newCard, now: tx.now }));
}

/**
 * Stores the card of an approved attempt; a card that was stored before is left as it is. Nothing is stored for a
 * customer who was deleted meanwhile.
 */
export async function storeConfirmedCard(tx: Tx, attempt: OnlineAttempt, fundingType: CardFundingType): Promise<void> {
  const found = attempt.cardId === null ? null : await findSavedCard(tx, attempt.cardId);
  const owner = found?.customerId ?? null;
  // The customer's row lock comes before the card's, as in a deletion: one of the two sees the other's change.
  const isWanted = owner === null || (await lockCustomer(tx, owner)) !== null;
  const card = await lockPendingCard(tx, attempt);
  if (card === null) return;
  if (!isWanted) {
    eraseCard(tx, card);
    return;
  }
  updateSavedCard(tx, storeCard(card, fundingType, tx.now));
  // The card cannot be charged after that, so it is erased.
  schedule(tx, { kind: 'card-expiry', subject: card.id, dueAt: getEnd(getExpiry(card)) });
}

/** Erases the card of an attempt that took no money; a card that was stored before is left as it is. */
export async function erasePendingCard(tx: Tx, attempt: OnlineAttempt): Promise<void> {
  const card = await lockPendingCard(tx, attempt);
  if (card !== null) eraseCard(tx, card);
}

/**
 * Erases a card for any caller: from this commit on its number is not read any more. The process with access to
 * schema vault finds the timer and deletes the number.
 */
export function eraseCard(tx: Tx, card: SavedCard): void {
  updateSavedCard(tx, markCardErased(card, tx.now));
  // No step of an advancing clock, because it is no deadline.
  schedule(tx, { kind: 'card-erasure', subject: card.id, dueInMs: 0, isRepeat: true });
  cancelTimer(tx, { kind: 'card-expiry', subject: card.id });
}

/**
 * Erases a card whose last month is over. Returns false while an attempt with it has not ended, or while the card is
 * valid: then it is checked again later.
 */
export async function eraseExpiredCard(tx: Tx, id: PaymentMethodId): Promise<boolean> {
  const card = await lockSavedCard(tx, id);
  if (card === null || card.state === 'Erased') {
    cancelTimer(tx, { kind: 'card-expiry', subject: id });
    return true;
  }
  if (!isPast(getExpiry(card), tx.now) || (await hasOpenAttemptOfCard(tx, id))) return false;
  eraseCard(tx, card);
  return true;
}

function getExpiry({ expiryMonth: month, expiryYear: year }: SavedCard): CardExpiry {
  return { month, year };
}

/** Erases the cards of a customer who is deleted, or of a setup intent that is over. */
export async function eraseCardsOfOwner(tx: Tx, owner: CustomerId | SetupIntentId): Promise<void> {
  for (const card of await lockCardsOfOwner(tx, owner)) eraseCard(tx, card);
}

/** The card if it is the customer's and can be charged, for as long as the transaction lasts; null for any other id. */
export async function lockCardOfCustomer(
  tx: Tx,
  { customerId, cardId }: { readonly customerId: CustomerId; readonly cardId: string },
): Promise<SavedCard | null> {
  const card = isId('paymentMethod', cardId) ? await lockSavedCard(tx, cardId) : null;
  return card?.customerId === customerId && card.state === 'Stored' ? card : null;
}

/**
 * The cards that a payer of the payment may choose from, the integrator's preferred one first, then newest first.
 * There are none once the payment is paid, or once its customer secret has expired; an expired card is never
 * included.
 */
export async function listOfferedCards(reader: Reader, { status, details }: PaymentIntent): Promise<SavedCard[]> {
  const customerId = status === 'Created' ? await findKnownCustomer(reader, details) : null;
  if (customerId === null) return [];
  const [cards, now] = await Promise.all([listStoredCards(reader, customerId), getAccountTime(reader)]);
  const unexpired = cards.filter(({ expiryMonth: month, expiryYear: year }) => !isPast({ month, year }, now));
  const isFirst = ({ id }: SavedCard): boolean => id === details.savedCardId;
  return [...unexpired.filter(isFirst), ...unexpired.filter((card) => !isFirst(card))];
}

/** Erases one of the customer's cards on their request. Refuses an unknown one, and one that is being charged. */
export async function removeCardOfCustomer(
  tx: Tx,
  ownCard: { readonly customerId: CustomerId; readonly cardId: string },
): Promise<void> {
  const card = await lockCardOfCustomer(tx, ownCard);
  if (card === null) throw new Refusal('saved_card_not_found', 'there is no such card');
  if (await hasOpenAttemptOfCard(tx, card.id)) {
    throw new Refusal('saved_card_busy', 'an attempt with the card has not ended');
  }
  eraseCard(tx, card);
}

async function lockPendingCard(tx: Tx, { reference, cardId }: OnlineAttempt): Promise<SavedCard | null> {
  const card = cardId === null ? null : await lockSavedCard(tx, cardId);
  return card?.acquirerReference === reference && card.state === 'Pending' ? card : null;
}
