import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerPort } from '@pos/core/ports';
import { declineOf, gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { callsOf } from '@pos/store/acquirer-calls';
import { AcquirerCalls } from './acquirer-calls.js';
import { Machine, paidIntent } from './card-machine/testing.js';
import { GiveBack } from './give-back.js';
import {
  createIntent,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  moveClock,
  openShop,
  openWorld,
  readIntent,
  type Shop,
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

const REFERENCE = 'give-back-1';

const giveBack = (shop: Shop, intentId: string, by: GiveBack = world.giveBack) =>
  by.run(shop.scope, { intentId: intentId as `pi_${string}`, reference: `${REFERENCE} ${shop.merchantId}` });

/** What the acquirer has booked of an authorisation beside itself, refused or not. */
const followedBy = (reference: string): string[] =>
  world.door.acquirer.books.belongingTo(reference).map(({ kind, outcome }) => `${kind} ${outcome}`);

async function ending(shop: Shop, { intentId, reference }: { intentId: `pi_${string}`; reference: string }) {
  const { status, pendingRefund, pendingCapture } = await readIntent(world, shop, intentId);
  return {
    status,
    reserved: pendingRefund.value + pendingCapture.value,
    history: await historyOf(world, shop, intentId),
    booked: followedBy(reference),
  };
}

const REVERSED = {
  ...{ status: 'Reversed', reserved: 0, history: ['Captured', 'Reversed'], booked: ['Reverse Approved'] },
};
const REFUNDED = {
  ...{ status: 'Refunded', reserved: 0, history: ['Captured', 'Refunded'], booked: ['Refund Approved'] },
};

test('on the day of the payment it is undone as if it had not been, and the subscriber hears of it', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual(REVERSED);
  expect(await heardOf(world, shop.scope, paid.intentId)).toEqual(['created Created', 'Captured', 'Reversed']);
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual(REVERSED);
  await expectSound(world, shop);
});

test('from midnight UTC on it is refunded', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  await moveClock(world, shop.scope, DAY_MS / 2);
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual(REFUNDED);
  await expectSound(world, shop);
});

test('the minute before midnight is still the day of the payment', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  await moveClock(world, shop.scope, DAY_MS / 2 - 60_000);
  await giveBack(shop, paid.intentId);
  expect(await ending(shop, paid)).toEqual(REVERSED);
});

test('an account that does not reverse refunds on the same day', async () => {
  const shop = await openShop(world, { capturedReversalDays: 0 });
  const paid = await paidIntent(world, shop);
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual(REFUNDED);
  await expectSound(world, shop);
});

test('a payment that is only held is let go, after its seven days too while nobody has ended it', async () => {
  const shop = await openShop(world);
  const early = await paidIntent(world, shop, { captureMode: 'Manual' });
  const late = await paidIntent(world, shop, { captureMode: 'Manual' });
  await moveClock(world, shop.scope, 6 * DAY_MS);
  expect(await giveBack(shop, early.intentId)).toBe('givenBack');
  expect((await readIntent(world, shop, early.intentId)).status).toBe('Reversed');
  await moveClock(world, shop.scope, DAY_MS);
  expect(await world.giveBack.run(shop.scope, { intentId: late.intentId, reference: 'late' })).toBe('givenBack');
  expect((await readIntent(world, shop, late.intentId)).status).toBe('Reversed');
  await expectSound(world, shop);
});

test('where nothing was taken there is nothing to give back', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop);
  expect(await giveBack(shop, intentId)).toBe('givenBack');
  expect((await readIntent(world, shop, intentId)).status).toBe('Created');
});

test('a reversal that the acquirer refuses becomes a refund, in the same run', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  expect(await giveBack(shop, paid.intentId, givingBackBy(refusing('reverse')))).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual(REFUNDED);
  await expectSound(world, shop);
});

test('a refund that the acquirer refuses leaves nothing reserved, and the next round has a new reference', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  await moveClock(world, shop.scope, DAY_MS);
  world.door.rules.replace([{ match: { kind: 'Refund' }, effect: 'decline' }]);
  expect(await giveBack(shop, paid.intentId)).toBe('refused');
  const refused = { status: 'Captured', reserved: 0, history: ['Captured'], booked: ['Refund Declined'] };
  expect(await ending(shop, paid)).toEqual(refused);
  // Under the same reference the acquirer would say the same for ever.
  world.door.rules.replace([{ match: { kind: 'Refund' }, effect: 'down', times: 1 }]);
  expect(await giveBack(shop, paid.intentId)).toBe('unanswered');
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual({ ...REFUNDED, booked: ['Refund Declined', 'Refund Approved'] });
  const base = `${REFERENCE} ${shop.merchantId}`;
  const calls = await world.database.read(shop.scope, (reader) => callsOf(reader, paid.intentId));
  const refunds = calls.filter(({ kind }) => kind === 'Refund');
  expect(refunds.map(({ reference, outcome }) => [reference, outcome])).toEqual([
    [base, 'Declined'],
    [`${base}-2`, 'Approved'],
  ]);
  await expectSound(world, shop);
});

