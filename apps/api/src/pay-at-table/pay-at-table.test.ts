import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as rest from '@pos/rest-contracts/operators';
import { gbp } from '@pos/core/testing';
import { ROLES } from '@pos/core/identity';
import { MERCHANT_ID } from '../testing/test-acquirer.js';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';
import { createLease, createPendingPayment, createUnansweredRefund } from '../testing/operator-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const SETTLE_BODY = { action: 'SettleAsListed', note: 'the list of the acquirer' };

const resolvePayment = (
  paymentId: string,
  action: 'MarkRecorded' | 'GiveBack' | 'RetryNow',
  note = 'seen at the EPOS',
) => testEnvironment.createClient()(rest.resolvePendingPayment, { params: { paymentId }, body: { action, note } });

const listPendingIds = async (): Promise<readonly string[]> =>
  (await testEnvironment.createClient()(rest.listPendingPayments, {})).map(({ paymentId }) => paymentId);

const listLeaseIds = async (): Promise<readonly string[]> =>
  (await testEnvironment.createClient()(rest.listTableLeases, {})).map(({ leaseId }) => leaseId);

async function listOperatorCalls(subject: string | null): Promise<rest.TableOperatorCall[]> {
  const { data } = await testEnvironment.createClient()(rest.listTableOperatorCalls, { query: { limit: 100 } });
  return data.filter((each) => each.subject === subject);
}

/** The timers of a subject, and whether each is due. */
async function listTimers(subject: string): Promise<readonly string[]> {
  const rows = await testEnvironment.queryRows<{ kind: string; is_due: boolean }>(
    'select kind, due_at <= clock_timestamp() as is_due from timers where subject = $1 order by kind',
    [subject],
  );
  return rows.map(({ kind, is_due: isDue }) => `${kind} ${isDue ? 'now' : 'later'}`);
}

test.each([
  ['MarkRecorded', 'Recorded', false],
  ['GiveBack', 'GivingBack', true],
  ['RetryNow', 'RecordUnknown', true],
] as const)('an unanswered payment is decided by %s: it is %s', async (action, state, isListed) => {
  const { id } = await createPendingPayment(testEnvironment);
  const answer = await resolvePayment(id, action);
  expect(answer).toMatchObject({ paymentId: id, state, baseAmount: 2_000, attempts: 1 });
  expect((await listPendingIds()).includes(id)).toBe(isListed);
  expect(await listOperatorCalls(id)).toMatchObject([
    {
      ...{ action, note: 'seen at the EPOS', outcome: 'Done', confirmed: false },
      ...{ stateBefore: 'RecordUnknown', stateAfter: state, keyId: expect.stringMatching(/^key_/) },
    },
  ]);
});

test.each(['GiveBack', 'RetryNow'] as const)('%s makes the payment due for a gateway at once', async (action) => {
  const { id } = await createPendingPayment(testEnvironment);
  await resolvePayment(id, action);
  expect(await listTimers(id)).toEqual(['table-payment now']);
});

test('money that an operator marks as recorded is no longer open on its lease', async () => {
  const { id, leaseId } = await createPendingPayment(testEnvironment);
  await resolvePayment(id, 'MarkRecorded');
  const lease = (await testEnvironment.createClient()(rest.listTableLeases, {})).find(
    (each) => each.leaseId === leaseId,
  );
  expect(lease).toMatchObject({ state: 'Held', openPayments: 0, waiterId: 42, owner: '90000001' });
});

test('RetryNow of a refund on a silent card machine makes its acquirer call due at once', async () => {
  const id = await createUnansweredRefund(testEnvironment);
  await testEnvironment.queryRows(
    `update timers set due_at = clock_timestamp() + interval '1 hour' where kind = 'acquirer-call' returning subject`,
  );
  expect(await resolvePayment(id, 'RetryNow')).toMatchObject({ paymentId: id, state: 'Expired', baseAmount: 500 });
  const [call] = await testEnvironment.queryRows<{ reference: string }>(
    'select reference from acquirer_calls where terminal_session_id = $1',
    [id],
  );
  expect(await listTimers(call?.reference ?? '')).toEqual(['acquirer-call now']);
  expect(await listPendingIds()).toContain(id);
  expect(await listOperatorCalls(id)).toMatchObject([{ action: 'RetryNow', outcome: 'Done' }]);
});

