import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerPort } from '@pos/core/acquirer';
import { getGiveBackReference, type OrderPlacement, type PlacementInput } from '@pos/core/orders';
import { getDecline, gbp } from '@pos/core/testing';
import { DAY_MS, HOUR_MS } from '@pos/core/time';
import { findNextDueInMs } from '@pos/store/clock';
import { LeaseLost } from '@pos/store/queues';
import { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { GiveBack } from '../captures-refunds/give-back.js';
import { TestCardMachine } from '../testing/card-machine.js';
import { proveByIntent } from '../tables/device-payments.js';
import { OrderCapture } from './order-capture.js';
import { listBookings, MoneyOperations } from '../testing/money-operations.js';
import {
  transactAs,
  elapseTime,
  FULL_PERMISSIONS,
  moveClock,
  createTestEnvironment,
  readIntent,
  getOutcome,
  listTimers,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { TestEpos, ORDER_CREATED, PlacementRun, NO_ANSWER } from '../testing/order-epos.js';
import { CHANGES } from '../testing/order-changes.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(async () => {
  await testEnvironment.close();
});

/** The result of the runner's capture. */
async function capture(testEpos: TestEpos, { intentId }: OrderPlacement): Promise<string> {
  return new OrderCapture(testEnvironment).captureOrder(testEpos.testAccount.scope, intentId);
}

function giveBack(
  testEpos: TestEpos,
  { id, intentId }: OrderPlacement,
  by = testEnvironment.giveBack,
): Promise<string> {
  return by.giveBackPayment(testEpos.testAccount.scope, { intentId, reference: getGiveBackReference(id) });
}

/** An order that is being requested by its runner. */
async function createCaptureCall(testEpos: TestEpos): Promise<{ placement: OrderPlacement; run: PlacementRun }> {
  const placement = await testEpos.submitOrder(await testEpos.createHeldPayment());
  const run = await testEpos.claimPlacement(placement);
  expect(await run.advance()).toMatchObject({ placement: { state: 'Placing', placeCalls: 1 }, call: 'place' });
  return { placement, run };
}

test('a made order is captured in full with its tip, and may be refunded from then on', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const placement = await testEpos.submitOrder(await testEpos.createHeldPayment({ tipsAmount: gbp(300) }));
  const run = await testEpos.claimPlacement(placement);
  await run.advance();
  expect(await run.applyResult(ORDER_CREATED)).toMatchObject({
    placement: { state: 'Placed', orderId: 'order-1' },
    call: 'capture',
  });
  const moneyOperations = new MoneyOperations(testEnvironment, testEpos.testAccount);
  expect(await moneyOperations.refund(placement.intentId, 1)).toBe('payment_intent_held_for_order');
  expect(await capture(testEpos, placement)).toBe('captured');
  expect(await capture(testEpos, placement)).toBe('captured');
  expect(await run.applyResult({ kind: 'captured' })).toMatchObject({ placement: { state: 'Completed' }, call: null });
  const intent = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
  expect(intent).toMatchObject({ status: 'Captured', captured: gbp(2_300), tipsAmount: gbp(300) });
  expect(intent.details.orderDetails).toEqual({ id: placement.id, externalId: 'order-1' });
  // It received that its payment was captured, and has nothing left to do.
  expect(await (await testEpos.claimPlacement(placement)).advance()).toMatchObject({ outputs: [], call: null });
  expect(
    (await listTimers(testEnvironment, testEpos.testAccount)).filter((timer) => timer.startsWith('order')),
  ).toEqual([]);
  expect(await moneyOperations.refund(placement.intentId, 300)).toBe('done');
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

test('money that is held for an order is not refunded over a card machine; money that was captured for it is', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { placement, run } = await createCaptureCall(testEpos);
  await run.applyResult(ORDER_CREATED);
  const [terminal] = testEpos.testAccount.terminals;
  const refund = { sessionType: 'MatchedRefund', paymentIntentId: placement.intentId, amount: gbp(2_000) } as const;
  const refunding = () =>
    getOutcome(
      transactAs(testEnvironment, testEpos.testAccount, (tx) =>
        testEnvironment.sessions.create(tx, FULL_PERMISSIONS, { ...refund, terminalId: terminal.id }),
      ),
    );
  expect(await refunding()).toBe('payment_intent_held_for_order');
  await capture(testEpos, placement);
  // In every end of the order, the operator must not be left with money that cannot be moved.
  expect(await refunding()).toBe('done');
});

