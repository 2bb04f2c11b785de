import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { OrderPlacement } from '@pos/core/orders';
import type { EposFault } from '@pos/sandbox/epos-simulator';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { setTimeout as pause } from 'node:timers/promises';
import { selectRows } from '@pos/testing';
import { GatewayEnvironment } from '../testing/gateway-world.js';
import { OrderTestEnvironment, buildSoupOrder } from '../testing/placement-world.js';

jest.setTimeout(60_000);

const POLL_DELAY_MS = 20;

let environment: GatewayEnvironment;
let restaurant: OrderTestEnvironment;
let lastingRestaurant: OrderTestEnvironment;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  const gateway = await environment.startGateway({
    EPOS_CALL_LIMIT_MS: '450',
    RUNNER_LEASE_MS: '500',
    LOG_LEVEL: 'fatal',
  });
  restaurant = new OrderTestEnvironment(
    environment,
    gateway,
    await environment.createAccount({ epos: 'rest', hasMachines: true }),
  );
  const capabilities = EPOS_CAPABILITIES.filter((each) => each !== 'CancelOrderById');
  const never = { epos: 'rest', hasMachines: true, capabilities } as const;
  lastingRestaurant = new OrderTestEnvironment(environment, gateway, await environment.createAccount(never));
});
afterEach(() => {
  for (const each of [restaurant, lastingRestaurant]) each.eposSimulator.faults.replaceFaults([]);
  environment.simulators.acquirer?.rules.replaceRules([]);
});
afterAll(() => environment.close());

/** The amounts at the EPOS, of the intent and in the books of the acquirer, in pence. */
async function readOutcome(testRestaurant: OrderTestEnvironment, { id }: PaymentIntent) {
  const orders = testRestaurant.listOrdersPaidWith(id).map((order) => order.status === 'Canceled');
  const intent = await testRestaurant.getIntent(id);
  return {
    orders,
    status: intent.status,
    captured: intent.captured.value,
    booked: await testRestaurant.getBookedAmount(id),
  };
}
const capturedOutcome = (pence: number) => ({ status: 'Captured', captured: pence, booked: pence });
const REVERSED_OUTCOME = { status: 'Reversed', captured: 0, booked: 0 };

test('a paid order is placed once and captured in full, with its tip', async () => {
  const intent = await restaurant.createHeldIntent(1_300, { tip: 150 });
  const placement = await restaurant.submitOrder(intent, buildSoupOrder(2));
  const { orderId, order: deleted } = await restaurant.waitForState(placement, 'Completed');
  expect(deleted).toEqual({});
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [false], ...capturedOutcome(1_450) });
  const captured = await restaurant.getIntent(intent.id);
  expect(captured.tipsAmount).toEqual({ value: 150, currencyCode: 'GBP' });
  expect(captured.details.orderDetails).toEqual({ id: placement.id, externalId: orderId });
  expect(captured.details.heldForOrder).toBeUndefined();
  const [order] = restaurant.listOrdersPaidWith(intent.id);
  expect(order).toMatchObject({ id: orderId, paidAmount: { value: 1_300 }, tipsAmount: { value: 150 } });
});

// First, for its runner waits for the lost answer beside all that follows.
test.each(['drop-answer', 'down', 'fail'] as const)('a capture that fails once (%s) is made once', async (effect) => {
  environment.simulators.acquirer?.rules.replaceRules([{ match: { kind: 'Capture' }, effect, times: 1 }]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await waitUntilSoon(placement, ({ state, tries }) => state === 'Completed' || (state === 'Placed' && tries > 0));
  await restaurant.shiftPlacementTimes(placement, 61_000);
  await restaurant.waitForState(placement, 'Completed');
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [false], ...capturedOutcome(650) });
});

test('an order that is submitted before its payment is placed when the money is held', async () => {
  const intent = await restaurant.createIntent(650);
  const placement = await restaurant.submitOrder(intent);
  expect(placement.state).toBe('Waiting');
  const asked = restaurant.listCalls('CreateOrder').length;
  await restaurant.holdPayment(intent);
  await restaurant.waitForState(placement, 'Completed');
  expect(restaurant.listCalls('CreateOrder')).toHaveLength(asked + 1);
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [false], ...capturedOutcome(650) });
});

