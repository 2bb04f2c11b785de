import { describe, expect, test } from '@jest/globals';
import { changeCustomer, type CustomerChange, deleteCustomer, countChanges, createCustomer } from './customer.js';
import { Defect } from '../refusals/assert.js';
import { CUSTOMER_SECRET_RANDOM_BYTES, createCustomerSecret, readCustomerSecret } from '../ids/ids.js';
import { NOON, createPastDate, testId } from '../testing/builders.js';

const ADA = createCustomer(
  testId('customer'),
  { name: 'Ada', phoneNumber: '01174960000', billingAddress: { address1: '1 High Street', countryCode: 'GB' } },
  NOON,
);

test('a new customer has the given data and nothing else', () => {
  expect(ADA).toMatchObject({ name: 'Ada', emailAddress: null, vatNumber: null, shippingAddress: null });
  expect([countChanges(ADA), ADA.createdAt, ADA.deletedAt]).toEqual([0, NOON, null]);
});

describe('a change', () => {
  test.each<[string, CustomerChange, object | null]>([
    ['of one member keeps the others', { name: 'Eve' }, { name: 'Eve', phoneNumber: '01174960000' }],
    ['to null removes a member', { phoneNumber: null }, { name: 'Ada', phoneNumber: null }],
    [
      'of an address replaces all of it',
      { billingAddress: { countryCode: 'FR' } },
      { billingAddress: { countryCode: 'FR' } },
    ],
    ['to the same values is none', { name: 'Ada', emailAddress: null }, null],
    [
      'of the member order of an address is none',
      { billingAddress: { countryCode: 'GB', address1: '1 High Street' } },
      null,
    ],
    ['without a member is none', {}, null],
    ['with a member that is undefined is none', { name: undefined }, null],
  ])('%s', (_, change, then) => {
    const changed = changeCustomer(ADA, change, createPastDate(1000));
    if (then === null) expect(changed).toBeNull();
    else expect(changed).toMatchObject({ ...then, createdAt: NOON, updatedAt: createPastDate(1000) });
  });
});

test('a deleted customer keeps nothing but their id', () => {
  const { id, version, createdAt, updatedAt, deletedAt, ...profile } = deleteCustomer(ADA, createPastDate(1000));
  expect([id, version, createdAt, updatedAt, deletedAt]).toEqual([
    ADA.id,
    1,
    NOON,
    createPastDate(1000),
    createPastDate(1000),
  ]);
  expect(new Set(Object.values(profile))).toEqual(new Set([null]));
});

describe('a customer secret', () => {
  const random = new Uint8Array(CUSTOMER_SECRET_RANDOM_BYTES).fill(7);
  const subject = (environment: 'sandbox' | 'production') => ({
    accountId: testId('account', 1, environment),
    environment,
    secretId: testId('customerSecret', 1, environment),
  });
  const good = createCustomerSecret({ ...subject('sandbox'), random });

  test.each([
    ['sandbox', /^cs_sandbox_[\w-]{87}$/],
    ['production', /^cs_[\w-]{87}$/],
  ] as const)('of the %s contains its owner', (environment, form) => {
    const text = createCustomerSecret({ ...subject(environment), random });
    expect(text).toMatch(form);
    expect(readCustomerSecret(text)).toEqual(subject(environment));
  });

  test.each([
    ['nothing', ''],
    ['its id alone', subject('sandbox').secretId],
    ['a character less', good.slice(0, -1)],
    ['a character more', `${good}A`],
    ['blanks around it', ` ${good}`],
    ['the id of something else', good.replace('cs_', 'pi_')],
    ['padding', `${good.slice(0, -2)}==`],
    ['an API key', `sk_sandbox_${'x'.repeat(43)}`],
  ])('is not %s', (_, text) => {
    expect(readCustomerSecret(text)).toBeNull();
  });

  test('is not made from too few random bytes, or for another environment', () => {
    expect(() => createCustomerSecret({ ...subject('sandbox'), random: random.subarray(1) })).toThrow(Defect);
    expect(() => createCustomerSecret({ ...subject('sandbox'), environment: 'production', random })).toThrow(Defect);
  });
});
