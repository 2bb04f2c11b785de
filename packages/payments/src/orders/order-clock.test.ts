import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  isPlacementFinal,
  type OrderPlacement,
  type PlacementCall,
  getGiveBackReference,
  type PlacementInput,
} from '@pos/core/orders';
import { DAY_MS } from '@pos/core/time';
import { type ClaimedTimer, LaneQueue, LeaseLost } from '@pos/store/queues';
import { setTimeout as pause } from 'node:timers/promises';
import { OrderCapture } from './order-capture.js';
import { advanceClock } from '../sandbox-clock/clock-advance.js';
import {
  transactAs,
  createTestEnvironment,
  readIntent,
  listTimers,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { TestEpos, PlacementRun, NO_ANSWER } from '../testing/order-epos.js';

let testEnvironment: TestEnvironment;
let isOver = false;
let loop: Promise<void> = Promise.resolve();

beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(async () => {
  isOver = true;
  await loop;
});
afterAll(async () => {
  await testEnvironment.close();
});

/** The EPOS's answers to a call for an order, and to a search for it. */
interface EposBehaviour {
  readonly place: PlacementInput;
  readonly look: PlacementInput;
}

/**
 * Runs a gateway and a worker beside the test; the gateway's EPOS always answers the same. Returns the calls that
 * were made.
 */
function runWorker(testEpos: TestEpos, behaviour: EposBehaviour): PlacementCall[] {
  isOver = false;
  const made: PlacementCall[] = [];
  loop = (async () => {
    while (!isOver) {
      await runDueWork(testEnvironment, testEpos.testAccount.scope);
      await deliver(testEpos);
      for (const claimed of await testEpos.claimTimers()) {
        if (claimed.kind === 'order-release') {
          await endSoon(testEpos, claimed);
          continue;
        }
        const placement = await testEpos.findPlacement(claimed.subject);
        const run = new PlacementRun(testEpos, placement, claimed);
        let { call } = await run.advance();
        while (call !== null) {
          made.push(call);
          ({ call } = await run.applyResult(await createAnswer(testEpos, placement, { call, behaviour })));
        }
      }
      await pause(2);
    }
  })();
  return made;
}

/** The deadline of an order that has ended meanwhile is deleted. */
async function endSoon({ testAccount, placements }: TestEpos, claimed: ClaimedTimer): Promise<void> {
  await transactAs(testEnvironment, testAccount, (tx) => placements.applyHoldEnding(tx, claimed)).catch(
    (error: unknown) => {
      if (!(error instanceof LeaseLost)) throw error;
    },
  );
}

/** Delivers to all subscribers at once. */
async function deliver({ testAccount: { scope } }: TestEpos): Promise<void> {
  const queue = new LaneQueue(testEnvironment.database);
  const deliveredAttempt = { isDelivered: true, retryInMs: null, status: 200, error: null };
  for (const lane of await queue.claim(scope, { lanes: 50, deliveriesPerLane: 9, leaseMs: 30_000 })) {
    await queue.complete(
      lane,
      lane.deliveries.map(({ number }) => ({ number, ...deliveredAttempt })),
    );
  }
}

async function createAnswer(
  { testAccount: { scope } }: TestEpos,
  { id, intentId }: OrderPlacement,
  { call, behaviour }: { readonly call: PlacementCall; readonly behaviour: EposBehaviour },
): Promise<PlacementInput> {
  switch (call) {
    case 'place':
      return behaviour.place;
    case 'look':
      return behaviour.look;
    case 'cancelOrder':
      return { kind: 'cancelUnanswered' };
    case 'capture': {
      const outcome = await new OrderCapture(testEnvironment).captureOrder(scope, intentId);
      return { kind: outcome === 'captured' ? 'captured' : 'captureUnanswered' };
    }
    case 'giveBack': {
      const outcome = await testEnvironment.giveBack.giveBackPayment(scope, {
        intentId,
        reference: getGiveBackReference(id),
      });
      return { kind: outcome === 'givenBack' ? 'givenBack' : 'giveBackUnanswered' };
    }
  }
}

const ABSENT = { place: NO_ANSWER, look: { kind: 'orderAbsent' } } as const;
const SILENT = { place: NO_ANSWER, look: { kind: 'orderUnreadable' } } as const;
const LOST = { place: NO_ANSWER, look: { kind: 'orderFound', orderId: 'order-1' } } as const;

/** Eight days after an unanswered call for an order: its end, and the calls in between. */
async function runWeek(behaviour: EposBehaviour) {
  const testEpos = await TestEpos.open(testEnvironment);
  const placement = await testEpos.submitOrder(await testEpos.createHeldPayment());
  const run = await testEpos.claimPlacement(placement);
  await run.advance();
  await run.applyResult(NO_ANSWER);
  const made = runWorker(testEpos, behaviour);
  await advanceClock(testEnvironment.database, testEpos.testAccount.scope, 8 * DAY_MS);
  while (!isPlacementFinal(await testEpos.findPlacement(placement.id))) {
    await testEpos.makeDue();
    await pause(5);
  }
  isOver = true;
  await loop;
  const { state, mayOrderStand } = await testEpos.findPlacement(placement.id);
  const { status } = await readIntent(testEnvironment, testEpos.testAccount, placement.intentId);
  await expectConsistent(testEnvironment, testEpos.testAccount);
  expect(
    (await listTimers(testEnvironment, testEpos.testAccount)).filter((timer) => timer.startsWith('order-release')),
  ).toEqual([]);
  return { ends: [state, mayOrderStand, status], made };
}

test('a week in which the EPOS makes nothing passes in a moment, and no money is kept', async () => {
  const { ends } = await runWeek(ABSENT);
  expect(ends).toEqual(['GivenBack', false, 'Reversed']);
});

test('a week in which the EPOS does not answer passes too, and the operator is alerted that the order may exist', async () => {
  const { ends } = await runWeek(SILENT);
  expect(ends).toEqual(['GivenBack', true, 'Reversed']);
});

test('an order whose answer was lost is found before a week is over, and captured', async () => {
  const { ends, made } = await runWeek(LOST);
  expect(ends).toEqual(['Completed', false, 'Captured']);
  expect(made).not.toContain('place');
});
