import { expect, test } from '@jest/globals';
import { removeCardFromKey } from './idempotency-key.js';

const CARD = { cardNumber: '4456 5300 0009 1014', cardName: 'A GUEST', expiryDate: '12/32', cv2: '020' };
const SENT = { reference: 'Saturday', merchantInitiatedTransactionType: 'NoShow', terms: 'Who stays away pays.' };

function createStoredKey(sent: unknown): string {
  const key = { method: 'POST', path: '/setup-intents', key: 'one', fingerprintInput: JSON.stringify(sent) } as const;
  return removeCardFromKey(key).fingerprintInput;
}

const FIRST_KEY = createStoredKey({ ...SENT, card: CARD });

test.each([
  ['in another case of its name', { ...SENT, Card: { ...CARD } }],
  ['with a number written otherwise', { ...SENT, card: { ...CARD, cardNumber: '4456-5300-0009-1014' } }],
  ['with another CV2', { ...SENT, card: { ...CARD, cv2: '999' } }],
  ['with an unknown member', { ...SENT, card: CARD, pan: '4456530000091014', CVV: '020' }],
  ['with one inside another', { ...SENT, card: { ...CARD, track2: '4456530000091014=3212' } }],
  ['with one inside a documented member', { ...SENT, card: CARD, customer: { cardNumber: '4456530000091014' } }],
])('a body is the same %s', (_, sent) => {
  expect(createStoredKey(sent).replace('"customer":{},', '')).toBe(FIRST_KEY);
});

test.each([
  ['the number', { ...SENT, card: { ...CARD, cardNumber: '5200000000001005' } }],
  ['the name', { ...SENT, card: { ...CARD, cardName: 'ANOTHER' } }],
  ['the month', { ...SENT, card: { ...CARD, expiryDate: '11/32' } }],
  ['the reference', { ...SENT, card: CARD, reference: 'Sunday' }],
  ['the metadata', { ...SENT, card: CARD, metadata: { table: '4' } }],
])('a body is another one with %s changed', (_, sent) => {
  expect(createStoredKey(sent)).not.toBe(FIRST_KEY);
});

test.each([null, [], 'text', { card: '4456530000091014' }, { ...SENT, card: { cardNumber: 4456530000091014 } }])(
  'no number of %j is stored',
  (sent) => {
    expect(createStoredKey(sent)).not.toMatch(/4456530000091014|020/);
  },
);

test('neither the number nor the CV2 is stored', () => {
  expect(FIRST_KEY).toContain('44565300****1014');
  expect(FIRST_KEY).not.toMatch(/4456530000091014|cv2|"020"/i);
});
