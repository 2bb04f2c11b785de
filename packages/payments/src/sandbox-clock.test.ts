import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { nextAttemptAt } from '@pos/core/webhook';
import { accountNow } from '@pos/store/clock';
import { LaneQueue } from '@pos/store/lanes';
import { setTimeout as pause } from 'node:timers/promises';
import { Machine } from './card-machine/testing.js';
import { advanceClock, advanceWithin } from './sandbox-clock.js';
import {
  act,
  createIntent,
  expectSound,
  heardOf,
  historyOf,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  type Shop,
  work,
  type World,
} from './testing.js';

let world: World;
let isOver = false;
let loop: Promise<void> = Promise.resolve();

beforeAll(async () => {
  world = await openWorld();
});
afterEach(async () => {
  isOver = true;
  await loop;
});
afterAll(async () => {
  await world.close();
});

type Receiver = (attempts: number) => boolean;

/** A worker of the shop, beside the test: timers, and deliveries to a receiver that says yes or no. */
function employ(shop: Shop, receives: Receiver = () => true): void {
  isOver = false;
  const queue = new LaneQueue(world.database);
  loop = (async () => {
    while (!isOver) {
      await work(world, shop.scope);
      await deliver(queue, shop, receives);
      await pause(5);
    }
  })();
}

async function deliver(queue: LaneQueue, { scope }: Shop, receives: Receiver): Promise<void> {
  for (const lane of await queue.claim(scope, { lanes: 50, deliveriesPerLane: 1, leaseMs: 30_000 })) {
    const [{ number, attempts }] = lane.deliveries as [(typeof lane.deliveries)[0]];
    const failedAt = new Date(0);
    const retryAt = receives(attempts)
      ? null
      : nextAttemptAt({ attempts: attempts + 1, failedAt, jitter: 0.5, scale: 1 });
    const isDelivered = retryAt === null;
    const retryInMs = retryAt === null ? null : retryAt.getTime();
    await queue.finish(lane, [
      { number, isDelivered, retryInMs, status: isDelivered ? 200 : 500, error: isDelivered ? null : 'no' },
    ]);
  }
}

const now = ({ scope }: Shop) => world.database.read(scope, accountNow);
const advance = ({ scope }: Shop, byMs: number) => advanceClock(world.database, scope, byMs);

const LOOKS_MAX = 2_000;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await isSo()) return;
    await pause(20);
  }
  throw new Error(`never came true: ${isSo.toString()}`);
}

/** Real time runs too: what is said to be at a moment may be after it by as much of it as the test has taken so far. */
let beganMs = 0;
beforeEach(() => {
  beganMs = performance.now();
});

function expectAt(at: Date, moment: Date): void {
  expect(at.getTime()).toBeGreaterThanOrEqual(moment.getTime());
  expect(at.getTime()).toBeLessThanOrEqual(moment.getTime() + Math.ceil(performance.now() - beganMs));
}

/** Longer than the real time of any of these stories, and shorter than what they tell apart. */
const REAL_MS = 100_000;

test('a signature that nobody judges is accepted when its 80 s have passed', async () => {
  const shop = await openShop(world);
  employ(shop);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.approve(true);
  const { expireAt } = await machine.read();
  const before = await now(shop);
  expectAt(await advance(shop, 300_000), new Date(before.getTime() + 300_000));
  const session = await machine.read();
  expect(session.status).toBe('Captured');
  expectAt(session.updatedAt, expireAt);
  await expectSound(world, shop);
});

test('an intent is Canceled on its thirtieth day, not when the month that was skipped is over', async () => {
  const shop = await openShop(world);
  employ(shop);
  const intentId = await createIntent(world, shop);
  const { expireAt } = await readIntent(world, shop, intentId);
  await advance(shop, 31 * DAY_MS);
  const intent = await readIntent(world, shop, intentId);
  expect([intent.status, await historyOf(world, shop, intentId)]).toEqual(['Canceled', ['Canceled']]);
  expectAt(intent.updatedAt, expireAt);
  // The event of its making is older than events are kept by then.
  expect(await heardOf(world, shop.scope, intentId)).toEqual(['Canceled']);
  await expectSound(world, shop);
});

