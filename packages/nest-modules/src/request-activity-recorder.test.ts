import { expect, test } from '@jest/globals';
import type { ActivityRecorder, NewActivity } from '@pos/core/activities';
import { formatClientSecret } from '@pos/core/ids';
import type { AnsweredRequest } from '@pos/service-kit/http';
import { RequestActivityRecorder } from './request-activity-recorder.js';

const SCOPE = { accountId: `acc_${'A'.repeat(22)}`, environment: 'sandbox' } as const;
const INTENT_ID = `pi_sandbox_${'A'.repeat(22)}` as const;
const SECRET = formatClientSecret({ ...SCOPE, intentId: INTENT_ID, random: Buffer.alloc(83, 1) });
const HOLDER = { scope: SCOPE, keyId: `key_${'A'.repeat(22)}` } as const;

type AnsweredOperation = NonNullable<AnsweredRequest['operation']>;
const OPERATION = {
  ...{ id: 'payByCard', method: 'POST', path: '/client/payments', tag: 'Client', summary: 'Pay' },
  ...{ permission: null, version: 'optional', idempotency: 'none', returns: null, refusals: [], clientSecret: true },
} as const satisfies AnsweredOperation;

const REQUEST: AnsweredRequest = {
  ...{ operation: OPERATION, holder: null, method: 'POST', path: '/client/payments', params: {} },
  ...{ query: new URLSearchParams(), headers: { 'client-session-secret': SECRET }, body: {}, status: 200 },
  ...{ answer: null, refusal: null, traceId: 'a'.repeat(32), startedAtMs: 1, tookMs: 2 },
};

function record(more: Partial<AnsweredRequest>): NewActivity[] {
  const recorded: NewActivity[] = [];
  const activities: ActivityRecorder = { record: (each) => void recorded.push(each), flush: () => Promise.resolve() };
  new RequestActivityRecorder(activities).recordRequest({ ...REQUEST, ...more });
  return recorded;
}

test('the request of a payer belongs to the intent of its secret, and the secret is not recorded', () => {
  const [activity] = record({ body: { cardNumber: '4456530000091014', cV2: '020' } });
  expect(activity).toMatchObject({ scope: SCOPE, subjectId: INTENT_ID, name: 'payByCard', keyId: null });
  expect(JSON.stringify(activity)).not.toMatch(new RegExp(`${SECRET}|4456530000091014|020`));
});

// oxfmt-ignore
test.each<[string, Partial<AnsweredRequest>]>([
  ['a secret that the answer does not prove',   { status: 401, refusal: 'client_secret_invalid' }],
  ['a refused body of a payer',                 { status: 400, refusal: 'validation_failed' }],
  ['a database that did not check the secret',  { status: 503, refusal: 'service_unavailable' }],
  ['a text that is no secret',                  { headers: { 'client-session-secret': 'x' } }],
  ['no secret',                                 { headers: {} }],
  ['an operation that reads no secret',         { operation: { ...OPERATION, clientSecret: undefined as never } }],
  ['a path without an operation',               { operation: null, holder: HOLDER, status: 404 }],
  ['a successful read of the log itself',       { operation: { ...OPERATION, tag: 'Activities' }, holder: HOLDER }],
])('%s leaves no entry', (_, more) => {
  expect(record(more)).toEqual([]);
});

// oxfmt-ignore
test.each<[string, Partial<AnsweredRequest>, Partial<NewActivity>]>([
  ['a payment whose outcome is unknown', { status: 500, refusal: 'payment_outcome_unknown' },      { outcome: 'Failed', reason: 'payment_outcome_unknown' }],
  ['a refused request with a key',       { holder: HOLDER, status: 409, refusal: 'not_capturable' }, { outcome: 'Refused', reason: 'not_capturable' }],
  ['a defect of ours',                   { holder: HOLDER, status: 500 },                          { outcome: 'Failed', reason: 'internal_error' }],
  ['a refused read of the log',          { operation: { ...OPERATION, tag: 'Activities' }, holder: HOLDER, status: 403, refusal: 'permission_missing' }, { outcome: 'Refused' }],
  ['a request about an intent',          { holder: HOLDER, params: { paymentIntentId: INTENT_ID } }, { subjectId: INTENT_ID }],
  ['a request that makes an intent',     { holder: HOLDER, answer: JSON.stringify({ id: INTENT_ID }) }, { subjectId: INTENT_ID }],
  ['a sale on a machine',                { holder: HOLDER, body: { sale: { paymentIntentId: INTENT_ID } } }, { subjectId: INTENT_ID }],
  ['a refused read of an intent',        { holder: HOLDER, method: 'GET', status: 404, params: { paymentIntentId: INTENT_ID } }, { subjectId: INTENT_ID }],
  ['a successful read, which is no step',{ holder: HOLDER, method: 'GET', params: { paymentIntentId: INTENT_ID } }, { subjectId: null }],
  ['an id of nothing',                   { holder: HOLDER, params: { paymentIntentId: 'table 4' } }, { subjectId: null }],
])('%s is recorded', (_, more, expected) => {
  expect(record(more)).toMatchObject([expected]);
});

test('an answer that is too long or no JSON is left out', () => {
  for (const answer of [`"${'x'.repeat(70_000)}"`, '{'])
    expect(record({ holder: HOLDER, answer })[0]?.details).not.toHaveProperty('answer');
});
