import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerRule, RuledCall } from '@pos/sandbox/acquirer-rules';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import type { AcquirerAnswer } from '@pos/core/ports';
import { approvalOf, declineOf, gbp } from '@pos/core/testing';
import { callsOf } from '@pos/store/acquirer-calls';
import { listAlarmPage } from './alarms.js';
import { Machine, paidIntent } from './card-machine/testing.js';
import { settleOnline } from './online-settling.js';
import { bookedAbout, Till } from './till/testing.js';
import { onlineAttempt } from './testing-online.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  historyOf,
  openShop,
  openWorld,
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

const LATE_MS = 250;
const UNTIL_REPEATED_MS = 6_000;
const payment = { customAmountAllowed: true, tipsAllowed: true };
const FLEXIBLE = { details: { config: { ...DEFAULT_INTENT_CONFIG, payment }, itemLines: [], taxLines: [] } };

async function alarmsOf({ scope }: Shop): Promise<string[]> {
  const { alarms } = await world.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind, details }) => {
    const said = [details['callKind'], details['difference'], details['first'], details['second']];
    return `${kind}: ${said.join(' ')}`;
  });
}

const KINDS = ['Increase', 'Capture', 'Refund', 'Reverse'] as const;
type Kind = (typeof KINDS)[number];

/** £20 that were taken or are held, and what moves them. */
async function taken(kind: Kind) {
  const shop = await openShop(world);
  const captureMode = kind === 'Refund' || kind === 'Reverse' ? 'Auto' : 'Manual';
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode, ...FLEXIBLE });
  const till = new Till(world, shop);
  const moves = {
    Increase: () => till.price(id, gbp(2_500)),
    Capture: () => till.capture(id, 1_500),
    Refund: () => till.refund(id, 1_500),
    Reverse: () => till.reverse(id),
  };
  const lastCall = async () => {
    const calls = await world.database.read(shop.scope, (reader) => callsOf(reader, id));
    return calls.findLast((call) => call.kind === kind)!;
  };
  return { shop, id, reference, move: moves[kind], lastCall };
}

