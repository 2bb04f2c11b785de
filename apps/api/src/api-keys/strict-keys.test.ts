import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { CreatedApiKey } from '@pos/rest-contracts/accounts';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
/** A key as it is created now, and one of a release that had no strict keys. */
const keys = { new: '', old: '' };

beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  keys.new = (await createKey({ label: 'new', role: 'full' })).key ?? '';
  const old = await createKey({ label: 'old', role: 'full' });
  await testEnvironment.queryRows('update api_keys set strict = default where id = $1 returning id', [old.id]);
  keys.old = old.key ?? '';
});
afterAll(() => testEnvironment.close());

async function createKey(body: object): Promise<CreatedApiKey> {
  const answer = await testEnvironment.sendRequest('POST', '/api-keys', { body });
  return CreatedApiKey.parse(parseJson(answer));
}

const PAYMENT = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4' };

function createIntent(key: string, more: object, headers: Readonly<Record<string, string>> = {}) {
  return testEnvironment.sendRequest('POST', '/payment-intents', { key, body: { ...PAYMENT, ...more }, headers });
}

describe('a misspelt captureMode', () => {
  const MISSPELT = { captureMod: 'Manual', amount: { value: 1250, currencyCode: 'GBP', valeu: 1 }, colour: 'red' };

  test('is refused for a key that is created now, by its path and with the name that is meant', async () => {
    const answer = await createIntent(keys.new, MISSPELT);
    expect([answer.status, parseJson(answer)]).toMatchObject([
      400,
      {
        reason: 'validation_failed',
        errors: {
          captureMod: ['Is not a member of this request. Is `captureMode` meant?'],
          'amount.valeu': ['Is not a member of this request. Is `value` meant?'],
          colour: ['Is not a member of this request.'],
        },
      },
    ]);
    expect(answer.headers['warnings']).toBeUndefined();
  });

  test('is named in the answer for a key of before, and the payment is created', async () => {
    const answer = await createIntent(keys.old, MISSPELT);
    expect([answer.status, parseJson(answer)['captureMode'], answer.headers['warnings']]).toEqual([
      200,
      'Auto',
      'unknown_member:captureMod, unknown_member:colour, unknown_member:amount.valeu',
    ]);
  });

  test('binds no idempotency key, so that the corrected request may use it', async () => {
    const headers = { idempotencyKey: 'corrected' };
    expect((await createIntent(keys.new, MISSPELT, headers)).status).toBe(400);
    const answer = await createIntent(keys.new, { captureMode: 'Manual' }, headers);
    expect([answer.status, parseJson(answer)['captureMode']]).toEqual([200, 'Manual']);
  });
});

test('a name that may hold a card number is refused and not repeated', async () => {
  const answer = await createIntent(keys.new, { n4456530000001013: 1 });
  expect([answer.status, parseJson(answer)['errors']]).toEqual([
    400,
    { not_shown: ['Is not a member of this request.'] },
  ]);
  expect(answer.text).not.toContain('4456530000001013');
});

test('other spellings, synonyms and free members are no unknown members', async () => {
  const more = {
    transactionSource: 'MOTO',
    AutoExpireIn: null,
    metadata: { anything: { deep: 1 } },
    CAPTUREMODE: 'Auto',
  };
  const answer = await createIntent(keys.new, more);
  expect([answer.status, answer.headers['warnings']]).toEqual([200, undefined]);
});

test.each(['new', 'old'] as const)(
  'members that have no effect beside Auto are named for a key that is %s',
  async (age) => {
    const answer = await createIntent(keys[age], { autoExpireIn: '00:30:00', autoExpireAction: 'Capture' });
    expect([answer.status, answer.headers['warnings']]).toEqual([
      200,
      'ignored_member:autoExpireIn, ignored_member:autoExpireAction',
    ]);
    const manual = await createIntent(keys[age], { captureMode: 'Manual', autoExpireIn: '00:30:00' });
    expect([manual.status, manual.headers['warnings']]).toEqual([200, undefined]);
  },
);

test('the setting is chosen when the key is created, and listed', async () => {
  const lenient = await createKey({ label: 'lenient', role: 'full', strict: false });
  expect([lenient.strict, (await createIntent(lenient.key ?? '', { colour: 1 })).status]).toEqual([false, 200]);
  const answer = await testEnvironment.sendRequest('GET', '/api-keys');
  const listed = parseJson(answer) as unknown as { label: string; strict: boolean }[];
  expect(Object.fromEntries(listed.map(({ label, strict }) => [label, strict]))).toMatchObject({
    ...{ new: true, old: false, lenient: false },
  });
});

