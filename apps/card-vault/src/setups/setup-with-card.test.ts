import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Permission, ROLES } from '@pos/core/identity';
import type { CardVaultServer } from '../vault-server.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { type VaultResponse } from '../testing/card-requests.js';
import { changeTestSettings } from '@pos/payments/testing';

let testEnvironment: VaultTestEnvironment;
let shortDeadlineVault: CardVaultServer;
let key: string;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  shortDeadlineVault = await testEnvironment.startWithShortDeadline();
  key = await testEnvironment.createKey(ROLES.pci);
});
afterAll(() => testEnvironment.close());
beforeEach(() => testEnvironment.setRules());

const CARD = { cardNumber: '4456 5300 0009 1014', cardName: 'A GUEST', expiryDate: '12/32', cv2: '020' };
const NEW_SETUP_BODY = {
  reference: 'Saturday',
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'A no-show pays.',
};

interface CreateOptions {
  readonly card?: unknown;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly by?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: CardVaultServer;
}

function createSetupWithCard({
  card = CARD,
  body = {},
  by = key,
  headers = {},
  at,
}: CreateOptions = {}): Promise<VaultResponse> {
  const all = { version: '2026-02-27', ...(by !== null && { authorization: `Basic ${by}` }), ...headers };
  return testEnvironment.postJson(
    '/setup-intents',
    { ...NEW_SETUP_BODY, card, ...body },
    { headers: all, ...(at !== undefined && { at }) },
  );
}

function listEvents({ body }: VaultResponse): unknown {
  return (body['setupEvents'] as { eventType: string }[]).map(({ eventType }) => eventType);
}

describe('a merchant who sends a card number', () => {
  test.each([
    [CARD.cardNumber, '020', 'Authorized', 'AUTHORIZED', ['Authorized'], 'Stored'],
    // No payer is present, so the issuer cannot challenge.
    ['4456530000001096', '020', 'Authorized', 'AUTHORIZED', ['Authorized'], 'Stored'],
    ['4456530000001013', '341', 'Created', 'DECLINED', ['Declined'], 'Erased'],
    ['4456530000091022', '020', 'Created', 'REFERRED', ['Declined'], 'Erased'],
    ['4456530000091030', '020', 'Created', 'FAILED', ['Error'], 'Erased'],
    ['4456530000091014', '999', 'Created', 'DECLINED', ['Declined'], 'Erased'],
  ])('%s with %s: 200, %s, %s', async (cardNumber, cv2, status, message, happened, card) => {
    const answer = await createSetupWithCard({ card: { ...CARD, cardNumber, cv2 } });
    expect([answer.status, answer.body['status'], listEvents(answer)]).toEqual([200, status, happened]);
    expect(answer.body).toMatchObject({ paymentDetails: { message }, reference: 'Saturday' });
    expect('clientSessionSecret' in answer.body).toBe(status === 'Created');
    expect(JSON.stringify(answer.body)).not.toMatch(/(?<!-)\d{12}/);
    expect((await testEnvironment.listStoredOfSetup(String(answer.body['id'])))[0]).toMatch(new RegExp(`^${card}`));
  });

  // oxfmt-ignore
  test.each<[unknown, Record<string, unknown>, string[]]>([
    [{ ...CARD, expiryDate: '12/25' }, { terms: '' }, ['card.expiryDate', 'terms']],
    [{ ...CARD, cv2: 'x' }, { intendedAmount: { value: 1, currencyCode: 'XTS' } }, ['card.cv2', 'intendedAmount.currencyCode']],
    [{ ...CARD, cv2: 'x', expiryDate: '12/25' }, { expireAt: '2020-01-01T00:00:00Z' }, ['card.cv2', 'card.expiryDate', 'expireAt']],
    [{ ...CARD, expiryDate: '12/25' }, { intendedAmount: { value: 1, currencyCode: 'XTS' } }, ['card.expiryDate', 'intendedAmount.currencyCode']],
    [{ ...CARD, expiryDate: '12/25' }, { intendedAmount: { value: 'x', currencyCode: 'XTS' } }, ['card.expiryDate', 'intendedAmount.currencyCode', 'intendedAmount.value']],
  ])('gets all violations in one answer: %j %j', async (card, body, members) => {
    const answer = await createSetupWithCard({ card, body });
    expect([answer.status, Object.keys(answer.body['errors'] as object).sort()]).toEqual([400, members]);
  });

  test('stores the partners of the request with the setup and its call to the acquirer', async () => {
    const headers = { 'software-house-id': 'House of Tills', 'reseller-id': 'Reseller 9' };
    const { body } = await createSetupWithCard({ headers });
    for (const [relation, column] of [
      ['setup_intents', 'id'],
      ['acquirer_calls', 'setup_intent_id'],
    ]) {
      const stored = await testEnvironment.queryRows(
        `select software_house_id, reseller_id from ${relation} where ${column} = $1`,
        [body['id']],
      );
      expect(stored).toEqual([{ software_house_id: 'House of Tills', reseller_id: 'Reseller 9' }]);
    }
  });

  test('leaves the payer the option to authorise a card after a refusal', async () => {
    const { body } = await createSetupWithCard({ card: { ...CARD, cv2: '999' } });
    const secret = String(body['clientSessionSecret']);
    expect((await testEnvironment.payByCard({ secret }, { mitConsentGiven: true })).body['statusCode']).toBe(0);
  });
});

