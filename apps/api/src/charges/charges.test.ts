import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { jsonOf } from '../testing.js';
import { ChargeWorld } from './testing.js';

let world: ChargeWorld;
beforeAll(async () => {
  // Short, because some stories are about an acquirer that does not answer.
  world = await ChargeWorld.open({ ACQUIRER_DEADLINE_MS: '4000' });
});
afterEach(() => world.api.acquirer.door.rules.replace([]));
afterAll(() => world.close());

const AT_ONCE = 50;

async function payment(setupIntentId: string, more: Parameters<ChargeWorld['api']['intent']>[0] = {}): Promise<string> {
  return (await world.api.intent({ setupIntentId, ...more })).id;
}

async function standing(id: string): Promise<string> {
  const { status, paymentEvents } = await world.read(`/payment-intents/${id}`);
  return [status, ...(paymentEvents as { eventType: string }[]).map(({ eventType }) => eventType)].join(' ');
}

async function setupStanding(id: string): Promise<string> {
  const { status, setupEvents } = await world.read(`/setup-intents/${id}`);
  return [status, ...(setupEvents as { eventType: string }[]).map(({ eventType }) => eventType)].join(' ');
}

async function cardOf(setupId: string): Promise<string> {
  const rows = await world.api.look<{ state: string }>('select state from saved_cards where setup_intent_id = $1', [
    setupId,
  ]);
  return rows.map(({ state }) => state).join();
}

describe('a charge', () => {
  test('that is approved takes the whole amount at once, completes the setup and erases its card', async () => {
    const setup = await world.setup({ intendedAmount: { value: 2100, currencyCode: 'GBP' } });
    const id = await payment(setup, { tipsAmount: { value: 100, currencyCode: 'GBP' } });
    const answer = await world.charge(id);
    expect([answer.status, jsonOf(answer)]).toEqual([
      200,
      { paymentIntentId: id, status: 'Successful', message: 'DEPOSITED' },
    ]);
    expect([await standing(id), await setupStanding(setup), await cardOf(setup), await world.booked(id)]).toEqual([
      'Captured Captured',
      'Completed Authorized Captured',
      'Erased',
      ['2100 Approved'],
    ]);
    const [row] = await world.api.look<{ kinds: string[] }>(
      `select array_agg(kind order by kind) as kinds from events where subject_id = $1`,
      [id],
    );
    expect(row?.kinds).toContain('payment_intent.status_updated');
    expect([(await world.charge(id)).status, (await world.charge(await created(setup))).status]).toEqual([409, 409]);
  });

  test.each([
    ['4456530000091071', 'Declined', 'Declined', 'Created Declined'],
    ['4456530000091014', 'Failed', 'Failed by rule', 'Created Error'],
  ])('of %s that is %s changes neither, and may be tried again', async (number, status, message, happened) => {
    const setup = await world.setup({}, number);
    const id = await payment(setup);
    if (status === 'Failed') rule('fail');
    const answer = await world.charge(id);
    expect([answer.status, jsonOf(answer)]).toEqual([200, { paymentIntentId: id, status, message }]);
    expect([await standing(id), await setupStanding(setup), await cardOf(setup)]).toEqual([
      happened,
      'Authorized Authorized',
      'Stored',
    ]);
    rule('approve');
    expect(jsonOf(await world.charge(id))['status']).toBe('Successful');
  });

  test.each(['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'PERMISSION_DENIED'] as const)(
    'that the acquirer answers with %s has failed at once, and may be tried again',
    async (status) => {
      const id = await payment(await world.setup());
      const match = { kind: 'Authorise' } as const;
      world.api.acquirer.door.rules.replace([{ match, effect: 'refuse', status, times: 1 }]);
      expect(jsonOf(await world.charge(id))['status']).toBe('Failed');
      expect(await standing(id)).toBe('Created Error');
      expect(jsonOf(await world.charge(id))['status']).toBe('Successful');
    },
  );

  test('may be made of a second payment when the first was declined, and of one of the two only', async () => {
    const setup = await world.setup();
    const [first, second] = [await payment(setup), await payment(setup)];
    rule('decline');
    expect(jsonOf(await world.charge(first))['status']).toBe('Declined');
    expect(jsonOf(await world.charge(second))['status']).toBe('Successful');
    expect([(await world.charge(first)).status, await standing(first)]).toEqual([409, 'Created Declined']);
  });

  test('never challenges, for nobody is there', async () => {
    const { id: setup, secret } = await challenged();
    expect(secret).not.toBe('');
    const id = await payment(setup);
    expect(jsonOf(await world.charge(id))['status']).toBe('Successful');
  });
});

describe('a charge whose outcome nobody heard', () => {
  test.each([
    ['was lost after the booking', 'drop-answer', 'Captured Captured', 'Completed Authorized Captured', 'Erased'],
    ['never came to the acquirer', 'down', 'Created Error', 'Authorized Authorized', 'Stored'],
  ] as const)('and that %s is found by a worker', async (_, effect, then, setupThen, card) => {
    const setup = await world.setup();
    const id = await payment(setup);
    rule(effect);
    const answer = await world.charge(id);
    expect([answer.status, jsonOf(answer)['status']]).toEqual([200, 'Created']);
    expect([await standing(id), await setupStanding(setup)]).toEqual(['Created', 'Authorized Authorized']);
    const held = await world.api.send('DELETE', `/setup-intents/${setup}?includeAuthorized=true`);
    const second = await world.charge(await payment(setup));
    expect([held.status, second.status, (await world.charge(id)).status]).toEqual([409, 409, 409]);
    const [call] = await world.api.look<{ reference: string }>(
      'select reference from acquirer_calls where intent_id = $1',
      [id],
    );
    if (effect === 'down') {
      await world.api.look(
        `update acquirer_calls set deadline_at = deadline_at - interval '1 hour' where intent_id = $1 returning reference`,
        [id],
      );
    }
    await world.api.pursue(call?.reference ?? '');
    expect([await standing(id), await setupStanding(setup), await cardOf(setup)]).toEqual([then, setupThen, card]);
  });
});

describe('under an idempotency key', () => {
  test('a repeat gets the first answer again', async () => {
    const id = await payment(await world.setup());
    const [first, again] = [await world.charge(id, 'k'), await world.charge(id, 'k')];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await world.booked(id)).toEqual(['2000 Approved']);
  });

  test('the acquirer’s no is bound, and another key tries again', async () => {
    const id = await payment(await world.setup());
    rule('decline');
    const first = await world.charge(id, 'k');
    expect((await world.charge(id, 'k')).text).toBe(first.text);
    expect(jsonOf(await world.charge(id, 'other'))['status']).toBe('Successful');
  });
});

