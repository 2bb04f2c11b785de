import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { paidIntent } from './card-machine/testing.js';
import { bookedAbout, counted, silences, Till } from './till/testing.js';
import {
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  moveClock,
  openShop,
  openWorld,
  readCall,
  readIntent,
  timersOf,
  type World,
} from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterEach(() => {
  world.door.rules.replace([]);
});
afterAll(async () => {
  await world.close();
});

const UNTIL_REPEATED_MS = 6_000;
const NOON_TO_MIDNIGHT_MS = DAY_MS / 2;

async function paid(captureMode: 'Auto' | 'Manual', settings = {}) {
  const shop = await openShop(world, settings);
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode });
  return { shop, id, reference, till: new Till(world, shop) };
}

test.each([
  ['a payment', 'Auto', 'Captured'],
  ['a hold', 'Manual', 'Authorized'],
] as const)('%s is undone as a whole, once', async (_says, captureMode, before) => {
  const { shop, id, reference, till } = await paid(captureMode);
  expect(await till.reverse(id)).toBe('done');
  expect((await readIntent(world, shop, id)).status).toBe('Reversed');
  expect(await historyOf(world, shop, id)).toEqual([before, 'Reversed']);
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created', before, 'Reversed']);
  expect((await readCall(world, shop, reference)).outcome).toBe('Reversed');
  expect(bookedAbout(world, reference)).toEqual(['Reverse 2000 Approved']);
  expect([await till.reverse(id), await till.capture(id, 1), await till.refund(id, 1)]).toEqual([
    'not_reversible',
    'not_capturable',
    'not_refundable',
  ]);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

// A shop opens at noon; a card machine's sale takes some moments of it.
test.each<[string, 'Auto' | 'Manual', number, object, string]>([
  ['a payment just before midnight UTC', 'Auto', NOON_TO_MIDNIGHT_MS - 60_000, {}, 'done'],
  ['a payment at midnight UTC', 'Auto', NOON_TO_MIDNIGHT_MS, {}, 'reversal_window_passed'],
  ['a payment on the second of two days', 'Auto', DAY_MS, { capturedReversalDays: 2 }, 'done'],
  ['a payment where no day is allowed', 'Auto', 0, { capturedReversalDays: 0 }, 'reversal_window_passed'],
  ['a hold on its seventh day', 'Manual', 7 * DAY_MS - 60_000, {}, 'done'],
  ['a hold after seven days', 'Manual', 7 * DAY_MS, {}, 'reversal_window_passed'],
  [
    'a hold after the hour an account allows',
    'Manual',
    3_600_000,
    { authorizedReversalWindowMs: 3_600_000 },
    'reversal_window_passed',
  ],
])('%s: %s', async (_says, captureMode, laterMs, settings, then) => {
  const { shop, id, reference, till } = await paid(captureMode, settings);
  await moveClock(world, shop.scope, laterMs);
  expect(await till.reverse(id)).toBe(then);
  expect(bookedAbout(world, reference)).toHaveLength(then === 'done' ? 1 : 0);
});

test('what is partly captured, was held first, is partly refunded, unpaid or unknown is not undone', async () => {
  const { shop, id: part, till } = await paid('Manual');
  await till.capture(part, 1);
  const { intentId: whole } = await paidIntent(world, shop, { captureMode: 'Manual' });
  await till.capture(whole, 2_000);
  const { intentId: refunded } = await paidIntent(world, shop);
  await till.refund(refunded, 1);
  const created = await createIntent(world, shop);
  const stranger = await paid('Auto');
  const answers: string[] = [];
  for (const id of [part, whole, refunded, created, stranger.id]) answers.push(await till.reverse(id));
  expect(answers).toEqual([...Array.from({ length: 4 }, () => 'not_reversible'), 'payment_intent_unknown']);
  await expectSound(world, shop);
});

test('a reversal that the acquirer refuses leaves the payment as it was, to be refunded or tried again', async () => {
  const { shop, id, reference, till } = await paid('Auto');
  // Behind our back the acquirer has refunded a part, so it cannot undo the whole.
  await world.door.follow('Refund', {
    reference: `other ${shop.merchantId}`,
    originalReference: reference,
    amount: gbp(1),
  });
  expect(await till.reverse(id)).toBe('reversal_refused');
  const { status, pendingRefund } = await readIntent(world, shop, id);
  expect([status, pendingRefund]).toEqual(['Captured', gbp(0)]);
  expect((await readCall(world, shop, reference)).reverseReference).toBeNull();
  expect(await historyOf(world, shop, id)).toEqual(['Captured']);
  expect(await till.refund(id, 1_999)).toBe('done');
});

test.each(silences('Reverse'))(
  'a reversal whose answer %s is asked for again by a worker, and happens once',
  async (_says, rules) => {
    const { shop, id, reference, till } = await paid('Auto');
    world.door.rules.replace(rules);
    expect(await till.reverse(id)).toBe('acquirer_unanswered');
    expect([await till.refund(id, 1), await till.reverse(id)]).toEqual([
      'refund_exceeds_captured',
      'payment_intent_busy',
    ]);
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(world, shop, id)).status).toBe('Reversed');
    expect(bookedAbout(world, reference)).toEqual(['Reverse 2000 Approved']);
    expect(await timersOf(world, shop)).toEqual([]);
    await expectSound(world, shop);
  },
);

test('twenty reversals, refunds and captures at once: the money goes one way', async () => {
  for (const captureMode of ['Auto', 'Manual'] as const) {
    const { shop, id, till } = await paid(captureMode);
    const other = (): Promise<string> => (captureMode === 'Auto' ? till.refund(id, 2_000) : till.capture(id, 2_000));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? till.reverse(id) : other())),
    );
    expect(counted(answers)['done']).toBe(1);
    await expectSound(world, shop);
  }
});