test('an order whose payment is cancelled is never placed', async () => {
  const intent = await restaurant.createIntent(650);
  const placement = await restaurant.submitOrder(intent);
  const asked = restaurant.listCalls('CreateOrder').length;
  const intents = new PaymentIntents(new AccountCache(), DEFAULT_PAYMENT_SETTINGS);
  await environment.testDatabase.database.transact(restaurant.account.scope, (tx) => intents.cancel(tx, intent.id));
  expect(await restaurant.waitForState(placement, 'Ended')).toMatchObject({
    lastError: 'the payment intent is Canceled',
  });
  expect(restaurant.listCalls('CreateOrder')).toHaveLength(asked);
});

test.each(selectRows(['Conflict', 'InvalidRequest', 'NotFound'] as const))(
  'an order that the EPOS refuses with %s is not placed again, and the money is returned',
  async (code) => {
    restaurant.eposSimulator.faults.replaceFaults([{ method: 'CreateOrder', effect: 'refuse', code }]);
    const intent = await restaurant.createHeldIntent(650);
    const asked = restaurant.listCalls('CreateOrder').length;
    const placement = await restaurant.submitOrder(intent);
    expect(await restaurant.waitForState(placement, 'GivenBack')).toMatchObject({
      mayOrderStand: false,
      placeCalls: 1,
    });
    expect(restaurant.listCalls('CreateOrder')).toHaveLength(asked + 1);
    expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [], ...REVERSED_OUTCOME });
  },
);

const SILENT: readonly [string, EposFault, number][] = [
  ['is lost on the way back', { method: 'CreateOrder', effect: 'answer-lost', times: 1 }, 1],
  ['cannot be read', { method: 'CreateOrder', effect: 'broken-json', times: 1 }, 1],
  ['comes too late', { method: 'CreateOrder', effect: 'slow', delayMs: 600, times: 1 }, 1],
  ['is an error of the EPOS after it made the order', { ...buildPlaceFault('internal-error'), afterDoing: true }, 1],
  ['is an error of the EPOS that made nothing', buildPlaceFault('internal-error'), 2],
  ['is none, and the EPOS made nothing', buildPlaceFault('no-answer'), 2],
];

function buildPlaceFault(effect: EposFault['effect']): EposFault {
  return { method: 'CreateOrder', effect, times: 1 };
}

test.each(selectRows(SILENT, ([, , calls]) => calls))(
  'when the answer %s, the order is searched for, and one order exists at the end',
  async (_, fault, calls) => {
    restaurant.eposSimulator.faults.replaceFaults([fault]);
    const intent = await restaurant.createHeldIntent(650);
    const placement = await restaurant.submitOrder(intent);
    await restaurant.waitForState(placement, 'PlaceUnknown');
    await restaurant.shiftPlacementTimes(placement, 1_000);
    expect(await restaurant.waitForState(placement, 'Completed')).toMatchObject({ placeCalls: calls });
    expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [false], ...capturedOutcome(650) });
  },
);

test('a refusal after a lost answer does not count while the order may exist', async () => {
  restaurant.eposSimulator.faults.replaceFaults([
    { method: 'SearchOrders', effect: 'internal-error', times: 3 },
    { method: 'CreateOrder', effect: 'answer-lost', times: 1 },
  ]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await restaurant.waitForState(placement, 'PlaceUnknown');
  // This EPOS does not know its own orders again.
  restaurant.eposSimulator.faults.replaceFaults([{ method: 'CreateOrder', effect: 'refuse', code: 'Conflict' }]);
  await restaurant.waitForState(placement, 'Completed');
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [false], ...capturedOutcome(650) });
});

test('a refusal after an unanswered call is final when no order lists the payment a minute later', async () => {
  restaurant.eposSimulator.faults.replaceFaults([
    { method: 'CreateOrder', effect: 'no-answer', times: 1 },
    { method: 'CreateOrder', effect: 'refuse', code: 'InvalidRequest' },
  ]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  const doubtfulPlacement = await exhaustPlaceRetries(placement);
  expect((await restaurant.getIntent(intent.id)).status).toBe('Authorized');
  await restaurant.shiftPlacementTimes(doubtfulPlacement, 61_000);
  await restaurant.waitForState(placement, 'GivenBack');
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [], ...REVERSED_OUTCOME });
});

