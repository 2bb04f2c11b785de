import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FourEyesRequest } from '@pos/rest-contracts/portal';
import { PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.open();
});
afterAll(() => environment.close());

const LIMITS = '{"fourEyes": {"giveBacksAbove": {"GBP": "500"}}}';
const FORGET_PASSWORD = `update portal_sessions set authenticated_at = clock_timestamp() - interval '6 minutes'`;
const ACTION = '{"operationId": "refundPaymentIntent", "method": "POST", "path": "/x", "version": "", "body": ""}';
const SUMMARY = '{"operationId": "refundPaymentIntent", "paymentIntentId": null, "amount": null, "currency": null}';
const PATH = '/portal/second-person';

let ann: string;
let bob: string;
let intentId: string;
beforeEach(async () => {
  await environment.change('update accounts set settings = $1::jsonb where account_id = $2', [
    LIMITS,
    environment.own.accountId,
  ]);
  [ann, bob] = [await environment.signInAs('support'), await environment.signInAs('support')];
  const body = { amount: { value: 2_000, currencyCode: 'GBP' }, reference: 'table 4' };
  const answer = await environment.send('POST', '/portal/api/payment-intents', { cookie: ann, body });
  intentId = readBody<{ id: string }>(answer.text).id;
});

/** The payment was never paid, so an approved refund ends as impossible; the API has accepted the approval by then. */
const refund = (cookie: string, headers: Record<string, string> = {}, amount = 900) =>
  environment.send('POST', `/portal/api/payment-intents/${intentId}/refunds`, {
    cookie,
    headers: { idempotencykey: randomUUID(), ...headers },
    body: { amount },
  });
const list = async (cookie: string): Promise<FourEyesRequest[]> =>
  readBody<{ requests: FourEyesRequest[] }>((await environment.send('GET', PATH, { cookie })).text).requests;
const listPage = async (query: string) =>
  readBody<{ requests: FourEyesRequest[]; before: string | null; after: string | null }>(
    (await environment.send('GET', `${PATH}${query}`, { cookie: bob })).text,
  );
const decide = (cookie: string, id: string, isApproved = true) =>
  environment.send('POST', `${PATH}/decision`, { cookie, body: { id, isApproved, reason: 'seen the receipt' } });
const send = (cookie: string, id: string) => environment.send('POST', `${PATH}/sending`, { cookie, body: { id } });

async function request(): Promise<string> {
  expect(await refund(ann)).toMatchObject({ status: 403, reason: 'second_person_needed' });
  return (await list(bob))[0]?.id ?? '';
}

test('a refund above the limit waits with what is sent, and one below it does not', async () => {
  expect((await refund(ann, {}, 500)).reason).toBe('not_refundable');
  const { id } = { id: await request() };
  const [waiting] = await list(bob);
  expect(waiting).toMatchObject({
    ...{ id, operationId: 'refundPaymentIntent', paymentIntentId: intentId, body: '{"amount":900}', state: 'Waiting' },
    ...{ amount: { value: 900, currencyCode: 'GBP' }, requestedBy: 'Ann Lee', canDecide: true },
  });
  expect((await list(ann))[0]).toMatchObject({ id, canDecide: false });
});

test('every request is found, also when there are more than a page of them', async () => {
  // Each of the equal times is on one page, by the id.
  await environment.change(
    `insert into four_eyes_requests (account_id, environment, id, version, action, action_hash, summary, repeat_key,
       state, requested_by, requester, reason, requested_at, expires_at)
     select account_id, environment, gen_random_uuid(), 1, $2::jsonb, '', $3::jsonb, gen_random_uuid()::text, 'Waiting',
       requested_by, requester, reason, date_trunc('milliseconds', requested_at - (n / 2) * interval '1 second'),
       expires_at
     from four_eyes_requests, generate_series(2, 206) n where id = $1`,
    [await request(), ACTION, SUMMARY],
  );
  const [row] = await environment.change('select count(*) from four_eyes_requests where account_id = $1', [
    environment.own.accountId,
  ]);
  const count = Number(row?.['count']);
  expect(count).toBeGreaterThan(200);
  const ids = new Set<string>();
  let after: string | null = '';
  let before: string | null = null;
  while (after !== null) {
    const { requests, ...cursors } = await listPage(after === '' ? '?limit=100' : `?limit=100&after=${after}`);
    for (const { id } of requests) ids.add(id);
    ({ after, before } = cursors);
  }
  expect(ids.size).toBe(count);
  const newer = await listPage(`?limit=1&before=${before ?? ''}`);
  expect(newer.requests).toHaveLength(1);
  expect(await environment.send('GET', `${PATH}?after=x`, { cookie: bob })).toMatchObject({
    ...{ status: 400, reason: 'validation_failed' },
  });
  await environment.change(`delete from four_eyes_requests where action_hash = ''`);
});

test('an approved action is sent at once, and one that has become impossible says why', async () => {
  const id = await request();
  const answer = await decide(bob, id);
  expect(answer.status).toBe(200);
  expect(readBody<FourEyesRequest>(answer.text)).toMatchObject({
    ...{ state: 'Failed', outcomeReason: 'not_refundable', decisionReason: 'seen the receipt' },
  });
  expect(await send(bob, id)).toMatchObject({ status: 409, reason: 'four_eyes_request_decided' });
});

