/** A card as callers send it. */
export interface Card {
  readonly pan: string;
  /** MM/YYYY. */
  readonly expiry: string;
  readonly holder: string;
}

/** What the processor decides on a payment with the card. */
export type CardRule = 'approve' | 'decline' | 'decide-late' | 'challenge';

/** The test cards of the processor; any other is declined. */
const CARD_RULES = new Map<string, CardRule>([
  ['4456530000091014', 'approve'],
  ['5200000000001005', 'approve'],
  ['4456530000001013', 'decline'],
  ['4456530000091055', 'decide-late'],
  ['4456530000001096', 'challenge'],
]);

/**
 * The rule for a card. A card that is charged without its holder is never challenged. Where its holder is present and no
 * challenge is allowed, a card that needs one is declined.
 */
export function findCardRule(
  { pan }: Card,
  { isPresent, isChallengeAllowed }: { readonly isPresent: boolean; readonly isChallengeAllowed: boolean },
): CardRule {
  const rule = CARD_RULES.get(pan) ?? 'decline';
  if (rule !== 'challenge') return rule;
  if (!isPresent) return 'approve';
  return isChallengeAllowed ? 'challenge' : 'decline';
}

/** The part of a card that the processor shows, in its own form. */
export function describeCard({ pan, expiry, holder }: Card) {
  const brand = pan.startsWith('5') ? 'mc' : 'visa';
  return { bin: pan.slice(0, 6), last4: pan.slice(-4), brand, expiry, holder, type: 'debit' };
}
