import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { money, type Money } from '@pos/core/money';
import { gbp } from '@pos/core/testing';
import { paidIntent } from './card-machine/testing.js';
import { bookedAbout, counted, silences, Till } from './till/testing.js';
import { createIntent, elapse, expectSound, heardOf, openShop, openWorld, readIntent } from './testing.js';
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

const UNTIL_REPEATED_MS = 6_000;
const payment = { customAmountAllowed: true, tipsAllowed: true };
const FLEXIBLE = { details: { config: { ...DEFAULT_INTENT_CONFIG, payment }, itemLines: [], taxLines: [] } };

/** A hold of £20 that may be raised, in a shop of its own. */
async function held() {
  const shop = await openShop(world);
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode: 'Manual', ...FLEXIBLE });
  return { shop, id, reference, till: new Till(world, shop) };
}

test('before anybody paid price and tip change at once: the first price is remembered, the old secret is void', async () => {
  const shop = await openShop(world);
  const till = new Till(world, shop);
  const id = await createIntent(world, shop, { ...FLEXIBLE, generateRemoteToken: true });
  const first = await readIntent(world, shop, id);
  expect([await till.price(id, gbp(1_500)), await till.tips(id, gbp(200))]).toEqual(['done', 'done']);
  const changed = await readIntent(world, shop, id);
  expect([changed.amount, changed.requestedAmount, changed.tipsAmount]).toEqual([gbp(1_500), gbp(2_000), gbp(200)]);
  expect(changed.clientSecret).toEqual(expect.any(String));
  expect(changed.clientSecret).not.toBe(first.clientSecret);
  expect(await till.tips(id, gbp(0))).toBe('done');
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created']);
});

test('a hold is raised on the same card, and captured and undone as a whole after that', async () => {
  const { shop, id, reference, till } = await held();
  expect(await till.price(id, gbp(2_500))).toBe('done');
  const raised = await readIntent(world, shop, id);
  expect([raised.amount, raised.authorized, raised.pendingCapture]).toEqual([gbp(2_500), gbp(2_500), gbp(0)]);
  expect(bookedAbout(world, reference)).toEqual(['Increase 500 Approved']);
  await expectSound(world, shop);
  expect(await till.reverse(id)).toBe('done');
  expect(bookedAbout(world, reference)).toEqual(['Increase 500 Approved', 'Reverse 2500 Approved']);
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created', 'Authorized', 'Reversed']);
  const other = await held();
  await other.till.price(other.id, gbp(2_500));
  expect([await other.till.capture(other.id, 2_501), await other.till.capture(other.id, 2_500)]).toEqual([
    'capture_exceeds_authorized',
    'done',
  ]);
  await expectSound(world, other.shop);
});

test.each<[string, Money, number, string]>([
  ['the same amount', gbp(2_000), 0, 'amount_not_raised'],
  ['less', gbp(1_999), 0, 'amount_not_raised'],
  ['another currency', money(2_500, 'EUR'), 0, 'validation_failed'],
  ['more than can be asked for', gbp(1_000_000_000_000), 0, 'validation_failed'],
  ['more, once something is captured', gbp(2_500), 1, 'amount_not_changeable'],
])('a hold is asked to be %s: %j after a capture of %d: %s', async (_says, amount, captured, then) => {
  const { shop, id, reference, till } = await held();
  if (captured > 0) await till.capture(id, captured);
  expect(await till.price(id, amount)).toBe(then);
  expect(bookedAbout(world, reference).filter((line) => line.startsWith('Increase'))).toEqual([]);
  expect((await readIntent(world, shop, id)).amount).toEqual(gbp(2_000));
});

test('a raise that the issuer refuses leaves the hold as it was', async () => {
  const { shop, id, till } = await held();
  world.door.rules.replace([{ match: { kind: 'Increase' }, effect: 'decline', times: 1 }]);
  expect(await till.price(id, gbp(2_500))).toBe('amount_raise_refused');
  const { amount, authorized, pendingCapture } = await readIntent(world, shop, id);
  expect([amount, authorized, pendingCapture]).toEqual([gbp(2_000), gbp(2_000), gbp(0)]);
  expect(await till.capture(id, 2_000)).toBe('done');
  await expectSound(world, shop);
});

test.each(silences('Increase'))(
  'a raise whose answer %s is asked for again, and happens once',
  async (_says, rules) => {
    const { shop, id, reference, till } = await held();
    world.door.rules.replace(rules);
    expect(await till.price(id, gbp(2_500))).toBe('acquirer_unanswered');
    expect([await till.capture(id, 1), await till.reverse(id), await till.price(id, gbp(3_000))]).toEqual(
      Array.from({ length: 3 }, () => 'payment_intent_busy'),
    );
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(world, shop, id)).authorized).toEqual(gbp(2_500));
    expect(bookedAbout(world, reference)).toEqual(['Increase 500 Approved']);
    await expectSound(world, shop);
  },
);

test('fifty raises at once to one amount raise it once', async () => {
  const { shop, id, reference, till } = await held();
  const answers = await Promise.all(Array.from({ length: 50 }, () => till.price(id, gbp(2_500))));
  expect(counted(answers)['done']).toBe(1);
  expect(bookedAbout(world, reference)).toEqual(['Increase 500 Approved']);
  await expectSound(world, shop);
});
