import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createId, formatClientSecret } from '@pos/core/ids';
import { isSecretOf } from './secret-subject.js';

const KINDS = [
  ['paymentIntent', 'sandbox'],
  ['paymentIntent', 'production'],
  ['setupIntent', 'sandbox'],
  ['setupIntent', 'production'],
] as const;

/** A secret as the service issues it, with the intent that it names. */
function issueSecret([kind, environment]: (typeof KINDS)[number]) {
  const intentId = createId(kind, environment, randomBytes(16));
  const accountId = createId('account', environment, randomBytes(16));
  return { intentId, secret: formatClientSecret({ accountId, environment, intentId, random: randomBytes(83) }) };
}

describe('the secret of an intent', () => {
  test.each(KINDS)('names a %s in %s, and no other', (...kind) => {
    for (let draw = 0; draw < 50; draw += 1) {
      const { intentId, secret } = issueSecret(kind);
      const others = KINDS.map((each) => issueSecret(each).intentId);
      expect([intentId, ...others].filter((each) => isSecretOf(secret, each))).toEqual([intentId]);
    }
  });

  test.each(['', 'secret', '%%%', 'AAAA', 'ü'.repeat(160), 'A'.repeat(160)])('%j names none', (secret) => {
    expect(isSecretOf(secret, issueSecret(KINDS[0]).intentId)).toBe(false);
  });
});
