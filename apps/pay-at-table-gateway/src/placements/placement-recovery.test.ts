import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { EPOS_CAPABILITIES } from '@pos/core/epos-capability';
import { required } from '@pos/core/assert';
import type { OrderPlacement } from '@pos/core/order-placement';
import { Refusal } from '@pos/core/refusal';
import { OPERATOR_ACTIONS, type OperatorAction } from '@pos/core/table-payment';
import { OrderPlacements, listPendingPlacements } from '@pos/payments/order-placements';
import { ORDER_FAULT_POINTS } from '@pos/payments/settings';
import type { EposFault } from '@pos/sandbox/epos-faults';
import { beginAdvance, endAdvance, findNextDueInMs, applyClockStep } from '@pos/store/clock';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { TimerQueue } from '@pos/store/timers';
import { TestPlace, until } from '../testing.js';
import { OrderHouse } from './testing.js';

jest.setTimeout(60_000);

const QUICK = { EPOS_CALL_LIMIT_MS: '900', RUNNER_LEASE_MS: '500', LOG_LEVEL: 'fatal' };

let place: TestPlace;
let house: OrderHouse;
let dialling: OrderHouse;
let placements: OrderPlacements;
let killAt: string | null = null;
beforeAll(async () => {
  place = await TestPlace.open({ hasAcquirer: true });
  placements = new OrderPlacements({ queue: new TimerQueue(place.test.database) });
  const kill = (name: string) => {
    if (name !== killAt) return;
    killAt = null;
    throw new Error(`killed ${name}`);
  };
  const gateway = await place.gateway(QUICK, kill);
  // Another one, that takes over from a runner that died.
  await place.gateway(QUICK, kill);
  house = new OrderHouse(place, gateway, await place.account({ epos: 'rest', hasMachines: true }));
  dialling = new OrderHouse(place, gateway, await place.account({ epos: 'ws', hasMachines: true }));
});
afterEach(() => {
  killAt = null;
  for (const each of [house, dialling]) each.door.faults.replace([]);
  place.outside.acquirer?.rules.replace([]);
});
afterAll(() => place.close());

test.each(Object.entries(ORDER_FAULT_POINTS))(
  '%s: a gateway that is killed there (%s) is followed by another one: one order, one capture',
  async (name) => {
    const intent = await house.held(650);
    killAt = name;
    const placement = await house.submit(intent);
    await house.arrives(placement, 'Completed');
    expect(killAt).toBeNull();
    expect(house.ordersPaidWith(intent.id)).toHaveLength(1);
    expect(await house.booked(intent.id)).toBe(650);
  },
);

test('an EPOS that refuses our credentials gets the order once they are put right', async () => {
  const { scope } = house.account;
  const { database } = place.test;
  const registered = EPOS_CAPABILITIES.map((name) => ({ name, version: 'v1' as const }));
  const register = (password: string) =>
    database.transact(scope, (tx) =>
      putEposIntegration(tx, {
        ...{ kind: 'rest', username: house.account.place.account.epos?.username ?? '', password },
        ...{ url: place.outside.restUrl, capabilities: registered },
      }),
    );
  await register('wrong');
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  const waiting = await house.arrives(placement, 'PlaceUnknown');
  expect(waiting).toMatchObject({ isUnanswered: false, placeCalls: 1 });
  expect(await pending(house)).toContain(placement.id);
  await register('secret:word');
  await hurry(house, waiting);
  await house.arrives(placement, 'Completed');
  expect(await pending(house)).not.toContain(placement.id);
});

test('an EPOS that is not connected gets the order when it dials in again', async () => {
  const intent = await dialling.held(650);
  for (const socket of dialling.account.place.eposSockets) socket.stop();
  await until(async () => (await dialling.liveSockets()) === 0);
  const placement = await dialling.submit(intent);
  expect(await dialling.arrives(placement, 'PlaceUnknown')).toMatchObject({ isUnanswered: false });
  for (const socket of dialling.account.place.eposSockets) socket.start();
  await dialling.arrives(placement, 'Completed');
  expect(dialling.ordersPaidWith(intent.id)).toHaveLength(1);
});

