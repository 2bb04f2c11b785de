import { type CustomerId, isId } from '@pos/core/identity';
import type { SavedCard } from '@pos/core/cards';
import type { Tx } from '@pos/store/database';
import { lockSavedCard, type OnlineAttempt } from '@pos/store/payments';

/** The card if it is the customer's and can be charged, for as long as the transaction lasts; null for any other id. */
export async function lockCardOfCustomer(
  tx: Tx,
  { customerId, cardId }: { readonly customerId: CustomerId; readonly cardId: string },
): Promise<SavedCard | null> {
  const card = isId('paymentMethod', cardId) ? await lockSavedCard(tx, cardId) : null;
  return card?.customerId === customerId && card.state === 'Stored' ? card : null;
}

/** The card of the attempt if the attempt is to store it; null for a card that was stored before. */
export async function lockPendingCard(tx: Tx, { reference, cardId }: OnlineAttempt): Promise<SavedCard | null> {
  const card = cardId === null ? null : await lockSavedCard(tx, cardId);
  return card?.acquirerReference === reference && card.state === 'Pending' ? card : null;
}