test('SettleAsListed settles a refund on a silent card machine once the acquirer lists it', async () => {
  const id = await createUnansweredRefund(testEnvironment);
  const refused = await testEnvironment.sendRequest('POST', `/pay-at-table/pending/${id}/resolve`, {
    body: SETTLE_BODY,
  });
  expect(await testEnvironment.findRefusal(refused)).toBe('pending_payment_not_decidable');
  expect(await listPendingIds()).toContain(id);
  const [call] = await testEnvironment.queryRows<{ reference: string; original_reference: string }>(
    'select reference, original_reference from acquirer_calls where terminal_session_id = $1',
    [id],
  );
  await testEnvironment.acquirer.simulator.refundAtMachine({
    ...{ reference: call!.reference, originalReference: null, merchantId: MERCHANT_ID, terminalId: '90000001' },
    ...{ amount: gbp(500), verdict: null },
    card: { number: '4456530000091014', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A GUEST' },
  });
  const settled = await testEnvironment.sendRequest('POST', `/pay-at-table/pending/${id}/resolve`, {
    body: SETTLE_BODY,
  });
  expect([settled.status, parseJson(settled)]).toMatchObject([200, { paymentId: id, state: 'Settled', alarm: false }]);
  expect(await listPendingIds()).not.toContain(id);
  const [intent] = await testEnvironment.queryRows<{ refunded: number; pending_refund: number }>(
    `select refunded, pending_refund from payment_intents
     where id = (select intent_id from acquirer_calls where reference = $1)`,
    [call!.reference],
  );
  expect(intent).toEqual({ refunded: 500, pending_refund: 0 });
  expect((await listOperatorCalls(id)).map(({ outcome, refusal }) => refusal ?? outcome)).toEqual([
    ...['Done', 'pending_payment_not_decidable', 'Done'],
  ]);
});

test('a replay delivers missed events to an EPOS again, and is in the audit log', async () => {
  const capabilities = [{ name: 'HandleEvent:payment_intent.created', version: 'v1' }];
  await testEnvironment.sendRequest('PUT', '/epos/integrations/ws', { body: { capabilities } });
  await testEnvironment.createIntentIn('Created');
  await testEnvironment.queryRows(
    `update deliveries set state = 'DeadLettered' where subscription_id is null returning id`,
    [],
  );
  const replay = (body: object) =>
    testEnvironment.createClient()(rest.replayEposEvents, { body: { note: 'out of order', ...body } });
  const before = new Date(Date.now() - 3_600_000).toISOString();
  expect(await replay({ to: before })).toEqual({ queued: 0 });
  expect(await replay({ from: before })).toEqual({ queued: 1 });
  expect(await replay({})).toEqual({ queued: 0 });
  const { data } = await testEnvironment.createClient()(rest.listTableOperatorCalls, { query: { limit: 3 } });
  const action = 'ReplayEposEvents';
  expect(data).toMatchObject(
    ['0 queued', '1 queued', '0 queued'].map((stateAfter) => ({ action, note: 'out of order', stateAfter })),
  );
  expect(data[1]?.subject.startsWith(`${before}/`)).toBe(true);
  await testEnvironment.sendRequest('DELETE', '/epos/integrations/ws', {});
});

test('a released lease is no longer listed, and is due for a gateway at once', async () => {
  const { leaseId } = await createLease(testEnvironment);
  expect(await listLeaseIds()).toContain(leaseId);
  const params = { leaseId };
  const answer = await testEnvironment.createClient()(rest.releaseTableLease, { params, body: { reason: 'dropped' } });
  expect(answer).toMatchObject({ leaseId, state: 'Forced' });
  expect(await listLeaseIds()).not.toContain(leaseId);
  expect(await listTimers(leaseId)).toEqual(['session-lease now']);
  expect(await listOperatorCalls(leaseId)).toMatchObject([
    { action: 'ReleaseLease', note: 'dropped', stateBefore: 'Held', stateAfter: 'Forced' },
  ]);
});

test('a lease with open money is released only with a confirmation, and its payment continues', async () => {
  const { id, leaseId } = await createPendingPayment(testEnvironment);
  const path = `/pay-at-table/leases/${leaseId}/release`;
  const refused = await testEnvironment.sendRequest('POST', path, { body: { reason: 'dropped' } });
  expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual([409, 'lease_money_open']);
  const forced = await testEnvironment.sendRequest('POST', path, { body: { reason: 'dropped', confirm: true } });
  expect(parseJson(forced)).toMatchObject({ state: 'Forced', openPayments: 1 });
  expect(await listPendingIds()).toContain(id);
  expect(
    (await listOperatorCalls(leaseId)).map(({ outcome, refusal, confirmed }) => [outcome, refusal, confirmed]),
  ).toEqual([
    ['Done', undefined, true],
    ['Refused', 'lease_money_open', false],
  ]);
  expect(await resolvePayment(id, 'MarkRecorded')).toMatchObject({ state: 'Recorded' });
});

test('a refused decision is recorded, a decision about an unknown payment is not', async () => {
  const { id } = await createPendingPayment(testEnvironment, { isOurs: false });
  const body = { action: 'GiveBack', note: 'the payer wants it' };
  expect((await testEnvironment.sendRequest('POST', `/pay-at-table/pending/${id}/resolve`, { body })).status).toBe(409);
  expect(await listOperatorCalls(id)).toMatchObject([
    { action: 'GiveBack', outcome: 'Refused', refusal: 'pending_payment_not_decidable' },
  ]);
  const unknown = randomUUID();
  expect((await testEnvironment.sendRequest('POST', `/pay-at-table/pending/${unknown}/resolve`, { body })).status).toBe(
    404,
  );
  expect(await listOperatorCalls(unknown)).toEqual([]);
});

test('a repeat with the same key decides once', async () => {
  const { id } = await createPendingPayment(testEnvironment);
  const sent = { body: { action: 'GiveBack', note: 'twice' }, headers: { idempotencyKey: randomUUID() } };
  const path = `/pay-at-table/pending/${id}/resolve`;
  const [first, second] = [
    await testEnvironment.sendRequest('POST', path, sent),
    await testEnvironment.sendRequest('POST', path, sent),
  ];
  expect(second.text).toBe(first.text);
  expect(await listOperatorCalls(id)).toHaveLength(1);
});

test('an account reads only its own audit log, page by page', async () => {
  const { id } = await createPendingPayment(testEnvironment);
  for (const action of ['RetryNow', 'GiveBack', 'RetryNow'] as const) await resolvePayment(id, action);
  const stranger = await testEnvironment.createClient(testEnvironment.keys.foreign)(rest.listTableOperatorCalls, {
    query: {},
  });
  expect(stranger.data).toEqual([]);
  const pages: rest.TableOperatorCall[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readCallPage>> = await readCallPage(after);
    pages.push(...page.data);
    ({ after } = page);
  } while (after !== null);
  expect(new Set(pages.map((each) => each.id)).size).toBe(pages.length);
  expect(pages.filter(({ subject }) => subject === id).map(({ stateAfter }) => stateAfter)).toEqual([
    ...['GivingBack', 'GivingBack', 'RecordUnknown'],
  ]);
});

const readCallPage = (after: string | null) =>
  testEnvironment.createClient()(rest.listTableOperatorCalls, {
    query: { limit: 2, ...(after !== null && { after }) },
  });

test('a key without tables.operate decides nothing', async () => {
  const { id } = await createPendingPayment(testEnvironment);
  const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, ROLES['read-only']);
  const body = { action: 'GiveBack', note: 'x' };
  expect((await testEnvironment.sendRequest('POST', `/pay-at-table/pending/${id}/resolve`, { key, body })).status).toBe(
    403,
  );
  expect(await listOperatorCalls(id)).toEqual([]);
});
