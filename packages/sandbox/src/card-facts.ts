import type { CardFacts } from './acquirer-books.js';
import type { OnlineCard } from './card-verdict.js';
import type { Seed } from './seed.js';
import { findTestCard, maskedNumber } from './test-cards.js';

/** All that is kept of a card: the number itself goes no further than this. */
export function cardFacts(seed: Seed, card: OnlineCard): CardFacts {
  const number = card.number.replaceAll(' ', '');
  const testCard = findTestCard(number);
  return {
    maskedNumber: maskedNumber(number),
    last4: number.slice(-4),
    scheme: testCard?.scheme ?? null,
    fundingType: testCard?.fundingType ?? 'Unknown',
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    cardholderName: card.cardholderName,
    fingerprint: cardFingerprint(seed, number),
  };
}

/** The same for the same number, and of no use for finding the number. */
export function cardFingerprint(seed: Seed, number: string): string {
  return seed.bytes('card', number.replaceAll(' ', '')).toString('base64url');
}
