import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Defect } from '../refusals/assert.js';
import { type IdKind, getIdPrefix, getIntentEnvironment, isId, parseKnownId, PREFIXES } from '../identity/identity.js';
import {
  computeChainHash,
  CLIENT_SECRET_RANDOM_BYTES,
  hashKey,
  isSameHash,
  formatClientSecret,
  createId,
  createApiKeyText,
  createWebhookSecretText,
  readClientSecret,
  createSeededBytes,
  createTimeOrderedBytes,
  formatUuid,
} from './ids.js';
import { NOON, testId } from '../testing/builders.js';

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });
const kinds = fc.constantFrom(...listKinds(PREFIXES));
const environments = fc.constantFrom('sandbox' as const, 'production' as const);

test('the id of an intent names its environment, for every random part', () => {
  const intents = fc.constantFrom('paymentIntent' as const, 'setupIntent' as const);
  fc.assert(
    fc.property(intents, environments, bytes16, (kind, environment, random) => {
      expect(getIntentEnvironment(createId(kind, environment, random))).toBe(environment);
    }),
  );
  const misleading = [...Buffer.from('sandbox_AAAAAAAAAAAAAA', 'base64url')];
  expect(getIntentEnvironment(createId('paymentIntent', 'production', new Uint8Array(misleading)))).toBe('production');
});

test('the form of every kind of id never changes', () => {
  const shown = listKinds(PREFIXES).map((kind) => {
    const [sandbox, production] = [getIdPrefix(kind, 'sandbox'), getIdPrefix(kind, 'production')];
    return `${kind}: ${sandbox}${sandbox === production ? '' : ` ${production}`} + ${createId(kind, 'sandbox', new Uint8Array(16)).length - sandbox.length}`;
  });
  expect(shown.join('\n')).toMatchInlineSnapshot(`
   "paymentIntent: pi_sandbox_ pi_ + 22
   setupIntent: si_sandbox_ si_ + 22
   customer: cust_sandbox_ cust_ + 22
   customerSecret: cs_sandbox_ cs_ + 22
   terminal: tm_sandbox_ tm_prod_ + 24
   terminalSession: ts_sandbox_ ts_prod_ + 24
   event: evt_ + 22
   subscription: ws_ + 22
   secret: sc_ + 22
   delivery: dlv_ + 22
   capture: cp_ + 22
   refund: rfnd_ + 22
   reversal: rvs_ + 22
   paymentMethod: pm_ + 22
   account: acc_ + 22
   location: loc_ + 22
   apiKey: key_ + 22
   portalUser: usr_ + 22"
  `);
});

test('an id of one kind and environment is an id of no other', () => {
  fc.assert(
    fc.property(kinds, kinds, environments, bytes16, (kind, other, environment, bytes) => {
      const id = createId(kind, environment, bytes);
      expect(isId(kind, id, environment)).toBe(true);
      expect(isId(other, id)).toBe(kind === other);
      const hasWorld = PREFIXES[kind].word !== 'none';
      expect(isId(kind, id, environment === 'sandbox' ? 'production' : 'sandbox')).toBe(!hasWorld);
    }),
  );
});

