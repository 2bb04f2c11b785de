import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerErrorStatus } from '@pos/core/acquirer-status';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { gbp } from '@pos/core/testing';
import { callsOf } from '@pos/store/acquirer-calls';
import { listAlarmPage } from './alarms.js';
import { Machine } from './card-machine/testing.js';
import { pendingCalls, retryCall } from './open-calls.js';
import { bookedAbout } from './till/testing.js';
import {
  act,
  createIntent,
  differences,
  elapse,
  expectSound,
  historyOf,
  openShop,
  openWorld,
  readCall,
  type Shop,
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

const HOUR_MS = 3_600_000;
const refuse = (kind: 'Reverse' | 'Refund', status: AcquirerErrorStatus = 'FAILED_PRECONDITION'): AcquirerRule => ({
  ...{ match: { kind }, effect: 'refuse', status },
});

/** A payment that the merchant refused by its signature: its approval is to be taken back. */
async function refusedSignature(captureMode: 'Auto' | 'Manual' = 'Auto') {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop, { captureMode }));
  await machine.approve(true);
  await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
  return { shop, machine, reference: machine.session.acquirerReference };
}

async function alarmsOf({ scope }: Shop): Promise<string[]> {
  const { alarms } = await world.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind, subject }) => `${kind} ${subject}`);
}

async function pendingOf({ scope }: Shop) {
  const databaseNow = await world.database.now();
  return world.database.read(scope, (reader) => pendingCalls(reader, { databaseNow, settings: world.settings }));
}

/** The calls of the payment: `Refund Settled Approved`. */
async function callsIn({ scope }: Shop, { session }: Machine): Promise<string[]> {
  const calls = await world.database.read(scope, (reader) => callsOf(reader, session.paymentIntentId!));
  return calls.map(({ kind, state, outcome }) => `${kind} ${state} ${outcome}`);
}

/** As often as the acquirer is asked within a few hours. */
async function hours(shop: Shop): Promise<void> {
  for (let hour = 0; hour < 3; hour += 1) await elapse(world, shop.scope, HOUR_MS);
}

