import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { bookedAbout, counted, silences, Till } from './till/testing.js';
import { paidIntent } from './card-machine/testing.js';
import {
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  openShop,
  openWorld,
  readIntent,
  timersOf,
} from './testing.js';
import type { World } from './testing.js';

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

const AT_ONCE = 50;
const UNTIL_REPEATED_MS = 6_000;

/** A hold of £20 in a shop of its own. */
async function held() {
  const shop = await openShop(world);
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode: 'Manual' });
  return { shop, id, reference, till: new Till(world, shop) };
}

test('a hold is captured in parts with tips; only the last one changes the status, and nothing is left after it', async () => {
  const { shop, id, reference, till } = await held();
  expect(await till.capture(id, 500, 100)).toBe('done');
  const part = await readIntent(world, shop, id);
  expect([part.status, part.captured, part.tipsAmount]).toEqual(['Authorized', gbp(600), gbp(100)]);
  expect(await till.capture(id, 1_401)).toBe('capture_exceeds_authorized');
  expect(await till.capture(id, 1_300, 100)).toBe('done');
  const whole = await readIntent(world, shop, id);
  expect([whole.status, whole.captured, whole.tipsAmount]).toEqual(['Captured', gbp(2_000), gbp(200)]);
  expect(
    whole.details.captures.map(({ amount, tipsAmount, status }) => [amount.value, tipsAmount.value, status]),
  ).toEqual([
    [500, 100, 'Successful'],
    [1_300, 100, 'Successful'],
  ]);
  expect(await historyOf(world, shop, id)).toEqual(['Authorized', 'Captured', 'Captured']);
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created', 'Authorized', 'Captured']);
  expect(bookedAbout(world, reference)).toEqual(['Capture 600 Approved', 'Capture 1400 Approved']);
  expect(await timersOf(world, shop)).toEqual([]);
  expect(await till.capture(id, 1)).toBe('not_capturable');
  await expectSound(world, shop);
});

test.each<[string, number, number, string]>([
  ['a penny more than is held', 2_001, 0, 'capture_exceeds_authorized'],
  ['a tip that exceeds what is held', 2_000, 1, 'capture_exceeds_authorized'],
  ['only a tip', 0, 100, 'validation_failed'],
  ['less than nothing', -1, 0, 'validation_failed'],
  ['a negative tip', 10, -1, 'validation_failed'],
  ['all of it', 2_000, 0, 'done'],
])('%s: %d and a tip of %d: %s', async (_says, amount, tip, then) => {
  const { shop, id, reference, till } = await held();
  expect(await till.capture(id, amount, tip)).toBe(then);
  expect(bookedAbout(world, reference)).toHaveLength(then === 'done' ? 1 : 0);
  expect((await readIntent(world, shop, id)).pendingCapture).toEqual(gbp(0));
  await expectSound(world, shop);
});

test('what was never approved, was taken at once, or is unknown cannot be captured', async () => {
  const shop = await openShop(world);
  const till = new Till(world, shop);
  const created = await createIntent(world, shop, { captureMode: 'Manual' });
  const { intentId: taken } = await paidIntent(world, shop);
  const stranger = await held();
  expect(await Promise.all([created, taken].map((id) => till.capture(id, 1)))).toEqual([
    'not_capturable',
    'not_capturable',
  ]);
  expect(await till.capture(stranger.id, 1)).toBe('payment_intent_unknown');
});

test.each([
  ['decline', 'Declined'],
  ['fail', 'Failed'],
] as const)(
  'a capture that the acquirer answers with %s is %s, and its money can be captured again',
  async (effect, then) => {
    const { shop, id, till } = await held();
    world.door.rules.replace([{ match: { kind: 'Capture' }, effect, times: 1 }]);
    expect(await till.capture(id, 2_000)).toBe('capture_refused');
    const refused = await readIntent(world, shop, id);
    expect([refused.status, refused.pendingCapture, refused.details.captures[0]?.status]).toEqual([
      'Authorized',
      gbp(0),
      then,
    ]);
    expect(await historyOf(world, shop, id)).toEqual(['Authorized']);
    expect(await till.capture(id, 2_000)).toBe('done');
    await expectSound(world, shop);
  },
);

test.each(silences('Capture'))(
  'a capture whose answer %s is asked for again by a worker, and taken once',
  async (_says, rules) => {
    const { shop, id, reference, till } = await held();
    world.door.rules.replace(rules);
    expect(await till.capture(id, 1_500)).toBe('acquirer_unanswered');
    const open = await readIntent(world, shop, id);
    expect([open.pendingCapture, open.captured, open.details.captures[0]?.status]).toEqual([
      gbp(1_500),
      gbp(0),
      'Created',
    ]);
    // What is reserved is not given twice while nobody knows.
    expect(await till.capture(id, 501)).toBe('capture_exceeds_authorized');
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(world, shop, id)).captured).toEqual(gbp(1_500));
    expect(await historyOf(world, shop, id)).toEqual(['Authorized', 'Captured']);
    expect(bookedAbout(world, reference)).toEqual(['Capture 1500 Approved']);
    expect(await timersOf(world, shop)).toEqual([`hold-end ${id}`]);
    await expectSound(world, shop);
  },
);

test('fifty captures at once of a hold for twenty: twenty are taken', async () => {
  const { shop, id, reference, till } = await held();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => till.capture(id, 100)));
  expect(counted(answers)['done']).toBe(20);
  expect(new Set(answers)).toEqual(new Set(['done', answers.find((each) => each !== 'done')]));
  const { status, captured, pendingCapture } = await readIntent(world, shop, id);
  expect([status, captured, pendingCapture]).toEqual(['Captured', gbp(2_000), gbp(0)]);
  expect(bookedAbout(world, reference)).toEqual(Array.from({ length: 20 }, () => 'Capture 100 Approved'));
  await expectSound(world, shop);
});

test('many workers repeat one capture at once, and it is taken once', async () => {
  const { shop, id, reference } = await held();
  const capture = await world.database.transact(shop.scope, (tx) =>
    world.captures.begin(tx, id, { amount: 700, tipsAmount: 0 }),
  );
  await Promise.all(Array.from({ length: 12 }, () => world.calls.pursue(shop.scope, capture)));
  expect((await readIntent(world, shop, id)).captured).toEqual(gbp(700));
  expect(bookedAbout(world, reference)).toEqual(['Capture 700 Approved']);
  await expectSound(world, shop);
});
