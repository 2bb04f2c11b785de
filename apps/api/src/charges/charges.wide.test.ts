import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { defineInLongRun, selectRows } from '@pos/testing';
import { parseJson } from '../testing/api-test-environment.js';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

let testEnvironment: ChargeTestEnvironment;
beforeAll(async () => {
  // Short, because some scenarios are about an acquirer that does not answer.
  testEnvironment = await ChargeTestEnvironment.open({ ACQUIRER_DEADLINE_MS: '4000' });
});
afterEach(() => testEnvironment.api.acquirer.simulator.rules.replaceRules([]));
afterAll(() => testEnvironment.close());

const PARALLEL_CALLS = 50;

async function createPayment(
  setupIntentId: string,
  more: Parameters<ChargeTestEnvironment['api']['createIntent']>[0] = {},
): Promise<string> {
  return (await testEnvironment.api.createIntent({ setupIntentId, ...more })).id;
}

async function readIntentState(id: string): Promise<string> {
  const { status, paymentEvents } = await testEnvironment.readJson(`/payment-intents/${id}`);
  return [status, ...(paymentEvents as { eventType: string }[]).map(({ eventType }) => eventType)].join(' ');
}

async function readSetupState(id: string): Promise<string> {
  const { status, setupEvents } = await testEnvironment.readJson(`/setup-intents/${id}`);
  return [status, ...(setupEvents as { eventType: string }[]).map(({ eventType }) => eventType)].join(' ');
}

async function findCardState(setupId: string): Promise<string> {
  const rows = await testEnvironment.api.queryRows<{ state: string }>(
    'select state from saved_cards where setup_intent_id = $1',
    [setupId],
  );
  return rows.map(({ state }) => state).join();
}

