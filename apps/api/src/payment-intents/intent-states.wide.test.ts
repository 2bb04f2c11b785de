import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PAYMENT_INTENT_STATUSES } from '@pos/core/payment-intents';
import { ProblemError } from '@pos/rest-contracts/client';
import * as rest from '@pos/rest-contracts/payment-intents';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { defineInLongRun, expectCovered, findUncalledOperations, formatStateTable, isLongRun } from '@pos/testing';
import { ApiTestEnvironment, GBP_20, parseJson } from '../testing/api-test-environment.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);
/** What moves or frees money; the long run has every request. */
const SAMPLE = ['capture of a part', 'refund of too much', 'reversal'];

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

describe('the answer by state', () => {
  // oxfmt-ignore
  const BY_STATE: readonly [string, (id: string) => Promise<number>, ...number[]][] = [
    //                                 Created Authorized Captured Reversed Refunded Canceled
    ['GET', get(''),                       200, 200, 200, 200, 200, 404],
    ['GET, Canceled too', get('?returnCanceled=true'), 200, 200, 200, 200, 200, 200],
    ['DELETE', (id) => status('DELETE', `/payment-intents/${id}`), 200, 409, 409, 409, 409, 409],
    ['refresh secret', (id) => status('POST', `/payment-intents/${id}/refresh-client-session-secret`), 200, 409, 409, 409, 409, 409],
    ['GET by the payer', (id) => status('GET', `/payment-intents/public/${id}`), 200, 200, 200, 200, 200, 404],
    ['GET of saved cards by the payer', (id) => status('GET', `/payment-intents/public/${id}/payment-methods`), 200, 200, 200, 200, 200, 404],
    ['refresh by the payer', (id) => status('POST', `/payment-intents/public/${id}/refresh-client-session-secret`), 200, 409, 409, 409, 409, 404],
    ['link', (id) => status('GET', `/payment-links/${id}`), 200, 200, 200, 200, 200, 200],
    ['tips-amount by the payer, where it was not allowed', (id) => status('POST', `/payment-intents/public/${id}/tips-amount`, { tipsAmount: GBP_20 }), 405, 409, 409, 409, 409, 404],
    ['amount by the payer, where it was not allowed', (id) => status('POST', `/payment-intents/public/${id}/amount`, { amount: GBP_20 }), 405, 409, 409, 409, 409, 404],
    ['receipt by the payer', (id) => status('POST', `/payment-intents/public/${id}/receipt`, { email: 'guest@corner.example' }), 409, 204, 204, 204, 204, 404],
    ['capture of a part', (id) => status('POST', `/payment-intents/${id}/captures`, { amount: 1 }), 409, 200, 409, 409, 409, 409],
    ['capture of too much', (id) => status('POST', `/payment-intents/${id}/captures`, { amount: 2001 }), 409, 400, 409, 409, 409, 409],
    ['refund of a part', (id) => status('POST', `/payment-intents/${id}/refunds`, { amount: 1 }), 400, 400, 200, 400, 400, 409],
    ['refund of too much', (id) => status('POST', `/payment-intents/${id}/refunds`, { amount: 2001 }), 400, 400, 400, 400, 400, 409],
    ['reversal', (id) => status('POST', `/payment-intents/${id}/reversal`), 409, 200, 200, 409, 409, 409],
    ['amount, where it was not allowed', (id) => status('POST', `/payment-intents/${id}/amount`, { amount: GBP_20 }), 405, 405, 409, 409, 409, 409],
    ['tips-amount, where it was not allowed', (id) => status('POST', `/payment-intents/${id}/tips-amount`, { tipsAmount: GBP_20 }), 405, 409, 409, 409, 409, 409],
    ['charge, without a setup intent', (id) => status('POST', `/payment-intents/${id}/charge`), 400, 409, 409, 409, 409, 409],
    ['receipt', (id) => status('POST', `/payment-intents/${id}/receipt`, { emails: ['guest@corner.example'] }), 409, 204, 204, 204, 204, 409],
    ['GET of activities', get('/activities'), 200, 200, 200, 200, 200, 200],
    ['Sale session', (id) => outcome(testEnvironment.startSale(id)), 200, 409, 409, 409, 409, 409],
    ['MatchedRefund session', (id) => outcome(testEnvironment.startRefundSession(id, 1)), 400, 400, 200, 400, 400, 409],
    ['MatchedRefund of all that is left', (id) => outcome(testEnvironment.startRefundSession(id)), 400, 400, 200, 400, 400, 409],
    ['MatchedRefund of too much', (id) => outcome(testEnvironment.startRefundSession(id, 2001)), 400, 400, 400, 400, 400, 409],
  ];

  /** Of payments whose price and tip may be changed. */
  // oxfmt-ignore
  const CHANGEABLE_BY_STATE: typeof BY_STATE = [
    //                                 Created Authorized Captured Reversed Refunded Canceled
    ['amount, raised', (id) => status('POST', `/payment-intents/${id}/amount`, { amount: pounds(2001) }), 200, 200, 409, 409, 409, 409],
    ['amount, lowered', (id) => status('POST', `/payment-intents/${id}/amount`, { amount: pounds(1999) }), 200, 409, 409, 409, 409, 409],
    ['amount by the payer', (id) => status('POST', `/payment-intents/public/${id}/amount`, { amount: pounds(1999) }), 200, 409, 409, 409, 409, 404],
    ['tips-amount by the payer', (id) => status('POST', `/payment-intents/public/${id}/tips-amount`, { tipsAmount: pounds(1) }), 200, 409, 409, 409, 409, 404],
    ['tips-amount', (id) => status('POST', `/payment-intents/${id}/tips-amount`, { tipsAmount: pounds(1) }), 200, 409, 409, 409, 409, 409],
  ];
  const CHANGEABLE = { config: { payment: { customAmountAllowed: true, tipsAllowed: true } } };

  const ROWS = [
    ...BY_STATE.map(([says, ...row]) => [says, {}, ...row] as const),
    ...CHANGEABLE_BY_STATE.map(([says, ...row]) => [says, CHANGEABLE, ...row] as const),
  ];

  test.each(ROWS.filter(([says]) => isLongRun || SAMPLE.includes(says)))('%s', async (_, more, ask, ...expected) => {
    const answers: number[] = [];
    for (const each of PAYMENT_INTENT_STATUSES)
      answers.push(await ask(await testEnvironment.createIntentIn(each, more)));
    expect(Object.fromEntries(PAYMENT_INTENT_STATUSES.map((each, index) => [each, answers[index]]))).toEqual(
      Object.fromEntries(PAYMENT_INTENT_STATUSES.map((each, index) => [each, expected[index]])),
    );
  });

  testLong('is listed in docs/reference/response-coverage.md, and leaves out no operation', () => {
    expect(
      findUncalledOperations(
        API_OPERATIONS.filter(({ path }) => path.includes('{paymentIntentId}')),
        testEnvironment.logLines,
      ),
    ).toEqual([]);
    const rows = [...BY_STATE, ...CHANGEABLE_BY_STATE].map(([says, , ...answers]) => ({ says, answers }));
    expectCovered('intents', formatStateTable(PAYMENT_INTENT_STATUSES, rows));
  });

  function pounds(value: number) {
    return { value, currencyCode: 'GBP' };
  }

  function get(query: string) {
    return (id: string) => status('GET', `/payment-intents/${id}${query}`);
  }

  async function status(method: string, path: string, body?: unknown): Promise<number> {
    const headers = { idempotencyKey: path.endsWith('/refunds') ? 'by-state' : null };
    return (await testEnvironment.sendRequest(method, path, { headers, body })).status;
  }

  async function outcome(request: Promise<unknown>): Promise<number> {
    try {
      await request;
      return 200;
    } catch (error) {
      if (error instanceof ProblemError) return error.problem.status;
      throw error;
    }
  }

  test('an intent cannot be cancelled while a session runs, and can after the session has ended', async () => {
    const { id } = await testEnvironment.createIntent();
    const session = await testEnvironment.startSale(id);
    const gaveUp = await testEnvironment.sendRequest('DELETE', `/payment-intents/${id}`);
    expect([gaveUp.status, await testEnvironment.findRefusal(gaveUp)]).toEqual([409, 'payment_intent_busy']);
    await testEnvironment.sendRequest('PUT', `/terminal-sessions/${session.id}/cancel`);
    await testEnvironment.applyReport(session.id, { number: 1, kind: 'canceled' });
    expect(parseJson(await testEnvironment.sendRequest('DELETE', `/payment-intents/${id}`))).toMatchObject({
      status: 'Canceled',
    });
  });

  test('refunds on machines that still run count against what is left', async () => {
    const id = await testEnvironment.createIntentIn('Captured');
    await testEnvironment.startRefundSession(id, 1500);
    const rest = await outcome(testEnvironment.startRefundSession(id, 501));
    expect([rest, await outcome(testEnvironment.startRefundSession(id, 500))]).toEqual([400, 200]);
  });
});

