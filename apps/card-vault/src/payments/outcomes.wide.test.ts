import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { searchTransactions } from '@pos/store/payments';
import { defineInLongRun, selectRows } from '@pos/testing';
import type { CardVaultServer } from '../vault-server.js';
import { APPROVED_CARD, VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { type Payable } from '../testing/card-requests.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);
const LATELY = { from: new Date(0), to: new Date('9999-01-01T00:00:00Z') };

let testEnvironment: VaultTestEnvironment;
/** A vault with a short deadline for the acquirer's answers. */
let shortDeadlineVault: CardVaultServer;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  shortDeadlineVault = await testEnvironment.startWithShortDeadline();
});
afterAll(() => testEnvironment.close());
beforeEach(() => {
  testEnvironment.setRules();
  testEnvironment.outside.acquirerSimulator.capabilities.reset();
});

describe('each test card has its documented outcome', () => {
  const CARDS = [
    // number              cv2     code  message               intent and events
    ['5200 0000 0000 1005', '020', 0, 'DEPOSITED', 'Captured Captured'],
    ['5200-0000-0000-0056', '341', 0, 'DEPOSITED', 'Captured Captured'],
    ['4456530000091014', '020', 0, 'DEPOSITED', 'Captured Captured'],
    ['374000000009108', '1234', 0, 'DEPOSITED', 'Captured Captured'],
    ['4456530000091063', '020', 0, 'DEPOSITED', 'Captured Captured'],
    ['4456530000091071', '020', 0, 'DEPOSITED', 'Captured Captured'],
    ['4456530000091089', '020', 0, 'DEPOSITED', 'Captured Captured'],
    ['5200000000001096', '020', 3, 'CHALLENGED', 'Created AuthChallenged'],
    ['4456530000001096', '020', 3, 'CHALLENGED', 'Created AuthChallenged'],
    ['5200000000001070', '020', 3, 'CHALLENGED', 'Created AuthChallenged'],
    ['4456530000000007', '020', 3, 'CHALLENGED', 'Created AuthChallenged'],
    ['4456530000091048', '020', 3, 'CHALLENGED', 'Created AuthChallenged'],
    ['4456530000091022', '020', 4, 'Refer to card issuer', 'Created Declined'],
    ['4456530000001013', '341', 5, 'Declined', 'Created Declined'],
    ['4456530000001013', '020', 5, 'CV2 mismatch', 'Created Declined'],
    ['4242424242424242', '020', 5, 'Not a test card', 'Created Declined'],
    ['4456530000091030', '020', 30, 'Processing error', 'Created Error'],
  ] as const;

  test.each(selectRows(CARDS, ([, , , message]) => message))(
    '%s',
    async (cardNumber, cV2, statusCode, message, state) => {
      const payable = await testEnvironment.createPayable();
      const { status, body } = await testEnvironment.payByCard(payable, { cardNumber, cV2 });
      expect([status, body['statusCode'], body['message']]).toEqual([200, statusCode, message]);
      expect(body['authCode']).toMatch(statusCode === 0 ? /^\d{6}$/ : /^$/);
      expect(body['transactionId']).toMatch(/^[0-9a-f-]{36}$/);
      expect(await testEnvironment.readState(payable)).toBe(state);
    },
  );

  test('declined first, approved at the second attempt', async () => {
    const payable = await testEnvironment.createPayable();
    const card = { cardNumber: '5200000000091014' };
    expect((await testEnvironment.payByCard(payable, card)).body['statusCode']).toBe(5);
    const repeated = { ...payable, secret: await testEnvironment.refreshSecret(payable) };
    expect((await testEnvironment.payByCard(repeated, card)).body['statusCode']).toBe(0);
    expect(await testEnvironment.readState(payable)).toBe('Captured Declined Captured');
    const listed = await testEnvironment.database.read(payable.scope, (reader) =>
      searchTransactions(reader, { ...LATELY, statuses: [], limit: 100, cursor: null, direction: 'older' }),
    );
    const ofIt = listed.elements.filter(({ paymentIntentId }) => paymentIntentId === payable.id);
    expect(ofIt.map(({ type, status, terminalId }) => [type, status, terminalId])).toEqual([
      ['Sale', 'Authorized', null],
      ['Sale', 'Declined', null],
    ]);
  });
});