const SILENT: readonly EposFault[] = [
  { method: 'CreateOrder', effect: 'no-answer' },
  { method: 'SearchOrders', effect: 'internal-error' },
];

test.each([
  ['markRecorded', 'Completed', 'Captured'],
  ['giveBack', 'GivenBack', 'Reversed'],
] as const)(
  'an operator decides %s about an order that nobody answers for: it ends %s',
  async (action, state, status) => {
    house.door.faults.replace(SILENT);
    const intent = await house.held(650);
    const placement = await house.submit(intent);
    await house.arrives(placement, 'PlaceUnknown');
    await decide(placement, action);
    await house.arrives(placement, state);
    await house.arrivesAt(intent.id, status);
  },
);

test('an operator gives back what the acquirer will not capture: the order is cancelled at the EPOS first', async () => {
  place.outside.acquirer?.rules.replace([{ match: { kind: 'Capture' }, effect: 'decline' }]);
  const intent = await house.held(650);
  const placement = await house.submit(intent);
  await until(async () => (await house.placementOf(placement.id)).tries > 0);
  await decide(placement, 'giveBack');
  expect(await house.arrives(placement, 'GivenBack')).toMatchObject({ mayOrderStand: false });
  expect(house.ordersPaidWith(intent.id)).toMatchObject([{ status: 'Canceled' }]);
  expect(await house.booked(intent.id)).toBe(0);
});

test.each(OPERATOR_ACTIONS)(
  'nobody decides %s about an order that is over, or that nobody has paid for',
  async (action) => {
    const over = await house.arrives(await house.submit(await house.held(650)), 'Completed');
    const unpaid = await house.submit(await house.wish(650));
    for (const each of [over, unpaid]) {
      await expect(decide(each, action)).rejects.toBeInstanceOf(Refusal);
      expect(await house.placementOf(each.id)).toEqual(each);
    }
  },
);

async function decide({ id }: OrderPlacement, action: OperatorAction): Promise<void> {
  await place.test.database.transact(house.account.scope, (tx) => placements.resolvePlacement(tx, id, action));
}

async function hurry({ account }: OrderHouse, placement: OrderPlacement): Promise<void> {
  await place.test.database.transact(account.scope, (tx) => placements.resumeAfterReconnect(tx, placement));
}

async function pending({ account }: OrderHouse): Promise<string[]> {
  const { database } = place.test;
  const now = await database.now();
  const lines = await database.read(account.scope, (reader) => listPendingPlacements(reader, now));
  return lines.map(({ placement }) => placement.id);
}

test('no clock that is advanced stops at each time an EPOS which stays silent is asked again', async () => {
  const { account } = house;
  const { database } = place.test;
  house.door.faults.replace(SILENT);
  const placement = await house.submit(await house.held(650));
  await house.arrives(placement, 'PlaceUnknown');
  // It steps to the end of the hold, or to an hour before.
  expect(await database.read(account.scope, findNextDueInMs)).toBeGreaterThan(60 * 60 * 1000);
  await decide(placement, 'giveBack');
  await house.arrives(placement, 'GivenBack');
});

test('money that cannot be given back waits for a person once the clock was advanced by a day', async () => {
  const { scope } = house.account;
  const { database } = place.test;
  house.door.faults.replace([{ method: 'CreateOrder', effect: 'refuse', code: 'Conflict' }]);
  place.outside.acquirer?.rules.replace([{ match: { kind: 'Reverse' }, effect: 'down' }]);
  const placement = await house.submit(await house.held(650));
  await until(async () => (await house.placementOf(placement.id)).tries > 0);
  const advance = required(await beginAdvance(database, scope, 10_000), 'the advance');
  await applyClockStep(database, advance, 25 * 60 * 60 * 1000);
  await endAdvance(database, advance);
  await house.arrives(placement, 'NeedsOperator');
  place.outside.acquirer?.rules.replace([]);
  await decide(placement, 'retryNow');
  await house.arrives(placement, 'GivenBack');
});
