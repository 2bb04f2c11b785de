import { expect, test } from '@jest/globals';
import { Secret } from '../config/secret.js';
import { NonceCache } from './nonce-cache.js';
import { createNonce, formatSignature, type SignedRequest, verifySignature } from './request-signature.js';

const KEY = new Secret('an internal key of thirty-two signs');
const OTHER_KEY = new Secret('another internal key of this length');
const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const REQUEST: SignedRequest = {
  caller: 'api',
  audience: 'card-vault',
  path: '/service.card_vault.v1.CardVaultService/ChargeStoredCard',
  message: Buffer.from('charge 10.00'),
  issuedAtMs: NOW_MS,
  nonce: createNonce(),
};
const SIGNATURE = formatSignature(REQUEST, KEY);

function verify(text: string, more: Partial<Parameters<typeof verifySignature>[1]> = {}): string {
  const { audience, path, message } = REQUEST;
  const nonces = new NonceCache({ lifetimeMs: 60_000 });
  const result = verifySignature(text, { audience, path, message, keys: [KEY], nowMs: NOW_MS, nonces, ...more });
  return 'caller' in result ? result.caller : result.problem.replace('metadata request-signature ', '');
}

test('a signature names its app, and contains neither the key nor the message', () => {
  expect(verify(SIGNATURE)).toBe('api');
  expect(SIGNATURE).toMatch(/^v1\.api\.\d{13}\.[\w-]{22}\.[\w-]{43}$/);
});

test('while the key is replaced, signatures of both keys are verified', () => {
  expect(verify(SIGNATURE, { keys: [OTHER_KEY, KEY] })).toBe('api');
});

test.each([
  ['the last moment', NOW_MS + 60_000, 'api'],
  ['after its time', NOW_MS + 60_001, 'has ended: the call took too long, or the clocks differ'],
  ['a clock that is 30 s behind', NOW_MS - 30_000, 'api'],
  ['a clock further behind', NOW_MS - 30_001, 'is from the future: the clocks differ'],
])('at %s a signature is verified as such', (_, nowMs, result) => {
  expect(verify(SIGNATURE, { nowMs })).toBe(result);
});

test('a signature is admitted once while it is valid, and after its time it has ended', () => {
  const nonces = new NonceCache({ lifetimeMs: 60_000 });
  expect(verify(SIGNATURE, { nonces })).toBe('api');
  expect(verify(SIGNATURE, { nonces })).toBe('was used before: the call is a replay');
  expect(verify(SIGNATURE, { nonces, nowMs: NOW_MS + 60_000 })).toBe('was used before: the call is a replay');
  expect(verify(SIGNATURE, { nonces, nowMs: NOW_MS + 60_001 })).toMatch(/^has ended/);
});

test('a refused signature fills no cache', () => {
  const nonces = new NonceCache({ lifetimeMs: 60_000 });
  verify(formatSignature(REQUEST, OTHER_KEY), { nonces });
  expect(nonces.size).toBe(0);
});

const WRONG = 'is made with another key, or for another app, rpc or message';
const NONE = 'is no signature of an app';
test.each<[string, () => string, string]>([
  ['of another rpc', () => verify(SIGNATURE, { path: '/service.card_vault.v1.CardVaultService/EraseCard' }), WRONG],
  ['of another app', () => verify(SIGNATURE, { audience: 'pay-at-table-gateway' }), WRONG],
  ['of another message', () => verify(SIGNATURE, { message: Buffer.from('charge 99.00') }), WRONG],
  ['of a longer message', () => verify(SIGNATURE, { message: Buffer.from('charge 10.000') }), WRONG],
  ['of no message', () => verify(SIGNATURE, { message: Buffer.alloc(0) }), WRONG],
  ['of another key', () => verify(formatSignature(REQUEST, OTHER_KEY)), WRONG],
  ['with another name', () => verify(SIGNATURE.replace('api', 'admin')), WRONG],
  ['with a later time', () => verify(SIGNATURE.replace(`${NOW_MS}`, `${NOW_MS + 1}`)), WRONG],
  ['with another nonce', () => verify(SIGNATURE.replace(REQUEST.nonce, createNonce())), WRONG],
  ['with a changed end', () => verify(SIGNATURE.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))), WRONG],
  ['of an unknown app', () => verify(SIGNATURE.replace('api', 'checkout')), NONE],
  ['of an unknown version', () => verify(SIGNATURE.replace('v1', 'v2')), NONE],
  ['that is empty', () => verify(''), NONE],
  ['followed by more', () => verify(`${SIGNATURE}A`), NONE],
])('a signature %s proves no caller', (_, readSignature, problem) => {
  expect(readSignature()).toBe(problem);
});