describe('a key of before', () => {
  const change = (id: string, strict: boolean) =>
    testEnvironment.sendRequest('PATCH', `/api-keys/${id}`, { body: { strict } });
  const statusOf = async (key: string) => (await createIntent(key, { captureMod: 'Manual' })).status;

  test('is made strict, and lenient again, within a second', async () => {
    const { id, key = '' } = await createKey({ label: 'before', role: 'full', strict: false });
    expect(await statusOf(key)).toBe(200);
    const answer = await change(id, true);
    expect([answer.status, parseJson(answer)]).toMatchObject([200, { id, label: 'before', strict: true }]);
    await pause(1_000);
    expect(await statusOf(key)).toBe(400);
    expect((await change(id, false)).status).toBe(200);
    await pause(1_000);
    expect(await statusOf(key)).toBe(200);
  });

  test('may change itself, as it may create another one', async () => {
    const { id, key = '' } = await createKey({ label: 'itself', role: 'full', strict: false });
    const path = `/api-keys/${id}`;
    expect((await testEnvironment.sendRequest('PATCH', path, { key, body: { strict: true } })).status).toBe(200);
  });

  test('is not changed by a key without the permission', async () => {
    const { id } = await createKey({ label: 'other', role: 'full' });
    const reader = (await createKey({ label: 'reader', role: 'read-only' })).key ?? '';
    const refused = await testEnvironment.sendRequest('PATCH', `/api-keys/${id}`, {
      key: reader,
      body: { strict: false },
    });
    expect(refused.status).toBe(403);
  });
});

/** Every operation that a till or a shop calls to take, keep, return or give up money. */
const MONEY_OPERATIONS = API_OPERATIONS.filter(({ movesMoney }) => movesMoney === true);

test('the operations that move money are these', () => {
  expect(MONEY_OPERATIONS.map(({ id }) => id).sort()).toEqual([
    ...['answerReconciliationDifference', 'cancelPaymentIntent', 'cancelSetupIntent', 'cancelTerminalSession'],
    ...['capturePaymentIntent', 'changeAmount', 'changeTips', 'chargePaymentIntent', 'createParty'],
    ...['createPaymentIntent', 'createSetupIntent', 'createTerminalSession', 'decideSignature'],
    ...['refundPaymentIntent', 'resolvePendingPayment', 'reversePaymentIntent', 'submitOrder', 'updateParty'],
  ]);
});

test.each(MONEY_OPERATIONS.map(({ id, method, path }) => [id, method, path] as const))(
  '%s refuses an unknown member of its body and of its query',
  async (_, method, path) => {
    const headers = {
      ...{ 'software-house-id': 'house', 'reseller-id': 'reseller', idempotencyKey: `strict ${method} ${path}` },
    };
    const to = `${path.replaceAll(/\{\w+\}/g, 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA')}?surprise=1`;
    const answer = await testEnvironment.sendRequest(method, to, { key: keys.new, body: { unheardOf: 1 }, headers });
    expect([answer.status, parseJson(answer)['errors']]).toMatchObject([
      400,
      { unheardOf: ['Is not a member of this request.'], surprise: ['Is not a member of this request.'] },
    ]);
  },
);

/** `__proto__`, `constructor`, `toString` and the other names that every object inherits. */
const INHERITED_NAMES = Object.getOwnPropertyNames(Object.prototype);
const withInherited = (more: object): object =>
  Object.fromEntries([...INHERITED_NAMES.map((name) => [name, 1] as const), ...Object.entries(more)]);

test.each([
  ['a body', withInherited(PAYMENT), '', ''],
  ['an amount', { ...PAYMENT, amount: withInherited(PAYMENT.amount) }, '', 'amount.'],
  ['a query', PAYMENT, `?${INHERITED_NAMES.map((name) => `${name}=1`).join('&')}`, ''],
])(
  'an unknown member of %s with an inherited name has no text of the runtime in its message',
  async (_, body, query, path) => {
    const answer = await testEnvironment.sendRequest('POST', `/payment-intents${query}`, { key: keys.new, body });
    const errors = INHERITED_NAMES.map((name) => {
      // Two letters from a member of an amount.
      const text = `${path}${name}` === 'amount.valueOf' ? ' Is `value` meant?' : '';
      return [`${path}${name}`, [`Is not a member of this request.${text}`]] as const;
    });
    expect(new Map(Object.entries(parseJson(answer)['errors'] as object))).toEqual(new Map(errors));
  },
);

describe('the query belongs to what an idempotency key repeats', () => {
  const cancel = (id: string, query: string, key: string) =>
    testEnvironment.sendRequest('DELETE', `/setup-intents/${id}${query}`, { headers: { idempotencyKey: key } });

  test('another query under the key is another request', async () => {
    const created = await testEnvironment.sendRequest('POST', '/setup-intents', {
      body: { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' },
    });
    const id = String(parseJson(created)['id']);
    expect((await cancel(id, '', 'one')).status).toBe(200);
    expect((await cancel(id, '', 'one')).headers['idempotent-replayed']).toBe('true');
    const other = await cancel(id, '?includeAuthorized=true', 'one');
    expect([other.status, parseJson(other)['reason']]).toEqual([409, 'idempotency_key_reused']);
  });

  test('the case of its names and their order do not matter', async () => {
    const created = await testEnvironment.sendRequest('POST', '/setup-intents', {
      body: { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' },
    });
    const id = String(parseJson(created)['id']);
    expect((await cancel(id, '?includeAuthorized=true', 'two')).status).toBe(200);
    expect((await cancel(id, '?INCLUDEAUTHORIZED=true', 'two')).headers['idempotent-replayed']).toBe('true');
  });
});
