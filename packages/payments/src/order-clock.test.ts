import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  isPlacementFinal,
  type OrderPlacement,
  type PlacementCall,
  placementGiveBackReference,
  type PlacementInput,
} from '@pos/core/order-placement';
import { DAY_MS } from '@pos/core/timespan';
import { LaneQueue } from '@pos/store/lanes';
import { type ClaimedTimer, LeaseLost } from '@pos/store/timers';
import { setTimeout as pause } from 'node:timers/promises';
import { OrderCapture } from './order-capture.js';
import { advanceClock } from './sandbox-clock.js';
import { act, expectSound, openWorld, readIntent, timersOf, work, type World } from './testing.js';
import { Kitchen, Run, SILENCE } from './testing-orders.js';

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

/** What an EPOS says: to a call for an order, and to a search for it. */
interface Manners {
  readonly place: PlacementInput;
  readonly look: PlacementInput;
}

/** A gateway and a worker beside the test; the gateway's EPOS says always the same. Returns the calls that were made. */
function employ(kitchen: Kitchen, manners: Manners): PlacementCall[] {
  isOver = false;
  const made: PlacementCall[] = [];
  loop = (async () => {
    while (!isOver) {
      await work(world, kitchen.shop.scope);
      await deliver(kitchen);
      for (const claimed of await kitchen.claim()) {
        if (claimed.kind === 'order-release') {
          await endSoon(kitchen, claimed);
          continue;
        }
        const placement = await kitchen.find(claimed.subject);
        const run = new Run(kitchen, placement, claimed);
        let { call } = await run.advance();
        while (call !== null) {
          made.push(call);
          ({ call } = await run.tell(await answerTo(kitchen, placement, { call, manners })));
        }
      }
      await pause(2);
    }
  })();
  return made;
}

/** An order that has ended meanwhile took this deadline away with it. */
async function endSoon({ shop, placements }: Kitchen, claimed: ClaimedTimer): Promise<void> {
  await act(world, shop, (tx) => placements.endSoon(tx, claimed)).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error;
  });
}

/** Whoever subscribes hears everything at once. */
async function deliver({ shop: { scope } }: Kitchen): Promise<void> {
  const queue = new LaneQueue(world.database);
  const heard = { isDelivered: true, retryInMs: null, status: 200, error: null };
  for (const lane of await queue.claim(scope, { lanes: 50, deliveriesPerLane: 9, leaseMs: 30_000 })) {
    await queue.finish(
      lane,
      lane.deliveries.map(({ number }) => ({ number, ...heard })),
    );
  }
}

async function answerTo(
  { shop: { scope } }: Kitchen,
  { id, intentId }: OrderPlacement,
  { call, manners }: { readonly call: PlacementCall; readonly manners: Manners },
): Promise<PlacementInput> {
  switch (call) {
    case 'place':
      return manners.place;
    case 'look':
      return manners.look;
    case 'cancelOrder':
      return { kind: 'cancelUnanswered' };
    case 'capture': {
      const outcome = await new OrderCapture(world).run(scope, intentId);
      return { kind: outcome === 'captured' ? 'captured' : 'captureUnanswered' };
    }
    case 'giveBack': {
      const outcome = await world.giveBack.run(scope, { intentId, reference: placementGiveBackReference(id) });
      return { kind: outcome === 'givenBack' ? 'givenBack' : 'giveBackUnanswered' };
    }
  }
}

const ABSENT = { place: SILENCE, look: { kind: 'orderAbsent' } } as const;
const SILENT = { place: SILENCE, look: { kind: 'orderUnreadable' } } as const;
const LOST = { place: SILENCE, look: { kind: 'orderFound', orderId: 'order-1' } } as const;

/** Eight days after a call for an order that was not answered: how the order has ended, and what was asked meanwhile. */
async function week(manners: Manners) {
  const kitchen = await Kitchen.open(world);
  const placement = await kitchen.submit(await kitchen.held());
  const run = await kitchen.run(placement);
  await run.advance();
  await run.tell(SILENCE);
  const made = employ(kitchen, manners);
  await advanceClock(world.database, kitchen.shop.scope, 8 * DAY_MS);
  while (!isPlacementFinal(await kitchen.find(placement.id))) {
    await kitchen.hurry();
    await pause(5);
  }
  isOver = true;
  await loop;
  const { state, mayOrderStand } = await kitchen.find(placement.id);
  const { status } = await readIntent(world, kitchen.shop, placement.intentId);
  await expectSound(world, kitchen.shop);
  expect((await timersOf(world, kitchen.shop)).filter((timer) => timer.startsWith('order-release'))).toEqual([]);
  return { ends: [state, mayOrderStand, status], made };
}

test('a week in which the EPOS makes nothing passes in a moment, and no money is kept', async () => {
  const { ends } = await week(ABSENT);
  expect(ends).toEqual(['GivenBack', false, 'Reversed']);
});

test('a week in which the EPOS says nothing passes too, and people hear that the order may stand', async () => {
  const { ends } = await week(SILENT);
  expect(ends).toEqual(['GivenBack', true, 'Reversed']);
});

test('an order whose answer was lost is found before a week is over, and captured', async () => {
  const { ends, made } = await week(LOST);
  expect(ends).toEqual(['Completed', false, 'Captured']);
  expect(made).not.toContain('place');
});