test.each([
  ['no tail', 'pi_sandbox_'],
  ['a tail one short', 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAA'],
  ['a tail one long', 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAAA'],
  ['a foreign character', 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAA+'],
  ['a line end', 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA\n'],
  ['another prefix', 'si_sandbox_AAAAAAAAAAAAAAAAAAAAAA'],
  ['capitals', 'PI_SANDBOX_AAAAAAAAAAAAAAAAAAAAAA'],
  ['a quote', "pi_'; drop table payment_intents"],
  ['nothing', ''],
])('%s is no payment intent id', (_, text) => {
  expect(isId('paymentIntent', text)).toBe(false);
  expect(() => parseKnownId('paymentIntent', text)).toThrow(Defect);
});

test('later ids sort later, so new rows are stored together', () => {
  const random = new Uint8Array(16).fill(255);
  const [early, late] = [NOON, new Date(NOON.getTime() + 1)].map((at) =>
    Buffer.from(createTimeOrderedBytes(at, random)),
  );
  expect(Buffer.compare(early!, late!)).toBe(-1);
  expect(early!.readUIntBE(0, 6)).toBe(NOON.getTime());
});

test('a seeded run draws the same ids twice, and different ones for every kind, account and counter', () => {
  const draw = { seed: 'demo', accountId: testId('account'), kind: 'event', counter: 1 } as const;
  const first = Buffer.from(createSeededBytes(draw)).toString('hex');
  expect(Buffer.from(createSeededBytes(draw)).toString('hex')).toBe(first);
  const others = [
    { ...draw, seed: 'other' },
    { ...draw, accountId: testId('account', 2) },
    { ...draw, kind: 'delivery' },
    { ...draw, counter: 2 },
  ].map((other) => Buffer.from(createSeededBytes(other)).toString('hex'));
  expect(new Set([first, ...others]).size).toBe(5);
  expect(Buffer.from(createSeededBytes(draw, 83)).subarray(0, 16).toString('hex')).toBe(first);
  expect(createSeededBytes(draw, 83)).toHaveLength(83);
});

test('a text is a UUID by its form, for any bytes', () => {
  fc.assert(
    fc.property(bytes16, (bytes) => {
      expect(formatUuid(bytes)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }),
  );
});

describe('a client secret', () => {
  const random = fc.uint8Array({ minLength: CLIENT_SECRET_RANDOM_BYTES, maxLength: CLIENT_SECRET_RANDOM_BYTES });
  const intentKinds = fc.constantFrom('paymentIntent' as const, 'setupIntent' as const);

  test('has 160 characters and names account, environment and intent', () => {
    fc.assert(
      fc.property(random, environments, intentKinds, bytes16, (bytes, environment, kind, tail) => {
        const subject = { accountId: testId('account'), environment, intentId: createId(kind, environment, tail) };
        const text = formatClientSecret({ ...subject, random: bytes });
        expect(text).toHaveLength(160);
        expect(readClientSecret(text)).toEqual(subject);
      }),
    );
  });

  const good = formatClientSecret({
    accountId: testId('account'),
    environment: 'sandbox',
    intentId: testId('paymentIntent'),
    random: new Uint8Array(CLIENT_SECRET_RANDOM_BYTES),
  });
  test.each([
    ['nothing', ''],
    ['an API key', createApiKeyText('sandbox', new Uint8Array(32))],
    ['one cut short', good.slice(0, 159)],
    ['one without its padding', good.slice(0, 158)],
    ['one of another form', `_${good.slice(1)}`],
    ['one of a third world', Buffer.from([1, 2, 0, ...new Uint8Array(115)]).toString('base64url') + '=='],
    ['one of a third kind', Buffer.from([1, 0, 2, ...new Uint8Array(115)]).toString('base64url') + '=='],
    ['one whose last bits are unused', `${good.slice(0, 157)}B==`],
  ])('%s is not read as one', (_, text) => {
    expect(readClientSecret(text)).toBeNull();
  });

  test('is never made of too few random bytes', () => {
    const subject = {
      accountId: testId('account'),
      environment: 'sandbox',
      intentId: testId('paymentIntent'),
    } as const;
    expect(() => formatClientSecret({ ...subject, random: new Uint8Array(64) })).toThrow(Defect);
  });
});

test('keys and webhook secrets have their documented length', () => {
  const random = new Uint8Array(32).fill(7);
  expect(createApiKeyText('sandbox', random)).toMatch(/^sk_sandbox_[\w-]{43}$/);
  expect(createApiKeyText('production', random)).toMatch(/^sk_prod_[\w-]{43}$/);
  expect(createWebhookSecretText(random)).toHaveLength(43);
  expect(() => createWebhookSecretText(random.subarray(1))).toThrow(Defect);
});

test('a hash depends on the pepper, and different hashes are not equal', () => {
  const [hash, other] = [hashKey('pepper', 'key'), hashKey('salt', 'key')];
  expect(isSameHash(hash, hashKey('pepper', 'key'))).toBe(true);
  expect(isSameHash(hash, other)).toBe(false);
  expect(isSameHash(hash, hash.subarray(1))).toBe(false);
});

test('an edited, removed or reordered record breaks the chain', () => {
  const chain = (...records: string[]) =>
    records.reduce<Buffer>((head, record) => computeChainHash(head, record), Buffer.alloc(32)).toString('hex');
  const heads = [chain('a', 'b', 'c'), chain('a', 'B', 'c'), chain('a', 'c'), chain('b', 'a', 'c'), chain('ab', 'c')];
  expect(new Set(heads).size).toBe(heads.length);
});

function listKinds(prefixes: typeof PREFIXES): IdKind[] {
  return Object.keys(prefixes) as IdKind[];
}
