import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerPort } from '@pos/core/ports';
import type { OrderPlacement, PlacementInput } from '@pos/core/order-placement';
import { placementGiveBackReference } from '@pos/core/order-placement';
import { approvalOf, declineOf, gbp } from '@pos/core/testing';
import { DAY_MS, HOUR_MS } from '@pos/core/timespan';
import { nextDueInMs } from '@pos/store/clock';
import { LeaseLost } from '@pos/store/timers';
import { AcquirerCalls } from './acquirer-calls.js';
import { GiveBack } from './give-back.js';
import { Machine } from './card-machine/testing.js';
import { adoptedIntent } from './device-money.js';
import { OnlinePayments } from './online-payments.js';
import { settleOnline } from './online-settling.js';
import { OrderCapture } from './order-capture.js';
import { bookedAbout, Till } from './till/testing.js';
import {
  act,
  elapse,
  expectSound,
  FULL,
  moveClock,
  openWorld,
  readIntent,
  refusalOf,
  timersOf,
  work,
  type World,
} from './testing.js';
import { Kitchen, MADE, Run, SILENCE } from './testing-orders.js';

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

/** What a runner hears of the capture that it makes. */
async function capture(kitchen: Kitchen, { intentId }: OrderPlacement): Promise<string> {
  return new OrderCapture(world).run(kitchen.shop.scope, intentId);
}

function giveBack(kitchen: Kitchen, { id, intentId }: OrderPlacement, by = world.giveBack): Promise<string> {
  return by.run(kitchen.shop.scope, { intentId, reference: placementGiveBackReference(id) });
}

/** An order that is asked for, in the hands of its runner. */
async function asked(kitchen: Kitchen): Promise<{ placement: OrderPlacement; run: Run }> {
  const placement = await kitchen.submit(await kitchen.held());
  const run = await kitchen.run(placement);
  expect(await run.advance()).toMatchObject({ placement: { state: 'Placing', placeCalls: 1 }, call: 'place' });
  return { placement, run };
}

test('a made order is captured in full with its tip, and may be refunded from then on', async () => {
  const kitchen = await Kitchen.open(world);
  const placement = await kitchen.submit(await kitchen.held({ tipsAmount: gbp(300) }));
  const run = await kitchen.run(placement);
  await run.advance();
  expect(await run.tell(MADE)).toMatchObject({ placement: { state: 'Placed', orderId: 'order-1' }, call: 'capture' });
  const till = new Till(world, kitchen.shop);
  expect(await till.refund(placement.intentId, 1)).toBe('payment_intent_held_for_order');
  expect(await capture(kitchen, placement)).toBe('captured');
  expect(await capture(kitchen, placement)).toBe('captured');
  expect(await run.tell({ kind: 'captured' })).toMatchObject({ placement: { state: 'Completed' }, call: null });
  const intent = await readIntent(world, kitchen.shop, placement.intentId);
  expect(intent).toMatchObject({ status: 'Captured', captured: gbp(2_300), tipsAmount: gbp(300) });
  expect(intent.details.orderDetails).toEqual({ id: placement.id, externalId: 'order-1' });
  // It was told that its payment was captured, and has nothing left to do.
  expect(await (await kitchen.run(placement)).advance()).toMatchObject({ outputs: [], call: null });
  expect((await timersOf(world, kitchen.shop)).filter((timer) => timer.startsWith('order'))).toEqual([]);
  expect(await till.refund(placement.intentId, 300)).toBe('done');
  await expectSound(world, kitchen.shop);
});

test('nothing goes back over a card machine of what is held for an order; of what was captured for it it does', async () => {
  const kitchen = await Kitchen.open(world);
  const { placement, run } = await asked(kitchen);
  await run.tell(MADE);
  const [terminal] = kitchen.shop.terminals;
  const refund = { sessionType: 'MatchedRefund', paymentIntentId: placement.intentId, amount: gbp(2_000) } as const;
  const refunding = () =>
    refusalOf(
      act(world, kitchen.shop, (tx) => world.sessions.create(tx, FULL, { ...refund, terminalId: terminal.id })),
    );
  expect(await refunding()).toBe('payment_intent_held_for_order');
  await capture(kitchen, placement);
  // Whatever becomes of the order: whoever gave it up must not be left with money that nobody can move.
  expect(await refunding()).toBe('done');
});

