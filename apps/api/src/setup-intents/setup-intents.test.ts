import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SETUP_INTENT_STATUSES } from '@pos/core/setup-intents';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import * as rest from '@pos/rest-contracts/setup-intents';
import { expectCovered, findUncalledOperations, formatStateTable } from '@pos/testing';
import { createCustomer, createDeletedCustomer, createSecret, UNKNOWN_CUSTOMER } from '../testing/customer-requests.js';
import { createStoredCard } from '../testing/saved-card-requests.js';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';
import { createSetup, NEW_SETUP_BODY, createSetupIn, UNKNOWN_SETUP } from '../testing/setup-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const ANY_MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as unknown;
const REFRESH_PATH_SEGMENT = 'refresh-client-session-secret';

/** The members of a new setup intent for which only the required members were sent. */
const PLAIN_SETUP = {
  ...NEW_SETUP_BODY,
  id: expect.stringMatching(/^si_sandbox_[\w-]{22}$/) as unknown,
  status: 'Created',
  clientSessionSecret: expect.stringMatching(/^[\w-]{158}==$/) as unknown,
  clientSessionSecretExpirationDate: ANY_MOMENT,
  paymentMethods: ['Card'],
  config: {
    customerEmail: { collectionRequired: false },
    billingAddress: { collectionRequired: false },
    shippingDetails: { collectionRequired: false },
    details: { showTotal: false, showReference: false },
    payment: { customAmountAllowed: false, tipsAllowed: false, holdRaiseAllowed: false },
    branding: { logoUrl: 'https://corner.example/logo.svg' },
    tradingName: 'The Corner Table',
  },
  merchantConfig: { supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD', 'MAESTRO', 'AMEX'], wallets: [] } },
  paymentSource: 'api',
  expireAt: ANY_MOMENT,
  createdAt: ANY_MOMENT,
  updatedAt: ANY_MOMENT,
};
/** What its integrator sees beside. */
const SETUP_LINK = {
  setupLink: expect.stringMatching(/^https:\/\/pay\.example\/checkout\/si_sandbox_[\w-]{22}$/) as unknown,
};
const LOCATION = { 'location-id': expect.stringMatching(/^loc_[\w-]{22}$/) as unknown };
const FULL_REQUEST = {
  intendedAmount: { value: 2500, currencyCode: 'EUR' },
  description: 'A party of six',
  merchantInitiatedTransactionType: 'Unscheduled',
  billingAddress: { address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' },
  shippingDetails: { name: 'Ada', deliveryNotes: 'Ring twice' },
  orderDetails: { availabilityDate: '2026-04-01T18:00:00.000Z', id: 'o-1' },
  expireAt: '2999-12-31T23:59:59.123Z',
} as const;
const DEVICE = { userAgent: 'a browser', ipAddress: '192.0.2.1', device: 'a telephone' };

describe('the members of a setup intent', () => {
  test('are only those that have a value', async () => {
    const created = parseJson(await testEnvironment.sendRequest('POST', '/setup-intents', { body: NEW_SETUP_BODY }));
    expect(created).toEqual({ ...PLAIN_SETUP, ...SETUP_LINK, metadata: LOCATION, setupEvents: [] });
    expect(parseJson(await testEnvironment.sendRequest('GET', `/setup-intents/${String(created['id'])}/`))).toEqual(
      created,
    );
    const lifeMs = (member: string) => Date.parse(String(created[member])) - Date.parse(String(created['createdAt']));
    expect([lifeMs('expireAt'), lifeMs('clientSessionSecretExpirationDate')]).toEqual([30 * 86_400_000, 30 * 60_000]);
  });

  test('are all requested ones for its integrator, and fewer for its payer', async () => {
    const id = await createCustomer(testEnvironment);
    const customer = { customerId: id, emailAddress: 'a@guest.example', phoneNumber: '+44 117' };
    const body = {
      ...NEW_SETUP_BODY,
      ...FULL_REQUEST,
      MerchantInitiatedTransactionType: 'unscheduled',
      merchantInitiatedTransactionType: undefined,
      captureMode: 'AUTO',
      customer,
      requestSecurity: DEVICE,
      metadata: { 'location-id': 'mine', margin: 40 },
      card: null,
    };
    const created = parseJson(await testEnvironment.sendRequest('POST', '/setup-intents', { body }));
    expect(created).toEqual({
      ...PLAIN_SETUP,
      ...SETUP_LINK,
      ...FULL_REQUEST,
      customer: { ...customer, id },
      requestSecurity: DEVICE,
      metadata: { ...LOCATION, margin: 40 },
      setupEvents: [],
    });
    const sentRequest = { key: null, headers: { version: null } };
    const payers = await testEnvironment.sendRequest(
      'GET',
      `/setup-intents/public/${String(created['id'])}`,
      sentRequest,
    );
    expect(parseJson(payers)).toEqual({
      ...PLAIN_SETUP,
      ...FULL_REQUEST,
      clientSessionSecret: created['clientSessionSecret'],
      customer: { customerId: id, id, emailAddress: 'a@guest.example' },
      metadata: LOCATION,
    });
    expect(payers.headers['access-control-allow-origin']).toBe('*');
  });

  test('are the outcome of an authorisation, with the masked card for its integrator only', async () => {
    const id = await createSetupIn(testEnvironment, 'Authorized');
    const visible = parseJson(await testEnvironment.sendRequest('GET', `/setup-intents/${id}`));
    const { clientSessionSecret: _, ...plain } = PLAIN_SETUP;
    const transaction = { transactionId: expect.stringMatching(/^[\da-f]{8}-/) as unknown };
    expect(visible).toEqual({
      ...plain,
      status: 'Authorized',
      clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
      metadata: LOCATION,
      paymentDetails: {
        ...{ ...transaction, transactionDateTime: ANY_MOMENT, message: 'AUTHORIZED', authCode: '204711' },
        card: expect.objectContaining({ cardNumber: '44565300****1096', last4PAN: '1096' }) as unknown,
      },
      setupEvents: [
        expect.objectContaining({ ...transaction, eventType: 'Authorized', cardNumber: '44565300****1096' }),
      ],
    });
    const payers = await testEnvironment.sendRequest('GET', `/setup-intents/public/${id}`, { key: null });
    // Only the page that has authorised the card reads the outcome.
    expect(parseJson(payers)).not.toHaveProperty('paymentDetails');
    expect(payers.text).not.toContain('1096');
  });

  // oxfmt-ignore
  test.each([
    ['2026-02-27', 'Closed',   ['Card', 'SavedCard']],
    ['2024-02-05', 'Closed',   ['Card', 'SavedCard']],
    ['2024-02-04', 'Canceled', ['Card']],
    ['2022-04-07', 'Canceled', ['Card']],
  ])('in release %s, once it was closed: %s', async (version, status, paymentMethods) => {
    const id = await createSetupIn(testEnvironment, 'Closed', { paymentMethods: ['Card', 'SavedCard'] });
    const visible = await testEnvironment.sendRequest('GET', `/setup-intents/${id}`, { headers: { version } });
    expect(parseJson(visible)).toMatchObject({ status, paymentMethods });
  });

  test('have the shape of the request’s release, also in a repeated answer', async () => {
    const id = await createSetupIn(testEnvironment, 'Authorized');
    const close = (version: string) =>
      testEnvironment.sendRequest('DELETE', `/setup-intents/${id}?includeAuthorized=true`, {
        headers: { version, idempotencyKey: 'close' },
      });
    const statuses = [await close('2026-02-27'), await close('2023-12-12')].map(
      (answer) => parseJson(answer)['status'],
    );
    expect(statuses).toEqual(['Closed', 'Canceled']);
  });
});

describe('members that are refused, all at once', () => {
  const secret = async (customerId: string) => createSecret(testEnvironment, customerId);
  const card = { cardNumber: '4456 5300 0000 1096', cardName: 'A Guest', expiryDate: '12/29', cv2: '020' };
  // oxfmt-ignore
  test.each<[string, Record<string, unknown> | (() => Promise<Record<string, unknown>>), string[]]>([
    ['nothing of what is needed', { reference: null, merchantInitiatedTransactionType: null, terms: null }, ['merchantInitiatedTransactionType', 'reference', 'terms']],
    ['no reference', { reference: '' }, ['reference']],
    ['61 soups', { reference: '\u{1f372}'.repeat(61) }, ['reference']],
    ['no terms', { terms: '' }, ['terms']],
    ['terms of 10,241 characters', { terms: 'x'.repeat(10_241) }, ['terms']],
    ['a reason of another kind', { merchantInitiatedTransactionType: 'Recurring' }, ['merchantInitiatedTransactionType']],
    ['a later capture', { captureMode: 'Manual' }, ['captureMode']],
    ['a card', { card }, ['card']],
    ['a card in another spelling', { CARD: card }, ['card']],
    ['a card that is text', { card: '4456530000001096' }, ['card']],
    ['nothing intended', { intendedAmount: { value: 0, currencyCode: 'GBP' } }, ['intendedAmount.value']],
    ['a too large intended amount', { intendedAmount: { value: 1_000_000_000_000, currencyCode: 'GBP' } }, ['intendedAmount.value']],
    ['half a penny', { intendedAmount: { value: 0.5, currencyCode: 'GBP' } }, ['intendedAmount.value']],
    ['a currency without payments', { intendedAmount: { value: 1, currencyCode: 'XTS' } }, ['intendedAmount.currencyCode']],
    ['a description without end', { description: 'x'.repeat(4097) }, ['description']],
    ['methods of none', { paymentMethods: [] }, ['paymentMethods']],
    ['yesterday', { expireAt: '2020-01-01T00:00:00Z' }, ['expireAt']],
    ['metadata above 16 KiB', { metadata: { note: 'x'.repeat(16 * 1024) } }, ['metadata']],
    ['an address of nowhere', { billingAddress: { countryCode: 'GBR' } }, ['billingAddress.countryCode']],
    ['an invalid address', { config: { cancelUrl: 'javascript:alert(1)' } }, ['config.cancelUrl']],
    ['a device of 121 characters', { requestSecurity: { device: 'x'.repeat(121) } }, ['requestSecurity.device']],
    ['an unknown customer', { customer: { id: UNKNOWN_CUSTOMER } }, ['customer.id']],
    ['a malformed customer', { customer: { customerId: 'ada' } }, ['customer.customerId']],
    ['a deleted customer', async () => ({ customer: { id: await createDeletedCustomer(testEnvironment) } }), ['customer.id']],
    ["another account's customer", async () => ({ customer: { id: await createCustomer(testEnvironment, {}, testEnvironment.keys.foreign) } }), ['customer.id']],
    ["another customer's secret", async () => ({ paymentMethods: ['SavedCard'], customer: { id: await createCustomer(testEnvironment), secret: await secret(await createCustomer(testEnvironment)) } }), ['customer.secret']],
    ['several members that depend on stored data', { intendedAmount: { value: 1, currencyCode: 'JPY' }, expireAt: '2020-01-01T00:00:00Z', customer: { id: UNKNOWN_CUSTOMER } }, ['customer.id', 'expireAt', 'intendedAmount.currencyCode']],
  ])('%s', async (_, more, members) => {
    const request = typeof more === 'function' ? await more() : more;
    const answer = await testEnvironment.sendRequest('POST', '/setup-intents', { body: { ...NEW_SETUP_BODY, ...request } });
    expect([answer.status, Object.keys(parseProblem(answer).errors).sort()]).toEqual([400, members]);
    const published = [answer.text, ...testEnvironment.logLines];
    expect(published.filter((text) => /4456 ?5300 ?0000 ?1096|A Guest/.test(text))).toEqual([]);
  });

  test('a reason that the release does not have yet', async () => {
    const body = { ...NEW_SETUP_BODY, merchantInitiatedTransactionType: 'unscheduled' };
    const create = (version: string) =>
      testEnvironment.sendRequest('POST', '/setup-intents', { body, headers: { version } });
    const refused = await create('2024-02-04');
    expect([refused.status, Object.keys(parseProblem(refused).errors)]).toEqual([
      400,
      ['merchantInitiatedTransactionType'],
    ]);
    expect((await create('2024-02-05')).status).toBe(200);
  });
});

describe('the answer by state', () => {
  const ask =
    (method: string, lead = '', tail = '') =>
    async (id: string) =>
      (await testEnvironment.sendRequest(method, `/setup-intents/${lead}${id}${tail}`)).status;
  // oxfmt-ignore
  const BY_STATE: readonly [string, (id: string) => Promise<number>, ...number[]][] = [
    //                                                    Created Authorized Expired CardExpired Canceled Completed Closed
    ['GET', ask('GET'),                                       200, 200, 200, 200, 200, 200, 200],
    ['DELETE', ask('DELETE'),                                 200, 409, 409, 409, 409, 409, 409],
    ['DELETE, authorised too', ask('DELETE', '', '?IncludeAuthorized=TRUE'), 200, 200, 409, 409, 409, 409, 409],
    ['refresh secret', ask('POST', '', `/${REFRESH_PATH_SEGMENT}`),        200, 409, 409, 409, 409, 409, 409],
    ['GET by the payer', ask('GET', 'public/'),               200, 200, 200, 200, 404, 200, 404],
    ['refresh by the payer', ask('POST', 'public/', `/${REFRESH_PATH_SEGMENT}`), 200, 409, 409, 409, 404, 409, 404],
    ['a payment that names it', (setupIntentId) => naming({ setupIntentId }), 400, 200, 400, 400, 400, 400, 400],
    ['charge of a payment that names it', (id) => charge(id), 409, 200, 409, 409, 409, 409, 409],
  ];

  test.each(BY_STATE)('%s', async (_, act, ...expected) => {
    const answers: number[] = [];
    for (const each of SETUP_INTENT_STATUSES) answers.push(await act(await createSetupIn(testEnvironment, each)));
    expect(Object.fromEntries(SETUP_INTENT_STATUSES.map((each, index) => [each, answers[index]]))).toEqual(
      Object.fromEntries(SETUP_INTENT_STATUSES.map((each, index) => [each, expected[index]])),
    );
  });

  test('docs/reference/response-coverage.md lists the answers of every operation', () => {
    expect(
      findUncalledOperations(
        API_OPERATIONS.filter(({ path }) => path.includes('{setupIntentId}')),
        testEnvironment.logLines,
      ),
    ).toEqual([]);
    const rows = BY_STATE.map(([says, , ...answers]) => ({ says, answers }));
    expectCovered('setups', formatStateTable(SETUP_INTENT_STATUSES, rows));
  });

  const naming = async (more: object) =>
    (
      await testEnvironment.sendRequest('POST', '/payment-intents', {
        body: { amount: GBP_20, reference: 'r', ...more },
      })
    ).status;

  /** No payment names a setup intent that never was Authorized, so the name is written into the row. */
  const charge = async (setupIntentId: string): Promise<number> => {
    await createStoredCard(testEnvironment, { setupIntentId: setupIntentId as `si_${string}` });
    const { id } = await testEnvironment.createIntent();
    await testEnvironment.queryRows('update payment_intents set setup_intent_id = $2 where id = $1 returning id', [
      id,
      setupIntentId,
    ]);
    const answer = await testEnvironment.sendRequest('POST', `/payment-intents/${id}/charge`);
    // No card vault listens here: a charge that may begin stays unanswered.
    return answer.status === 504 ? 200 : answer.status;
  };

  test.each([
    [false, 'Created', 'Canceled', ['Canceled']],
    [true, 'Created', 'Canceled', ['Canceled']],
    [true, 'Authorized', 'Closed', ['Authorized', 'Canceled']],
  ] as const)('given up (authorised too: %s) while it is %s it is %s', async (includeAuthorized, from, to, events) => {
    const setupIntentId = await createSetupIn(testEnvironment, from);
    const ended = await testEnvironment.createClient()(rest.cancelSetupIntent, {
      params: { setupIntentId },
      query: { includeAuthorized },
    });
    expect([ended.status, ended.setupEvents.map(({ eventType }) => eventType)]).toEqual([to, events]);
    expect(ended).not.toHaveProperty('clientSessionSecret');
    const repeated = await testEnvironment.createClient()(rest.readSetupIntent, { params: { setupIntentId } });
    expect(repeated).toEqual(ended);
  });
});

describe('a payment that names a setup intent', () => {
  // oxfmt-ignore
  test.each<[string, () => Promise<Record<string, unknown>>, string[]]>([
    ['that is unknown', () => Promise.resolve({ setupIntentId: UNKNOWN_SETUP }), ['setupIntentId']],
    ['that is malformed', () => Promise.resolve({ setupIntentId: 'pi_sandbox_1' }), ['setupIntentId']],
    ['that no card was entered for', async () => ({ setupIntentId: await createSetupIn(testEnvironment, 'Created') }), ['setupIntentId']],
    ['that was used up', async () => ({ setupIntentId: await createSetupIn(testEnvironment, 'Completed') }), ['setupIntentId']],
    ['and is captured later', async () => ({ setupIntentId: await createSetupIn(testEnvironment, 'Authorized'), captureMode: 'Manual' }), ['captureMode']],
    ['that is unknown and is captured later', () => Promise.resolve({ setupIntentId: UNKNOWN_SETUP, captureMode: 'Manual' }), ['captureMode', 'setupIntentId']],
  ])('%s is refused', async (_, more, members) => {
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents', { body: { amount: GBP_20, reference: 'r', ...(await more()) } });
    expect([answer.status, Object.keys(parseProblem(answer).errors).sort()]).toEqual([400, members]);
  });

  test('of another account or environment is refused like an unknown one', async () => {
    const setupIntentId = await createSetupIn(testEnvironment, 'Authorized');
    for (const key of [testEnvironment.keys.foreign, testEnvironment.keys.production]) {
      const answer = await testEnvironment.sendRequest('POST', '/payment-intents', {
        key,
        body: { amount: GBP_20, reference: 'r', setupIntentId },
      });
      expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, ['setupIntentId']]);
    }
    const { setupIntentId: visible } = await testEnvironment.createIntent({ setupIntentId });
    expect(visible).toBe(setupIntentId);
  });
});