describe('the client secret', () => {
  const secretOf = async (id: string) =>
    (await testEnvironment.createClient()(rest.readPaymentIntent, { params: { paymentIntentId: id } }))
      .clientSessionSecret;
  const refresh = (id: string, key?: string) =>
    testEnvironment.createClient(key)(rest.refreshClientSecret, { params: { paymentIntentId: id } });

  test('is shown while it can be used, replaced by a refresh with the key and gone with the payment', async () => {
    const { id, clientSessionSecret: first, updatedAt } = await testEnvironment.createIntent();
    expect(await secretOf(id)).toBe(first);
    const { clientSessionSecret: second, updatedAt: later } = await refresh(id);
    expect(second).not.toBe(first);
    expect(later >= updatedAt).toBe(true);
    expect(await secretOf(id)).toBe(second);
    const payers = await testEnvironment.createClient()(rest.refreshPublicClientSecret, {
      params: { paymentIntentId: id },
    });
    // A page has a secret of its own.
    expect([await secretOf(id), new Set([first, second, payers.clientSessionSecret]).size]).toEqual([second, 3]);
    await testEnvironment.approveSession((await testEnvironment.startSale(id)).id);
    expect(await secretOf(id)).toBeUndefined();
  });

  test('ends after 30 minutes', async () => {
    const { key } = await testEnvironment.createAccount();
    const { id } = await testEnvironment.createIntent({}, key);
    const read = async () => parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}`, { key }));
    const advance = (by: string) =>
      testEnvironment.sendRequest('POST', '/sandbox/clock/advance', { key, body: { by } });
    expect((await advance('00:29:30')).status).toBe(200);
    expect(await read()).toHaveProperty('clientSessionSecret');
    await advance('00:00:31');
    expect(await read()).toMatchObject({ clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z' });
    expect(await read()).not.toHaveProperty('clientSessionSecret');
  });

  // oxfmt-ignore
  test.each([
    // key         asked with                                           secret  link
    ['full',    {},                                                     true,  true],
    ['full',    { generateRemoteToken: true },                          true,  true],
    ['full',    { generateRemoteToken: false },                         false, true],
    ['offline', {},                                                     false, false],
    ['offline', { generateRemoteToken: false },                         false, false],
    ['offline', { isNotOnlineCheckout: true },                          false, true],
  ] as const)('of a key that is %s, asked with %j: %s, and a link: %s', async (key, more, hasSecret, hasLink) => {
    const created = await testEnvironment.createIntent(more, testEnvironment.keys[key]);
    expect([created.clientSessionSecret !== undefined, created.paymentLink !== undefined]).toEqual([hasSecret, hasLink]);
    if (key === 'full') expect((await refresh(created.id)).clientSessionSecret).toBeDefined();
  });

  test('is not stored in the database as text, nor is a stored answer', async () => {
    const { clientSessionSecret = '', id } = await testEnvironment.createIntent();
    const headers = { idempotencyKey: 'sealed' };
    const body = { amount: GBP_20, reference: 'an idempotent table' };
    const stored = parseJson(await testEnvironment.sendRequest('POST', '/payment-intents', { headers, body }));
    const tables = await testEnvironment.queryRows<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const dump: string[] = [];
    for (const { name } of tables) {
      const rows = await testEnvironment.queryRows<{ row: string }>(
        `select row_to_json(t)::text as row from ${name} t`,
      );
      dump.push(...rows.map(({ row }) => row));
    }
    const texts = [clientSessionSecret, String(stored['clientSessionSecret'])].flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      Buffer.from(text, 'base64url').toString('hex'),
    ]);
    expect(dump.filter((row) => row.includes(id)).length).toBeGreaterThan(0);
    expect(dump.filter((row) => texts.some((text) => row.includes(text)))).toEqual([]);
    expect(dump.filter((row) => row.includes(testEnvironment.keys.full))).toEqual([]);
  });
});
