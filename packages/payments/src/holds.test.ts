import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { listAlarmPage } from './alarms.js';
import { paidIntent } from './card-machine/testing.js';
import { bookedAbout, Till } from './till/testing.js';
import {
  act,
  elapse,
  expectSound,
  heardOf,
  historyOf,
  moveClock,
  openShop,
  openWorld,
  readIntent,
  timersOf,
  work,
} from './testing.js';
import type { IntentWish } from './payment-intents.js';
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

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A hold of £20 with a part of it captured, in a shop of its own. */
async function held(wish: Partial<IntentWish> = {}, captured = 0) {
  const shop = await openShop(world);
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode: 'Manual', ...wish });
  const till = new Till(world, shop);
  if (captured > 0) await till.capture(id, captured);
  return { shop, id, reference, till };
}

const RELEASE_IN_AN_HOUR = { autoExpireInMs: HOUR_MS, autoExpireAction: 'Release' } as const;
const CAPTURE_IN_AN_HOUR = { autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' } as const;
const CAPTURED = ['Authorized', 'Captured'];

// prettier-ignore
test.each<[string, Partial<IntentWish>, number, number, string, string[], string[]]>([
  ['a hold without a wish ends after seven days', {}, 0, 7 * DAY_MS, 'Reversed', ['Authorized', 'Reversed'], ['Reverse 2000 Approved']],
  ['a hold is let go when it is wished', RELEASE_IN_AN_HOUR, 0, HOUR_MS, 'Reversed', ['Authorized', 'Reversed'], ['Reverse 2000 Approved']],
  ['of a hold that is captured in part the rest is let go', RELEASE_IN_AN_HOUR, 500, HOUR_MS, 'Captured', CAPTURED, ['Capture 500 Approved', 'Reverse 1500 Approved']],
  ['a hold is captured when it is wished', CAPTURE_IN_AN_HOUR, 0, HOUR_MS, 'Captured', CAPTURED, ['Capture 2000 Approved']],
  ['of a hold that is captured in part the rest is captured', CAPTURE_IN_AN_HOUR, 500, HOUR_MS, 'Captured', [...CAPTURED, 'Captured'], ['Capture 500 Approved', 'Capture 1500 Approved']],
])('%s, and nothing before', async (_says, wish, captured, afterMs, status, history, booked) => {
  const { shop, id, reference } = await held(wish, captured);
  await elapse(world, shop.scope, afterMs - MINUTE_MS);
  expect((await readIntent(world, shop, id)).status).toBe('Authorized');
  await elapse(world, shop.scope, MINUTE_MS);
  expect((await readIntent(world, shop, id)).status).toBe(status);
  expect(await historyOf(world, shop, id)).toEqual(history);
  expect(await heardOf(world, shop.scope, id)).toEqual(['created Created', 'Authorized', status]);
  expect(bookedAbout(world, reference)).toEqual(booked);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('a refused automatic capture is tried hourly, and the one that is accepted ends the hold', async () => {
  const { shop, id, reference } = await held(CAPTURE_IN_AN_HOUR);
  world.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline', times: 2 }]);
  await elapse(world, shop.scope, HOUR_MS);
  await elapse(world, shop.scope, HOUR_MS - MINUTE_MS);
  expect(bookedAbout(world, reference)).toEqual(['Capture 2000 Declined']);
  await elapse(world, shop.scope, MINUTE_MS);
  await elapse(world, shop.scope, HOUR_MS);
  expect(bookedAbout(world, reference)).toEqual([
    'Capture 2000 Declined',
    'Capture 2000 Declined',
    'Capture 2000 Approved',
  ]);
  expect((await readIntent(world, shop, id)).status).toBe('Captured');
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('an automatic capture that is refused to the end is let go when the hold itself ends', async () => {
  const { shop, id, reference } = await held({ ...CAPTURE_IN_AN_HOUR, autoExpireInMs: 7 * DAY_MS - 2 * HOUR_MS });
  world.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  await elapse(world, shop.scope, 7 * DAY_MS - 2 * HOUR_MS);
  await elapse(world, shop.scope, HOUR_MS);
  expect((await readIntent(world, shop, id)).status).toBe('Authorized');
  await elapse(world, shop.scope, HOUR_MS);
  expect((await readIntent(world, shop, id)).status).toBe('Reversed');
  expect(bookedAbout(world, reference)).toEqual([
    'Capture 2000 Declined',
    'Capture 2000 Declined',
    'Reverse 2000 Approved',
  ]);
  await expectSound(world, shop);
});

test('a capture whose answer is open is waited for, and only the rest is let go', async () => {
  const { shop, id, reference, till } = await held(RELEASE_IN_AN_HOUR);
  world.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'down' }]);
  expect(await till.capture(id, 700)).toBe('acquirer_unanswered');
  await elapse(world, shop.scope, HOUR_MS);
  expect((await readIntent(world, shop, id)).status).toBe('Authorized');
  world.door.rules.replace([]);
  await elapse(world, shop.scope, MINUTE_MS);
  await elapse(world, shop.scope, MINUTE_MS);
  const { status, captured } = await readIntent(world, shop, id);
  expect([status, captured]).toEqual(['Captured', gbp(700)]);
  expect(bookedAbout(world, reference)).toEqual(['Capture 700 Approved', 'Reverse 1300 Approved']);
  await expectSound(world, shop);
});

test('an automatic capture whose answer is lost is repeated under its reference, and happens once', async () => {
  const { shop, id, reference } = await held(CAPTURE_IN_AN_HOUR);
  world.door.rules.replace([{ match: { kind: 'Capture' }, effect: 'drop-answer', times: 1 }]);
  await elapse(world, shop.scope, HOUR_MS);
  expect((await readIntent(world, shop, id)).pendingCapture).toEqual(gbp(2_000));
  await elapse(world, shop.scope, MINUTE_MS);
  expect((await readIntent(world, shop, id)).status).toBe('Captured');
  expect(bookedAbout(world, reference)).toEqual(['Capture 2000 Approved']);
  expect(await timersOf(world, shop)).toEqual([]);
});

test('many workers end one hold at once, and it ends once', async () => {
  const { shop, id, reference } = await held(RELEASE_IN_AN_HOUR);
  await moveClock(world, shop.scope, HOUR_MS);
  const ends = Array.from({ length: 12 }, () => act(world, shop, (tx) => world.holds.end(tx, id)));
  const looks = await Promise.all(ends);
  expect(looks.every((look) => look !== null)).toBe(true);
  await work(world, shop.scope);
  expect(bookedAbout(world, reference)).toEqual(['Reverse 2000 Approved']);
  expect(await historyOf(world, shop, id)).toEqual(['Authorized', 'Reversed']);
  await expectSound(world, shop);
});

test('a hold that the acquirer never reverses raises one alarm, and is asked about a day long', async () => {
  const { shop, id, reference, till } = await held(RELEASE_IN_AN_HOUR);
  world.door.rules.replace([{ match: { kind: 'Reverse' }, effect: 'decline' }]);
  for (let hour = 0; hour < 30; hour += 1) await elapse(world, shop.scope, HOUR_MS);
  expect(world.door.rules.list().map(({ used }) => used)).toEqual([24]);
  expect(await timersOf(world, shop)).toEqual([]);
  const { alarms } = await world.database.read(shop.scope, (reader) => listAlarmPage(reader, { limit: 9 }));
  expect(alarms.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([`MoneyNotReturned ${reference}`]);
  // The payment is usable as before.
  expect((await readIntent(world, shop, id)).pendingCapture).toEqual(gbp(0));
  world.door.rules.replace([]);
  expect(await till.reverse(id)).toBe('done');
  await expectSound(world, shop);
});