test.each<[string, AcquirerRule]>([
  ['by status', refuse('Reverse')],
  ['by an acquirer that has none', refuse('Reverse', 'UNIMPLEMENTED')],
  ['by a decision', { match: { kind: 'Reverse' }, effect: 'decline' }],
  ['by a failure', { match: { kind: 'Reverse' }, effect: 'fail' }],
])('a reversal that is refused %s becomes a refund, once', async (_says, rule) => {
  const { shop, machine, reference } = await refusedSignature();
  world.door.rules.replace([rule]);
  await work(world, shop.scope);
  await hours(shop);
  const booked = bookedAbout(world, reference).filter((line) => line.endsWith('Approved'));
  expect(booked).toEqual(['Refund 2000 Approved']);
  expect(await callsIn(shop, machine)).toEqual([
    'Authorise Settled Reversed',
    'Reverse Settled Declined',
    'Refund Settled Approved',
  ]);
  expect(await historyOf(world, shop, machine.session.paymentIntentId!)).toEqual(['Reversed']);
  expect([await alarmsOf(shop), await pendingOf(shop)]).toEqual([[], []]);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test('a reversal that something at the acquirer stands in the way of becomes a refund of what is left to it', async () => {
  const { shop, machine, reference } = await refusedSignature();
  // Behind our back the acquirer has refunded a part: neither the whole reversal nor the whole refund can be.
  await world.door.follow('Refund', {
    ...{ reference: `other ${shop.merchantId}`, originalReference: reference, amount: gbp(1) },
  });
  await work(world, shop.scope);
  await hours(shop);
  expect(await callsIn(shop, machine)).toEqual([
    'Authorise Approved null',
    'Reverse Declined null',
    'Refund Settled Declined',
  ]);
  expect(await alarmsOf(shop)).toEqual([`MoneyNotReturned ${reference}`]);
});

test('a refund that is refused, too, raises one alarm, and the money is on the pending list until it is back', async () => {
  const { shop, machine, reference } = await refusedSignature();
  world.door.rules.replace([refuse('Reverse'), refuse('Refund')]);
  await work(world, shop.scope);
  await hours(shop);
  expect(world.door.rules.list().map(({ used }) => used)).toEqual([1, 1]);
  expect(await alarmsOf(shop)).toEqual([`MoneyNotReturned ${reference}`]);
  const [line] = await pendingOf(shop);
  expect([line?.call.kind, line?.call.state, line?.call.amount]).toEqual(['Reverse', 'Declined', gbp(2_000)]);
  const reversal = line!.call.reference;
  // The books say that the money is still there: nothing is settled.
  expect(await world.calls.settleAsListed(shop.scope, reversal)).toBe('open');
  expect(await pendingOf(shop)).toHaveLength(1);
  // The acquirer returns it by hand.
  world.door.rules.replace([refuse('Reverse')]);
  await world.door.follow('Refund', {
    ...{ reference: `by hand ${shop.merchantId}`, originalReference: reference, amount: gbp(2_000) },
  });
  expect(await world.calls.settleAsListed(shop.scope, reversal)).toBe('over');
  expect([await pendingOf(shop), (await machine.call()).outcome]).toEqual([[], 'Reversed']);
});

test('an operator has a refused refund tried again under a reference of its own', async () => {
  const { shop, machine, reference } = await refusedSignature();
  world.door.rules.replace([refuse('Reverse'), { ...refuse('Refund'), times: 2 }]);
  await work(world, shop.scope);
  for (let again = 0; again < 2; again += 1) {
    const [line] = await pendingOf(shop);
    await act(world, shop, (tx) => retryCall(tx, line!.call));
    await work(world, shop.scope);
  }
  expect(await callsIn(shop, machine)).toEqual([
    'Authorise Settled Reversed',
    'Reverse Settled Declined',
    'Refund Settled Declined',
    'Refund Settled Declined',
    'Refund Settled Approved',
  ]);
  expect(bookedAbout(world, reference)).toEqual(['Refund 2000 Approved']);
  expect(await pendingOf(shop)).toEqual([]);
});

test('a refund whose answer is lost is repeated under its reference, and happens once', async () => {
  const { shop, machine, reference } = await refusedSignature();
  world.door.rules.replace([refuse('Reverse'), { match: { kind: 'Refund' }, effect: 'drop-answer', times: 2 }]);
  await work(world, shop.scope);
  await hours(shop);
  expect(bookedAbout(world, reference)).toEqual(['Refund 2000 Approved']);
  expect((await machine.call()).outcome).toBe('Reversed');
  await expectSound(world, shop);
});

test('twelve workers that receive the refusal at once order one refund', async () => {
  const { shop, machine, reference } = await refusedSignature();
  world.door.rules.replace([refuse('Reverse')]);
  const reversal = (await machine.call()).reverseReference!;
  await Promise.all(Array.from({ length: 12 }, () => world.calls.pursue(shop.scope, reversal)));
  await work(world, shop.scope);
  expect(bookedAbout(world, reference)).toEqual(['Refund 2000 Approved']);
  expect(await callsIn(shop, machine)).toHaveLength(3);
});

test.each<[string, AcquirerRule[], string]>([
  ['the acquirer does not say what it has', [{ match: { kind: 'Inquire' }, effect: 'down' }], 'Prepared'],
  ['the acquirer says that it took nothing', [{ match: { kind: 'Inquire' }, effect: 'contradict' }], 'Settled'],
])('nothing is refunded where %s', async (_says, rules, state) => {
  const { shop, machine, reference } = await refusedSignature();
  const reversal = (await machine.call()).reverseReference!;
  world.door.rules.replace([{ match: { kind: 'Reverse' }, effect: 'decline' }, ...rules]);
  await work(world, shop.scope);
  expect((await readCall(world, shop, reversal)).state).toBe(state);
  expect(bookedAbout(world, reference).filter((line) => line.startsWith('Refund'))).toEqual([]);
});

test('a hold that is neither reversed nor refunded raises an alarm', async () => {
  const { shop, reference } = await refusedSignature('Manual');
  world.door.rules.replace([refuse('Reverse')]);
  await work(world, shop.scope);
  await hours(shop);
  expect(await alarmsOf(shop)).toEqual([`MoneyNotReturned ${reference}`]);
  expect(await differences(world, shop)).toEqual([]);
});
