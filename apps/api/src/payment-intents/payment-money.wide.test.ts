import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { buildKeyColumns } from '@pos/store/testing';
import { defineInLongRun, isLongRun, selectRows } from '@pos/testing';
import { type TestResponse, ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  // Short, because the scenarios below are about an acquirer that does not answer.
  testEnvironment = await ApiTestEnvironment.open({ ACQUIRER_DEADLINE_MS: '1500' });
});
afterEach(() => {
  testEnvironment.acquirer.simulator.rules.replaceRules([]);
});
afterAll(() => testEnvironment.close());

const PARALLEL_CALLS = 50;

type MoneyOperation = 'captures' | 'refunds' | 'reversal';
const CALL_KINDS = { captures: 'Capture', refunds: 'Refund', reversal: 'Reverse' } as const;

interface MoneyRequest {
  readonly operation: MoneyOperation;
  readonly id: string;
  readonly body?: unknown;
  readonly key?: string;
}

function sendMoneyRequest({ operation, id, body, key }: MoneyRequest): Promise<TestResponse> {
  const headers = { idempotencyKey: key ?? null };
  return testEnvironment.sendRequest('POST', `/payment-intents/${id}/${operation}`, { body, headers });
}

/** As a client does: what could not be served yet is asked again under its key. A busy machine makes fifty at once wait long. */
async function retryUntilFinal(request: MoneyRequest & { readonly key: string }): Promise<TestResponse> {
  for (;;) {
    const answer = await sendMoneyRequest(request);
    const isLater = answer.status >= 500 || answer.headers['retry-after'] !== undefined;
    if (!isLater) return answer;
    await pause(200);
  }
}