test.each(
  selectRows(
    [
      [2_091, 5, 'Created Declined'],
      [2_092, 4, 'Created Declined'],
      [2_093, 30, 'Created Error'],
      [2_094, 3, 'Created AuthChallenged'],
      [2_096, 500, 'Created'],
      [2_098, 5, 'Created Declined'],
    ] as const,
    ([, , state]) => state,
  ),
)('an amount of %d makes a plain card answer %d', async (total, statusCode, state) => {
  const payable = await testEnvironment.createPayable({ total });
  expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(statusCode);
  expect(await testEnvironment.readState(payable)).toBe(state);
});

const REFUSALS = ['INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'UNIMPLEMENTED', 'UNAUTHENTICATED'] as const;

test.each(selectRows(REFUSALS))(
  'an authorisation that the acquirer answers with %s takes no money, and the payer can pay again at once',
  async (status) => {
    const payable = await testEnvironment.createPayable();
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'refuse', status, times: 1 });
    expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(30);
    expect(await testEnvironment.readState(payable)).toBe('Created Error');
    const repeated = { ...payable, secret: await testEnvironment.refreshSecret(payable) };
    expect((await testEnvironment.payByCard(repeated)).body['statusCode']).toBe(0);
    expect(await testEnvironment.readState(payable)).toBe('Captured Error Captured');
  },
);

test('an authorisation under a reference in use stays open until an inquiry finds its outcome', async () => {
  const payable = await testEnvironment.createPayable();
  testEnvironment.setRules({
    match: { kind: 'Authorise' },
    effect: 'book-and-refuse',
    status: 'ALREADY_EXISTS',
    times: 1,
  });
  expect((await testEnvironment.payByCard(payable)).status).toBe(500);
  expect(await testEnvironment.readState(payable)).toBe('Created');
  await testEnvironment.advanceTime(30_000);
  expect(await testEnvironment.readState(payable)).toBe('Captured Captured');
});

test('for a Manual intent the acquirer holds the amount with tip and service charge', async () => {
  const extras = {
    tipsAmount: { value: 200, currencyCode: 'GBP' },
    serviceChargeAmount: { value: 50, currencyCode: 'GBP' },
  };
  const payable = await testEnvironment.createPayable({ captureMode: 'Manual', ...extras });
  const { body } = await testEnvironment.payByCard(payable);
  expect([body['statusCode'], body['message']]).toEqual([0, 'AUTHORIZED']);
  expect(await testEnvironment.readState(payable)).toBe('Authorized Authorized');
  expect(await testEnvironment.listBookings(payable)).toEqual(['2250 Approved']);
});

