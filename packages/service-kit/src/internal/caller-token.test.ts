import { expect, test } from '@jest/globals';
import { Secret } from '../config/secret.js';
import { formatCallerToken, readCallerToken, type TokenSubject } from './caller-token.js';

const KEY = new Secret('an internal key of thirty-two signs');
const OTHER_KEY = new Secret('another internal key of this length');
const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const SUBJECT: TokenSubject = {
  caller: 'api',
  audience: 'card-vault',
  path: '/service.card_vault.v1.CardVaultService/EraseCard',
  issuedAtMs: NOW_MS,
};
const TOKEN = formatCallerToken(SUBJECT, KEY);

function read(text: string, more: Partial<Parameters<typeof readCallerToken>[1]> = {}): string {
  const { audience, path } = SUBJECT;
  const result = readCallerToken(text, { audience, path, keys: [KEY], nowMs: NOW_MS, ...more });
  return 'caller' in result ? result.caller : result.problem;
}

test('a token names its app, and does not contain the key', () => {
  expect(read(TOKEN)).toBe('api');
  expect(TOKEN).toMatch(/^Caller api\.\d{13}\.[\w-]{43}$/);
  expect(Buffer.from(TOKEN).includes(KEY.reveal())).toBe(false);
});

test('while the key is replaced, tokens of both keys are read', () => {
  expect(read(TOKEN, { keys: [OTHER_KEY, KEY] })).toBe('api');
});

test.each([
  ['the last moment', NOW_MS + 60_000, 'api'],
  ['after its time', NOW_MS + 60_001, 'the token in metadata authorization has ended'],
  ['a clock that is 30 s behind', NOW_MS - 30_000, 'api'],
  [
    'a clock further behind',
    NOW_MS - 30_001,
    'the token in metadata authorization is from the future: the clocks differ',
  ],
])('at %s a token is read as such', (_, nowMs, result) => {
  expect(read(TOKEN, { nowMs })).toBe(result);
});

const WRONG_SIGNATURE = 'metadata authorization is signed with another key, or for another app or rpc';
const NO_TOKEN = 'metadata authorization is no token of an app';
test.each<[string, () => string, string]>([
  [
    'of another rpc',
    () => read(TOKEN, { path: '/service.card_vault.v1.CardVaultService/DescribeCard' }),
    WRONG_SIGNATURE,
  ],
  ['of another app', () => read(TOKEN, { audience: 'pay-at-table-gateway' }), WRONG_SIGNATURE],
  ['of another key', () => read(formatCallerToken(SUBJECT, OTHER_KEY)), WRONG_SIGNATURE],
  ['with another name', () => read(TOKEN.replace('api', 'admin')), WRONG_SIGNATURE],
  ['with a later time', () => read(TOKEN.replace(`${NOW_MS}`, `${NOW_MS + 1}`)), WRONG_SIGNATURE],
  ['with a changed signature', () => read(TOKEN.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))), WRONG_SIGNATURE],
  ['of an unknown app', () => read(TOKEN.replace('api', 'checkout')), NO_TOKEN],
  ['without a signature', () => read('Caller api.1767268800000.'), NO_TOKEN],
  ['that is the key', () => read(`Basic ${KEY.reveal()}`), NO_TOKEN],
  ['that is empty', () => read(''), NO_TOKEN],
  ['followed by more', () => read(`${TOKEN}A`), NO_TOKEN],
])('a token %s proves no caller', (_, readToken, problem) => {
  expect(readToken()).toBe(problem);
});