describe('a charge', () => {
  test('that is approved takes the whole amount at once, completes the setup and erases its card', async () => {
    const setup = await testEnvironment.createSetup({ intendedAmount: { value: 2100, currencyCode: 'GBP' } });
    const id = await createPayment(setup, { tipsAmount: { value: 100, currencyCode: 'GBP' } });
    const answer = await testEnvironment.charge(id);
    expect([answer.status, parseJson(answer)]).toEqual([
      200,
      { paymentIntentId: id, status: 'Successful', message: 'DEPOSITED' },
    ]);
    expect([
      await readIntentState(id),
      await readSetupState(setup),
      await findCardState(setup),
      await testEnvironment.listBookings(id),
    ]).toEqual(['Captured Captured', 'Completed Authorized Captured', 'Erased', ['2100 Approved']]);
    const [row] = await testEnvironment.api.queryRows<{ kinds: string[] }>(
      `select array_agg(kind order by kind) as kinds from events where subject_id = $1`,
      [id],
    );
    expect(row?.kinds).toContain('payment_intent.status_updated');
    expect([
      (await testEnvironment.charge(id)).status,
      (await testEnvironment.charge(await createChargeableIntent(setup))).status,
    ]).toEqual([409, 409]);
  });

  test.each([
    ['4456530000091071', 'Declined', 'Declined', 'Created Declined'],
    ['4456530000091014', 'Failed', 'Failed by rule', 'Created Error'],
  ])('of %s that is %s changes neither, and may be tried again', async (number, status, message, happened) => {
    const setup = await testEnvironment.createSetup({}, number);
    const id = await createPayment(setup);
    if (status === 'Failed') setRule('fail');
    const answer = await testEnvironment.charge(id);
    expect([answer.status, parseJson(answer)]).toEqual([200, { paymentIntentId: id, status, message }]);
    expect([await readIntentState(id), await readSetupState(setup), await findCardState(setup)]).toEqual([
      happened,
      'Authorized Authorized',
      'Stored',
    ]);
    setRule('approve');
    expect(parseJson(await testEnvironment.charge(id))['status']).toBe('Successful');
  });

  test.each(selectRows(['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'PERMISSION_DENIED'] as const))(
    'that the acquirer answers with %s has failed at once, and may be tried again',
    async (status) => {
      const id = await createPayment(await testEnvironment.createSetup());
      const match = { kind: 'Authorise' } as const;
      testEnvironment.api.acquirer.simulator.rules.replaceRules([{ match, effect: 'refuse', status, times: 1 }]);
      expect(parseJson(await testEnvironment.charge(id))['status']).toBe('Failed');
      expect(await readIntentState(id)).toBe('Created Error');
      expect(parseJson(await testEnvironment.charge(id))['status']).toBe('Successful');
    },
  );

  test('may be made of a second payment when the first was declined, and of one of the two only', async () => {
    const setup = await testEnvironment.createSetup();
    const [first, second] = [await createPayment(setup), await createPayment(setup)];
    setRule('decline');
    expect(parseJson(await testEnvironment.charge(first))['status']).toBe('Declined');
    expect(parseJson(await testEnvironment.charge(second))['status']).toBe('Successful');
    expect([(await testEnvironment.charge(first)).status, await readIntentState(first)]).toEqual([
      409,
      'Created Declined',
    ]);
  });

  testLong('never challenges, for nobody is there', async () => {
    const { id: setup, secret } = await createChallengedSetup();
    expect(secret).not.toBe('');
    const id = await createPayment(setup);
    expect(parseJson(await testEnvironment.charge(id))['status']).toBe('Successful');
  });
});

describe('a charge whose outcome is unknown', () => {
  test.each([
    ['was lost after the booking', 'drop-answer', 'Captured Captured', 'Completed Authorized Captured', 'Erased'],
    ['never came to the acquirer', 'down', 'Created Error Reversed', 'Authorized Authorized', 'Stored'],
  ] as const)('and that %s is found by a worker', async (_, effect, then, setupThen, card) => {
    const setup = await testEnvironment.createSetup();
    const id = await createPayment(setup);
    setRule(effect);
    expect(await readAnswer(testEnvironment.charge(id))).toBe('504 acquirer_unanswered');
    expect([await readIntentState(id), await readSetupState(setup)]).toEqual(['Created', 'Authorized Authorized']);
    const held = await testEnvironment.api.sendRequest('DELETE', `/setup-intents/${setup}?includeAuthorized=true`);
    const second = await testEnvironment.charge(await createPayment(setup));
    expect([held.status, second.status, (await testEnvironment.charge(id)).status]).toEqual([409, 409, 409]);
    if (effect === 'down') await endDeadline(id);
    await pursueCalls(id);
    expect([await readIntentState(id), await readSetupState(setup), await findCardState(setup)]).toEqual([
      then,
      setupThen,
      card,
    ]);
  });
});

describe('a repeat of the key of a charge whose outcome was unknown', () => {
  const UNKNOWN = '504 acquirer_unanswered';

  test('asks again, and returns the approval that was lost', async () => {
    const id = await createPayment(await testEnvironment.createSetup());
    setRule('drop-answer');
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe(UNKNOWN);
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe('200 Successful DEPOSITED');
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe('200 Successful DEPOSITED');
    expect([await readIntentState(id), await testEnvironment.listBookings(id)]).toEqual([
      'Captured Captured',
      ['2000 Approved'],
    ]);
  });

  const FOUND = [
    ['approval', 'drop-answer', '4456530000091014', '200 Successful DEPOSITED', 'Captured Captured', []],
    [
      'decline',
      'drop-answer',
      '4456530000091071',
      '200 Declined Declined',
      'Created Declined',
      ['payment_intent.charge_failed Created'],
    ],
    [
      'reversal',
      'down',
      '4456530000091014',
      '200 Failed REVERSED',
      'Created Error Reversed',
      ['payment_intent.charge_failed Created'],
    ],
  ] as const;

  // What the acquirer has booked, and what it never received.
  test.each(selectRows(FOUND, ([, effect]) => effect))(
    'returns the %s that a worker has found',
    async (_, effect, number, answered, state, failed) => {
      const id = await createPayment(await testEnvironment.createSetup({}, number));
      setRule(effect);
      expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe(UNKNOWN);
      if (effect === 'down') await endDeadline(id);
      await pursueCalls(id);
      expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe(answered);
      const repeated = await testEnvironment.charge(id, 'k');
      expect([await readAnswer(Promise.resolve(repeated)), repeated.headers['idempotent-replayed']]).toEqual([
        answered,
        'true',
      ]);
      expect([await readIntentState(id), await listFailedCharges(id)]).toEqual([state, failed]);
    },
  );

  test('is not known yet while the acquirer is silent, and no second charge begins beside it', async () => {
    const id = await createPayment(await testEnvironment.createSetup());
    testEnvironment.api.acquirer.simulator.rules.replaceRules([
      { match: { kind: 'Authorise' }, effect: 'down', times: 2 },
    ]);
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe(UNKNOWN);
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe(UNKNOWN);
    expect(await readAnswer(testEnvironment.charge(id))).toBe('409 payment_intent_busy');
    expect(await readAnswer(testEnvironment.charge(id, 'other'))).toBe('409 payment_intent_busy');
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe('200 Successful DEPOSITED');
    expect(await testEnvironment.listBookings(id)).toEqual(['2000 Approved']);
  });

  test('after a reversal another key charges again', async () => {
    const id = await createPayment(await testEnvironment.createSetup());
    setRule('down');
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe(UNKNOWN);
    await endDeadline(id);
    await pursueCalls(id);
    expect(await readAnswer(testEnvironment.charge(id, 'other'))).toBe('200 Successful DEPOSITED');
    expect(await readAnswer(testEnvironment.charge(id, 'k'))).toBe('200 Failed REVERSED');
    expect(await testEnvironment.listBookings(id)).toEqual(['2000 Approved']);
  });
});

describe('under an idempotency key', () => {
  test('a repeat gets the first answer again', async () => {
    const id = await createPayment(await testEnvironment.createSetup());
    const [first, repeated] = [await testEnvironment.charge(id, 'k'), await testEnvironment.charge(id, 'k')];
    expect([first.status, repeated.status, repeated.text]).toEqual([200, 200, first.text]);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect(await testEnvironment.listBookings(id)).toEqual(['2000 Approved']);
  });

  testLong('the acquirer’s no is bound, and another key tries again', async () => {
    const id = await createPayment(await testEnvironment.createSetup());
    setRule('decline');
    const first = await testEnvironment.charge(id, 'k');
    expect((await testEnvironment.charge(id, 'k')).text).toBe(first.text);
    expect(parseJson(await testEnvironment.charge(id, 'other'))['status']).toBe('Successful');
  });
});

describe('fifty at once', () => {
  const KEYS: readonly (readonly [string, () => string | null])[] = [
    ['each its own', () => null],
    ['under one key', () => 'k'],
  ];

  test.each(KEYS)('charges of one payment, %s, take the money once', async (_, keyOf) => {
    const setup = await testEnvironment.createSetup();
    const id = await createPayment(setup);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_CALLS }, () => testEnvironment.charge(id, keyOf())),
    );
    const invalid = answers.filter(({ status }) => status !== 200 && status !== 409);
    expect(invalid).toEqual([]);
    expect([await testEnvironment.listBookings(id), await readSetupState(setup)]).toEqual([
      ['2000 Approved'],
      'Completed Authorized Captured',
    ]);
  });

  test('payments of one setup intent are charged once altogether', async () => {
    const setup = await testEnvironment.createSetup();
    const ids = await Promise.all(Array.from({ length: 10 }, () => createPayment(setup)));
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_CALLS }, (_, turn) => testEnvironment.charge(ids[turn % 10] ?? '')),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const booked = await Promise.all(ids.map((id) => testEnvironment.listBookings(id)));
    expect(booked.flat()).toEqual(['2000 Approved']);
    expect(await readSetupState(setup)).toBe('Completed Authorized Captured');
  });
});

