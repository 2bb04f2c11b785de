import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import * as rest from '@pos/rest-contracts/pay-at-table';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { ApiWorld, jsonOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterEach(() => {
  rule();
});
afterAll(() => world.close());

const rule = (...rules: AcquirerRule[]): void => world.acquirer.door.rules.replace(rules);
const LOST: AcquirerRule = { match: { kind: 'Capture' }, effect: 'book-and-refuse', status: 'UNAVAILABLE', times: 1 };
const NEVER: AcquirerRule = { match: { kind: 'Capture' }, effect: 'refuse', status: 'UNAVAILABLE', times: 1 };

/** A capture of £12 whose answer was lost, an hour ago; the id of its payment and its reference. */
async function openCapture(how: AcquirerRule, { hoursAgo = 1 } = {}) {
  const id = await world.intentIn('Authorized');
  rule(how);
  const answer = await world.send('POST', `/payment-intents/${id}/captures`, { body: { amount: 1_200 } });
  expect(await world.refusalOf(answer)).toBe('acquirer_unanswered');
  const [call] = await world.look<{ reference: string }>(
    `update acquirer_calls set deadline_at = deadline_at - $2 * interval '1 hour'
     where intent_id = $1 and kind = 'Capture' returning reference`,
    [id, hoursAgo],
  );
  return { id, reference: call!.reference };
}

const lineOf = async (reference: string): Promise<rest.PendingPayment | undefined> =>
  (await world.client()(rest.listPendingPayments, {})).find(({ paymentId }) => paymentId === reference);

const resolve = (paymentId: string, action: string, key?: string) =>
  world.send('POST', `/pay-at-table/pending/${paymentId}/resolve`, {
    body: { action, note: 'the list of the acquirer' },
    ...(key !== undefined && { key }),
  });

async function auditOf(subject: string): Promise<string[]> {
  const { data } = await world.client()(rest.listTableOperatorCalls, { query: { limit: 100 } });
  const about = data.filter((call) => call.subject === subject);
  return about.map(({ action, outcome, refusal = '' }) => `${action} ${outcome} ${refusal}`.trim());
}

test('a call that is open for long is listed with its age, kind, amount and references', async () => {
  const { id, reference } = await openCapture(LOST);
  expect(await lineOf(reference)).toMatchObject({
    ...{ paymentId: reference, paymentIntentId: id, state: 'AcquirerCallOpen', baseAmount: 1_200, currency: 'GBP' },
    acquirerCall: { kind: 'Capture', reference, state: 'Prepared', originalReference: expect.any(String) },
    alarm: true,
  });
  expect((await lineOf(reference))?.acquirerCall?.openSeconds).toBeGreaterThan(3_000);
});

test('one that is open for moments is not listed, and nobody decides about it', async () => {
  const { reference } = await openCapture(NEVER, { hoursAgo: 0 });
  expect(await lineOf(reference)).toBeUndefined();
  expect(await world.refusalOf(await resolve(reference, 'SettleAsListed'))).toBe('pending_payment_not_decidable');
});

test('SettleAsListed settles a call by the books of the acquirer, and is in the audit log', async () => {
  const { id, reference } = await openCapture(LOST);
  const answer = await resolve(reference, 'SettleAsListed');
  expect([answer.status, jsonOf(answer)]).toMatchObject([
    200,
    { paymentId: reference, state: 'Settled', alarm: false },
  ]);
  expect(await lineOf(reference)).toBeUndefined();
  const intent = jsonOf(await world.send('GET', `/payment-intents/${id}`));
  expect(intent['captures']).toMatchObject([{ status: 'Successful' }]);
  expect(await auditOf(reference)).toEqual(['SettleAsListed Done']);
  expect(await world.refusalOf(await resolve(reference, 'SettleAsListed'))).toBe('pending_payment_not_decidable');
});

test('SettleAsListed settles nothing while the books have no final word, and both are in the audit log', async () => {
  const { reference } = await openCapture(NEVER);
  expect(await world.refusalOf(await resolve(reference, 'SettleAsListed'))).toBe('pending_payment_not_decidable');
  expect((await lineOf(reference))?.state).toBe('AcquirerCallOpen');
  expect(await auditOf(reference)).toEqual([
    'SettleAsListed Refused pending_payment_not_decidable',
    'SettleAsListed Done',
  ]);
});

test('RetryNow has a worker repeat the call at once', async () => {
  const { reference } = await openCapture(NEVER);
  expect(jsonOf(await resolve(reference, 'RetryNow'))).toMatchObject({ state: 'AcquirerCallOpen' });
  const timers = await world.look<{ is_due: boolean }>(
    `select due_at <= clock_timestamp() as is_due from timers where kind = 'acquirer-call' and subject = $1`,
    [reference],
  );
  expect(timers).toEqual([{ is_due: true }]);
  await world.pursue(reference);
  expect(await lineOf(reference)).toBeUndefined();
});

test.each(['MarkRecorded', 'GiveBack'])(
  '%s is refused: nobody knows how a call ended but the acquirer',
  async (action) => {
    const { reference } = await openCapture(LOST);
    expect(await world.refusalOf(await resolve(reference, action))).toBe('pending_payment_not_decidable');
    expect(await auditOf(reference)).toEqual([`${action} Refused pending_payment_not_decidable`]);
  },
);

test.each([() => randomUUID(), () => 'x', () => '%00', () => 'x'.repeat(65)])(
  'what is no call is not found',
  async (reference) => {
    for (const action of ['SettleAsListed', 'RetryNow']) {
      expect(await world.refusalOf(await resolve(reference(), action))).toBe('pending_payment_not_found');
    }
  },
);

test('the call of another account or environment is not found', async () => {
  const { reference } = await openCapture(LOST);
  for (const key of [world.keys.foreign, world.keys.production]) {
    expect(await world.refusalOf(await resolve(reference, 'SettleAsListed', key))).toBe('pending_payment_not_found');
  }
});