test('the acquirer receives the payer’s address, device and absence', async () => {
  const billingAddress = { address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' };
  const payable = await testEnvironment.createPayable();
  await testEnvironment.payByCard(payable, { billingAddress, emailAddress: 'guest@example.com' });
  const view = await testEnvironment.database.read(payable.scope, (reader) =>
    testEnvironment.intents.get(reader, payable.id, { returnCanceled: false }),
  );
  expect(view.intent.paymentDetails).toMatchObject({ avsResult: 'ADDRESS_MATCH_POSTCODE_MATCH' });
  expect(view.intent.details).toMatchObject({ billingAddress, customer: { emailAddress: 'guest@example.com' } });
  // An absent payer gets no challenge, and the card of one may come without its CV2.
  const remote = await testEnvironment.createPayable({ cardHolderNotPresent: true });
  const { body } = await testEnvironment.payByCard(remote, { cardNumber: '4456530000001096', cV2: null });
  expect(body['statusCode']).toBe(0);
});

test.each([
  ['4456530000091014', 0, 'Captured Captured'],
  ['4456530000001096', 3, 'Created AuthChallenged'],
  ['4456530000091030', 30, 'Created Error'],
])('a wallet that holds %s answers %d', async (cardNumber, statusCode, state) => {
  const payable = await testEnvironment.createPayable({ paymentMethods: ['Card', 'Wallet'] });
  const token = Buffer.from(JSON.stringify({ cardNumber, expiryDate: '12/32', cV2: '020' })).toString('base64url');
  const answer = await testEnvironment.postJson('/client/payments/wallet', { wallet: 'apple_pay', token }, payable);
  expect(answer.body['statusCode']).toBe(statusCode);
  expect(await testEnvironment.readState(payable)).toBe(state);
});

describe('an acquirer that offers no challenge', () => {
  /** A payment at an acquirer that keeps its limit while it pays. */
  async function payWithoutChallenge(card: Readonly<Record<string, unknown>>) {
    const limits = { lacks: ['challenge'] } as const;
    const at = await testEnvironment.startWithLimits(limits);
    testEnvironment.outside.acquirerSimulator.capabilities.limit(limits);
    const payable = await testEnvironment.createPayable();
    const { body } = await testEnvironment.payByCard(payable, card, { at });
    return { payable, answer: [body['statusCode'], body['message']] };
  }

  test.each(selectRows(['4456530000001096', '5200000000001096']))(
    'declines a card whose bank asks for a challenge: %s',
    async (cardNumber) => {
      const { payable, answer } = await payWithoutChallenge({ cardNumber });
      expect(answer).toEqual([5, 'Challenge required']);
      expect(await testEnvironment.readState(payable)).toBe('Created Declined');
      expect(await testEnvironment.listBookings(payable)).toEqual(['2000 Declined']);
    },
  );

  testLong('approves any other card', async () => {
    const { payable, answer } = await payWithoutChallenge({ cardNumber: APPROVED_CARD });
    expect(answer).toEqual([0, 'DEPOSITED']);
    expect(await testEnvironment.readState(payable)).toBe('Captured Captured');
  });
});

describe('a challenge', () => {
  async function challenged(cardNumber = '4456530000001096'): Promise<Payable & { transactionId: unknown }> {
    const payable = await testEnvironment.createPayable();
    const { body } = await testEnvironment.payByCard(payable, { cardNumber });
    expect(body).toMatchObject({ statusCode: 3, stepUpUrl: 'http://127.0.0.1/challenge' });
    expect([typeof body['paReq'], typeof body['md']]).toEqual(['string', 'string']);
    return { ...payable, transactionId: body['transactionId'] };
  }

  test.each(
    selectRows(
      [
        ['4456530000001096', 'Y', 0, 'Captured AuthChallenged Captured'],
        ['4456530000000007', 'Y', 0, 'Captured AuthChallenged Captured'],
        ['4456530000001096', 'N', 5, 'Created AuthChallenged Declined'],
        ['4456530000091048', 'Y', 5, 'Created AuthChallenged Declined'],
      ] as const,
      ([, paRes]) => paRes,
    ),
  )('of %s answered %s ends with %d, and a repeat gets the same answer from any process', async (...row) => {
    const [cardNumber, paRes, statusCode, state] = row;
    const payable = await challenged(cardNumber);
    const first = await testEnvironment.completeChallenge(payable, payable.transactionId, { paRes });
    expect(first.body['statusCode']).toBe(statusCode);
    const at = await testEnvironment.startAnother();
    const repeated = await testEnvironment.completeChallenge(payable, payable.transactionId, { paRes, at });
    expect(repeated.body).toEqual(first.body);
    expect(await testEnvironment.readState(payable)).toBe(state);
    expect(first.body['transactionId']).toBe(payable.transactionId);
  });

  test('is completed once by many simultaneous requests', async () => {
    const payable = await challenged();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => testEnvironment.completeChallenge(payable, payable.transactionId)),
    );
    expect(new Set(all.map(({ body }) => body['statusCode']))).toEqual(new Set([0]));
    expect(await testEnvironment.readState(payable)).toBe('Captured AuthChallenged Captured');
  });

  test('keeps its secret: no second attempt, no other transaction, no other secret', async () => {
    const payable = await challenged();
    const stranger = await testEnvironment.createPayable();
    expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(20);
    expect(
      (await testEnvironment.completeChallenge(payable, '4a7d1ed4-1474-4e4b-8f3a-0d2f5b7e9c11')).body,
    ).toMatchObject({
      statusCode: 400,
      errors: { transactionId: [expect.any(String)] },
    });
    expect((await testEnvironment.completeChallenge(stranger, payable.transactionId)).body['statusCode']).toBe(401);
    expect((await testEnvironment.completeChallenge(payable, payable.transactionId)).body['statusCode']).toBe(0);
  });

  test('that the payer abandons is reversed a minute after its secret expires, and allows another try', async () => {
    const payable = await challenged();
    await testEnvironment.advanceTime(30 * 60_000 + 1_000);
    expect((await testEnvironment.completeChallenge(payable, payable.transactionId)).body['statusCode']).toBe(401);
    expect(await testEnvironment.readState(payable)).toBe('Created AuthChallenged');
    await testEnvironment.advanceTime(60_000);
    expect(await testEnvironment.readState(payable)).toBe('Created AuthChallenged Error');
    expect(await testEnvironment.listBookings(payable)).toEqual(['2000 Reversed']);
    const repeated = { ...payable, secret: await testEnvironment.refreshSecret(payable) };
    expect((await testEnvironment.payByCard(repeated)).body['statusCode']).toBe(0);
  });

  test('with a lost answer is settled by the worker', async () => {
    const payable = await challenged();
    testEnvironment.setRules({ match: { kind: 'CompleteChallenge' }, effect: 'drop-answer', times: 1 });
    const lost = await testEnvironment.completeChallenge(payable, payable.transactionId, { at: shortDeadlineVault });
    expect(lost.body['statusCode']).toBe(500);
    await testEnvironment.advanceTime(10_000);
    expect(await testEnvironment.readState(payable)).toBe('Captured AuthChallenged Captured');
  });
});

