import { expect, test } from '@jest/globals';
import { isPartnerId, listNamedPartners } from './partner.js';

test.each([
  ['a short text', 'house-1', true],
  ['100 characters', 'h'.repeat(100), true],
  ['101 characters', 'h'.repeat(101), false],
  ['letters beyond ASCII', 'Müller Kassen', true],
  ['nothing', '', false],
  ['an outer blank', ' house', false],
  ['a line break', 'a\nb', false],
  ['a card number', '4456 5300 0009 1014', false],
  ['what is stored in place of one', '[hidden]', false],
])('%s as the id of a partner', (_, id, isUsable) => {
  expect(isPartnerId(id)).toBe(isUsable);
});

test('a request names the partners of its headers, without outer blanks', () => {
  expect(listNamedPartners({ softwareHouseId: ' house ', resellerId: null })).toEqual([
    { kind: 'software-house', id: 'house' },
  ]);
  expect(listNamedPartners({ softwareHouseId: null, resellerId: ' ' })).toEqual([]);
});
