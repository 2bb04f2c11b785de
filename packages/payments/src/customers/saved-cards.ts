import { type CardFundingType, createPendingCard, getEnd, isPast, type SavedCard, storeCard } from '@pos/core/cards';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { lockCustomer } from '@pos/store/repositories';
import { getAccountTime } from '@pos/store/clock';
import type { Reader, Tx } from '@pos/store/database';
import {
  findSavedCard,
  insertSavedCard,
  listStoredCards,
  type OnlineAttempt,
  updateSavedCard,
} from '@pos/store/payments';
import { schedule } from '@pos/store/queues';
import { eraseCard } from './card-erasure.js';
import { lockPendingCard } from './card-locks.js';
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
  const { expiryMonth: month, expiryYear: year } = card;
  schedule(tx, { kind: 'card-expiry', subject: card.id, dueAt: getEnd({ month, year }) });
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
