import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const ANY_MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as unknown;
const ANY_INTENT_ID = expect.stringMatching(/^pi_sandbox_[\w-]{22}$/) as unknown;
const ANY_SECRET = expect.stringMatching(/^[\w-]{158}==$/) as unknown;
const createPounds = (value: number) => ({ value, currencyCode: 'GBP' });

/** What every new intent shows when nothing but the needful was asked for. */
const PLAIN_INTENT = {
  id: ANY_INTENT_ID,
  status: 'Created',
  captureMode: 'Auto',
  amount: GBP_20,
  totalAmount: GBP_20,
  refundedAmount: 0,
  paymentMethods: ['Card'],
  reference: 'table 4',
  clientSessionSecret: ANY_SECRET,
  clientSessionSecretExpirationDate: ANY_MOMENT,
  itemLines: [],
  taxLines: [],
  config: {
    customerEmail: { collectionRequired: false },
    billingAddress: { collectionRequired: false },
    shippingDetails: { collectionRequired: false },
    details: { showTotal: false, showReference: false },
    payment: { customAmountAllowed: false, tipsAllowed: false, holdRaiseAllowed: false },
    branding: { logoUrl: 'https://corner.example/logo.svg' },
    tradingName: 'The Corner Table',
  },
  merchantConfig: {
    supportedPaymentMethods: {
      cardSchemes: ['VISA', 'MASTERCARD', 'MAESTRO', 'AMEX'],
      wallets: ['APPLE_PAY', 'GOOGLE_PAY'],
    },
  },
  paymentSource: 'api',
  createdAt: ANY_MOMENT,
  updatedAt: ANY_MOMENT,
  paymentEvents: [],
};
const OWN_MEMBERS = {
  cardHolderNotPresent: false,
  expireAt: ANY_MOMENT,
  metadata: { 'location-id': expect.stringMatching(/^loc_/) as unknown },
  paymentLink: expect.stringMatching(/^https:\/\/pay\.example\/checkout\/pi_sandbox_/) as unknown,
  terminalSessionHistory: [],
  captures: [],
};

/** Everything that can be asked for, in the spelling it is written back in. */
const ADDRESS = { address1: '1 High Street', city: 'Bristol', postcode: 'BS1 1AA', countryCode: 'GB' };
const FULL_REQUEST = {
  captureMode: 'Manual',
  description: 'Supper \u{1f372}',
  amount: createPounds(2000),
  tipsAmount: createPounds(150),
  cashbackAmount: createPounds(0),
  serviceChargeAmount: createPounds(250),
  reference: 'table 4',
  cardHolderNotPresent: true,
  paymentMethods: ['Card', 'Wallet'],
  billingAddress: ADDRESS,
  shippingDetails: { name: 'A Guest', deliveryNotes: 'ring twice', address: ADDRESS },
  requestSecurity: { userAgent: 'Browser', ipAddress: '192.0.2.1', device: 'phone' },
  actionLink: { url: 'https://shop.example/menu', label: 'Menu', action: 'OpenLink' },
  orderDetails: { availabilityDate: '2026-03-01T18:00:00.000Z', isUpdate: false, id: 'o-1', externalId: 'e-1' },
  autoExpireAction: 'Capture',
  autoExpireIn: '6.23:59:59',
  expireAt: '2999-12-31T23:59:59.123Z',
} as const;