test('a refresh replaces the client secret, each page has one of its own, and no relation stores them as text', async () => {
  const { id, clientSessionSecret: first = '', updatedAt } = await createSetup(testEnvironment);
  const params = { setupIntentId: id };
  const second = await testEnvironment.createClient()(rest.refreshSetupSecret, { params });
  const third = await testEnvironment.createClient()(rest.refreshPublicSetupSecret, { params });
  const secrets = [first, second.clientSessionSecret ?? '', third.clientSessionSecret ?? ''];
  expect(new Set(secrets).size).toBe(3);
  expect(second.updatedAt >= updatedAt).toBe(true);
  expect((await testEnvironment.createClient()(rest.readSetupIntent, { params })).clientSessionSecret).toBe(secrets[1]);
  const rows = await testEnvironment.queryRows<{ row: string }>(
    `select row_to_json(s)::text as row from setup_intents s
     union all select row_to_json(p)::text from page_secrets p`,
  );
  const forms = secrets.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  expect(rows.filter(({ row }) => forms.some((form) => row.includes(form)))).toEqual([]);
  expect(testEnvironment.logLines.filter((line) => secrets.some((text) => line.includes(text)))).toEqual([]);
});

test('all of many simultaneous requests with one key get the same setup intent', async () => {
  const headers = { idempotencyKey: 'one-setup' };
  const create = () => testEnvironment.sendRequest('POST', '/setup-intents', { headers, body: NEW_SETUP_BODY });
  const answers = await Promise.all(Array.from({ length: 10 }, create));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const other = await testEnvironment.sendRequest('POST', '/setup-intents', {
    headers,
    body: { ...NEW_SETUP_BODY, reference: 'other' },
  });
  expect([other.status, await testEnvironment.findRefusal(other)]).toEqual([409, 'idempotency_key_reused']);
});