test('a reversal, a refund on a machine and a pending decision wait too', async () => {
  const post = (path: string, body?: unknown) =>
    environment.send('POST', `/portal/api${path}`, { cookie: ann, ...(body !== undefined && { body }) });
  await environment.change('update accounts set settings = $1::jsonb where account_id = $2', [
    LIMITS.replace('500', '0'),
    environment.own.accountId,
  ]);
  expect((await post(`/payment-intents/${intentId}/reversal`)).reason).toBe('second_person_needed');
  const amount = { value: 900, currencyCode: 'GBP' };
  const session = (details: object) => post('/terminal-sessions', { terminalId: 'tm_x', details });
  const unlinked = { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount, cardholderNotPresent: false } };
  expect((await session(unlinked)).reason).toBe('second_person_needed');
  const matched = { sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId: intentId, amount } };
  expect((await session(matched)).reason).toBe('second_person_needed');
  const admin = await environment.signInAs('admin');
  const pending = await environment.send('POST', '/portal/api/pay-at-table/pending/x/resolve', {
    ...{ cookie: admin, body: { action: 'GiveBack', note: 'twice paid' } },
  });
  const waiting = (await list(bob)).slice(0, 4).map(({ operationId, amount: listed }) => [operationId, listed?.value]);
  expect([pending.reason, waiting]).toEqual([
    'second_person_needed',
    [
      ['resolvePendingPayment', undefined],
      ['createTerminalSession', 900],
      ['createTerminalSession', 900],
      ['reversePaymentIntent', 0],
    ],
  ]);
  const [first, second] = await list(bob);
  // Support may not decide about pending payments, so it may not approve such a decision either.
  expect(await decide(bob, first?.id ?? '')).toMatchObject({ status: 403, reason: 'permission_missing' });
  // The API accepts the approval of each kind: it refuses what the action itself lacks.
  expect(readBody<FourEyesRequest>((await decide(bob, second?.id ?? '')).text)).toMatchObject({ state: 'Failed' });
});

describe('it is refused', () => {
  test.each<[string, (id: string) => Promise<TestAnswer>, string]>([
    ['to the requester', (id) => decide(ann, id), 'second_person_refused'],
    ['to the requester who refuses it', (id) => decide(ann, id, false), 'second_person_refused'],
    ['to a viewer', async (id) => decide(await environment.signInAs('viewer'), id), 'permission_missing'],
    ['to a developer', async (id) => decide(await environment.signInAs('developer'), id), 'permission_missing'],
    ['to nobody', (id) => environment.send('POST', `${PATH}/decision`, { body: { id } }), 'portal_session_missing'],
    [
      'to another page',
      (id) =>
        environment.send('POST', `${PATH}/decision`, {
          ...{ cookie: bob, headers: { 'sec-fetch-site': 'cross-site' } },
          body: { id, isApproved: true, reason: 'r' },
        }),
      'cross_site_request',
    ],
    [
      'without the password',
      async (id) => {
        await environment.change(FORGET_PASSWORD);
        return decide(bob, id);
      },
      'reauthentication_needed',
    ],
    [
      'to send it again without the password',
      async (id) => {
        await environment.change(FORGET_PASSWORD);
        return send(bob, id);
      },
      'reauthentication_needed',
    ],
    ['to send it before it is approved', (id) => send(bob, id), 'four_eyes_request_decided'],
    ['to the requester who sends it', (id) => send(ann, id), 'four_eyes_request_decided'],
    [
      'in another account',
      async (id) => decide(await environment.signIn(await environment.createUser('support', environment.other)), id),
      'four_eyes_request_unknown',
    ],
    [
      'without a reason',
      (id) =>
        environment.send('POST', `${PATH}/decision`, { cookie: bob, body: { id, isApproved: true, reason: ' ' } }),
      'validation_failed',
    ],
    ['to use the key of an approval', (id) => refund(ann, { idempotencykey: `four-eyes-${id}` }), 'validation_failed'],
  ])('%s', async (_, attempt, reason) => {
    const id = await request();
    expect((await attempt(id)).reason).toBe(reason);
    const [row] = await environment.change('select state from four_eyes_requests where id = $1', [id]);
    expect(row).toEqual({ state: 'Waiting' });
  });

  test('to viewers and developers to read the list', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      const cookie = await environment.signInAs(role);
      expect(await environment.send('GET', PATH, { cookie })).toMatchObject({ reason: 'permission_missing' });
    }
  });

  test('to a requester who signs in again', async () => {
    const email = await environment.createUser('support');
    const first = await environment.signIn(email);
    await refund(first);
    const [waiting] = await list(bob);
    const second = await environment.signIn(email);
    expect(await decide(second, waiting?.id ?? '')).toMatchObject({ reason: 'second_person_refused' });
  });
});

test('of two people who decide at once one does', async () => {
  const id = await request();
  const carl = await environment.signInAs('admin');
  const answers = await Promise.all([decide(bob, id), decide(carl, id, false)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('a repeated request of a page is one, and an account without limits has none', async () => {
  const headers = { idempotencykey: '2f1c9d0e-6f4b-4f0c-9a70-6ad1b1a0a777' };
  const before = (await list(bob)).length;
  await refund(ann, headers);
  await refund(ann, headers);
  expect((await list(bob)).length).toBe(before + 1);
  await environment.change(`update accounts set settings = '{}' where account_id = $1`, [environment.own.accountId]);
  expect((await refund(ann)).reason).toBe('not_refundable');
});
