import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { Machine, paidIntent } from './card-machine/testing.js';
import { bookedAbout, counted, silences, Till } from './till/testing.js';
import {
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  timersOf,
  work,
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

const AT_ONCE = 50;
const UNTIL_REPEATED_MS = 6_000;

/** £20 that were taken on a card machine, in a shop of its own. */
async function paid(captureMode: 'Auto' | 'Manual' = 'Auto') {
  const shop = await openShop(world);
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode });
  return { shop, id, reference, till: new Till(world, shop) };
}

test('a payment is refunded in parts, exactly; only the last one changes the status', async () => {
  const { shop, id, reference, till } = await paid();
  expect(await till.refund(id, 500)).toBe('done');
  expect((await readIntent(world, shop, id)).status).toBe('Captured');
  expect(await till.refund(id, 1_501)).toBe('refund_exceeds_captured');
  expect(await till.refund(id, 1_500)).toBe('done');
  const { status, refunded, pendingRefund } = await readIntent(world, shop, id);
  expect([status, refunded, pendingRefund]).toEqual(['Refunded', gbp(2_000), gbp(0)]);
  expect(await historyOf(world, shop, id)).toEqual(['Captured', 'Refunded', 'Refunded']);
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created', 'Captured', 'Refunded']);
  expect(bookedAbout(world, reference)).toEqual(['Refund 500 Approved', 'Refund 1500 Approved']);
  expect(await till.refund(id, 1)).toBe('not_refundable');
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('of a hold only what was captured is refunded, and the rest is released with it', async () => {
  const { shop, id, reference, till } = await paid('Manual');
  expect(await till.refund(id, 1)).toBe('not_refundable');
  await till.capture(id, 1_200);
  expect(await till.refund(id, 1_201)).toBe('refund_exceeds_captured');
  expect(await till.refund(id, 200)).toBe('done');
  expect((await readIntent(world, shop, id)).status).toBe('Captured');
  expect(await till.capture(id, 1)).toBe('not_capturable');
  await work(world, shop.scope);
  expect(bookedAbout(world, reference)).toEqual([
    'Capture 1200 Approved',
    'Refund 200 Approved',
    'Reverse 800 Approved',
  ]);
  expect(await till.refund(id, 1_000)).toBe('done');
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created', 'Authorized', 'Captured', 'Refunded']);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('the release of the rest is repeated until the acquirer has heard it', async () => {
  const { shop, id, reference, till } = await paid('Manual');
  await till.capture(id, 1_200);
  world.door.rules.replace([
    { match: { kind: 'Reverse' }, effect: 'down', times: 1 },
    { match: { kind: 'Reverse' }, effect: 'drop-answer', times: 2 },
  ]);
  expect(await till.refund(id, 1_200)).toBe('done');
  await work(world, shop.scope);
  for (let round = 0; round < 2; round += 1) await elapse(world, shop.scope, UNTIL_REPEATED_MS * 2 ** round);
  expect(bookedAbout(world, reference).filter((line) => line.startsWith('Reverse'))).toEqual(['Reverse 800 Approved']);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('what was never paid, was given up, reversed or belongs to somebody else is not refunded', async () => {
  const { shop, id: reversed, till } = await paid();
  await till.reverse(reversed);
  const created = await createIntent(world, shop);
  const canceled = await createIntent(world, shop);
  await world.database.transact(shop.scope, (tx) => world.intents.cancel(tx, canceled));
  const stranger = await paid();
  const answers: string[] = [];
  for (const id of [created, canceled, reversed, stranger.id]) answers.push(await till.refund(id, 1));
  expect(answers).toEqual(['not_refundable', 'payment_intent_canceled', 'not_refundable', 'payment_intent_unknown']);
});

test('a refund that the acquirer refuses changes nothing and is no refund', async () => {
  const { shop, id, till } = await paid();
  world.door.rules.replace([{ match: { kind: 'Refund' }, effect: 'decline', times: 1 }]);
  const order = { amount: 2_000, reason: null, notes: null, previousTransactionId: null };
  const refund = await world.database.transact(shop.scope, (tx) => world.refunds.begin(tx, id, order));
  const get = () => refusalOf(world.database.read(shop.scope, (reader) => world.refunds.get(reader, refund)));
  expect(await get()).toBe('refund_not_found');
  await world.calls.pursue(shop.scope, refund);
  expect(await get()).toBe('refund_not_found');
  const { status, pendingRefund, refunded } = await readIntent(world, shop, id);
  expect([status, pendingRefund, refunded]).toEqual(['Captured', gbp(0), gbp(0)]);
  expect(await historyOf(world, shop, id)).toEqual(['Captured']);
  expect(await till.refund(id, 2_000)).toBe('done');
  await expectSound(world, shop);
});

test.each(silences('Refund'))(
  'a refund whose answer %s is asked for again by a worker, and made once',
  async (_says, rules) => {
    const { shop, id, reference, till } = await paid();
    world.door.rules.replace(rules);
    expect(await till.refund(id, 1_500)).toBe('acquirer_unanswered');
    expect((await readIntent(world, shop, id)).pendingRefund).toEqual(gbp(1_500));
    expect(await till.refund(id, 501)).toBe('refund_exceeds_captured');
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    expect((await readIntent(world, shop, id)).refunded).toEqual(gbp(1_500));
    expect(bookedAbout(world, reference)).toEqual(['Refund 1500 Approved']);
    expect(await timersOf(world, shop)).toEqual([]);
    await expectSound(world, shop);
  },
);

test('fifty refunds at once of a payment for twenty: twenty are made', async () => {
  const { shop, id, reference, till } = await paid();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => till.refund(id, 100)));
  expect(counted(answers)['done']).toBe(20);
  const { status, refunded, pendingRefund } = await readIntent(world, shop, id);
  expect([status, refunded, pendingRefund]).toEqual(['Refunded', gbp(2_000), gbp(0)]);
  expect(bookedAbout(world, reference)).toHaveLength(20);
  expect((await historyOf(world, shop, id)).filter((event) => event === 'Refunded')).toHaveLength(20);
  await expectSound(world, shop);
});

test('a refund that runs on a card machine counts against what is left', async () => {
  const { shop, id, till } = await paid();
  const machine = await Machine.order(world, shop, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: id, amount: gbp(1_500) },
  });
  expect([await till.refund(id, 501), await till.refund(id, 500)]).toEqual(['refund_exceeds_captured', 'done']);
  expect(await till.reverse(id)).toBe('not_reversible');
  await machine.approve();
  expect((await readIntent(world, shop, id)).status).toBe('Refunded');
  await expectSound(world, shop);
});