test('what may be charged later is said in the words of the release', async () => {
  const setup = await testEnvironment.createSetup({ merchantInitiatedTransactionType: 'Unscheduled' });
  const id = await createPayment(setup);
  expect(parseJson(await testEnvironment.charge(id))['status']).toBe('Successful');
  const body = { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'Unscheduled' };
  const headers = { version: '2023-12-12' };
  expect((await testEnvironment.api.sendRequest('POST', '/setup-intents', { body, headers })).status).toBe(400);
});

/** The status and what was answered: a charge's status and message, or the reason of a refusal. */
async function readAnswer(answering: ReturnType<ChargeTestEnvironment['charge']>): Promise<string> {
  const answer = await answering;
  const { status, message, reason } = parseJson(answer);
  return answer.status === 200 ? `200 ${String(status)} ${String(message)}` : `${answer.status} ${String(reason)}`;
}

/** The time for the acquirer's answer, and the grace after it, have passed. */
async function endDeadline(id: string): Promise<void> {
  await testEnvironment.api.queryRows(
    `update acquirer_calls set deadline_at = deadline_at - interval '1 hour' where intent_id = $1 returning reference`,
    [id],
  );
}

/** Follows every open call of the payment as the worker does: an authorisation, then the reversal that it may order. */
async function pursueCalls(id: string): Promise<void> {
  for (let step = 0; step < 2; step += 1) {
    const calls = await testEnvironment.api.queryRows<{ reference: string }>(
      `select reference from acquirer_calls where intent_id = $1 and state <> 'Settled' order by created_at desc`,
      [id],
    );
    for (const { reference } of calls) await testEnvironment.api.pursueCall(reference);
  }
}

async function listFailedCharges(id: string): Promise<string[]> {
  const rows = await testEnvironment.api.queryRows<{ body: string }>(
    `select body from events where subject_id = $1 and kind = 'payment_intent.charge_failed'`,
    [id],
  );
  return rows.map(({ body }) => {
    const { event, data } = JSON.parse(body) as { event: string; data: { paymentStatus: string } };
    return `${event} ${data.paymentStatus}`;
  });
}

function setRule(effect: 'approve' | 'decline' | 'fail' | 'drop-answer' | 'down'): void {
  testEnvironment.api.acquirer.simulator.rules.replaceRules([{ match: { kind: 'Authorise' }, effect, times: 1 }]);
}

/** A payment of a setup intent that is over cannot be made any more: one that was made while it was not. */
async function createChargeableIntent(setup: string): Promise<string> {
  const { id } = await testEnvironment.api.createIntent();
  await testEnvironment.api.queryRows('update payment_intents set setup_intent_id = $2 where id = $1 returning id', [
    id,
    setup,
  ]);
  return id;
}

/** A setup whose card had to be proved at the issuer. */
async function createChallengedSetup(): Promise<{ readonly id: string; readonly secret: string }> {
  const createdValue = parseJson(
    await testEnvironment.api.sendRequest('POST', '/setup-intents', {
      body: { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' },
    }),
  );
  const secret = String(createdValue['clientSessionSecret']);
  const headers = { 'client-session-secret': secret };
  const card = {
    cardNumber: '4456530000001096',
    cardName: 'A GUEST',
    expiryDate: '12/32',
    cV2: '020',
    mitConsentGiven: true,
  };
  const { transactionId } = await testEnvironment.payer('/client/payments', card, headers);
  await testEnvironment.payer('/client/payments/challenge', { transactionId, paRes: 'Y' }, headers);
  return { id: String(createdValue['id']), secret };
}
