import { expect, test } from '@jest/globals';
import { parseProfile } from './profile.js';
import { SANDBOX_PROFILE } from './sandbox-profile.js';

const parse = (change: object) => parseProfile('mine.json', JSON.stringify({ ...SANDBOX_PROFILE, ...change }));
const { cards } = SANDBOX_PROFILE;

test('the profile of the sandbox is one', () => {
  expect(parse({})).toEqual(SANDBOX_PROFILE);
});

test.each<[string, object]>([
  ['merchantId', { merchantId: '' }],
  ['unknownMerchantId', { unknownMerchantId: 7 }],
  ['currencies', { currencies: [] }],
  ['currencies.1', { currencies: ['GBP', 'eur'] }],
  ['amount', { amount: 1.5 }],
  ['amount', { amount: 9 }],
  ['cards.approves', { cards: { ...cards, approves: null } }],
  ['cards.declines.number', { cards: { ...cards, declines: { ...cards.declines, number: '4456 5300' } } }],
  ['cards.approves.expiryMonth', { cards: { ...cards, approves: { ...cards.approves, expiryMonth: 13 } } }],
  ['cards.approves.cv2', { cards: { ...cards, approves: { ...cards.approves, cv2: '12345' } } }],
  ['lateSeconds', { lateSeconds: 0 }],
  ['challengeAnswers.failed', { challengeAnswers: { passed: 'Y', failed: '' } }],
  ['the profile', { colour: 'red' }],
])('a wrong %s is refused by its name', (member, change) => {
  expect(() => parse(change)).toThrow(`--profile mine.json: ${member}: `);
});

test('a profile that is no JSON is refused', () => {
  expect(() => parseProfile('mine.json', '{')).toThrow('--profile mine.json is no JSON');
});