test('a hold whose reversal was refused is reversed under a new reference', async () => {
  const shop = await openShop(world);
  const held = await paidIntent(world, shop, { captureMode: 'Manual' });
  expect(await giveBack(shop, held.intentId, givingBackBy(refusing('reverse')))).toBe('refused');
  expect((await readIntent(world, shop, held.intentId)).status).toBe('Authorized');
  expect(await giveBack(shop, held.intentId)).toBe('givenBack');
  expect((await readIntent(world, shop, held.intentId)).status).toBe('Reversed');
  await expectSound(world, shop);
});

test.each([
  ['reversal', 'Reverse', 0, 'Reversed'],
  ['refund', 'Refund', DAY_MS, 'Refunded'],
] as const)('a %s that nobody follows up is asked for by a worker until it ends', async (_, kind, laterMs, then) => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  await moveClock(world, shop.scope, laterMs);
  world.door.rules.replace([{ match: { kind }, effect: 'drop-answer', times: 1 }]);
  // The payment at the table is recorded by a late answer now, and is not stepped any more.
  expect(await giveBack(shop, paid.intentId)).toBe('unanswered');
  await elapse(world, shop.scope, 60_000);
  const { status, pendingRefund } = await readIntent(world, shop, paid.intentId);
  expect([status, pendingRefund]).toEqual([then, gbp(0)]);
  await expectSound(world, shop);
});

test.each([
  ['reversal', 'Reverse', 0, REVERSED],
  ['refund', 'Refund', DAY_MS, REFUNDED],
] as const)(
  'a %s whose answer is lost is asked for again under its reference, until it is heard',
  async (_says, kind, laterMs, then) => {
    const shop = await openShop(world);
    const paid = await paidIntent(world, shop);
    await moveClock(world, shop.scope, laterMs);
    world.door.rules.replace([
      { match: { kind }, effect: 'down', times: 1 },
      { match: { kind }, effect: 'drop-answer', times: 2 },
    ]);
    expect(await giveBack(shop, paid.intentId)).toBe('unanswered');
    expect((await readIntent(world, shop, paid.intentId)).pendingRefund).toEqual(gbp(2_000));
    expect(await giveBack(shop, paid.intentId)).toBe('unanswered');
    expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
    expect(await ending(shop, paid)).toEqual(then);
    await expectSound(world, shop);
  },
);

test('a reversal that was asked for before midnight is still asked for after it', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  world.door.rules.replace([{ match: { kind: 'Reverse' }, effect: 'drop-answer', times: 1 }]);
  expect(await giveBack(shop, paid.intentId)).toBe('unanswered');
  await moveClock(world, shop.scope, DAY_MS);
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  expect(await ending(shop, paid)).toEqual(REVERSED);
});

test.each([
  ['on the same day', 0, REVERSED],
  ['the day after', DAY_MS, REFUNDED],
] as const)('twenty runs at once %s have one effect', async (_says, laterMs, then) => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  await moveClock(world, shop.scope, laterMs);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => giveBack(shop, paid.intentId)));
  expect(new Set(outcomes)).toEqual(new Set(['givenBack']));
  expect(await ending(shop, paid)).toEqual(then);
  const calls = await world.database.read(shop.scope, (reader) => callsOf(reader, paid.intentId));
  expect(calls).toHaveLength(2);
  await expectSound(world, shop);
});

test('twenty runs at once over a refused reversal and a refund have one effect', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  const by = givingBackBy(refusing('reverse'));
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => giveBack(shop, paid.intentId, by)));
  expect(new Set(outcomes)).toEqual(new Set(['givenBack']));
  expect(await ending(shop, paid)).toEqual(REFUNDED);
  await expectSound(world, shop);
});

test('of a payment that was refunded in part the rest is given back', async () => {
  const shop = await openShop(world);
  const paid = await paidIntent(world, shop);
  const refund = await Machine.order(world, shop, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: paid.intentId, amount: gbp(500) },
  });
  // While that refund runs nobody knows what is left.
  expect(await giveBack(shop, paid.intentId)).toBe('unanswered');
  await refund.approve();
  expect(await giveBack(shop, paid.intentId)).toBe('givenBack');
  const { status, refunded } = await readIntent(world, shop, paid.intentId);
  expect([status, refunded]).toEqual(['Refunded', gbp(2_000)]);
  expect(followedBy(paid.reference)).toEqual(['Refund Approved', 'Refund Approved']);
  await elapse(world, shop.scope, 1_000);
  await expectSound(world, shop);
});

/** An acquirer that says no to one kind of call, and is itself otherwise. */
function refusing(what: 'reverse' | 'refund'): AcquirerPort {
  const { acquirer } = world;
  return {
    increase: (order) => acquirer.increase(order),
    capture: (order) => acquirer.capture(order),
    refund: (order) => acquirer.refund(order),
    reverse: (order) => acquirer.reverse(order),
    inquire: (question) => acquirer.inquire(question),
    listBooked: (question) => acquirer.listBooked(question),
    [what]: () => Promise.resolve({ outcome: 'declined', decline: declineOf() }),
  };
}

function givingBackBy(acquirer: AcquirerPort): GiveBack {
  const { database, accounts, settings } = world;
  return new GiveBack({
    ...{ database, accounts, settings },
    calls: new AcquirerCalls({ database, acquirer, accounts, settings }),
  });
}
