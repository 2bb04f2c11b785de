import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as rest from '@pos/rest-contracts/accounts';
import * as intents from '@pos/rest-contracts/payment-intents';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';
import { createCustomer, createDeletedCustomer, createSecret, UNKNOWN_CUSTOMER } from '../testing/customer-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const ANY_MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as unknown;
const ADDRESS = { address1: '1 High Street', city: 'Bristol', postcode: 'BS1 1AA', countryCode: 'GB' };
const CUSTOMER_BODY = {
  name: 'Ada Guest',
  emailAddress: 'ada@guest.example',
  phoneNumber: '01174960000',
  vatNumber: 'GB123456789',
  billingAddress: ADDRESS,
  shippingAddress: { countryCode: 'FR' },
};
const patchCustomer = (customerId: string, body: unknown) =>
  testEnvironment.sendRequest('PATCH', `/customers/${customerId}`, { body });
const readCustomers = async (...ids: string[]) =>
  JSON.parse((await testEnvironment.sendRequest('GET', `/customers/${ids.join(',')}`)).text) as { id: string }[];

describe('a customer', () => {
  test('shows the members that were sent and nothing else', async () => {
    const visible = {
      id: expect.stringMatching(/^cust_sandbox_[\w-]{22}$/) as unknown,
      createdAt: ANY_MOMENT,
      updatedAt: ANY_MOMENT,
      documentVersion: 0,
    };
    const plain = parseJson(await testEnvironment.sendRequest('POST', '/customers', { body: {} }));
    expect(plain).toEqual(visible);
    const body = {
      ...CUSTOMER_BODY,
      NAME: CUSTOMER_BODY.name,
      name: undefined,
      vatNumber: CUSTOMER_BODY.vatNumber,
      age: 42,
    };
    const created = parseJson(await testEnvironment.sendRequest('POST', '/customers', { body }));
    expect(created).toEqual({ ...visible, ...CUSTOMER_BODY });
    expect(await readCustomers(String(created['id']))).toEqual([created]);
  });

  test('is changed member by member: null removes one, and equal values are no change', async () => {
    const id = await createCustomer(testEnvironment, CUSTOMER_BODY);
    const first = parseJson(
      await patchCustomer(id, { name: 'Eve', vatNumber: null, billingAddress: { countryCode: 'DE' } }),
    );
    const { vatNumber: _, ...rest_ } = CUSTOMER_BODY;
    expect(first).toMatchObject({ ...rest_, name: 'Eve', billingAddress: { countryCode: 'DE' }, documentVersion: 1 });
    expect(first).not.toHaveProperty('vatNumber');
    expect(first['billingAddress']).toEqual({ countryCode: 'DE' });
    for (const same of [{}, null, { name: 'Eve' }, { vatNumber: null }, { somethingUnknown: 1 }]) {
      expect(parseJson(await patchCustomer(id, same))).toEqual(first);
    }
    const last = parseJson(
      await patchCustomer(id, Object.fromEntries(Object.keys(CUSTOMER_BODY).map((member) => [member, null]))),
    );
    expect(Object.keys(last)).toEqual(['id', 'createdAt', 'updatedAt', 'documentVersion']);
    expect([last['documentVersion'], last['createdAt']]).toEqual([2, first['createdAt']]);
    expect(String(last['updatedAt']) >= String(first['updatedAt'])).toBe(true);
  });

  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
    ['an address without an @', { emailAddress: 'ada.guest.example' }, ['emailAddress']],
    ['an e-mail address of 255 characters', { emailAddress: `${'a'.repeat(250)}@b.fr` }, ['emailAddress']],
    ['a telephone of 4 digits', { phoneNumber: '1234' }, ['phoneNumber']],
    ['a telephone of 51 digits', { phoneNumber: '1'.repeat(51) }, ['phoneNumber']],
    ['a VAT number of 51 digits', { vatNumber: '1'.repeat(51) }, ['vatNumber']],
    ['an address without a country', { billingAddress: { city: 'Bristol' } }, ['billingAddress.countryCode']],
    ['an address line of 101 characters', { shippingAddress: { ...ADDRESS, address4: 'x'.repeat(101) } }, ['shippingAddress.address4']],
    ['a postcode of 51 characters', { billingAddress: { ...ADDRESS, postcode: 'x'.repeat(51) } }, ['billingAddress.postcode']],
    ['an address that is text', { shippingAddress: '1 High Street' }, ['shippingAddress']],
    ['a name that is a list', { name: ['Ada'] }, ['name']],
    ['a name with a NUL', { name: 'A\u0000da' }, []],
    ['several members at once', { name: 7.5, phoneNumber: '1', billingAddress: { countryCode: 'GBR' } }, ['billingAddress.countryCode', 'name', 'phoneNumber']],
  ])('is neither made with %s nor changed so', async (_, invalid, members) => {
    const id = await createCustomer(testEnvironment);
    for (const answer of [await testEnvironment.sendRequest('POST', '/customers', { body: invalid }), await patchCustomer(id, invalid)]) {
      expect([answer.status, Object.keys(parseProblem(answer).errors).sort()]).toEqual([400, members]);
    }
    expect(await readCustomers(id)).toMatchObject([{ documentVersion: 0 }]);
  });

  test.each([
    ['a name of 100 soups', { name: '\u{1f372}'.repeat(100) }],
    ['a telephone of 5 and of 50 digits', { phoneNumber: '1'.repeat(5), vatNumber: '1'.repeat(50) }],
    ['SQL for a name', { name: `'; drop table customers; --` }],
    ['another prototype', JSON.parse('{"name":"x","__proto__":{"vatNumber":"1"}}') as { name: string }],
  ])('may have %s', async (_, profile) => {
    const created = parseJson(await testEnvironment.sendRequest('POST', '/customers', { body: profile }));
    expect(created).toMatchObject(Object.fromEntries(Object.entries(profile).filter(([name]) => name !== '__proto__')));
    expect(Object.prototype).not.toHaveProperty('vatNumber');
  });
});

