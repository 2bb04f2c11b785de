import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import * as rest from '@pos/rest-contracts/operators';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterEach(() => {
  replaceRules();
});
afterAll(() => testEnvironment.close());

const replaceRules = (...rules: AcquirerRule[]): void => testEnvironment.acquirer.simulator.rules.replaceRules(rules);
const LOST_ANSWER: AcquirerRule = {
  match: { kind: 'Capture' },
  effect: 'book-and-refuse',
  status: 'UNAVAILABLE',
  times: 1,
};
const NEVER_BOOKED: AcquirerRule = { match: { kind: 'Capture' }, effect: 'refuse', status: 'UNAVAILABLE', times: 1 };

/** A capture of £12 that lost its answer an hour ago; returns the id of its payment and its reference. */
async function createOpenCapture(how: AcquirerRule, { hoursAgo = 1 } = {}) {
  const id = await testEnvironment.createIntentIn('Authorized');
  replaceRules(how);
  const answer = await testEnvironment.sendRequest('POST', `/payment-intents/${id}/captures`, {
    body: { amount: 1_200 },
  });
  expect(await testEnvironment.findRefusal(answer)).toBe('acquirer_unanswered');
  const [call] = await testEnvironment.queryRows<{ reference: string }>(
    `update acquirer_calls set deadline_at = deadline_at - $2 * interval '1 hour'
     where intent_id = $1 and kind = 'Capture' returning reference`,
    [id, hoursAgo],
  );
  return { id, reference: call!.reference };
}

const findPendingCall = async (reference: string): Promise<rest.PendingPayment | undefined> =>
  (await testEnvironment.createClient()(rest.listPendingPayments, {})).find(({ paymentId }) => paymentId === reference);

const resolveCall = (paymentId: string, action: string, key?: string) =>
  testEnvironment.sendRequest('POST', `/pay-at-table/pending/${paymentId}/resolve`, {
    body: { action, note: 'the list of the acquirer' },
    ...(key !== undefined && { key }),
  });

async function listAudit(subject: string): Promise<string[]> {
  const { data } = await testEnvironment.createClient()(rest.listTableOperatorCalls, { query: { limit: 100 } });
  const about = data.filter((call) => call.subject === subject);
  return about.map(({ action, outcome, refusal = '' }) => `${action} ${outcome} ${refusal}`.trim());
}

test('a call that has been open for long is listed with its age, kind, amount and references', async () => {
  const { id, reference } = await createOpenCapture(LOST_ANSWER);
  expect(await findPendingCall(reference)).toMatchObject({
    ...{ paymentId: reference, paymentIntentId: id, state: 'AcquirerCallOpen', baseAmount: 1_200, currency: 'GBP' },
    acquirerCall: { kind: 'Capture', reference, state: 'Prepared', originalReference: expect.any(String) },
    alarm: true,
  });
  expect((await findPendingCall(reference))?.acquirerCall?.openSeconds).toBeGreaterThan(3_000);
});

test('a call that opened a moment ago is not listed and cannot be decided', async () => {
  const { reference } = await createOpenCapture(NEVER_BOOKED, { hoursAgo: 0 });
  expect(await findPendingCall(reference)).toBeUndefined();
  expect(await testEnvironment.findRefusal(await resolveCall(reference, 'SettleAsListed'))).toBe(
    'pending_payment_not_decidable',
  );
});

test('SettleAsListed settles a call by the books of the acquirer, and is in the audit log', async () => {
  const { id, reference } = await createOpenCapture(LOST_ANSWER);
  const answer = await resolveCall(reference, 'SettleAsListed');
  expect([answer.status, parseJson(answer)]).toMatchObject([
    200,
    { paymentId: reference, state: 'Settled', alarm: false },
  ]);
  expect(await findPendingCall(reference)).toBeUndefined();
  const intent = parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}`));
  expect(intent['captures']).toMatchObject([{ status: 'Successful' }]);
  expect(await listAudit(reference)).toEqual(['SettleAsListed Done']);
  expect(await testEnvironment.findRefusal(await resolveCall(reference, 'SettleAsListed'))).toBe(
    'pending_payment_not_decidable',
  );
});

test('SettleAsListed settles nothing without a final outcome in the books, and both are in the audit log', async () => {
  const { reference } = await createOpenCapture(NEVER_BOOKED);
  expect(await testEnvironment.findRefusal(await resolveCall(reference, 'SettleAsListed'))).toBe(
    'pending_payment_not_decidable',
  );
  expect((await findPendingCall(reference))?.state).toBe('AcquirerCallOpen');
  expect(await listAudit(reference)).toEqual([
    'SettleAsListed Refused pending_payment_not_decidable',
    'SettleAsListed Done',
  ]);
});

test('RetryNow makes the call due for a worker at once', async () => {
  const { reference } = await createOpenCapture(NEVER_BOOKED);
  expect(parseJson(await resolveCall(reference, 'RetryNow'))).toMatchObject({ state: 'AcquirerCallOpen' });
  const timers = await testEnvironment.queryRows<{ is_due: boolean }>(
    `select due_at <= clock_timestamp() as is_due from timers where kind = 'acquirer-call' and subject = $1`,
    [reference],
  );
  expect(timers).toEqual([{ is_due: true }]);
  await testEnvironment.pursueCall(reference);
  expect(await findPendingCall(reference)).toBeUndefined();
});

test.each(['MarkRecorded', 'GiveBack'])(
  '%s is refused: only the acquirer knows the outcome of a call',
  async (action) => {
    const { reference } = await createOpenCapture(LOST_ANSWER);
    expect(await testEnvironment.findRefusal(await resolveCall(reference, action))).toBe(
      'pending_payment_not_decidable',
    );
    expect(await listAudit(reference)).toEqual([`${action} Refused pending_payment_not_decidable`]);
  },
);

test.each([() => randomUUID(), () => 'x', () => '%00', () => 'x'.repeat(65)])(
  'what is no call is not found',
  async (reference) => {
    for (const action of ['SettleAsListed', 'RetryNow']) {
      expect(await testEnvironment.findRefusal(await resolveCall(reference(), action))).toBe(
        'pending_payment_not_found',
      );
    }
  },
);

test('the call of another account or environment is not found', async () => {
  const { reference } = await createOpenCapture(LOST_ANSWER);
  for (const key of [testEnvironment.keys.foreign, testEnvironment.keys.production]) {
    expect(await testEnvironment.findRefusal(await resolveCall(reference, 'SettleAsListed', key))).toBe(
      'pending_payment_not_found',
    );
  }
});