/** Resolves once the acquirer has been asked of it. */
async function isAsked(kind: RuledCall): Promise<void> {
  const used = () => world.door.rules.list().some(({ match, used: times }) => match.kind === kind && times > 0);
  while (!used()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The first answer to arrive is the truth; an earlier one arrives after it and lies. */
const lateLie = (kind: RuledCall): AcquirerRule[] => [
  { match: { kind }, effect: 'delay', delayMs: LATE_MS, times: 1 },
  { match: { kind }, effect: 'contradict', times: 1 },
];

test.each(KINDS)(
  'a second answer to a %s that contradicts the first raises an alarm and moves nothing',
  async (kind) => {
    const { shop, id, reference, move, lastCall } = await taken(kind);
    world.door.rules.replace(lateLie(kind));
    const moving = move();
    await isAsked(kind);
    const call = await lastCall();
    expect(await world.calls.pursue(shop.scope, call.reference)).toBe('over');
    const settled = await readIntent(world, shop, id);
    await moving;
    expect(await alarmsOf(shop)).toEqual([`AcquirerAnswerContradicted: ${kind} outcome approved declined`]);
    expect(await readIntent(world, shop, id)).toEqual(settled);
    expect(bookedAbout(world, reference)).toHaveLength(1);
    await expectSound(world, shop);
  },
);

test.each(KINDS)('a second answer to a %s that says the same raises no alarm', async (kind) => {
  const { shop, move, lastCall } = await taken(kind);
  world.door.rules.replace([{ match: { kind }, effect: 'delay', delayMs: LATE_MS, times: 1 }]);
  const moving = move();
  await isAsked(kind);
  await world.calls.pursue(shop.scope, (await lastCall()).reference);
  await moving;
  expect(await alarmsOf(shop)).toEqual([]);
});

test.each(['Increase', 'Capture', 'Refund'] as const)(
  'a %s that is answered with another amount stays open with one alarm, until the amount is right',
  async (kind) => {
    const { shop, id, move } = await taken(kind);
    world.door.rules.replace([{ match: { kind }, effect: 'misstate-amount', times: 2 }]);
    expect(await move()).toBe('acquirer_unanswered');
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    const { pendingCapture, pendingRefund } = await readIntent(world, shop, id);
    expect(pendingCapture.value + pendingRefund.value).toBeGreaterThan(0);
    const asked = { Increase: '2500 GBP 2501 GBP', Capture: '1500 GBP 1501 GBP', Refund: '1500 GBP 1501 GBP' }[kind];
    expect(await alarmsOf(shop)).toEqual([`AcquirerAnswerContradicted: ${kind} amount ${asked}`]);
    await elapse(world, shop.scope, 2 * UNTIL_REPEATED_MS);
    const settled = await readIntent(world, shop, id);
    expect(settled.pendingCapture.value + settled.pendingRefund.value).toBe(0);
    await expectSound(world, shop);
  },
);

const approved = (reference: string, more = {}): AcquirerAnswer => {
  const {
    merchantId: _m,
    aid: _a,
    panSequence: _p,
    cardProduct: _c,
    ...approval
  } = approvalOf(gbp(2_000), { reference });
  return { outcome: 'approved', approval: { ...approval, ...more } };
};
const declinedAs = (reference: string): AcquirerAnswer => ({
  outcome: 'declined',
  decline: { ...declineOf(), reference },
});

test.each<[string, (reference: string) => [AcquirerAnswer, AcquirerAnswer], string]>([
  ['a decline after an approval', (of) => [approved(of), declinedAs(of)], 'outcome approved declined'],
  ['an approval after a decline', (of) => [declinedAs(of), approved(of)], 'outcome declined approved'],
  ['an approval after "reversed"', (of) => [{ outcome: 'reversed' }, approved(of)], 'outcome declined approved'],
  ['"reversed" after an approval', (of) => [approved(of), { outcome: 'reversed' }], 'outcome approved declined'],
  ['an approval of more', (of) => [approved(of), approved(of, { amount: gbp(2_001) })], 'amount 2000 GBP 2001 GBP'],
  [
    'another authorisation code',
    (of) => [approved(of, { authCode: '1' }), approved(of, { authCode: '2' })],
    'authCode 1 2',
  ],
  [
    'another transaction',
    (of) => [approved(of, { transactionId: 'a' }), approved(of, { transactionId: 'b' })],
    'transactionId a b',
  ],
])('%s of a card payment raises an alarm, and the payment stays as it was', async (_says, answersOf, says) => {
  const shop = await openShop(world);
  const { id, reference } = await onlineAttempt(world, shop);
  const [first, second] = answersOf(reference);
  await act(world, shop, (tx) => settleOnline(tx, reference, first));
  const { status } = await readIntent(world, shop, id);
  for (let time = 0; time < 2; time += 1) await act(world, shop, (tx) => settleOnline(tx, reference, second));
  expect(await alarmsOf(shop)).toEqual([`AcquirerAnswerContradicted: Authorise ${says}`]);
  expect((await readIntent(world, shop, id)).status).toBe(status);
});

test('an approval after a decline is taken back', async () => {
  const shop = await openShop(world);
  const { id, reference } = await onlineAttempt(world, shop);
  await act(world, shop, (tx) => settleOnline(tx, reference, declinedAs(reference)));
  await act(world, shop, (tx) => settleOnline(tx, reference, approved(reference)));
  await work(world, shop.scope);
  const calls = await world.database.read(shop.scope, (reader) => callsOf(reader, id));
  expect(calls.map(({ kind, state, outcome }) => `${kind} ${state} ${outcome}`)).toEqual([
    'Authorise Settled Declined',
    'Reverse Settled Approved',
  ]);
});

test.each<[string, (of: string) => [AcquirerAnswer, AcquirerAnswer]]>([
  ['the same approval', (of) => [approved(of), approved(of)]],
  ['the same decline', (of) => [declinedAs(of), declinedAs(of)]],
  ['a silence after an approval', (of) => [approved(of), { outcome: 'unknown', reason: '' }]],
  ['"in progress" after an approval', (of) => [approved(of), { outcome: 'inProgress' }]],
  ['"not found" after a decline', (of) => [declinedAs(of), { outcome: 'notFound' }]],
  ['an approval without a code', (of) => [approved(of), approved(of, { authCode: '', transactionId: '' })]],
])('%s is no contradiction', async (_says, answersOf) => {
  const shop = await openShop(world);
  const { reference } = await onlineAttempt(world, shop);
  for (const answer of answersOf(reference)) await act(world, shop, (tx) => settleOnline(tx, reference, answer));
  expect(await alarmsOf(shop)).toEqual([]);
});

test('a yes to another amount than a card was asked for raises an alarm', async () => {
  const shop = await openShop(world);
  const { id, reference } = await onlineAttempt(world, shop);
  await act(world, shop, (tx) => settleOnline(tx, reference, approved(reference, { amount: gbp(1) })));
  expect(await alarmsOf(shop)).toEqual(['AcquirerAnswerContradicted: Authorise amount 2000 GBP 1 GBP']);
  expect((await readIntent(world, shop, id)).status).toBe('Created');
});

/** A sale on a machine that is silent since its card was approved. */
async function silentSale() {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.confirm();
  const approval = await machine.charge();
  return { shop, machine, approval, id: machine.session.paymentIntentId! };
}

test('an acquirer that contradicts what the machine has reported meanwhile raises an alarm', async () => {
  const { shop, machine, approval, id } = await silentSale();
  world.door.rules.replace([{ match: { kind: 'Inquire' }, effect: 'down', times: 1 }]);
  await elapse(world, shop.scope, 90_000);
  world.door.rules.replace(lateLie('Inquire'));
  const pursuing = world.calls.pursue(shop.scope, machine.session.acquirerReference);
  await isAsked('Inquire');
  await machine.report({ kind: 'approved', approval, isSignatureRequired: false });
  await pursuing;
  expect(await alarmsOf(shop)).toEqual(['AcquirerAnswerContradicted: Authorise outcome approved declined']);
  expect(await historyOf(world, shop, id)).toEqual(['Captured']);
  await expectSound(world, shop);
});

test('an acquirer that names another amount of a silent machine’s sale settles nothing and raises an alarm', async () => {
  const { shop, id } = await silentSale();
  world.door.rules.replace([{ match: { kind: 'Inquire' }, effect: 'misstate-amount', times: 1 }]);
  await elapse(world, shop.scope, 90_000);
  expect(await alarmsOf(shop)).toEqual(['AcquirerAnswerContradicted: Authorise amount 2000 GBP 2001 GBP']);
  expect(await historyOf(world, shop, id)).toEqual([]);
  await elapse(world, shop.scope, UNTIL_REPEATED_MS);
  expect(await historyOf(world, shop, id)).toEqual(['Captured']);
});
