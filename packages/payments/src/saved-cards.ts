import type { CardFundingType } from '@pos/core/card';
import { erase, pendingCard, type SavedCard, store } from '@pos/core/saved-card';
import type { Tx } from '@pos/store/database';
import type { OnlineAttempt } from '@pos/store/online-attempts';
import { insertSavedCard, lockSavedCard, updateSavedCard } from '@pos/store/saved-cards';
import { schedule } from '@pos/store/timers';

/** Writes a card that its payer lets be kept, in the transaction of the attempt that brings it. */
export function keepCard(
  tx: Tx,
  wish: Pick<SavedCard, 'id' | 'customerId' | 'setupIntentId' | 'acquirerReference'> & {
    readonly card: Parameters<typeof pendingCard>[0]['card'];
  },
): void {
  insertSavedCard(tx, pendingCard({ ...wish, now: tx.now }));
}

/** The attempt that brought the card was approved; a card that was kept before is left as it is. */
export async function confirmCard(tx: Tx, attempt: OnlineAttempt, fundingType: CardFundingType): Promise<void> {
  const card = await broughtBy(tx, attempt);
  if (card !== null) updateSavedCard(tx, store(card, fundingType, tx.now));
}

/** The attempt that brought the card took no money; a card that was kept before is left as it is. */
export async function dropCard(tx: Tx, attempt: OnlineAttempt): Promise<void> {
  const card = await broughtBy(tx, attempt);
  if (card !== null) eraseCard(tx, card);
}

/**
 * Erases a card, whoever does it: from this commit on its number is not read any more. The process that sees schema
 * vault finds the timer and deletes the number.
 */
export function eraseCard(tx: Tx, card: SavedCard): void {
  updateSavedCard(tx, erase(card, tx.now));
  // No step of an advancing clock: what waits here is no deadline.
  schedule(tx, { kind: 'card-erasure', subject: card.id, dueInMs: 0, isRepeat: true });
}

async function broughtBy(tx: Tx, { reference, cardId }: OnlineAttempt): Promise<SavedCard | null> {
  const card = cardId === null ? null : await lockSavedCard(tx, cardId);
  return card?.acquirerReference === reference && card.state === 'Pending' ? card : null;
}
