import type { CustomerId, PaymentMethodId, SetupIntentId } from '@pos/core/identity';
import { isPast, markCardErased, type SavedCard } from '@pos/core/cards';
import { Refusal } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import {
  hasOpenAttemptOfCard,
  lockCardsOfOwner,
  lockSavedCard,
  type OnlineAttempt,
  updateSavedCard,
} from '@pos/store/payments';
import { cancelTimer, schedule } from '@pos/store/queues';
import { lockCardOfCustomer, lockPendingCard } from './card-locks.js';

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

/** Erases the card of an attempt that took no money; a card that was stored before is left as it is. */
export async function erasePendingCard(tx: Tx, attempt: OnlineAttempt): Promise<void> {
  const card = await lockPendingCard(tx, attempt);
  if (card !== null) eraseCard(tx, card);
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
  const { expiryMonth: month, expiryYear: year } = card;
  if (!isPast({ month, year }, tx.now) || (await hasOpenAttemptOfCard(tx, id))) return false;
  eraseCard(tx, card);
  return true;
}

/** Erases the cards of a customer who is deleted, or of a setup intent that is over. */
export async function eraseCardsOfOwner(tx: Tx, owner: CustomerId | SetupIntentId): Promise<void> {
  for (const card of await lockCardsOfOwner(tx, owner)) eraseCard(tx, card);
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