describe('customers are read', () => {
  test('in the order of the ids, each once, without unknown, deleted and foreign customers', async () => {
    const [first, second] = [await createCustomer(testEnvironment), await createCustomer(testEnvironment)];
    const deleted = await createDeletedCustomer(testEnvironment);
    const foreign = await createCustomer(testEnvironment, {}, testEnvironment.keys.foreign);
    const found = await readCustomers(second, 'nobody', deleted, first, UNKNOWN_CUSTOMER, foreign, second, '%00');
    expect(found.map(({ id }) => id)).toEqual([second, first]);
    expect(await readCustomers('nobody')).toEqual([]);
    const escaped = await testEnvironment.sendRequest('GET', `/customers/${first}%2C${second}`);
    expect((JSON.parse(escaped.text) as unknown[]).length).toBe(2);
  });

  test('50 at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 51 }, () => createCustomer(testEnvironment)));
    expect((await readCustomers(...ids.slice(0, 50))).map(({ id }) => id)).toEqual(ids.slice(0, 50));
    expect((await testEnvironment.sendRequest('GET', `/customers/${ids.join(',')}`)).status).toBe(400);
  });
});

describe('a search', () => {
  const search = (key: string, body: Record<string, unknown> = {}) =>
    testEnvironment.createClient(key)(rest.searchCustomers, { body });

  test('lists the account’s own customers newest first, in both directions, without deleted ones', async () => {
    const { key } = await testEnvironment.createAccount();
    const ids: string[] = [];
    for (let created = 0; created < 7; created += 1) ids.unshift(await createCustomer(testEnvironment, {}, key));
    const idsOf = ({ data }: Awaited<ReturnType<typeof search>>) => data.map(({ id }) => id);
    const first = await search(key, { limit: 3 });
    expect([idsOf(first), first.before]).toEqual([ids.slice(0, 3), null]);
    await testEnvironment.createClient(key)(rest.deleteCustomer, { params: { customerId: ids[3] ?? '' } });
    const newest = await createCustomer(testEnvironment, {}, key);
    const second = await search(key, { LIMIT: '2', After: first.after });
    expect(idsOf(second)).toEqual(ids.slice(4, 6));
    const third = await search(key, { limit: 2, after: second.after });
    expect([idsOf(third), third.after]).toEqual([[ids[6]], null]);
    const back = await search(key, { limit: 100, before: second.before });
    expect([idsOf(back), back.before]).toEqual([[newest, ...ids.slice(0, 3)], null]);
    expect(idsOf(await search(testEnvironment.keys.foreign)).filter((id) => ids.includes(id))).toEqual([]);
    expect(idsOf(await search(testEnvironment.keys.production))).toEqual([]);
  });

  const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['none', { limit: 0 }, ['limit']],
    ['101', { limit: 101 }, ['limit']],
    ['half', { limit: '1.5' }, ['limit']],
    ['both ways', { before: token([1, UNKNOWN_CUSTOMER]), after: token([1, UNKNOWN_CUSTOMER]) }, ['before']],
    ['an unknown token', { after: 'x' }, ['after']],
    ['an empty token', { before: '' }, ['before']],
    ['an endless token', { after: 'x'.repeat(201) }, ['after']],
    ['a token of a payment', { before: token([1, 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA']) }, ['before']],
    ['a token outside the range of time', { after: token([9e15, UNKNOWN_CUSTOMER]) }, ['after']],
  ])('by %s is refused', async (_, body, members) => {
    const answer = await testEnvironment.sendRequest('POST', '/customers/search', { body });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, members]);
  });
});

