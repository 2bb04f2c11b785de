import type { CardDetails } from './acquirer-books.js';
import type { OnlineCard } from '../cards/online-card.js';
import type { Seed } from '../clock/seed.js';
import { findTestCard, maskCardNumber } from '../cards/test-cards.js';

/** Everything that is stored about a card. The number itself is not stored. */
export function toCardDetails(seed: Seed, card: OnlineCard): CardDetails {
  const number = card.number.replaceAll(' ', '');
  const testCard = findTestCard(number);
  return {
    maskedNumber: maskCardNumber(number),
    last4: number.slice(-4),
    scheme: testCard?.scheme ?? null,
    fundingType: testCard?.fundingType ?? 'Unknown',
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    cardholderName: card.cardholderName,
    fingerprint: computeCardFingerprint(seed, number),
  };
}

/** The same for the same number. The number cannot be derived from it. */
export function computeCardFingerprint(seed: Seed, number: string): string {
  return seed.deriveBytes('card', number.replaceAll(' ', '')).toString('base64url');
}
