import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Approval } from '@pos/core/card';
import type { PaymentIntentId } from '@pos/core/identity';
import { cancel } from '@pos/core/payment-intent';
import type { AcquirerAnswer } from '@pos/core/ports';
import { approvalOf, declineOf, gbp } from '@pos/core/testing';
import { callsOf, findCall } from '@pos/store/acquirer-calls';
import { findIntent, lockIntent, paymentEventsOf, updateIntent } from '@pos/store/payment-intents';
import { settleOnline } from './online-settling.js';
import { onlineAttempt } from './testing-online.js';
import { act, elapse, openShop, openWorld, refusalOf, type Shop, type World } from './testing.js';

let world: World;
let shop: Shop;

beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world);
});
afterAll(() => world.close());

/** An attempt that was asked for and has had no answer. */
const attempt = () => onlineAttempt(world, shop);

function approvalUnder(reference: string, value = 2_000): Approval {
  const {
    merchantId: _m,
    aid: _a,
    panSequence: _p,
    cardProduct: _c,
    ...approval
  } = approvalOf(gbp(value), { reference });
  return approval;
}

async function standing(id: PaymentIntentId): Promise<string> {
  return world.database.read(shop.scope, async (reader) => {
    const intent = await findIntent(reader, id);
    const events = await paymentEventsOf(reader, id);
    return [intent?.status, ...events.map(({ eventType }) => eventType)].join(' ');
  });
}

function heard(reference: string, answer: AcquirerAnswer) {
  return act(world, shop, (tx) => settleOnline(tx, reference, answer));
}

test('an approval that meets a finished intent is undone, and the history says so', async () => {
  const { id, reference } = await attempt();
  await act(world, shop, async (tx) => {
    const locked = (await lockIntent(tx, id))!;
    await updateIntent(tx, cancel(locked.intent, { now: tx.now, hasRunningAttempt: false }), locked);
  });
  await heard(reference, { outcome: 'approved', approval: approvalUnder(reference) });
  expect(await standing(id)).toBe('Canceled Canceled Reversed');
  await elapse(world, shop.scope, 60_000);
  const calls = await world.database.read(shop.scope, (reader) => callsOf(reader, id));
  expect(calls.map(({ kind, state, outcome }) => `${kind} ${state} ${outcome}`)).toEqual([
    'Authorise Settled Reversed',
    'Reverse Settled Approved',
  ]);
  expect(await standing(id)).toBe('Canceled Canceled Reversed');
});

test('an approval after the reversal was ordered settles nothing, however often it comes', async () => {
  const { id, reference } = await attempt();
  await elapse(world, shop.scope, 80_000);
  expect(await standing(id)).toBe('Created Error');
  for (let time = 0; time < 2; time += 1) {
    await heard(reference, { outcome: 'approved', approval: approvalUnder(reference) });
  }
  expect(await standing(id)).toBe('Created Error');
});

test('a yes to another amount ends nothing', async () => {
  const { id, reference } = await attempt();
  const call = await heard(reference, { outcome: 'approved', approval: approvalUnder(reference, 1) });
  expect(call.state).toBe('Unknown');
  expect(await standing(id)).toBe('Created');
});

test.each<[string, (reference: string) => AcquirerAnswer, string, string]>([
  [
    'approved',
    (reference) => ({ outcome: 'approved', approval: approvalUnder(reference) }),
    'Captured Captured',
    'Approved',
  ],
  ['declined', () => ({ outcome: 'declined', decline: declineOf() }), 'Created Declined', 'Declined'],
  ['failed', () => ({ outcome: 'declined', decline: declineOf('FAILED') }), 'Created Error', 'Declined'],
  ['reversed by somebody else', () => ({ outcome: 'reversed' }), 'Created Error', 'Canceled'],
])('%s is settled once, also by two who hear it at once', async (_, answerOf, expected, outcome) => {
  const { id, reference } = await attempt();
  await Promise.all([heard(reference, answerOf(reference)), heard(reference, answerOf(reference))]);
  await heard(reference, answerOf(reference));
  expect(await standing(id)).toBe(expected);
  const call = await world.database.read(shop.scope, (reader) => findCall(reader, reference));
  expect([call?.state, call?.outcome]).toEqual(['Settled', outcome]);
});

test.each<[AcquirerAnswer['outcome']]>([['inProgress'], ['notFound']])('%s ends nothing', async (outcome) => {
  const { id, reference } = await attempt();
  const answer: AcquirerAnswer = outcome === 'notFound' ? { outcome } : { outcome: 'inProgress' };
  expect((await heard(reference, answer)).state).toBe('Unknown');
  expect(await standing(id)).toBe('Created');
});

test('while its outcome is open an intent is neither canceled nor given another secret, and does not expire', async () => {
  const { id } = await attempt();
  const { intents } = world;
  expect(await refusalOf(act(world, shop, (tx) => intents.cancel(tx, id)))).toBe('payment_intent_busy');
  expect(await refusalOf(act(world, shop, (tx) => intents.refreshSecretPublic(tx, id)))).toBe('payment_intent_busy');
});
