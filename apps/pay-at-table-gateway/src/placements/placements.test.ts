import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { OrderPlacement } from '@pos/core/order-placement';
import type { EposFault } from '@pos/sandbox/epos-faults';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { AccountCache } from '@pos/payments/accounts';
import { TestPlace } from '../testing.js';
import { OrderHouse, soup } from './testing.js';

jest.setTimeout(60_000);

let place: TestPlace;
let house: OrderHouse;
let lasting: OrderHouse;
beforeAll(async () => {
  place = await TestPlace.open({ hasAcquirer: true });
  const gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '450', RUNNER_LEASE_MS: '500', LOG_LEVEL: 'fatal' });
  house = new OrderHouse(place, gateway, await place.account({ epos: 'rest', hasMachines: true }));
  const capabilities = EPOS_CAPABILITIES.filter((each) => each !== 'CancelOrderById');
  const never = { epos: 'rest', hasMachines: true, capabilities } as const;
  lasting = new OrderHouse(place, gateway, await place.account(never));
});
afterEach(() => {
  for (const each of [house, lasting]) each.door.faults.replace([]);
  place.outside.acquirer?.rules.replace([]);
});
afterAll(() => place.close());

/** What stands at the EPOS, in the intent, and on the books of the acquirer, in pence. */
async function standing(at: OrderHouse, { id }: PaymentIntent) {
  const orders = at.ordersPaidWith(id).map((order) => order.status === 'Canceled');
  const intent = await at.intentOf(id);
  return { orders, status: intent.status, captured: intent.captured.value, booked: await at.booked(id) };
}
const CAPTURED = (pence: number) => ({ status: 'Captured', captured: pence, booked: pence });
const NOTHING = { status: 'Reversed', captured: 0, booked: 0 };

test('an order that is paid for is made once and captured in full, with its tip', async () => {
  const intent = await house.held(1_300, { tip: 150 });
  const placement = await house.submit(intent, soup(2));
  const { orderId, order: forgotten } = await house.arrives(placement, 'Completed');
  expect(forgotten).toEqual({});
  expect(await standing(house, intent)).toMatchObject({ orders: [false], ...CAPTURED(1_450) });
  const captured = await house.intentOf(intent.id);
  expect(captured.tipsAmount).toEqual({ value: 150, currencyCode: 'GBP' });
  expect(captured.details.orderDetails).toEqual({ id: placement.id, externalId: orderId });
  expect(captured.details.heldForOrder).toBeUndefined();
  const [order] = house.ordersPaidWith(intent.id);
  expect(order).toMatchObject({ id: orderId, paidAmount: { value: 1_300 }, tipsAmount: { value: 150 } });
});

// First, for its runner waits for the lost answer beside all that follows.
test.each(['drop-answer', 'down', 'fail'] as const)(
  'a capture that goes wrong once (%s) is made once',
  async (effect) => {
    place.outside.acquirer?.rules.replace([{ match: { kind: 'Capture' }, effect, times: 1 }]);
    const intent = await house.held(650);
    const placement = await house.submit(intent);
    await until(placement, ({ state, tries }) => state === 'Completed' || (state === 'Placed' && tries > 0));
    await house.age(placement, 61_000);
    await house.arrives(placement, 'Completed');
    expect(await standing(house, intent)).toMatchObject({ orders: [false], ...CAPTURED(650) });
  },
);

test('an order that is submitted before anybody paid waits, and is made when the money is held', async () => {
  const intent = await house.wish(650);
  const placement = await house.submit(intent);
  expect(placement.state).toBe('Waiting');
  const asked = house.seen('CreateOrder').length;
  await house.hold(intent);
  await house.arrives(placement, 'Completed');
  expect(house.seen('CreateOrder')).toHaveLength(asked + 1);
  expect(await standing(house, intent)).toMatchObject({ orders: [false], ...CAPTURED(650) });
});

test('an order whose payment is given up is never asked for', async () => {
  const intent = await house.wish(650);
  const placement = await house.submit(intent);
  const asked = house.seen('CreateOrder').length;
  const intents = new PaymentIntents(new AccountCache());
  await place.test.database.transact(house.account.scope, (tx) => intents.cancel(tx, intent.id));
  expect(await house.arrives(placement, 'Ended')).toMatchObject({ lastError: 'the payment intent is Canceled' });
  expect(house.seen('CreateOrder')).toHaveLength(asked);
});

test.each(['Conflict', 'InvalidRequest', 'NotFound'] as const)(
  'an order that the EPOS refuses with %s is not asked for again, and the money goes back',
  async (code) => {
    house.door.faults.replace([{ method: 'CreateOrder', effect: 'refuse', code }]);
    const intent = await house.held(650);
    const asked = house.seen('CreateOrder').length;
    const placement = await house.submit(intent);
    expect(await house.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false, placeCalls: 1 });
    expect(house.seen('CreateOrder')).toHaveLength(asked + 1);
    expect(await standing(house, intent)).toMatchObject({ orders: [], ...NOTHING });
  },
);

const SILENT: readonly [string, EposFault, number][] = [
  ['is lost on the way back', { method: 'CreateOrder', effect: 'answer-lost', times: 1 }, 1],
  ['cannot be read', { method: 'CreateOrder', effect: 'broken-json', times: 1 }, 1],
  ['comes too late', { method: 'CreateOrder', effect: 'slow', delayMs: 600, times: 1 }, 1],
  ['is an error of the EPOS after it made the order', { ...failing('internal-error'), afterDoing: true }, 1],
  ['is an error of the EPOS that made nothing', failing('internal-error'), 2],
  ['is none, and the EPOS made nothing', failing('no-answer'), 2],
];

