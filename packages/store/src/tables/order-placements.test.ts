import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { type OrderPlacement, PLACEMENT_STATES, submitOrder } from '@pos/core/orders';
import { gbp, NOON, PLACEMENT_STEPS, isPlacementPending } from '@pos/core/testing';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import {
  findOrderPlacement,
  insertOrderPlacement,
  lockOrderPlacement,
  listOpenOrderPlacements,
  updateOrderPlacement,
} from './order-placements.js';
import { beginAdvance, createSandboxClock, applyClockStep } from '../clock/sandbox-clock.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.replaceAll('\0', ''));
const pence = fc.integer({ min: 0, max: 999_999_999_999 });
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });

const anyPlacement: fc.Arbitrary<OrderPlacement> = fc.record({
  id: fc.constant(null).map(() => randomUUID() as string),
  intentId: fc.constant('pi_sandbox_x' as const),
  order: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text), fc.constant(null))),
  state: fc.constantFrom(...PLACEMENT_STATES),
  nextStep: orNull(fc.constantFrom(...PLACEMENT_STEPS)),
  dueAt: orNull(time),
  total: pence.map((each) => gbp(each + 1)),
  gratuity: pence.map(gbp),
  orderId: orNull(text),
  placeCalls: fc.nat(99),
  isUnanswered: fc.boolean(),
  calledAt: orNull(time),
  doubtAt: orNull(time),
  isHoldEnding: fc.boolean(),
  isMoneyGone: fc.boolean(),
  tries: fc.nat(9),
  giveBackSince: orNull(time),
  mayOrderStand: fc.boolean(),
  lastError: orNull(text),
  since: time,
  version: fc.constant(1),
  createdAt: time,
  updatedAt: time,
});

const insert = (scope: Scope, placement: OrderPlacement) =>
  testDatabase.database.transact(scope, (tx) => {
    insertOrderPlacement(tx, placement);
    return Promise.resolve();
  });
const find = (scope: Scope, id: string) =>
  testDatabase.database.read(scope, (reader) => findOrderPlacement(reader, id));

test('an order placement is read as it was written, and is listed while its money is open', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlacement, async (samples) => {
      const scope = createTestScope();
      // Members without a prototype are JSON all the same.
      const placement = { ...samples, order: { ...samples.order } };
      await insert(scope, placement);
      expect(await find(scope, placement.id)).toEqual(placement);
      const listed = isPlacementPending(placement) ? [placement] : [];
      expect(await testDatabase.database.read(scope, listOpenOrderPlacements)).toEqual(listed);
      await testDatabase.database.transact(scope, async (tx) => {
        const next = updateOrderPlacement(tx, { ...(await lockOrderPlacement(tx, placement.id))!, tries: 5 });
        expect(next.version).toBe(2);
        expect(await lockOrderPlacement(tx, placement.id)).toEqual(next);
      });
    }),
    { numRuns: 40 },
  );
});

/** A placement as it is submitted. */
function insertSubmitted(more: Partial<OrderPlacement> = {}): OrderPlacement {
  const order = { id: randomUUID(), intentId: 'pi_sandbox_y', order: {}, total: gbp(650) } as const;
  return { ...submitOrder(order, NOON), ...more };
}

test.each(['Waiting', 'Completed', 'Ended'] as const)(
  'a payment intent whose order is %s has no second one',
  async (state) => {
    const scope = createTestScope();
    const first = insertSubmitted({ state });
    await insert(scope, first);
    await expect(insert(scope, insertSubmitted())).rejects.toMatchObject({ code: '23505' });
    await expect(insert(scope, { ...insertSubmitted(), id: first.id })).rejects.toMatchObject({ code: '23505' });
    await insert(createTestScope(), insertSubmitted());
  },
);

test('one account does not see the orders of another', async () => {
  const [scope, other] = [createTestScope(), createTestScope()];
  const placement = insertSubmitted({ state: 'Held' });
  await insert(scope, placement);
  expect(await find(other, placement.id)).toBeNull();
  expect(await testDatabase.database.read(other, listOpenOrderPlacements)).toEqual([]);
  const locked = testDatabase.database.transact(other, (tx) => lockOrderPlacement(tx, placement.id));
  expect(await locked).toBeNull();
});

test('the longest open placement is listed first', async () => {
  const scope = createTestScope();
  const at = (minutes: number, intentId: OrderPlacement['intentId']) =>
    insertSubmitted({ state: 'PlaceUnknown', since: new Date(NOON.getTime() + minutes * 60_000), intentId });
  for (const placement of [at(2, 'pi_c'), at(0, 'pi_a'), at(1, 'pi_b')]) await insert(scope, placement);
  const open = await testDatabase.database.read(scope, listOpenOrderPlacements);
  expect(open.map(({ intentId }) => intentId)).toEqual(['pi_a', 'pi_b', 'pi_c']);
});

test('a placement that was changed since it was read is not overwritten', async () => {
  const scope = createTestScope();
  const placement = insertSubmitted({ state: 'Held' });
  await insert(scope, placement);
  const write = () =>
    testDatabase.database.transact(scope, (tx) =>
      Promise.resolve(updateOrderPlacement(tx, { ...placement, tries: 1 })),
    );
  await write();
  await expect(write()).rejects.toMatchObject({ name: 'Defect' });
});

test("an order's content and time stay as submitted, in every state of the placement", async () => {
  const scope = createTestScope();
  const placement = insertSubmitted({ order: { items: ['soup'] } });
  await insert(scope, placement);
  const change = {
    order: { items: ['fish'] },
    intentId: 'pi_sandbox_z',
    createdAt: new Date(0),
    state: 'Held',
  } as const;
  await testDatabase.database.transact(scope, (tx) =>
    Promise.resolve(updateOrderPlacement(tx, { ...placement, ...change })),
  );
  expect(await find(scope, placement.id)).toEqual({ ...placement, state: 'Held', version: 2 });
});

const TIMES = ['dueAt', 'calledAt', 'doubtAt', 'giveBackSince', 'since'] as const;

test.each([
  ['PlaceUnknown', 3_600_000],
  ['Waiting', 3_600_000],
  ['Completed', 0],
] as const)(
  'when a sandbox’s time advances by an hour, the due time of a placement in %s is nearer by %d ms',
  async (state, byMs) => {
    const scope = createTestScope();
    await testDatabase.database.transact(scope, (tx) => createSandboxClock(tx, null));
    const times = Object.fromEntries(TIMES.map((name) => [name, NOON]));
    const placement = insertSubmitted({ state, ...times });
    await insert(scope, placement);
    const advance = (await beginAdvance(testDatabase.database, scope, 60_000))!;
    await applyClockStep(testDatabase.database, advance, 3_600_000);
    const nearer = new Date(NOON.getTime() - byMs);
    expect(await find(scope, placement.id)).toEqual({
      ...placement,
      ...Object.fromEntries(TIMES.map((name) => [name, nearer])),
    });
  },
);
