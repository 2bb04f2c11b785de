import { OPERATOR_ACTIONS } from '@pos/core/testing';
import { AccountCache, ORDER_FAULT_POINTS } from '@pos/payments/accounts';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { EPOS_CAPABILITIES, type OperatorAction } from '@pos/core/tables';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { OrderPlacement } from '@pos/core/orders';
import { OrderPlacements, listPendingPlacements } from '@pos/payments/orders';
import type { EposFault } from '@pos/sandbox/epos-simulator';
import { beginAdvance, endAdvance, findNextDueInMs, applyClockStep } from '@pos/store/clock';
import { putEposIntegration } from '@pos/store/repositories';
import { TimerQueue } from '@pos/store/queues';
import { defineInLongRun, selectRows } from '@pos/testing';
import { GatewayEnvironment } from '../testing/gateway-world.js';
import { OrderTestEnvironment } from '../testing/placement-world.js';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

jest.setTimeout(60_000);

const SHORT_TIMEOUTS = { EPOS_CALL_LIMIT_MS: '900', RUNNER_LEASE_MS: '500', LOG_LEVEL: 'fatal' };

let environment: GatewayEnvironment;
let restaurant: OrderTestEnvironment;
let diallingRestaurant: OrderTestEnvironment;
let placements: OrderPlacements;
let killAt: string | null = null;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  placements = new OrderPlacements({
    accounts: new AccountCache(),
    queue: new TimerQueue(environment.testDatabase.database),
  });
  const kill = (name: string) => {
    if (name !== killAt) return;
    killAt = null;
    throw new Error(`killed ${name}`);
  };
  const gateway = await environment.startGateway(SHORT_TIMEOUTS, kill);
  // Another one, which takes over from a runner that crashed.
  await environment.startGateway(SHORT_TIMEOUTS, kill);
  restaurant = new OrderTestEnvironment(
    environment,
    gateway,
    await environment.createAccount({ epos: 'rest', hasMachines: true }),
  );
  diallingRestaurant = new OrderTestEnvironment(
    environment,
    gateway,
    await environment.createAccount({ epos: 'ws', hasMachines: true }),
  );
});
afterEach(() => {
  killAt = null;
  for (const each of [restaurant, diallingRestaurant]) each.eposSimulator.faults.replaceFaults([]);
  environment.simulators.acquirer?.rules.replaceRules([]);
});
afterAll(() => environment.close());

test.each(Object.entries(ORDER_FAULT_POINTS))(
  '%s: a gateway that is killed there (%s) is followed by another one: one order, one capture',
  async (name) => {
    const intent = await restaurant.createHeldIntent(650);
    killAt = name;
    const placement = await restaurant.submitOrder(intent);
    await restaurant.waitForState(placement, 'Completed');
    expect(killAt).toBeNull();
    expect(restaurant.listOrdersPaidWith(intent.id)).toHaveLength(1);
    expect(await restaurant.getBookedAmount(intent.id)).toBe(650);
  },
);

testLong('an EPOS that refuses our credentials gets the order once they are put right', async () => {
  const { scope } = restaurant.account;
  const { database } = environment.testDatabase;
  const registered = EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));
  const registerEpos = (password: string) =>
    database.transact(scope, (tx) =>
      putEposIntegration(tx, {
        ...{ kind: 'rest', username: restaurant.account.sandbox.account.epos?.username ?? '', password },
        ...{ url: environment.simulators.restUrl, capabilities: registered },
      }),
    );
  await registerEpos('wrong');
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  const waiting = await restaurant.waitForState(placement, 'PlaceUnknown');
  expect(waiting).toMatchObject({ isUnanswered: false, placeCalls: 1 });
  expect(await listPending(restaurant)).toContain(placement.id);
  await registerEpos('secret:word');
  await makePlacementDue(restaurant, waiting);
  await restaurant.waitForState(placement, 'Completed');
  expect(await listPending(restaurant)).not.toContain(placement.id);
});

test('an EPOS that is not connected receives the order when it reconnects', async () => {
  const intent = await diallingRestaurant.createHeldIntent(650);
  for (const socket of diallingRestaurant.account.sandbox.eposSockets) socket.stop();
  await waitUntil(async () => (await diallingRestaurant.countOpenSockets()) === 0);
  const placement = await diallingRestaurant.submitOrder(intent);
  expect(await diallingRestaurant.waitForState(placement, 'PlaceUnknown')).toMatchObject({ isUnanswered: false });
  for (const socket of diallingRestaurant.account.sandbox.eposSockets) socket.start();
  await diallingRestaurant.waitForState(placement, 'Completed');
  expect(diallingRestaurant.listOrdersPaidWith(intent.id)).toHaveLength(1);
});

