import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { gbp } from '@pos/core/testing';
import { listAlarmPage } from './alarms.js';
import { paidIntent } from './card-machine/testing.js';
import { pendingCalls } from './open-calls.js';
import { bookedAbout, Till } from './till/testing.js';
import {
  elapse,
  expectSound,
  openShop,
  openWorld,
  readCall,
  readIntent,
  type Shop,
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

const MINUTE_MS = 60_000;
const DOWN: AcquirerRule = { match: { kind: 'Capture' }, effect: 'down' };
const BLIND: AcquirerRule = { match: { kind: 'Inquire' }, effect: 'down' };

/** A capture of £15 that the acquirer does not answer, and its reference. */
async function openCapture(rules: readonly AcquirerRule[]) {
  const shop = await openShop(world);
  const { intentId: id, reference: taken } = await paidIntent(world, shop, { captureMode: 'Manual' });
  world.door.rules.replace(rules);
  expect(await new Till(world, shop).capture(id, 1_500)).toBe('acquirer_unanswered');
  const { details } = await readIntent(world, shop, id);
  return { shop, id, taken, reference: details.captures[0]!.id };
}

async function pendingOf({ scope }: Shop): Promise<string[]> {
  const databaseNow = await world.database.now();
  const lines = await world.database.read(scope, (reader) =>
    pendingCalls(reader, { databaseNow, settings: world.settings }),
  );
  return lines.map(({ call }) => `${call.kind} ${call.reference}`);
}

async function alarmsOf({ scope }: Shop): Promise<string[]> {
  const { alarms } = await world.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind, subject }) => `${kind} ${subject}`);
}

/** How often the acquirer was asked of that kind, refused or not. */
const asked = (effect: AcquirerRule['effect']): number =>
  world.door.rules.list().find((rule) => rule.effect === effect)?.used ?? 0;

test('the waits between tries double from 5 s to 15 minutes', async () => {
  const { shop } = await openCapture([DOWN]);
  const tries: number[] = [];
  for (const minute of [1, 2, 4, 8, 16, 32, 64, 128]) {
    // In steps, as time passes: each try sets the next.
    for (let step = 0; step < 20; step += 1) await elapse(world, shop.scope, (minute * MINUTE_MS) / 20);
    tries.push(asked('down'));
  }
  // At first every few seconds, then four times an hour.
  expect(tries[0]).toBeGreaterThanOrEqual(3);
  expect(tries.at(-1)! - tries.at(-2)!).toBeLessThanOrEqual(9);
  expect(tries.at(-1)! - tries.at(-2)!).toBeGreaterThanOrEqual(6);
});

test('a call that is open for long is on the pending list, and raises one alarm', async () => {
  const { shop, reference } = await openCapture([DOWN]);
  await elapse(world, shop.scope, MINUTE_MS);
  expect([await pendingOf(shop), await alarmsOf(shop)]).toEqual([[], []]);
  for (let minute = 0; minute < 40; minute += 1) await elapse(world, shop.scope, MINUTE_MS);
  expect(await pendingOf(shop)).toEqual([`Capture ${reference}`]);
  expect(await alarmsOf(shop)).toEqual([`AcquirerCallOpen ${reference}`]);
  world.door.rules.replace([]);
  await elapse(world, shop.scope, 15 * MINUTE_MS);
  expect(await pendingOf(shop)).toEqual([]);
  await expectSound(world, shop);
});

const settle = ({ scope }: Shop, reference: string) => world.calls.settleAsListed(scope, reference);

test.each<[string, AcquirerRule[], string, string, number]>([
  ['an inquiry says that it was booked', [{ ...DOWN, effect: 'drop-answer' }], 'over', 'Approved', 1_500],
  ['only the list shows it', [{ ...DOWN, effect: 'drop-answer' }, BLIND], 'over', 'Approved', 1_500],
  [
    'the list shows that it was refused',
    [{ ...DOWN, effect: 'drop-answer' }, { ...DOWN, effect: 'decline' }, BLIND],
    'over',
    'Declined',
    0,
  ],
])('a call is settled by the books of the acquirer: %s', async (_says, rules, standing, outcome, captured) => {
  const { shop, id, reference } = await openCapture(rules);
  expect(await settle(shop, reference)).toBe(standing);
  expect((await readCall(world, shop, reference)).outcome).toBe(outcome);
  const { captured: taken, pendingCapture } = await readIntent(world, shop, id);
  expect([taken, pendingCapture]).toEqual([gbp(captured), gbp(0)]);
  expect(await settle(shop, reference)).toBe('over');
  await expectSound(world, shop);
});

test.each<[string, AcquirerRule[]]>([
  ['the acquirer does not know it', [DOWN]],
  ['the acquirer does not know it, and cannot be asked after', [DOWN, BLIND]],
  [
    'neither inquiry nor list answers',
    [{ ...DOWN, effect: 'drop-answer' }, BLIND, { match: { kind: 'ListBooked' }, effect: 'down' }],
  ],
  [
    'the list shows another amount',
    [
      { ...DOWN, effect: 'drop-answer' },
      { match: { kind: 'Inquire' }, effect: 'misstate-amount' },
    ],
  ],
])('nothing is settled where the books have no final word: %s', async (_says, rules) => {
  const { shop, id, reference, taken } = await openCapture(rules);
  const bookings = bookedAbout(world, taken);
  expect(await settle(shop, reference)).toBe('open');
  expect((await readIntent(world, shop, id)).pendingCapture).toEqual(gbp(1_500));
  expect(bookedAbout(world, taken)).toEqual(bookings);
  world.door.rules.replace([]);
  await elapse(world, shop.scope, MINUTE_MS);
  await work(world, shop.scope);
  expect((await readIntent(world, shop, id)).captured).toEqual(gbp(1_500));
  await expectSound(world, shop);
});