describe('fifty at once', () => {
  test.each([
    ['each its own', () => null],
    ['under one key', () => 'k'],
  ])('charges of one payment, %s, take the money once', async (_, keyOf) => {
    const setup = await world.setup();
    const id = await payment(setup);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => world.charge(id, keyOf())));
    const wrong = answers.filter(({ status }) => status !== 200 && status !== 409);
    expect(wrong).toEqual([]);
    expect([await world.booked(id), await setupStanding(setup)]).toEqual([
      ['2000 Approved'],
      'Completed Authorized Captured',
    ]);
  });

  test('payments of one setup intent are charged once altogether', async () => {
    const setup = await world.setup();
    const ids = await Promise.all(Array.from({ length: 10 }, () => payment(setup)));
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => world.charge(ids[turn % 10] ?? '')));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const booked = await Promise.all(ids.map((id) => world.booked(id)));
    expect(booked.flat()).toEqual(['2000 Approved']);
    expect(await setupStanding(setup)).toBe('Completed Authorized Captured');
  });
});

test('what may be charged later is said in the words of the release', async () => {
  const setup = await world.setup({ merchantInitiatedTransactionType: 'Unscheduled' });
  const id = await payment(setup);
  expect(jsonOf(await world.charge(id))['status']).toBe('Successful');
  const body = { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'Unscheduled' };
  const headers = { version: '2023-12-12' };
  expect((await world.api.send('POST', '/setup-intents', { body, headers })).status).toBe(400);
});

function rule(effect: 'approve' | 'decline' | 'fail' | 'drop-answer' | 'down'): void {
  world.api.acquirer.door.rules.replace([{ match: { kind: 'Authorise' }, effect, times: 1 }]);
}

/** A payment of a setup intent that is over cannot be made any more: one that was made while it was not. */
async function created(setup: string): Promise<string> {
  const { id } = await world.api.intent();
  await world.api.look('update payment_intents set setup_intent_id = $2 where id = $1 returning id', [id, setup]);
  return id;
}

/** A setup whose card had to be proved at the issuer. */
async function challenged(): Promise<{ readonly id: string; readonly secret: string }> {
  const made = jsonOf(
    await world.api.send('POST', '/setup-intents', {
      body: { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' },
    }),
  );
  const secret = String(made['clientSessionSecret']);
  const headers = { 'client-session-secret': secret };
  const card = {
    cardNumber: '4456530000001096',
    cardName: 'A GUEST',
    expiryDate: '12/32',
    cV2: '020',
    mitConsentGiven: true,
  };
  const { transactionId } = await world.payer('/client/payments', card, headers);
  await world.payer('/client/payments/challenge', { transactionId, paRes: 'Y' }, headers);
  return { id: String(made['id']), secret };
}