const SILENT: readonly EposFault[] = [
  { method: 'CreateOrder', effect: 'no-answer' },
  { method: 'SearchOrders', effect: 'internal-error' },
];

test.each([
  ['markRecorded', 'Completed', 'Captured'],
  ['giveBack', 'GivenBack', 'Reversed'],
] as const)('an operator decides %s about an unanswered order: it ends %s', async (action, state, status) => {
  restaurant.eposSimulator.faults.replaceFaults(SILENT);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await restaurant.waitForState(placement, 'PlaceUnknown');
  await decideAsOperator(placement, action);
  await restaurant.waitForState(placement, state);
  await restaurant.waitForIntentStatus(intent.id, status);
});

test('if the acquirer refuses a capture, an operator gives the hold back after the order is cancelled at the EPOS', async () => {
  environment.simulators.acquirer?.rules.replaceRules([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  const intent = await restaurant.createHeldIntent(650);
  const placement = await restaurant.submitOrder(intent);
  await waitUntil(async () => (await restaurant.getPlacement(placement.id)).tries > 0);
  await decideAsOperator(placement, 'giveBack');
  expect(await restaurant.waitForState(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false });
  expect(restaurant.listOrdersPaidWith(intent.id)).toMatchObject([{ status: 'Canceled' }]);
  expect(await restaurant.getBookedAmount(intent.id)).toBe(0);
});

test.each(selectRows(OPERATOR_ACTIONS))(
  'the decision %s is refused for an order that is final or unpaid',
  async (action) => {
    const over = await restaurant.waitForState(
      await restaurant.submitOrder(await restaurant.createHeldIntent(650)),
      'Completed',
    );
    const unpaid = await restaurant.submitOrder(await restaurant.createIntent(650));
    for (const each of [over, unpaid]) {
      await expect(decideAsOperator(each, action)).rejects.toBeInstanceOf(Refusal);
      expect(await restaurant.getPlacement(each.id)).toEqual(each);
    }
  },
);

async function decideAsOperator({ id }: OrderPlacement, action: OperatorAction): Promise<void> {
  await environment.testDatabase.database.transact(restaurant.account.scope, (tx) =>
    placements.resolvePlacement(tx, id, action),
  );
}

async function makePlacementDue({ account }: OrderTestEnvironment, placement: OrderPlacement): Promise<void> {
  await environment.testDatabase.database.transact(account.scope, (tx) =>
    placements.resumeAfterReconnect(tx, placement),
  );
}

async function listPending({ account }: OrderTestEnvironment): Promise<string[]> {
  const { database } = environment.testDatabase;
  const now = await database.now();
  const lines = await database.read(account.scope, (reader) => listPendingPlacements(reader, now));
  return lines.map(({ placement }) => placement.id);
}

testLong('no clock that is advanced stops at each time an EPOS which stays silent is asked again', async () => {
  const { account } = restaurant;
  const { database } = environment.testDatabase;
  restaurant.eposSimulator.faults.replaceFaults(SILENT);
  const placement = await restaurant.submitOrder(await restaurant.createHeldIntent(650));
  await restaurant.waitForState(placement, 'PlaceUnknown');
  // It steps to the end of the hold, or to an hour before.
  expect(await database.read(account.scope, findNextDueInMs)).toBeGreaterThan(60 * 60 * 1000);
  await decideAsOperator(placement, 'giveBack');
  await restaurant.waitForState(placement, 'GivenBack');
});

testLong('money that cannot be given back waits for a person once the clock was advanced by a day', async () => {
  const { scope } = restaurant.account;
  const { database } = environment.testDatabase;
  restaurant.eposSimulator.faults.replaceFaults([{ method: 'CreateOrder', effect: 'refuse', code: 'Conflict' }]);
  environment.simulators.acquirer?.rules.replaceRules([{ match: { kind: 'Reverse' }, effect: 'down' }]);
  const placement = await restaurant.submitOrder(await restaurant.createHeldIntent(650));
  await waitUntil(async () => (await restaurant.getPlacement(placement.id)).tries > 0);
  const advance = requireValue(await beginAdvance(database, scope, 10_000), 'the advance');
  await applyClockStep(database, advance, 25 * 60 * 60 * 1000);
  await endAdvance(database, advance);
  await restaurant.waitForState(placement, 'NeedsOperator');
  environment.simulators.acquirer?.rules.replaceRules([]);
  await decideAsOperator(placement, 'retryNow');
  await restaurant.waitForState(placement, 'GivenBack');
});