describe('a deleted customer', () => {
  test('is not found, no personal data is kept, and the customer’s payments keep the id', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    const id = await createCustomer(testEnvironment, { ...CUSTOMER_BODY, name: 'Nobody Any More' }, key);
    const payment = await testEnvironment.createIntent({ customer: { id } }, key);
    const answer = await testEnvironment.sendRequest('DELETE', `/customers/${id}`, {
      key,
      headers: { idempotencyKey: 'gone' },
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const repeated = await testEnvironment.sendRequest('DELETE', `/customers/${id}`, {
      key,
      headers: { idempotencyKey: 'gone' },
    });
    expect([repeated.status, repeated.text, repeated.headers['idempotent-replayed']]).toEqual([204, '', 'true']);
    expect((await testEnvironment.sendRequest('DELETE', `/customers/${id}`, { key })).status).toBe(404);
    const stored = await testEnvironment.createClient(key)(intents.readPaymentIntent, {
      params: { paymentIntentId: payment.id },
    });
    expect(stored.customer).toEqual({ customerId: id, id });
    const rows = await testEnvironment.queryRows<{ row: string }>(
      'select row_to_json(c)::text as row from customers c where account_id = $1',
      [scope.accountId],
    );
    expect(rows.map(({ row }) => /Nobody|guest|High Street/.test(row))).toEqual([false]);
  });
});

describe('a customer secret', () => {
  test('is new in each answer, expires after 15 minutes and is never logged', async () => {
    const customerId = await createCustomer(testEnvironment);
    const make = async (headers: Record<string, string> = {}) =>
      parseJson(await testEnvironment.sendRequest('POST', `/customers/${customerId}/create-secret`, { headers }));
    const [first, second] = [await make(), await make()];
    expect(first).toEqual({
      secret: expect.stringMatching(/^cs_sandbox_[\w-]{87}$/) as unknown,
      createdAt: ANY_MOMENT,
      expireAt: ANY_MOMENT,
    });
    expect(Date.parse(String(first['expireAt'])) - Date.parse(String(first['createdAt']))).toBe(15 * 60_000);
    expect(first['secret']).not.toBe(second['secret']);
    const headers = { idempotencyKey: 'secret' };
    expect(await make(headers)).toEqual(await make(headers));
    expect(testEnvironment.logLines.filter((line) => line.includes(String(first['secret']).slice(-64)))).toEqual([]);
  });
});

describe('a payment for a customer', () => {
  const create = (customer: object, more: object = {}) =>
    testEnvironment.sendRequest('POST', '/payment-intents', {
      body: { amount: GBP_20, reference: 'r', customer, ...more },
    });
  const SAVED = { paymentMethods: ['Card', 'SavedCard'] };

  test('with saved cards needs the customer’s id and valid secret and the method; the answer never contains the secret', async () => {
    const id = await createCustomer(testEnvironment);
    const secret = await createSecret(testEnvironment, id);
    const created = await create({ customerId: id, emailAddress: 'a@guest.example', secret }, SAVED);
    expect(parseJson(created)['customer']).toEqual({ customerId: id, id, emailAddress: 'a@guest.example' });
    expect(created.text).not.toContain(secret.slice(-64));
    const rows = await testEnvironment.queryRows<{ kept: string }>(
      `select details ->> 'customerSecretId' as kept from payment_intents where id = $1`,
      [parseJson(created)['id']],
    );
    expect(secret.startsWith(`${rows[0]?.kept ?? ''}_`)).toBe(true);
  });

  // oxfmt-ignore
  test.each<[string, () => Promise<[object, object?]>, string[]]>([
    ['who is unknown', () => Promise.resolve([{ id: UNKNOWN_CUSTOMER }]), ['customer.id']],
    ['who is malformed', () => Promise.resolve([{ id: 'ada' }]), ['customer.id']],
    ['who is deleted', async () => [{ customerId: await createDeletedCustomer(testEnvironment) }], ['customer.id']],
    ['of another account', async () => [{ id: await createCustomer(testEnvironment, {}, testEnvironment.keys.foreign) }], ['customer.id']],
    ['of production', async () => [{ id: await createCustomer(testEnvironment, {}, testEnvironment.keys.production) }], ['customer.id']],
    ['with a secret and without an id', async () => [{ secret: await createSecret(testEnvironment, await createCustomer(testEnvironment)) }, SAVED], ['customer.id']],
    ['with a secret and without the method', async () => { const id = await createCustomer(testEnvironment); return [{ id, secret: await createSecret(testEnvironment, id) }]; }, ['paymentMethods']],
    ['with an invalid secret', async () => [{ id: await createCustomer(testEnvironment), secret: 'cs' }, SAVED], ['customer.secret']],
    ["with another's secret", async () => [{ id: await createCustomer(testEnvironment), secret: await createSecret(testEnvironment, await createCustomer(testEnvironment)) }, SAVED], ['customer.secret']],
    ['with a secret of 501 characters', async () => [{ id: await createCustomer(testEnvironment), secret: 'x'.repeat(501) }, SAVED], ['customer.secret']],
    ['with a card and no secret', async () => [{ id: await createCustomer(testEnvironment), savedCardId: `pm_${'A'.repeat(22)}` }, SAVED], ['customer.savedCardId', 'customer.secret']],
    ['with an unknown saved card', async () => { const id = await createCustomer(testEnvironment); return [{ id, secret: await createSecret(testEnvironment, id), savedCardId: `pm_${'A'.repeat(22)}` }, SAVED]; }, ['customer.savedCardId']],
    ['who is unknown, with other invalid members', () => Promise.resolve([{ id: UNKNOWN_CUSTOMER, secret: 'cs' }, { ...SAVED, amount: { value: 1, currencyCode: 'JPY' }, expireAt: '2020-01-01T00:00:00Z' }]), ['amount.currencyCode', 'customer.id', 'expireAt']],
  ])('%s is refused', async (_, request, members) => {
    const [customer, more] = await request();
    const answer = await create(customer, more);
    expect([answer.status, Object.keys(parseProblem(answer).errors).sort()]).toEqual([400, members]);
  });

  test('is refused with an expired secret', async () => {
    const { key } = await testEnvironment.createAccount();
    const id = await createCustomer(testEnvironment, {}, key);
    const customer = { id, secret: await createSecret(testEnvironment, id, key) };
    const status = async () =>
      (
        await testEnvironment.sendRequest('POST', '/payment-intents', {
          key,
          body: { amount: GBP_20, reference: 'r', customer, ...SAVED },
        })
      ).status;
    const advance = (by: string) =>
      testEnvironment.sendRequest('POST', '/sandbox/clock/advance', { key, body: { by } });
    expect(await status()).toBe(200);
    expect((await advance('00:14:00')).status).toBe(200);
    expect(await status()).toBe(200);
    expect((await advance('00:01:00')).status).toBe(200);
    expect(await status()).toBe(400);
  });
});