test.each<[string, readonly PlacementInput[]]>([
  ['is being placed', []],
  ['was made', [ORDER_CREATED, { kind: 'captured' }]],
])('money of an order that %s is not recorded at a table', async (_title, inputs) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { placement, run } = await createCaptureCall(testEpos);
  for (const input of inputs) {
    if (input.kind === 'captured') await capture(testEpos, placement);
    await run.applyResult(input);
  }
  const { paymentDetails } = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
  const transactionId = paymentDetails?.transactionId ?? '';
  const claim = {
    ...{ paymentId: 'payment-1', transactionId, isCardPresent: true, tids: ['90000001'], attemptedAt: new Date() },
    ...{ total: gbp(2_000), cashback: gbp(0) },
  };
  const proof = await transactAs(testEnvironment, testEpos.testAccount, (tx) => proveByIntent(tx, claim));
  expect(proof).toEqual({
    outcome: 'refused',
    reason: expect.stringContaining('an order was paid with it in advance'),
  });
});

test.each(CHANGES)('an order receives it when its payment %s', async (_title, change, state) => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = await testEpos.createPayment({ generateRemoteToken: true });
  const placement = await testEpos.submitOrder(id);
  expect(await testEpos.claimTimers()).toEqual([]);
  await change(testEnvironment, testEpos, id);
  const run = await testEpos.claimPlacement(placement);
  expect((await run.advance()).placement.state).toBe(state);
  const { details } = await readIntent(testEnvironment, testEpos.testAccount, id);
  expect(details.heldForOrder).toBe(state === 'Ended' ? undefined : placement.id);
});

test.each(['Release', 'Capture'] as const)(
  'a hold that ends before its order was made is released, although it was configured to end with %s',
  async (autoExpireAction) => {
    const testEpos = await TestEpos.open(testEnvironment);
    const placement = await testEpos.submitOrder(
      await testEpos.createHeldPayment({ autoExpireInMs: 3 * HOUR_MS, autoExpireAction }),
    );
    const run = await testEpos.claimPlacement(placement);
    await run.advance();
    await run.applyResult(NO_ANSWER);
    await elapseTime(testEnvironment, testEpos.testAccount.scope, 3 * HOUR_MS);
    const intent = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
    expect(intent.status).toBe('Reversed');
    const reference = intent.paymentDetails?.reference ?? '';
    expect(listBookings(testEnvironment, reference)).toEqual(['Reverse 2000 Approved']);
    const claimed = await testEpos.claimTimers();
    expect(claimed.map(({ kind }) => kind)).toContain('order-placement');
    await expectConsistent(testEnvironment, testEpos.testAccount);
  },
);