describe('what an intent shows', () => {
  test('nothing but what has a value', async () => {
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents', {
      body: { amount: GBP_20, reference: 'table 4' },
    });
    const created = parseJson(answer);
    expect(created).toEqual({ ...PLAIN_INTENT, ...OWN_MEMBERS });
    expect(parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${String(created['id'])}`))).toEqual(
      created,
    );
    const lifeMs = (member: string) => Date.parse(String(created[member])) - Date.parse(String(created['createdAt']));
    expect([lifeMs('expireAt'), lifeMs('clientSessionSecretExpirationDate')]).toEqual([30 * 86_400_000, 30 * 60_000]);
  });

  test('all requested members, in the documented spelling', async () => {
    const line = { id: 'l-1', category: 'Mains', plu: '11', quantity: 2, amountTotal: createPounds(1500) };
    const modifiers = [{ id: 'm-1', name: 'No salt', quantity: 3, amountPerModifier: createPounds(-10) }];
    const taxLines = [
      { id: 't-1', caption: 'VAT', subCaption: '20 %', amountTotal: createPounds(300), affectedPlu: '11' },
    ];
    const config = {
      title: 'Pay the bill',
      redirectUrl: 'https://shop.example/done',
      cancelUrl: 'https://shop.example/left',
      customerEmail: { collectionRequired: true },
      details: { showTotal: true, showReference: true },
      payment: { customAmountAllowed: true, tipsAllowed: true, holdRaiseAllowed: true },
    };
    const body = {
      ...FULL_REQUEST,
      AmOuNt: FULL_REQUEST.amount,
      amount: undefined,
      captureMode: 'mAnUaL',
      customer: { emailAddress: 'a@guest.example', phoneNumber: '+44 117' },
      itemLines: [{ ...line, name: 'Pie', quantity: '2', modifiers }],
      taxLines,
      config,
      metadata: { 'location-id': 'mine', Nested: { Value: null, List: [1, 'two'] }, constructor: 'x' },
    };
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents', { body });
    expect(parseJson(answer)).toEqual({
      ...PLAIN_INTENT,
      ...OWN_MEMBERS,
      ...FULL_REQUEST,
      totalAmount: createPounds(2400),
      subtotalLineItems: createPounds(1500 - 2 * 3 * 10 + 300),
      customer: { emailAddress: 'a@guest.example', phoneNumber: '+44 117' },
      itemLines: [{ ...line, caption: 'Pie', name: 'Pie', modifiers }],
      taxLines,
      config: { ...PLAIN_INTENT.config, ...config },
      metadata: { ...OWN_MEMBERS.metadata, Nested: { Value: null, List: [1, 'two'] }, constructor: 'x' },
    });
  });

  test('what a card machine took: the card, the history, the session', async () => {
    const id = await testEnvironment.createIntentIn('Captured');
    const visible = parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}`));
    const attempt = {
      transactionId: expect.stringMatching(/^[\da-f]{8}-/) as unknown,
      cardNumber: '44565300****1096',
      expiryDate: '2029-12-31',
      cardType: 'VISA',
    };
    const { transactionId: authGatewayTransactionId, ...card } = attempt;
    const { clientSessionSecret: _, ...plain } = PLAIN_INTENT;
    expect(visible).toEqual({
      ...plain,
      ...OWN_MEMBERS,
      status: 'Captured',
      clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z',
      paymentDetails: {
        transactionId: attempt.transactionId,
        transactionDateTime: ANY_MOMENT,
        message: 'DEPOSITED',
        authCode: '204711',
        card: {
          ...card,
          last4PAN: '1096',
          cardName: 'A GUEST',
          cardFundingType: 'Credit',
          entryMode: 'Contactless',
          verificationMethod: 'None',
        },
      },
      paymentEvents: [
        {
          ...attempt,
          eventType: 'Captured',
          transactionDateTime: ANY_MOMENT,
          authCode: '204711',
          cardholderName: 'A GUEST',
          amount: GBP_20,
        },
      ],
      terminalSessionHistory: [
        {
          terminalSession: {
            id: expect.stringMatching(/^ts_sandbox_[\da-f]{24}$/) as unknown,
            terminalId: expect.stringMatching(/^tm_sandbox_[\da-f]{24}$/) as unknown,
            status: 'Captured',
            createdAt: ANY_MOMENT,
            updatedAt: ANY_MOMENT,
            expireAt: ANY_MOMENT,
            notificationEvents: [{ notificationType: 'PresentCard', createdAt: ANY_MOMENT }],
            statusEvents: ['InitiateRequested', 'Initiated', 'Captured'].map((status) => ({
              status,
              createdAt: ANY_MOMENT,
              debugMessage: '',
            })),
            details: { sessionType: 'Sale', sale: { paymentIntentId: id } },
          },
          payment: {
            ...card,
            authGatewayTransactionId,
            transactionDateTime: ANY_MOMENT,
            cardHolderName: 'A GUEST',
            entryMode: 'Contactless',
            verificationMode: 'None',
          },
        },
      ],
    });
  });

  test('of a requested Canceled intent: who cancelled it, and no secret', async () => {
    const id = await testEnvironment.createIntentIn('Canceled');
    const visible = parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}?RETURNCANCELED=TRUE`));
    expect(visible).toMatchObject({ status: 'Canceled', paymentEvents: [{ eventType: 'Canceled', authCode: '' }] });
    expect(visible).not.toHaveProperty('clientSessionSecret');
  });

  test('to its payer: no card, no notes of the merchant, no phone number', async () => {
    const customer = { emailAddress: 'a@guest.example', phoneNumber: '+44 117' };
    const { id } = await testEnvironment.createIntent({ customer, metadata: { margin: 40 }, description: 'Supper' });
    const visible = await testEnvironment.sendRequest('GET', `/payment-intents/public/${id}`, {
      key: null,
      headers: { version: null },
    });
    const { metadata } = OWN_MEMBERS;
    const payer = { customer: { emailAddress: 'a@guest.example' }, description: 'Supper' };
    expect(parseJson(visible)).toEqual({ ...PLAIN_INTENT, ...payer, metadata });
    expect(visible.headers['access-control-allow-origin']).toBe('*');
    const paid = parseJson(
      await testEnvironment.sendRequest(
        'GET',
        `/payment-intents/public/${await testEnvironment.createIntentIn('Captured')}`,
        { key: null },
      ),
    );
    expect(paid['paymentEvents']).toEqual([{ eventType: 'Captured', transactionDateTime: ANY_MOMENT }]);
    expect(JSON.stringify(paid)).not.toContain('1096');
    const onlyPhone = await testEnvironment.createIntent({ customer: { phoneNumber: '+44 117' } });
    expect(
      parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/public/${onlyPhone.id}`)),
    ).not.toHaveProperty('customer');
  });
});

