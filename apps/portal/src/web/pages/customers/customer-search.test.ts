import { expect, test } from '@jest/globals';
import { CustomerSearch } from './customer-search.js';

test.each([
  [{}, { limit: 50 }],
  [{ text: 'Ann' }, { limit: 50, name: 'Ann' }],
  [{ text: 'ann@' }, { limit: 50, emailAddress: 'ann@' }],
  [
    { text: 'Ann', after: 'x' },
    { limit: 50, name: 'Ann', after: 'x' },
  ],
  [
    { before: 'a', after: 'b' },
    { limit: 50, before: 'a' },
  ],
  [{ text: '' }, { limit: 50 }],
  [{ text: 7 }, { limit: 50 }],
  [{ text: 'x'.repeat(101) }, { limit: 50 }],
  [{ after: 'x'.repeat(201) }, { limit: 50 }],
  [{ before: ['a'] }, { limit: 50 }],
])('the address %j searches for %j', (address, body) => {
  expect(CustomerSearch.toBody(CustomerSearch.parse(address), 50)).toEqual(body);
});