test('a hold is given back for its order with any window for reversals of the account', async () => {
  const testEpos = await TestEpos.open(testEnvironment, { settings: { authorizedReversalWindowMs: 60_000 } });
  const free = await testEpos.createHeldPayment();
  const placement = await testEpos.submitOrder(await testEpos.createHeldPayment());
  await moveClock(testEnvironment, testEpos.testAccount.scope, HOUR_MS);
  expect(await new MoneyOperations(testEnvironment, testEpos.testAccount).reverse(free)).toBe('reversal_window_passed');
  const run = await testEpos.claimPlacement(placement);
  await run.advance();
  expect(await run.applyResult({ kind: 'placeAnswered', answer: { outcome: 'Conflict' } })).toMatchObject({
    call: 'giveBack',
  });
  expect(await giveBack(testEpos, placement)).toBe('givenBack');
  expect((await readIntent(testEnvironment, testEpos.testAccount, placement.intentId)).status).toBe('Reversed');
  await run.applyResult({ kind: 'givenBack' });
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

test('a hold whose reversal the acquirer refuses at first is given back at a later try', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { database, accounts, settings, acquirer } = testEnvironment;
  const placement = await testEpos.submitOrder(await testEpos.createHeldPayment());
  const stubborn: AcquirerPort = {
    increase: (order) => acquirer.increase(order),
    capture: (order) => acquirer.capture(order),
    refund: (order) => acquirer.refund(order),
    reverse: () => Promise.resolve({ outcome: 'declined', decline: getDecline() }),
    inquire: (question) => acquirer.inquire(question),
    listBooked: (question) => acquirer.listBooked(question),
    getCapabilities: (question) => acquirer.getCapabilities(question),
  };
  const calls = new AcquirerCalls({ database, acquirers: { find: () => stubborn }, accounts, settings });
  const refusing = new GiveBack({ database, accounts, settings, calls });
  expect(await giveBack(testEpos, placement, refusing)).toBe('refused');
  expect(await giveBack(testEpos, placement, refusing)).toBe('refused');
  const { status, pendingCapture } = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
  expect([status, pendingCapture]).toEqual(['Authorized', gbp(0)]);
  expect(await giveBack(testEpos, placement)).toBe('givenBack');
  const { paymentDetails, ...reversed } = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
  expect(reversed.status).toBe('Reversed');
  expect(listBookings(testEnvironment, paymentDetails?.reference ?? '')).toEqual(['Reverse 2000 Approved']);
  expect(await giveBack(testEpos, placement)).toBe('givenBack');
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

test.each(['decline', 'fail', 'drop-answer', 'down'] as const)(
  'a capture that goes wrong once (%s) is made once at the next try',
  async (effect) => {
    const testEpos = await TestEpos.open(testEnvironment);
    const { placement, run } = await createCaptureCall(testEpos);
    await run.applyResult(ORDER_CREATED);
    testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Capture' }, effect, times: 1 }]);
    expect(await capture(testEpos, placement)).toBe(
      effect === 'decline' || effect === 'fail' ? 'refused' : 'unanswered',
    );
    expect(await capture(testEpos, placement)).toBe('captured');
    const { paymentDetails, captured } = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
    expect(captured).toEqual(gbp(2_000));
    const booked = listBookings(testEnvironment, paymentDetails?.reference ?? '').filter((each) =>
      each.endsWith('Approved'),
    );
    expect(booked).toEqual(['Capture 2000 Approved']);
    await run.applyResult({ kind: 'captured' });
    await expectConsistent(testEnvironment, testEpos.testAccount);
  },
);

test('an order whose payment arrives when its hold has nearly ended is not requested', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const id = await testEpos.createPayment({ autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' });
  const placement = await testEpos.submitOrder(id);
  const machine = await TestCardMachine.startSale(testEnvironment, testEpos.testAccount, id);
  await machine.confirmSession();
  await machine.approvePayment();
  await moveClock(testEnvironment, testEpos.testAccount.scope, 0.75 * HOUR_MS);
  const turn = await (await testEpos.claimPlacement(placement)).advance();
  expect(turn).toMatchObject({ placement: { state: 'GivingBack', placeCalls: 0 }, call: 'giveBack' });
});

test('twenty concurrent captures of one order take the money once', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { placement, run } = await createCaptureCall(testEpos);
  await run.applyResult(ORDER_CREATED);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => capture(testEpos, placement)));
  expect(new Set(outcomes)).toEqual(new Set(['captured']));
  expect((await readIntent(testEnvironment, testEpos.testAccount, placement.intentId)).captured).toEqual(gbp(2_000));
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

test('a runner whose claim has expired writes nothing, except that the order was made', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { placement, run: slow } = await createCaptureCall(testEpos);
  await testEpos.expireLeases();
  const next = await testEpos.claimPlacement(placement);
  expect((await next.advance()).placement).toMatchObject({ state: 'PlaceUnknown', isUnanswered: true });
  const before = await testEpos.findPlacement(placement.id);
  const refused = { kind: 'placeAnswered', answer: { outcome: 'InvalidRequest' } } as const;
  await expect(slow.applyResult(refused)).rejects.toBeInstanceOf(LeaseLost);
  await expect(slow.applyResult(ORDER_CREATED)).rejects.toBeInstanceOf(LeaseLost);
  expect(await slow.applyResult(refused, null)).toMatchObject({ outputs: [], call: null });
  expect(await testEpos.findPlacement(placement.id)).toEqual(before);
  expect(await slow.applyResult(ORDER_CREATED, null)).toMatchObject({
    placement: { state: 'Placed', orderId: 'order-1' },
    call: null,
  });
  expect((await (await testEpos.claimPlacement(placement)).advance()).call).toBe('capture');
});

test('of two concurrent runners of one placement one continues', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const placement = await testEpos.submitOrder(await testEpos.createHeldPayment());
  const stale = await testEpos.claimPlacement(placement);
  await testEpos.expireLeases();
  const fresh = await testEpos.claimPlacement(placement);
  const [first, second] = await Promise.allSettled([stale.advance(), fresh.advance()]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  expect(first).toMatchObject({ reason: { name: 'LeaseLost' } });
  expect(await testEpos.findPlacement(placement.id)).toMatchObject({ state: 'Placing', placeCalls: 1 });
});

test('once its money is gone, an unanswered order is only searched for, and cancelled if it exists', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { placement, run } = await createCaptureCall(testEpos);
  await run.applyResult(NO_ANSWER);
  await elapseTime(testEnvironment, testEpos.testAccount.scope, 7 * DAY_MS);
  await runDueWork(testEnvironment, testEpos.testAccount.scope);
  expect((await readIntent(testEnvironment, testEpos.testAccount, placement.intentId)).status).toBe('Reversed');
  const claims = await testEpos.claimTimers();
  expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['order-placement', 'order-release']);
  const next = new PlacementRun(
    testEpos,
    placement,
    claims.find(({ kind }) => kind === 'order-placement')!,
  );
  const turn = await next.advance();
  expect(turn).toMatchObject({ placement: { state: 'PlaceUnknown', isMoneyGone: true }, call: 'look' });
  const found = await next.applyResult({ kind: 'orderFound', orderId: 'order-1' });
  expect(found).toMatchObject({ placement: { state: 'Cancelling', placeCalls: 1 }, call: 'cancelOrder' });
  expect(await next.applyResult({ kind: 'orderCancelled' })).toMatchObject({ call: 'giveBack' });
  expect(await giveBack(testEpos, placement)).toBe('givenBack');
  expect((await next.applyResult({ kind: 'givenBack' })).placement).toMatchObject({
    state: 'GivenBack',
    mayOrderStand: false,
  });
  await expectConsistent(testEnvironment, testEpos.testAccount);
});