test('an intent whose time is over waits for the attempt that runs, and is then Canceled', async () => {
  const shop = await openShop(world);
  employ(shop);
  const expireAt = new Date((await now(shop)).getTime() + 30_000);
  const intentId = await createIntent(world, shop, { expireAt });
  const machine = await Machine.sale(world, shop, intentId);
  await machine.confirm();
  await advance(shop, 60_000);
  expect((await readIntent(world, shop, intentId)).status).toBe('Created');
  await machine.report({ kind: 'canceled' });
  // To look again is a repeat: an advance brings it near and does not wait for it.
  await advance(shop, 30_000);
  const status = async () => (await readIntent(world, shop, intentId)).status;
  await until(async () => (await status()) === 'Canceled');
  expect(await status()).toBe('Canceled');
});

test('a webhook that fails is tried again at its times: all of the backoff passes in a moment', async () => {
  const shop = await openShop(world);
  const at: number[] = [];
  const FAILURES = 5;
  employ(shop, (attempts) => {
    at.push(attempts);
    return attempts >= FAILURES;
  });
  const intentId = await createIntent(world, shop);
  const before = await now(shop);
  // 10, 30, 90, 270 and 810 s.
  await advance(shop, 1_209_000 - REAL_MS);
  expect(at).toEqual([0, 1, 2, 3, 4]);
  expectAt(await advance(shop, 2 * REAL_MS), new Date(before.getTime() + 1_209_000 + REAL_MS));
  expect(at).toEqual([0, 1, 2, 3, 4, 5]);
  expect((await readIntent(world, shop, intentId)).status).toBe('Created');
});

test('a silent machine: the session expires, and soon after its minute the authorisation is undone', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  employ(shop);
  await advance(shop, 600_000);
  expect((await machine.read()).status).toBe('Expired');
  await until(async () => (await machine.call()).state === 'Settled');
  expect((await machine.call()).outcome).toBe('Reversed');
  await expectSound(world, shop);
});

test('one advance at a time: the second is refused, and the first has moved the clock by itself', async () => {
  const shop = await openShop(world);
  await createIntent(world, shop, { amount: gbp(100) });
  const before = await now(shop);
  const outcomes: string[] = [];
  const advances = [1, 2, 3].map(async () => outcomes.push(await refusalOf(advance(shop, DAY_MS))));
  // Nobody works yet what the intent has made due, so whichever came first is still at it.
  await until(() => Promise.resolve(outcomes.length === 2));
  employ(shop);
  await Promise.all(advances);
  expect(outcomes).toEqual(['idempotency_in_progress', 'idempotency_in_progress', 'done']);
  expectAt(await now(shop), new Date(before.getTime() + DAY_MS));
  expect(await refusalOf(advance(shop, 1_000))).toBe('done');
});

test('without a worker an advance is refused once its patience is over, and can be made again with one', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  const { database } = world;
  const wish = { database, scope: shop.scope, byMs: 60_000 };
  expect(await refusalOf(advanceWithin({ workMsMax: 200 }, wish))).toBe('service_unavailable');
  expect((await machine.read()).status).toBe('InitiateRequested');
  employ(shop);
  expect(await refusalOf(advance(shop, 60_000))).toBe('done');
  expect((await machine.read()).status).toBe('Expired');
});

test('an advance of one sandbox moves no other', async () => {
  const [shop, other] = [await openShop(world), await openShop(world)];
  employ(shop);
  const intentId = await createIntent(world, other);
  const before = await now(other);
  await advance(shop, 60 * DAY_MS);
  expectAt(await now(other), before);
  expect((await readIntent(world, other, intentId)).status).toBe('Created');
  await act(world, other, async (tx) => {
    expectAt(tx.now, before);
  });
});
