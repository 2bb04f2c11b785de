import type { SavedCardAnswer } from '../../client/answers.js';

const SCHEME_NAMES = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  MAESTRO: 'Maestro',
  DISCOVER: 'Discover',
  DCI: 'Diners Club',
  AMEX: 'American Express',
} as const satisfies Record<NonNullable<SavedCardAnswer['cardDetails']['scheme']>, string>;

const LAST_DIGITS = 4;

/** A card as people know it: `Visa •••• 1014`; only the digits where the scheme is not known. */
export function formatSavedCard({ cardDetails: { pan, scheme } }: Pick<SavedCardAnswer, 'cardDetails'>): string {
  const digits = `•••• ${pan.slice(-LAST_DIGITS)}`;
  return scheme === undefined ? digits : `${SCHEME_NAMES[scheme]} ${digits}`;
}

/** The month that is printed on a card: `12/32` for the day 2032-12-31. */
export function formatExpiry({ cardDetails: { expiryDate } }: Pick<SavedCardAnswer, 'cardDetails'>): string {
  const [year = '', month = ''] = expiryDate.split('-');
  return `${month}/${year.slice(2)}`;
}