describe('a refusal names the card’s members and never repeats their values', () => {
  test.each([
    ['no card at all', undefined, ['card']],
    ['a card that is text', '4456530000091014', ['card']],
    ['a wrong check digit', { ...CARD, cardNumber: '4456530000091015' }, ['card.cardNumber']],
    ['eleven digits', { ...CARD, cardNumber: '44565300009' }, ['card.cardNumber']],
    ['no name', { ...CARD, cardName: '' }, ['card.cardName']],
    ['a name that is too long', { ...CARD, cardName: 'x'.repeat(101) }, ['card.cardName']],
    ['no such month', { ...CARD, expiryDate: '13/32' }, ['card.expiryDate']],
    ['a month that has passed', { ...CARD, expiryDate: '12/25' }, ['card.expiryDate']],
    ['a CV2 of five digits', { ...CARD, cv2: '12345' }, ['card.cv2']],
    [
      'everything wrong',
      { cardNumber: '1', expiryDate: '1', cv2: '1' },
      ['card.cardName', 'card.cardNumber', 'card.cv2', 'card.expiryDate'],
    ],
  ])('%s', async (_, card, members) => {
    const answer = await createSetupWithCard({ body: { card } });
    expect([answer.status, Object.keys(answer.body['errors'] as object).sort()]).toEqual([400, members]);
    expect(JSON.stringify([answer.body['detail'], answer.body['errors']])).not.toMatch(/\d{6}|12345/);
  });

  test.each([
    ['reference', { reference: '' }, ['reference']],
    ['currency', { intendedAmount: { value: 1, currencyCode: 'USD' } }, ['intendedAmount.currencyCode']],
    ['customer', { customer: { id: 'nobody' } }, ['customer.id']],
    ['a card that is typed into a text', { description: 'again 4456 5300 0009 1014' }, ['description']],
  ])('as at the api: %s', async (_, body, members) => {
    const answer = await createSetupWithCard({ body });
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([400, members]);
  });
});

describe('callers may send a card only if they', () => {
  test.each<[string, readonly Permission[] | null, number]>([
    ['have a key', null, 401],
    ['have the permission', ROLES.full, 403],
  ])('%s', async (_, permissions, status) => {
    const by = permissions === null ? null : await testEnvironment.createKey(permissions);
    const answer = await createSetupWithCard({ by });
    expect([answer.status, 'statusCode' in answer.body]).toEqual([status, false]);
  });

  test('have a valid attestation', async () => {
    const until = (moment: string | null) =>
      changeTestSettings(testEnvironment.database, testEnvironment.sandbox, {
        cardAttestationUntil: moment === null ? null : new Date(moment),
      });
    for (const moment of [null, '2020-01-01T00:00:00Z']) {
      await until(moment);
      expect((await createSetupWithCard()).status).toBe(403);
      // The attestation is checked before the members of the request.
      expect((await createSetupWithCard({ body: { reference: '', card: null } })).status).toBe(403);
      expect((await createSetupWithCard({ headers: { idempotencyKey: 'with a blank' } })).status).toBe(403);
    }
    await until('2999-01-01T00:00:00Z');
    expect((await createSetupWithCard()).status).toBe(200);
  });

  test('have an acquirer in production', async () => {
    const production = await testEnvironment.createKey(ROLES.pci, testEnvironment.production);
    expect((await createSetupWithCard({ by: production })).status).toBe(503);
  });
});

describe('under an idempotency key', () => {
  const attempts = async (): Promise<number> =>
    (await testEnvironment.queryRows<{ count: number }>('select count(*)::int as count from online_attempts'))[0]!
      .count;

  test('a repeat gets the first answer, another body is refused', async () => {
    const headers = { idempotencyKey: 'one' };
    const first = await createSetupWithCard({ headers });
    const before = await attempts();
    const repeated = await createSetupWithCard({ headers });
    expect([repeated.body, repeated.headers['idempotent-replayed'], await attempts()]).toEqual([
      first.body,
      'true',
      before,
    ]);
    for (const card of [
      { ...CARD, cardNumber: '5200000000001005' },
      { ...CARD, expiryDate: '11/32' },
    ]) {
      expect((await createSetupWithCard({ headers, card })).status).toBe(409);
    }
    expect((await createSetupWithCard({ headers, body: { reference: 'Sunday' } })).status).toBe(409);
  });

  test('the answer to a refused card is stored, a refused request is not', async () => {
    const headers = { idempotencyKey: 'two' };
    expect((await createSetupWithCard({ headers, card: { ...CARD, expiryDate: '1' } })).status).toBe(400);
    const refused = await createSetupWithCard({
      headers,
      card: { ...CARD, cardNumber: '4456530000001013', cv2: '341' },
    });
    expect(listEvents(refused)).toEqual(['Declined']);
    const repeated = await createSetupWithCard({
      headers,
      card: { ...CARD, cardNumber: '4456530000001013', cv2: '341' },
    });
    expect(repeated.body).toEqual(refused.body);
  });

  test('a missing answer is 504, and the repeat continues the same attempt', async () => {
    const headers = { idempotencyKey: 'three' };
    const before = await attempts();
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'drop-answer', times: 1 });
    expect((await createSetupWithCard({ headers, at: shortDeadlineVault })).status).toBe(504);
    const repeated = await createSetupWithCard({ headers });
    expect([repeated.status, repeated.body['status'], await attempts()]).toEqual([200, 'Authorized', before + 1]);
  });

  test('a repeat gets the outcome that a worker found meanwhile', async () => {
    const headers = { idempotencyKey: 'four' };
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'drop-answer', times: 1 });
    expect((await createSetupWithCard({ headers, at: shortDeadlineVault })).status).toBe(504);
    await testEnvironment.advanceTime(30_000);
    const repeated = await createSetupWithCard({ headers });
    expect([repeated.status, repeated.body['status'], listEvents(repeated)]).toEqual([
      200,
      'Authorized',
      ['Authorized'],
    ]);
  });
});