async function exhaustPlaceRetries(placement: OrderPlacement): Promise<OrderPlacement> {
  let found = await restaurant.waitForState(placement, 'PlaceUnknown');
  while (found.doubtAt === null || found.dueAt === null) {
    await pause(POLL_DELAY_MS);
    found = await restaurant.getPlacement(placement.id);
    expect(found.state).not.toBe('GivenBack');
  }
  return found;
}

test('before the hold ends, a silent EPOS is searched once more and no order is placed again', async () => {
  restaurant.eposSimulator.faults.replaceFaults([{ method: 'CreateOrder', effect: 'no-answer' }]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await restaurant.waitForState(placement, 'PlaceUnknown');
  await restaurant.makeHoldExpire(placement);
  await waitUntilSoon(placement, ({ nextStep, dueAt }) => nextStep === 'lookBeforeRelease' && dueAt !== null);
  const asked = restaurant.listCalls('CreateOrder').length;
  expect((await restaurant.getIntent(intent.id)).status).toBe('Authorized');
  await restaurant.shiftPlacementTimes(placement, 61_000);
  expect(await restaurant.waitForState(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false });
  expect(restaurant.listCalls('CreateOrder')).toHaveLength(asked);
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [], ...REVERSED_OUTCOME });
});

test('an order that is found before the hold ends is captured', async () => {
  restaurant.eposSimulator.faults.replaceFaults([
    { method: 'CreateOrder', effect: 'answer-lost' },
    { method: 'SearchOrders', effect: 'internal-error' },
  ]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await restaurant.waitForState(placement, 'PlaceUnknown');
  await restaurant.makeHoldExpire(placement);
  await waitUntilSoon(placement, ({ nextStep, dueAt }) => nextStep === 'lookBeforeRelease' && dueAt !== null);
  restaurant.eposSimulator.faults.replaceFaults([]);
  await restaurant.shiftPlacementTimes(placement, 61_000);
  await restaurant.waitForState(placement, 'Completed');
  expect(await readOutcome(restaurant, intent)).toMatchObject({ orders: [false], ...capturedOutcome(650) });
});

test('if an EPOS cannot be searched until the hold ends, the money is returned and an alarm is raised', async () => {
  restaurant.eposSimulator.faults.replaceFaults([
    { method: 'CreateOrder', effect: 'answer-lost' },
    { method: 'SearchOrders', effect: 'refuse', code: 'InvalidRequest' },
  ]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await restaurant.waitForState(placement, 'PlaceUnknown');
  await restaurant.makeHoldExpire(placement);
  await waitUntilSoon(placement, ({ nextStep, dueAt }) => nextStep === 'lookBeforeRelease' && dueAt !== null);
  for (let look = 0; look < 6; look += 1) {
    const { tries } = await restaurant.getPlacement(placement.id);
    await restaurant.shiftPlacementTimes(placement, 61_000);
    await waitUntilSoon(placement, (now) => now.tries > tries || now.state !== 'PlaceUnknown');
  }
  expect(await restaurant.waitForState(placement, 'GivenBack')).toMatchObject({ mayOrderStand: true });
  expect(await readOutcome(restaurant, intent)).toMatchObject(REVERSED_OUTCOME);
});

test.each([
  ['is cancelled there', true],
  ['stays, if the EPOS cannot cancel, and an alarm is raised', false],
])('an order that cannot be captured %s before the money is returned', async (_, canCancel) => {
  const testRestaurant = canCancel ? restaurant : lastingRestaurant;
  environment.simulators.acquirer?.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  const intent = await testRestaurant.createHeldIntent(650);
  const placement = await testRestaurant.submitOrder(intent);
  await waitUntilSoon(placement, ({ state, tries }) => state === 'Placed' && tries > 0, testRestaurant);
  expect((await testRestaurant.getIntent(intent.id)).details.orderDetails?.externalId).toBeDefined();
  await testRestaurant.makeHoldExpire(placement);
  expect(await testRestaurant.waitForState(placement, 'GivenBack')).toMatchObject({ mayOrderStand: !canCancel });
  expect(await readOutcome(testRestaurant, intent)).toMatchObject({ orders: [canCancel], ...REVERSED_OUTCOME });
});

async function waitUntilSoon(
  { id }: OrderPlacement,
  condition: (placement: OrderPlacement) => boolean,
  testRestaurant: OrderTestEnvironment = restaurant,
): Promise<void> {
  while (!condition(await testRestaurant.getPlacement(id))) await pause(POLL_DELAY_MS);
}
