import { type CardBehaviour, CHALLENGE_FAILED, CHALLENGE_PASSED, TEST_CARDS } from '@pos/sandbox/cards';
import { requireValue } from '@pos/core/refusals';
import type { Profile, ProfileCard } from './profile.js';

/** Years from the cards of the sandbox to their expiry. */
const EXPIRY_YEAR = 2099;

/** The test data of the sandbox's acquirer. */
export const SANDBOX_PROFILE: Profile = {
  merchantId: '526567001',
  unknownMerchantId: null,
  currencies: ['GBP', 'EUR', 'JPY', 'KWD'],
  amount: 1_200,
  cards: {
    approves: toProfileCard('Approve', 'VISA'),
    approvesToo: toProfileCard('Approve', 'MASTERCARD'),
    declines: toProfileCard('Decline', 'VISA'),
    approvesLate: toProfileCard('ApproveLate', 'VISA'),
    challenges: toProfileCard('Challenge', 'VISA'),
  },
  lateSeconds: 30,
  challengeAnswers: { passed: CHALLENGE_PASSED, failed: CHALLENGE_FAILED },
};

function toProfileCard(behaviour: CardBehaviour, scheme: 'VISA' | 'MASTERCARD'): ProfileCard {
  const card = TEST_CARDS.find((each) => each.behaviour === behaviour && each.scheme === scheme);
  const { number, cv2 } = requireValue(card, `a card of the sandbox that would ${behaviour}`);
  return { number, cv2, expiryMonth: 12, expiryYear: EXPIRY_YEAR, cardholderName: 'A Tester' };
}
