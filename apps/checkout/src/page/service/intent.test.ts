import { expect, test } from '@jest/globals';
import { parseIntentKind, buildReturnUrl } from './intent.js';
import { formatMoney } from '../texts/money-text.js';

test.each([
  ['https://shop.example/thanks', 'https://shop.example/thanks?id=pi_1'],
  ['https://shop.example/thanks?a=1#top', 'https://shop.example/thanks?a=1&id=pi_1#top'],
  ['https://shop.example/?id=forged', 'https://shop.example/?id=pi_1'],
  ['http://shop.example', 'http://shop.example/?id=pi_1'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['/thanks', null],
  ['', null],
  [undefined, null],
])('the return address %p leads to %p', (address, then) => {
  expect(buildReturnUrl(address, { id: 'pi_1' })).toBe(then);
});

test.each([
  [{ value: 1250, currencyCode: 'GBP' }, '£12.50'],
  [{ value: 5, currencyCode: 'GBP' }, '£0.05'],
  [{ value: 0, currencyCode: 'EUR' }, '€0.00'],
  [{ value: -350, currencyCode: 'EUR' }, '-€3.50'],
  [{ value: 1250, currencyCode: 'JPY' }, 'JP¥1,250'],
  [{ value: 999_999_999_999, currencyCode: 'GBP' }, '£9,999,999,999.99'],
])('%p reads %s', (amount, text) => {
  expect(formatMoney(amount)).toBe(text);
});

test.each([
  ['pi_sandbox_x', 'payment'],
  ['si_sandbox_x', 'setup'],
  ['cust_sandbox_x', null],
  ['', null],
])('%p is the id of: %s', (id, kind) => {
  expect(parseIntentKind(id)).toBe(kind);
});