test.each<[string, readonly PlacementInput[]]>([
  ['is on its way', []],
  ['was made', [MADE, { kind: 'captured' }]],
])('money of an order that %s is not recorded at a table', async (_says, words) => {
  const kitchen = await Kitchen.open(world);
  const { placement, run } = await asked(kitchen);
  for (const word of words) {
    if (word.kind === 'captured') await capture(kitchen, placement);
    await run.tell(word);
  }
  const { paymentDetails } = await readIntent(world, kitchen.shop, placement.intentId);
  const transactionId = paymentDetails?.transactionId ?? '';
  const adopting = act(world, kitchen.shop, (tx) => adoptedIntent(tx, transactionId, gbp(2_000)));
  expect(await refusalOf(adopting)).toBe('card_transaction_unusable');
});

/** Every way in which the status of a payment changes that an order waits for. */
const CHANGES: readonly [string, (kitchen: Kitchen, id: OrderPlacement['intentId']) => Promise<unknown>, string][] = [
  [
    'is approved on a card machine',
    async ({ shop }, id) => {
      const machine = await Machine.sale(world, shop, id);
      await machine.confirm();
      await machine.approve();
    },
    'Placing',
  ],
  [
    'is approved once its signature is',
    async ({ shop }, id) => {
      const machine = await Machine.sale(world, shop, id);
      await machine.confirm();
      await machine.approve(true);
      await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, true));
    },
    'Placing',
  ],
  [
    'is reversed because its signature is refused',
    async ({ shop }, id) => {
      const machine = await Machine.sale(world, shop, id);
      await machine.confirm();
      await machine.approve(true);
      await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
    },
    'Ended',
  ],
  [
    'is approved by a machine that tells it late',
    async ({ shop }, id) => {
      const machine = await Machine.sale(world, shop, id);
      await machine.confirm();
      await elapse(world, shop.scope, 90_000);
      await machine.approve();
    },
    'Placing',
  ],
  [
    'is approved by the acquirer’s word, the machine being lost',
    async ({ shop }, id) => {
      const machine = await Machine.sale(world, shop, id);
      await machine.confirm();
      await machine.charge();
      await elapse(world, shop.scope, 90_000);
      await elapse(world, shop.scope, 60_000);
    },
    'Placing',
  ],
  [
    'is approved online',
    async ({ shop }, id) => {
      const { intent } = await act(world, shop, (tx) => world.intents.refreshSecretPublic(tx, id));
      let reference = '';
      const submission = {
        ...{ secret: intent.clientSecret ?? '', wallet: null, hasCv2: true, isSavingAllowed: false },
        card: {
          ...({ maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const),
          ...{ expiryMonth: 12, expiryYear: 2032 },
        },
        ...{ isConsentGiven: false, contacts: { metadata: {} }, device: { userAgent: '', ipAddress: '' } },
      } as const;
      const ask = (order: { readonly reference: string }) => {
        reference = order.reference;
        return Promise.resolve({ outcome: 'unknown', reason: 'silence' } as const);
      };
      await refusalOf(new OnlinePayments(world).pay(submission, { ask, keep: () => undefined }));
      const {
        merchantId: _m,
        aid: _a,
        panSequence: _p,
        cardProduct: _c,
        ...approval
      } = approvalOf(gbp(2_000), {
        reference,
      });
      await act(world, shop, (tx) => settleOnline(tx, reference, { outcome: 'approved', approval }));
    },
    'Placing',
  ],
  ['is cancelled', ({ shop }, id) => act(world, shop, (tx) => world.intents.cancel(tx, id)), 'Ended'],
  ['expires', ({ shop }) => elapse(world, shop.scope, 40 * DAY_MS), 'Ended'],
];

test.each(CHANGES)('an order hears of it when its payment %s', async (_says, change, state) => {
  const kitchen = await Kitchen.open(world);
  const id = await kitchen.wish({ generateRemoteToken: true });
  const placement = await kitchen.submit(id);
  expect(await kitchen.claim()).toEqual([]);
  await change(kitchen, id);
  const run = await kitchen.run(placement);
  expect((await run.advance()).placement.state).toBe(state);
  const { details } = await readIntent(world, kitchen.shop, id);
  expect(details.heldForOrder).toBe(state === 'Ended' ? undefined : placement.id);
});

test.each(['Release', 'Capture'] as const)(
  'a hold that ends before its order was made is let go, though it was to end with %s',
  async (autoExpireAction) => {
    const kitchen = await Kitchen.open(world);
    const placement = await kitchen.submit(await kitchen.held({ autoExpireInMs: 3 * HOUR_MS, autoExpireAction }));
    const run = await kitchen.run(placement);
    await run.advance();
    await run.tell(SILENCE);
    await elapse(world, kitchen.shop.scope, 3 * HOUR_MS);
    const intent = await readIntent(world, kitchen.shop, placement.intentId);
    expect(intent.status).toBe('Reversed');
    const reference = intent.paymentDetails?.reference ?? '';
    expect(bookedAbout(world, reference)).toEqual(['Reverse 2000 Approved']);
    const claimed = await kitchen.claim();
    expect(claimed.map(({ kind }) => kind)).toContain('order-placement');
    await expectSound(world, kitchen.shop);
  },
);

