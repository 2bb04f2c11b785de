import { expect, test } from '@jest/globals';
import { formatExpiry, formatSavedCard } from './saved-card-text.js';

test.each([
  ['VISA', 'Visa ••••\u00a01014'],
  ['AMEX', 'American Express ••••\u00a01014'],
  [undefined, '••••\u00a01014'],
] as const)('a saved card of the scheme %s is "%s", valid to 12/32', (scheme, text) => {
  const card = {
    cardDetails: { pan: '44565300****1014', expiryDate: '2032-12-31', ...(scheme !== undefined && { scheme }) },
  };
  expect([formatSavedCard(card), formatExpiry(card)]).toEqual([text, '12/32']);
});
