import type { SavedCardAnswer } from '../../client/answers.js';
import { formatLastDigits, nameScheme } from '@pos/web-ui/format';

/** A card as people know it: `Visa •••• 1014`; only the digits where the scheme is not known. */
export function formatSavedCard({ cardDetails: { pan, scheme } }: Pick<SavedCardAnswer, 'cardDetails'>): string {
  const digits = formatLastDigits(pan);
  return scheme === undefined ? digits : `${nameScheme(scheme)} ${digits}`;
}

/** The month that is printed on a card: `12/32` for the day 2032-12-31. */
export function formatExpiry({ cardDetails: { expiryDate } }: Pick<SavedCardAnswer, 'cardDetails'>): string {
  const [year = '', month = ''] = expiryDate.split('-');
  return `${month}/${year.slice(2)}`;
}