test('a hold goes back for its order whatever the account’s window for reversals is', async () => {
  const kitchen = await Kitchen.open(world, { settings: { authorizedReversalWindowMs: 60_000 } });
  const free = await kitchen.held();
  const placement = await kitchen.submit(await kitchen.held());
  await moveClock(world, kitchen.shop.scope, HOUR_MS);
  expect(await new Till(world, kitchen.shop).reverse(free)).toBe('reversal_window_passed');
  const run = await kitchen.run(placement);
  await run.advance();
  expect(await run.tell({ kind: 'placeAnswered', answer: { outcome: 'Conflict' } })).toMatchObject({
    call: 'giveBack',
  });
  expect(await giveBack(kitchen, placement)).toBe('givenBack');
  expect((await readIntent(world, kitchen.shop, placement.intentId)).status).toBe('Reversed');
  await run.tell({ kind: 'givenBack' });
  await expectSound(world, kitchen.shop);
});

test('a hold whose reversal the acquirer refuses at first goes back at a later try', async () => {
  const kitchen = await Kitchen.open(world);
  const { database, accounts, settings, acquirer } = world;
  const placement = await kitchen.submit(await kitchen.held());
  const stubborn: AcquirerPort = {
    increase: (order) => acquirer.increase(order),
    capture: (order) => acquirer.capture(order),
    refund: (order) => acquirer.refund(order),
    reverse: () => Promise.resolve({ outcome: 'declined', decline: declineOf() }),
    inquire: (question) => acquirer.inquire(question),
    listBooked: (question) => acquirer.listBooked(question),
  };
  const calls = new AcquirerCalls({ database, acquirer: stubborn, accounts, settings });
  const refusing = new GiveBack({ database, accounts, settings, calls });
  expect(await giveBack(kitchen, placement, refusing)).toBe('refused');
  expect(await giveBack(kitchen, placement, refusing)).toBe('refused');
  const { status, pendingCapture } = await readIntent(world, kitchen.shop, placement.intentId);
  expect([status, pendingCapture]).toEqual(['Authorized', gbp(0)]);
  expect(await giveBack(kitchen, placement)).toBe('givenBack');
  const { paymentDetails, ...reversed } = await readIntent(world, kitchen.shop, placement.intentId);
  expect(reversed.status).toBe('Reversed');
  expect(bookedAbout(world, paymentDetails?.reference ?? '')).toEqual(['Reverse 2000 Approved']);
  expect(await giveBack(kitchen, placement)).toBe('givenBack');
  await expectSound(world, kitchen.shop);
});

test.each(['decline', 'fail', 'drop-answer', 'down'] as const)(
  'a capture that goes wrong once (%s) is made once at the next try',
  async (effect) => {
    const kitchen = await Kitchen.open(world);
    const { placement, run } = await asked(kitchen);
    await run.tell(MADE);
    world.door.rules.replace([{ match: { kind: 'Capture' }, effect, times: 1 }]);
    expect(await capture(kitchen, placement)).toBe(
      effect === 'decline' || effect === 'fail' ? 'refused' : 'unanswered',
    );
    expect(await capture(kitchen, placement)).toBe('captured');
    const { paymentDetails, captured } = await readIntent(world, kitchen.shop, placement.intentId);
    expect(captured).toEqual(gbp(2_000));
    const booked = bookedAbout(world, paymentDetails?.reference ?? '').filter((each) => each.endsWith('Approved'));
    expect(booked).toEqual(['Capture 2000 Approved']);
    await run.tell({ kind: 'captured' });
    await expectSound(world, kitchen.shop);
  },
);

test('an order whose payment is heard of when its hold has nearly ended is not asked for', async () => {
  const kitchen = await Kitchen.open(world);
  const id = await kitchen.wish({ autoExpireInMs: HOUR_MS, autoExpireAction: 'Capture' });
  const placement = await kitchen.submit(id);
  const machine = await Machine.sale(world, kitchen.shop, id);
  await machine.confirm();
  await machine.approve();
  await moveClock(world, kitchen.shop.scope, 0.75 * HOUR_MS);
  const turn = await (await kitchen.run(placement)).advance();
  expect(turn).toMatchObject({ placement: { state: 'GivingBack', placeCalls: 0 }, call: 'giveBack' });
});