describe('an unknown outcome', () => {
  test('is answered 500, and settled when the approval arrives', async () => {
    const payable = await testEnvironment.createPayable();
    const { status, body } = await testEnvironment.payByCard(
      payable,
      { cardNumber: '4456530000091055' },
      { at: shortDeadlineVault },
    );
    expect([status, body['statusCode'], body['transactionId']]).toEqual([500, 500, '']);
    await testEnvironment.advanceTime(9_000);
    expect(await testEnvironment.readState(payable)).toBe('Created');
    expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(20);
    await testEnvironment.advanceTime(12_000);
    expect(await testEnvironment.readState(payable)).toBe('Captured Captured');
    const repeated = await testEnvironment.payByCard(payable);
    expect([repeated.body['statusCode'], repeated.body['transactionId']]).toEqual([
      20,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });

  test('is reversed a minute after its deadline, and a later approval settles nothing', async () => {
    const payable = await testEnvironment.createPayable();
    testEnvironment.setRules({ match: { kind: 'Inquire' }, effect: 'down' });
    expect(
      (await testEnvironment.payByCard(payable, { cardNumber: '4456530000091055' }, { at: shortDeadlineVault })).status,
    ).toBe(500);
    await testEnvironment.advanceTime(64_000);
    testEnvironment.setRules();
    await testEnvironment.advanceTime(10_000);
    expect(await testEnvironment.readState(payable)).toBe('Created Error');
    expect(await testEnvironment.listBookings(payable)).toEqual(['2000 Reversed']);
    await testEnvironment.advanceTime(60_000);
    expect(await testEnvironment.readState(payable)).toBe('Created Error');
    const repeated = { ...payable, secret: await testEnvironment.refreshSecret(payable) };
    expect((await testEnvironment.payByCard(repeated, { cardNumber: APPROVED_CARD })).body['statusCode']).toBe(0);
  });

  test('of a call that never arrived is reversed too, so that the call cannot take money later', async () => {
    const payable = await testEnvironment.createPayable();
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'down', times: 1 });
    expect((await testEnvironment.payByCard(payable, {}, { at: shortDeadlineVault })).status).toBe(500);
    await testEnvironment.advanceTime(70_000);
    expect(await testEnvironment.readState(payable)).toBe('Created Error');
    const open = await testEnvironment.queryRows('select from acquirer_calls where intent_id = $1 and state <> $2', [
      payable.id,
      'Settled',
    ]);
    expect(open).toEqual([]);
  });
});

test('fifty simultaneous submissions of one secret make one authorisation', async () => {
  const payable = await testEnvironment.createPayable();
  const at = await testEnvironment.startAnother();
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, index) => testEnvironment.payByCard(payable, {}, index % 2 === 0 ? {} : { at })),
  );
  const codes = all.map(({ body }) => body['statusCode']);
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  expect(codes.filter((code) => code === 20)).toHaveLength(49);
  expect(await testEnvironment.listBookings(payable)).toEqual(['2000 Approved']);
  expect(await testEnvironment.readState(payable)).toBe('Captured Captured');
});