describe('members that are refused, all at once', () => {
  const far = '2999-01-01T00:00:00Z';
  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['amounts out of range', { amount: createPounds(0), tipsAmount: createPounds(-1) }, ['amount.value', 'tipsAmount.value']],
    ['a fraction of a penny', { amount: { value: 10.5, currencyCode: 'GBP' } }, ['amount.value']],
    ['a number no computer keeps', { amount: { value: '9007199254740993', currencyCode: 'GBP' } }, ['amount.value']],
    ['a total above the limit', { amount: createPounds(999_999_999_999), tipsAmount: createPounds(1) }, ['amount.value']],
    ['a currency of nobody', { amount: { value: 1, currencyCode: 'XTS' } }, ['amount.currencyCode']],
    ['two currencies', { tipsAmount: { value: 1, currencyCode: 'EUR' }, itemLines: [{ amountTotal: { value: 1, currencyCode: 'EUR' } }] }, ['itemLines[0].amountTotal.currencyCode', 'tipsAmount.currencyCode']],
    ['no reference', { reference: '' }, ['reference']],
    ['61 soups', { reference: '\u{1f372}'.repeat(61) }, ['reference']],
    ['a hold of 30 s', { captureMode: 'Manual', autoExpireIn: '00:00:30' }, ['autoExpireIn']],
    ['a hold of a week', { captureMode: 'Manual', autoExpireIn: '7.00:00:00' }, ['autoExpireIn']],
    ['an ISO 8601 duration', { autoExpireIn: 'P1D' }, ['autoExpireIn']],
    ['yesterday', { expireAt: '2020-01-01T00:00:00Z' }, ['expireAt']],
    ['a day that is none', { expireAt: '2999-02-30T00:00:00Z' }, ['expireAt']],
    ['metadata above 16 KiB', { metadata: { note: 'x'.repeat(16 * 1024) } }, ['metadata']],
    ['metadata that is a list', { metadata: [] }, ['metadata']],
    ['a customer of nobody', { customer: { id: 'cust_sandbox_AAAAAAAAAAAAAAAAAAAAAA' } }, ['customer.id']],
    ['a customer who is two', { customer: { id: 'a', customerId: 'b' } }, ['customer.id']],
    ['a setup intent of nobody', { setupIntentId: 'si_sandbox_AAAAAAAAAAAAAAAAAAAAAA' }, ['setupIntentId']],
    ['methods of none', { paymentMethods: [] }, ['paymentMethods']],
    ['two names for a line', { itemLines: [{ caption: 'a', name: 'b', amountTotal: createPounds(1) }] }, ['itemLines[0].caption']],
    ['an address that is none', { config: { redirectUrl: 'javascript:alert(1)' } }, ['config.redirectUrl']],
    ['an amount that is a list', { amount: [1, 'GBP'] }, ['amount']],
    ['a boolean that is a number', { cardHolderNotPresent: 2 }, ['cardHolderNotPresent']],
    ['much at once', { reference: 1e9, captureMode: 'Later', expireAt: 'soon' }, ['captureMode', 'expireAt', 'reference']],
  ])('%s', async (_, more, members) => {
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents', { body: { amount: GBP_20, reference: 'r', expireAt: far, ...more } });
    expect([answer.status, Object.keys(parseProblem(answer).errors).sort()]).toEqual([400, members]);
    expect(parseProblem(answer).title).toBe('One or more validation errors occurred.');
  });

  test('what is read leniently is written in one spelling', async () => {
    const body = {
      AMOUNT: { Value: '1250', CURRENCYCODE: 'gbp' },
      Reference: '\u{1f372}'.repeat(60),
      transactionSource: 'moto',
      isNotOnlineCheckout: 'false',
      paymentMethods: ['CARD', 'savedcard', 'Card'],
      expireAt: '2999-01-01t02:00:00.1234567+02:00',
      description: null,
      autoExpireIn: '00:00:01',
    };
    const created = parseJson(await testEnvironment.sendRequest('POST', '/payment-intents', { body }));
    expect(created).toMatchObject({
      amount: createPounds(1250),
      cardHolderNotPresent: true,
      paymentMethods: ['Card', 'SavedCard'],
      expireAt: '2999-01-01T00:00:00.123Z',
    });
    expect(['description', 'autoExpireIn', 'autoExpireAction'].filter((member) => member in created)).toEqual([]);
  });
});