test('twenty captures of one order at once take the money once', async () => {
  const kitchen = await Kitchen.open(world);
  const { placement, run } = await asked(kitchen);
  await run.tell(MADE);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => capture(kitchen, placement)));
  expect(new Set(outcomes)).toEqual(new Set(['captured']));
  expect((await readIntent(world, kitchen.shop, placement.intentId)).captured).toEqual(gbp(2_000));
  await expectSound(world, kitchen.shop);
});

test('a runner whose claim has run out writes nothing, save that the order was made', async () => {
  const kitchen = await Kitchen.open(world);
  const { placement, run: slow } = await asked(kitchen);
  await kitchen.outlive();
  const next = await kitchen.run(placement);
  expect((await next.advance()).placement).toMatchObject({ state: 'PlaceUnknown', isUnanswered: true });
  const before = await kitchen.find(placement.id);
  const refused = { kind: 'placeAnswered', answer: { outcome: 'InvalidRequest' } } as const;
  await expect(slow.tell(refused)).rejects.toBeInstanceOf(LeaseLost);
  await expect(slow.tell(MADE)).rejects.toBeInstanceOf(LeaseLost);
  expect(await slow.tell(refused, null)).toMatchObject({ outputs: [], call: null });
  expect(await kitchen.find(placement.id)).toEqual(before);
  expect(await slow.tell(MADE, null)).toMatchObject({ placement: { state: 'Placed', orderId: 'order-1' }, call: null });
  expect((await (await kitchen.run(placement)).advance()).call).toBe('capture');
});

test('two runners of one placement at once: one goes on', async () => {
  const kitchen = await Kitchen.open(world);
  const placement = await kitchen.submit(await kitchen.held());
  const stale = await kitchen.run(placement);
  await kitchen.outlive();
  const fresh = await kitchen.run(placement);
  const [first, second] = await Promise.allSettled([stale.advance(), fresh.advance()]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  expect(first).toMatchObject({ reason: { name: 'LeaseLost' } });
  expect(await kitchen.find(placement.id)).toMatchObject({ state: 'Placing', placeCalls: 1 });
});

test('once its money is gone an unanswered order is only looked for, and cancelled if it stands', async () => {
  const kitchen = await Kitchen.open(world);
  const { placement, run } = await asked(kitchen);
  await run.tell(SILENCE);
  await elapse(world, kitchen.shop.scope, 7 * DAY_MS);
  await work(world, kitchen.shop.scope);
  expect((await readIntent(world, kitchen.shop, placement.intentId)).status).toBe('Reversed');
  const claims = await kitchen.claim();
  expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['order-placement', 'order-release']);
  const next = new Run(
    kitchen,
    placement,
    claims.find(({ kind }) => kind === 'order-placement')!,
  );
  const turn = await next.advance();
  expect(turn).toMatchObject({ placement: { state: 'PlaceUnknown', isMoneyGone: true }, call: 'look' });
  const found = await next.tell({ kind: 'orderFound', orderId: 'order-1' });
  expect(found).toMatchObject({ placement: { state: 'Cancelling', placeCalls: 1 }, call: 'cancelOrder' });
  expect(await next.tell({ kind: 'orderCancelled' })).toMatchObject({ call: 'giveBack' });
  expect(await giveBack(kitchen, placement)).toBe('givenBack');
  expect((await next.tell({ kind: 'givenBack' })).placement).toMatchObject({
    state: 'GivenBack',
    mayOrderStand: false,
  });
  await expectSound(world, kitchen.shop);
});

test('tries to reach a silent EPOS are no steps of an advancing clock; the end of the hold is', async () => {
  const kitchen = await Kitchen.open(world);
  const { run } = await asked(kitchen);
  expect((await run.tell(SILENCE)).placement.dueAt).not.toBeNull();
  const next = await world.database.read(kitchen.shop.scope, nextDueInMs);
  expect(next).toBeGreaterThan(6 * DAY_MS);
  expect(next).toBeLessThanOrEqual(7 * DAY_MS - HOUR_MS);
});

test('before a hold ends the EPOS is searched once more at once, if a sandbox’s time has passed the last call', async () => {
  const kitchen = await Kitchen.open(world);
  const { placement, run } = await asked(kitchen);
  await run.tell(SILENCE);
  await moveClock(world, kitchen.shop.scope, 7 * DAY_MS - HOUR_MS);
  const claimed = await kitchen.claim();
  const release = claimed.find(({ kind }) => kind === 'order-release')!;
  await act(world, kitchen.shop, (tx) => kitchen.placements.endSoon(tx, release));
  const ending = await kitchen.find(placement.id);
  expect(ending).toMatchObject({ state: 'PlaceUnknown', nextStep: 'lookBeforeRelease', isHoldEnding: true });
  expect(ending.dueAt!.getTime()).toBeLessThanOrEqual((await world.database.now()).getTime());
});
