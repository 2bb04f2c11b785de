import { requireValue } from '@pos/core/refusals';
import { type CardFundingType, CardNumber, type CardScheme, type TestNumber } from '@pos/core/cards';

/** What a test card does when it is charged. */
export type CardBehaviour =
  | 'Approve'
  | 'Challenge'
  | 'ChallengeAlwaysFails'
  | 'Decline'
  | 'Refer'
  | 'Fail'
  | 'ApproveLate'
  | 'ApproveAddressMismatch'
  | 'ApproveSetupOnly'
  | 'ApproveNoRefund'
  | 'ApproveSecondAttempt';

/** The result of a payment with a card of each behaviour, as the page of test cards names it. */
export const CARD_RESULTS: Readonly<Record<CardBehaviour, string>> = {
  Approve: 'approved',
  Challenge: 'requires a challenge, which can be passed. Without a payer present: approved',
  ChallengeAlwaysFails: 'requires a challenge, which always fails. Without a payer present: declined',
  Decline: 'declined',
  Refer: 'referred to the card issuer',
  Fail: 'failed with a processing error',
  ApproveLate: 'no answer; approved 20 seconds later',
  ApproveAddressMismatch: 'approved, although address and postcode do not match',
  ApproveSetupOnly: 'approved when the payer enters it; declined as a stored card',
  ApproveNoRefund: 'approved; a refund is refused',
  ApproveSecondAttempt: 'each odd attempt with one amount is declined, each even one is approved',
};

/** A number that may be used in the sandbox. Any other is declined and never stored. */
export interface TestCard {
  readonly number: string;
  readonly scheme: CardScheme;
  readonly fundingType: CardFundingType;
  readonly product: string;
  readonly cv2: string;
  readonly behaviour: CardBehaviour;
}

const MASTERCARD_CREDIT = { scheme: 'MASTERCARD', fundingType: 'Credit', product: 'Mastercard Credit' } as const;
const VISA_CREDIT = { scheme: 'VISA', fundingType: 'Credit', product: 'Visa Credit' } as const;
const VISA_DEBIT = { scheme: 'VISA', fundingType: 'Debit', product: 'Visa Debit' } as const;
const AMEX_CHARGE = { scheme: 'AMEX', fundingType: 'Charge', product: 'American Express' } as const;

/** Every test card. A number that is not in this list is not a test card. */
export const TEST_CARDS: readonly (TestCard & { readonly number: TestNumber })[] = [
  { number: '5200000000001005', ...MASTERCARD_CREDIT, cv2: '020', behaviour: 'Approve' },
  { number: '5200000000001096', ...MASTERCARD_CREDIT, cv2: '020', behaviour: 'Challenge' },
  { number: '4456530000001013', ...VISA_CREDIT, cv2: '341', behaviour: 'Decline' },
  { number: '4456530000001096', ...VISA_CREDIT, cv2: '020', behaviour: 'Challenge' },
  { number: '5200000000001070', ...MASTERCARD_CREDIT, cv2: '020', behaviour: 'Challenge' },
  { number: '4456530000000007', ...VISA_CREDIT, cv2: '020', behaviour: 'Challenge' },
  { number: '5200000000000056', ...MASTERCARD_CREDIT, cv2: '341', behaviour: 'Approve' },
  { number: '4456530000091014', ...VISA_DEBIT, cv2: '020', behaviour: 'Approve' },
  { number: '374000000009108', ...AMEX_CHARGE, cv2: '1234', behaviour: 'Approve' },
  { number: '4456530000091022', ...VISA_CREDIT, cv2: '020', behaviour: 'Refer' },
  { number: '4456530000091030', ...VISA_CREDIT, cv2: '020', behaviour: 'Fail' },
  { number: '4456530000091048', ...VISA_CREDIT, cv2: '020', behaviour: 'ChallengeAlwaysFails' },
  { number: '4456530000091055', ...VISA_CREDIT, cv2: '020', behaviour: 'ApproveLate' },
  { number: '4456530000091063', ...VISA_CREDIT, cv2: '020', behaviour: 'ApproveAddressMismatch' },
  { number: '4456530000091071', ...VISA_CREDIT, cv2: '020', behaviour: 'ApproveSetupOnly' },
  { number: '4456530000091089', ...VISA_CREDIT, cv2: '020', behaviour: 'ApproveNoRefund' },
  { number: '5200000000091014', ...MASTERCARD_CREDIT, cv2: '020', behaviour: 'ApproveSecondAttempt' },
];

/** The test card with this number, or null. Spaces are ignored. */
export function findTestCard(number: string): TestCard | null {
  const digits = number.replaceAll(' ', '');
  return TEST_CARDS.find((card) => card.number === digits) ?? findFreshCard(digits);
}

/**
 * Fresh numbers, which are in no table, so that a check can distinguish its own card from all others. Two digits name
 * the test card whose behaviour the number has; the next three are its CV2.
 */
const FRESH_NUMBER = /^44565377(\d{2})(\d{3})\d{3}$/;

/** Creates the number of an unused card with the behaviour of the given test card, which must be a Visa. */
export function createFreshNumber(similarTo: TestNumber, randomFraction: number): string {
  const index = TEST_CARDS.findIndex(({ number }) => number === similarTo);
  const prefix = `44565377${`${index}`.padStart(2, '0')}${`${Math.floor(randomFraction * 100_000)}`.padStart(5, '0')}`;
  const numbers = Array.from({ length: 10 }, (_, check) => CardNumber.read(`${prefix}${check}`));
  return requireValue(
    numbers.find((number) => number !== null),
    'a check digit',
  ).reveal();
}

function findFreshCard(digits: string): TestCard | null {
  const [, index = '', cv2 = ''] = FRESH_NUMBER.exec(digits) ?? [];
  const card = TEST_CARDS[Number(index)];
  if (index === '' || card?.scheme !== 'VISA' || CardNumber.read(digits) === null) return null;
  return { ...card, number: digits, cv2 };
}

/** The part of a number that may be stored. */
export function maskCardNumber(number: string): string {
  return CardNumber.read(number)?.masked ?? `************${number.slice(-4)}`;
}