test('tries to reach a silent EPOS are no steps of an advancing clock; the end of the hold is', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { run } = await createCaptureCall(testEpos);
  expect((await run.applyResult(NO_ANSWER)).placement.dueAt).not.toBeNull();
  const next = await testEnvironment.database.read(testEpos.testAccount.scope, findNextDueInMs);
  expect(next).toBeGreaterThan(6 * DAY_MS);
  expect(next).toBeLessThanOrEqual(7 * DAY_MS - HOUR_MS);
});

test('before a hold ends the EPOS is searched once more at once, if a sandbox’s time has passed the last call', async () => {
  const testEpos = await TestEpos.open(testEnvironment);
  const { placement, run } = await createCaptureCall(testEpos);
  await run.applyResult(NO_ANSWER);
  await moveClock(testEnvironment, testEpos.testAccount.scope, 7 * DAY_MS - HOUR_MS);
  const claimed = await testEpos.claimTimers();
  const release = claimed.find(({ kind }) => kind === 'order-release')!;
  await transactAs(testEnvironment, testEpos.testAccount, (tx) => testEpos.placements.applyHoldEnding(tx, release));
  const ending = await testEpos.findPlacement(placement.id);
  expect(ending).toMatchObject({ state: 'PlaceUnknown', nextStep: 'lookBeforeRelease', isHoldEnding: true });
  expect(ending.dueAt!.getTime()).toBeLessThanOrEqual((await testEnvironment.database.now()).getTime());
});