function failing(effect: EposFault['effect']): EposFault {
  return { method: 'CreateOrder', effect, times: 1 };
}

test.each(SILENT)(
  'when the answer %s the order is looked for, and there is one in the end',
  async (_, fault, calls) => {
    house.door.faults.replace([fault]);
    const intent = await house.held(650);
    const placement = await house.submit(intent);
    await house.arrives(placement, 'PlaceUnknown');
    await house.age(placement, 1_000);
    expect(await house.arrives(placement, 'Completed')).toMatchObject({ placeCalls: calls });
    expect(await standing(house, intent)).toMatchObject({ orders: [false], ...CAPTURED(650) });
  },
);

test('a refusal after a lost answer is not believed while the order may stand', async () => {
  house.door.faults.replace([
    { method: 'SearchOrders', effect: 'internal-error', times: 3 },
    { method: 'CreateOrder', effect: 'answer-lost', times: 1 },
  ]);
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  await house.arrives(placement, 'PlaceUnknown');
  // This EPOS does not know its own orders again.
  house.door.faults.replace([{ method: 'CreateOrder', effect: 'refuse', code: 'Conflict' }]);
  await house.arrives(placement, 'Completed');
  expect(await standing(house, intent)).toMatchObject({ orders: [false], ...CAPTURED(650) });
});

test('a refusal after an unanswered call is believed once no order lists the payment a minute later', async () => {
  house.door.faults.replace([
    { method: 'CreateOrder', effect: 'no-answer', times: 1 },
    { method: 'CreateOrder', effect: 'refuse', code: 'InvalidRequest' },
  ]);
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  const doubted = await doubtful(placement);
  expect((await house.intentOf(intent.id)).status).toBe('Authorized');
  await house.age(doubted, 61_000);
  await house.arrives(placement, 'GivenBack');
  expect(await standing(house, intent)).toMatchObject({ orders: [], ...NOTHING });
});

async function doubtful(placement: OrderPlacement): Promise<OrderPlacement> {
  let found = await house.arrives(placement, 'PlaceUnknown');
  while (found.doubtAt === null || found.dueAt === null) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    found = await house.placementOf(placement.id);
    expect(found.state).not.toBe('GivenBack');
  }
  return found;
}

test('before the hold ends a silent EPOS is looked at once more, and never asked again', async () => {
  house.door.faults.replace([{ method: 'CreateOrder', effect: 'no-answer' }]);
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  await house.arrives(placement, 'PlaceUnknown');
  await house.holdEnds(placement);
  await until(placement, ({ nextStep, dueAt }) => nextStep === 'lookBeforeRelease' && dueAt !== null);
  const asked = house.seen('CreateOrder').length;
  expect((await house.intentOf(intent.id)).status).toBe('Authorized');
  await house.age(placement, 61_000);
  expect(await house.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false });
  expect(house.seen('CreateOrder')).toHaveLength(asked);
  expect(await standing(house, intent)).toMatchObject({ orders: [], ...NOTHING });
});

test('an order that is found before the hold ends is captured', async () => {
  house.door.faults.replace([
    { method: 'CreateOrder', effect: 'answer-lost' },
    { method: 'SearchOrders', effect: 'internal-error' },
  ]);
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  await house.arrives(placement, 'PlaceUnknown');
  await house.holdEnds(placement);
  await until(placement, ({ nextStep, dueAt }) => nextStep === 'lookBeforeRelease' && dueAt !== null);
  house.door.faults.replace([]);
  await house.age(placement, 61_000);
  await house.arrives(placement, 'Completed');
  expect(await standing(house, intent)).toMatchObject({ orders: [false], ...CAPTURED(650) });
});

test('an EPOS that cannot be searched to the end of the hold keeps no guest’s money, and people are told', async () => {
  house.door.faults.replace([
    { method: 'CreateOrder', effect: 'answer-lost' },
    { method: 'SearchOrders', effect: 'refuse', code: 'InvalidRequest' },
  ]);
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  await house.arrives(placement, 'PlaceUnknown');
  await house.holdEnds(placement);
  await until(placement, ({ nextStep, dueAt }) => nextStep === 'lookBeforeRelease' && dueAt !== null);
  for (let look = 0; look < 6; look += 1) {
    const { tries } = await house.placementOf(placement.id);
    await house.age(placement, 61_000);
    await until(placement, (now) => now.tries > tries || now.state !== 'PlaceUnknown');
  }
  expect(await house.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand: true });
  expect(await standing(house, intent)).toMatchObject(NOTHING);
});

test.each([
  ['is cancelled there', true],
  ['stands, if the EPOS cannot cancel, and people are told', false],
])('an order that nobody will pay for %s before the money goes back', async (_, canCancel) => {
  const at = canCancel ? house : lasting;
  place.outside.acquirer?.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  const intent = await at.held(650);
  const placement = await at.submit(intent);
  await until(placement, ({ state, tries }) => state === 'Placed' && tries > 0, at);
  expect((await at.intentOf(intent.id)).details.orderDetails?.externalId).toBeDefined();
  await at.holdEnds(placement);
  expect(await at.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand: !canCancel });
  expect(await standing(at, intent)).toMatchObject({ orders: [canCancel], ...NOTHING });
});

async function until(
  { id }: OrderPlacement,
  isTrue: (placement: OrderPlacement) => boolean,
  at: OrderHouse = house,
): Promise<void> {
  while (!isTrue(await at.placementOf(id))) await new Promise((resolve) => setTimeout(resolve, 10));
}
