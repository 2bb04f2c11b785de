import { expect, test } from '@jest/globals';
import { readTableToken, signTableToken } from './table-token.js';

const KEY = Buffer.alloc(32, 1);
const NOW_MS = 1_000_000;
const CONTENT = { accountId: 'acc_1', sessionId: 'session', deviceId: 'device', expiresAtMs: NOW_MS + 1 };
const token = signTableToken(CONTENT, KEY);
const [payload = '', signature = ''] = token.split('.');
const otherPayload = signTableToken({ ...CONTENT, sessionId: 'other' }, Buffer.alloc(32, 2)).split('.')[0] ?? '';

test('a token names its table until it expires', () => {
  expect(readTableToken(token, KEY, NOW_MS)).toEqual(CONTENT);
  expect(readTableToken(token, KEY, NOW_MS + 1)).toBeNull();
});

test.each([
  ['of another key', signTableToken(CONTENT, Buffer.alloc(32, 2))],
  ['with the payload of another table', `${otherPayload}.${signature}`],
  ['without a signature', payload],
  ['with an empty signature', `${payload}.`],
  ['with more after the signature', `${token}.x`],
  ['with a shorter signature', token.slice(0, -1)],
  ['of other text', 'hello'],
  ['that is empty', ''],
])('a token %s is refused', (_, text) => {
  expect(readTableToken(text, KEY, NOW_MS)).toBeNull();
});