const readIntent = async (id: string) => parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}`));
const listEvents = async (id: string) => {
  const { paymentEvents } = await readIntent(id);
  return (paymentEvents as { eventType: string }[]).map(({ eventType }) => eventType);
};

/** What the acquirer has booked of a payment beside its authorisation. */
async function listBookings(id: string): Promise<string[]> {
  const [row] = await testEnvironment.queryRows<{ reference: string }>(
    `select reference from acquirer_calls where intent_id = $1 and kind = 'Authorise'`,
    [id],
  );
  return testEnvironment.acquirer.listBookings(row?.reference ?? '');
}

const createIntentFor = (what: MoneyOperation): Promise<string> =>
  testEnvironment.createIntentIn(what === 'captures' ? 'Authorized' : 'Captured');
const createBody = (what: MoneyOperation): unknown => (what === 'reversal' ? undefined : { amount: 2000 });
const OPERATIONS: [MoneyOperation, string][] = [
  ['captures', 'Captured'],
  ['refunds', 'Refunded'],
  ['reversal', 'Reversed'],
];

test('a hold is captured with a tip, refunded in parts, and says so', async () => {
  const id = await testEnvironment.createIntentIn('Authorized');
  const captured = await sendMoneyRequest({ operation: 'captures', id, body: { amount: 1500, tipsAmount: 100 } });
  expect([captured.status, parseJson(captured)]).toEqual([
    200,
    { captureId: expect.stringMatching(/^cp_/), message: 'DEPOSITED' },
  ]);
  expect(await readIntent(id)).toMatchObject({
    status: 'Authorized',
    tipsAmount: { value: 100 },
    captures: [{ id: parseJson(captured)['captureId'], amount: 1500, tipsAmount: 100, status: 'Successful' }],
  });
  const body = { amount: 600, refundReason: 'cold soup', notes: 'table 4', previousTransactionId: 'x' };
  const refund = await sendMoneyRequest({ operation: 'refunds', id, body, key: 'soup' });
  const visible = { paymentIntentId: id, refundReason: 'cold soup', notes: 'table 4', message: 'REFUNDED' };
  expect(parseJson(refund)).toEqual({ ...visible, refundId: expect.stringMatching(/^rfnd_/) });
  const found = await testEnvironment.sendRequest(
    'GET',
    `/payment-intents/refunds/${String(parseJson(refund)['refundId'])}`,
  );
  expect(found.text).toBe(refund.text);
  expect(await readIntent(id)).toMatchObject({ status: 'Captured', refundedAmount: 600 });
  await sendMoneyRequest({ operation: 'refunds', id, body: { amount: 1000 }, key: 'rest' });
  expect(await readIntent(id)).toMatchObject({ status: 'Refunded', refundedAmount: 1600 });
  expect(await listEvents(id)).toEqual(['Authorized', 'Captured', 'Refunded', 'Refunded']);
});

const REFUNDS = isLongRun ? 30 : 8;

test('a payment that is read beside its refunds shows as many of them as it counts', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  let isRefunding = true;
  const mixed: unknown[] = [];
  const reading = async (): Promise<void> => {
    while (isRefunding) {
      const { refundedAmount = 0, paymentEvents } = await readIntent(id);
      const visible = (paymentEvents as { eventType: string }[]).filter(({ eventType }) => eventType === 'Refunded');
      if (refundedAmount !== visible.length) mixed.push([refundedAmount, visible.length]);
    }
  };
  const readers = [reading(), reading()];
  try {
    for (let number = 0; number < REFUNDS; number += 1) {
      await retryUntilFinal({ operation: 'refunds', id, body: { amount: 1 }, key: `beside-${number}` });
    }
  } finally {
    isRefunding = false;
  }
  await Promise.all(readers);
  expect(await readIntent(id)).toMatchObject({ refundedAmount: REFUNDS });
  expect(mixed).toEqual([]);
});

// oxfmt-ignore
const MALFORMED: readonly [MoneyOperation, unknown, string[]][] = [
  ['captures', {}, ['amount']],
  ['captures', { amount: 0 }, ['amount']],
  ['captures', { amount: 1.5 }, ['amount']],
  ['captures', { amount: { value: 1, currencyCode: 'GBP' } }, ['amount']],
  ['captures', { amount: 1, tipsAmount: -1 }, ['tipsAmount']],
  ['captures', { amount: 9007199254740993 }, ['amount']],
  ['captures', { amount: -1, tipsAmount: 'much' }, ['amount', 'tipsAmount']],
  ['refunds', {}, ['amount']],
  ['refunds', { amount: 0 }, ['amount']],
  ['refunds', { amount: 1, refundReason: 'x'.repeat(1025) }, ['refundReason']],
  ['refunds', { amount: 1, notes: 'x'.repeat(4097) }, ['notes']],
  ['refunds', { amount: 1, previousTransactionId: 'x'.repeat(101) }, ['previousTransactionId']],
];

test.each(selectRows(MALFORMED, ([what]) => what))(
  '%s with %j: 400, and the members at fault are named',
  async (what, body, members) => {
    const answer = await sendMoneyRequest({ operation: what, id: await createIntentFor(what), body, key: 'wrong' });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, members]);
  },
);

test('a refund needs an idempotency key; nothing of a refused one is bound', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  const keyless = await sendMoneyRequest({ operation: 'refunds', id, body: { amount: 1 } });
  expect([keyless.status, Object.keys(parseProblem(keyless).errors)]).toEqual([400, ['idempotencyKey']]);
  const tooMuch = await sendMoneyRequest({ operation: 'refunds', id, body: { amount: 2001 }, key: 'once' });
  expect([tooMuch.status, Object.keys(parseProblem(tooMuch).errors)]).toEqual([400, ['amount']]);
  expect((await sendMoneyRequest({ operation: 'refunds', id, body: { amount: 2000 }, key: 'once' })).status).toBe(200);
});

test('a window that is over says to refund instead', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  await testEnvironment.queryRows(
    `update payment_intents set captured_at = captured_at - interval '1 day' where id = $1 returning id`,
    [id],
  );
  const answer = await sendMoneyRequest({ operation: 'reversal', id });
  expect([answer.status, parseProblem(answer).detail]).toEqual([409, expect.stringMatching(/refund/)]);
});

describe.each(OPERATIONS)('%s under an idempotency key', (what, then) => {
  /** What is the same of each operation: in `npm test` of refunds only, which give money away. */
  const testEach = what === 'refunds' ? test : defineInLongRun(test);

  test('a repeat gets the bytes of the first answer and moves nothing', async () => {
    const id = await createIntentFor(what);
    const first = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    const again = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(await listBookings(id)).toHaveLength(1);
    const other = await sendMoneyRequest({ operation: what, id, body: { amount: 1, refundReason: 'other' }, key: 'k' });
    expect([other.status, await testEnvironment.findRefusal(other)]).toEqual([409, 'idempotency_key_reused']);
  });

  testEach.each([
    ['was lost after the booking', 'drop-answer'],
    ['did not come', 'down'],
  ] as const)('an answer of the acquirer that %s is 504, and a repeat gets the one result', async (_title, effect) => {
    const id = await createIntentFor(what);
    testEnvironment.acquirer.simulator.rules.replaceRules([{ match: { kind: CALL_KINDS[what] }, effect, times: 1 }]);
    const lost = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    expect([lost.status, parseProblem(lost).title]).toEqual([504, 'Gateway Timeout']);
    const again = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const replayed = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([again.text, 'true']);
    expect(await readIntent(id)).toMatchObject({ status: then });
    expect(await listBookings(id)).toHaveLength(1);
  });

  testEach('what a worker has ended meanwhile is the result of a repeat', async () => {
    const id = await createIntentFor(what);
    testEnvironment.acquirer.simulator.rules.replaceRules([
      { match: { kind: CALL_KINDS[what] }, effect: 'down', times: 1 },
    ]);
    expect((await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' })).status).toBe(504);
    const [timer] = await testEnvironment.queryRows<{ subject: string; due_in_s: number }>(
      `select subject, extract(epoch from due_at - clock_timestamp())::float as due_in_s from timers
       where kind = 'acquirer-call' and subject in (select reference from acquirer_calls where intent_id = $1)`,
      [id],
    );
    expect(timer?.due_in_s).toBeLessThan(60);
    await testEnvironment.pursueCall(timer?.subject ?? '');
    expect(await readIntent(id)).toMatchObject({ status: then });
    expect((await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' })).status).toBe(200);
    expect(await listBookings(id)).toHaveLength(1);
  });

  testEach('a request whose process crashed continues where it stopped, once its lease is over', async () => {
    const id = await createIntentFor(what);
    testEnvironment.acquirer.simulator.rules.replaceRules([
      { match: { kind: CALL_KINDS[what] }, effect: 'drop-answer', times: 1 },
    ]);
    await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    const leased = async (until: string) =>
      testEnvironment.queryRows(
        `update idempotency_keys set leased_until = clock_timestamp() + $2::interval where path = $1 returning key`,
        [await findStoredPath(`/payment-intents/${id}/${what}`), until],
      );
    await leased('10 seconds');
    const early = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    expect([early.status, await testEnvironment.findRefusal(early), early.headers['retry-after']]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ]);
    await leased('-1 seconds');
    expect((await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' })).status).toBe(200);
    expect(await listBookings(id)).toHaveLength(1);
  });

  testEach('fifty requests at once under one key move the money once', async () => {
    const id = await createIntentFor(what);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_CALLS }, () =>
        sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' }),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(await listBookings(id)).toHaveLength(1);
    expect(await readIntent(id)).toMatchObject({ status: then });
  });
});

test.each(['refunds', 'captures'] as const)(
  'the acquirer’s no to %s is bound to the key, a new key tries again',
  async (what) => {
    const id = await createIntentFor(what);
    testEnvironment.acquirer.simulator.rules.replaceRules([
      { match: { kind: CALL_KINDS[what] }, effect: 'decline', times: 1 },
    ]);
    const refused = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    const again = await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    expect([refused.status, again.status, again.text]).toEqual([409, 409, refused.text]);
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'content-type': 'application/problem+json; charset=utf-8',
    });
    expect((await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'another' })).status).toBe(200);
    expect((await listBookings(id)).map((line) => line.split(' ')[2])).toEqual(['Declined', 'Approved']);
  },
);

test.each(['refunds', 'captures'] as const)(
  'fifty %s of 100 at once, each its own, take 2000 and no more',
  async (what) => {
    const id = await createIntentFor(what);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_CALLS }, (_, at) =>
        retryUntilFinal({ operation: what, id, body: { amount: 100 }, key: `k${at}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(await listBookings(id)).toEqual(Array.from({ length: 20 }, () => `${CALL_KINDS[what]} 100 Approved`));
    expect(await readIntent(id)).toMatchObject({ status: what === 'captures' ? 'Captured' : 'Refunded' });
  },
);

test('a refund’s key is kept for the life of its payment, a capture’s for thirty days', async () => {
  for (const what of ['captures', 'refunds'] as const) {
    const id = await createIntentFor(what);
    await sendMoneyRequest({ operation: what, id, body: createBody(what), key: 'k' });
    const [row] = await testEnvironment.queryRows<{ days: number }>(
      `select extract(epoch from keep_until - clock_timestamp())::float / 86400 as days from idempotency_keys where path = $1`,
      [await findStoredPath(`/payment-intents/${id}/${what}`)],
    );
    expect(row?.days).toBeGreaterThan(what === 'refunds' ? 365 * 1000 : 29);
  }
});

/** The path of a request as it is stored with its idempotency key. */
async function findStoredPath(path: string): Promise<string> {
  const place = await testEnvironment.testDatabase.database.read(testEnvironment.sandbox, (reader) =>
    Promise.resolve(buildKeyColumns(reader, { method: 'POST', path, key: 'k' })),
  );
  return place[3] ?? '';
}
