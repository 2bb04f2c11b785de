import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { computeNextAttemptAt } from '@pos/core/webhooks';
import { getAccountTime } from '@pos/store/clock';
import { LaneQueue } from '@pos/store/queues';
import { setTimeout as pause } from 'node:timers/promises';
import { TestCardMachine } from '../testing/card-machine.js';
import { advanceClock, advanceClockWithin } from './clock-advance.js';
import {
  transactAs,
  createIntent,
  listPublishedStates,
  listEventTypes,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  type TestAccount,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';

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

type Receiver = (attempts: number) => boolean;

/** A worker of the account beside the test: timers, and deliveries to a receiver that accepts or refuses. */
function runWorker(testAccount: TestAccount, receives: Receiver = () => true): void {
  isOver = false;
  const queue = new LaneQueue(testEnvironment.database);
  loop = (async () => {
    while (!isOver) {
      await runDueWork(testEnvironment, testAccount.scope);
      await deliver(queue, testAccount, receives);
      await pause(5);
    }
  })();
}

async function deliver(queue: LaneQueue, { scope }: TestAccount, receives: Receiver): Promise<void> {
  for (const lane of await queue.claim(scope, { lanes: 50, deliveriesPerLane: 1, leaseMs: 30_000 })) {
    const [{ number, attempts }] = lane.deliveries as [(typeof lane.deliveries)[0]];
    const failedAt = new Date(0);
    const retryAt = receives(attempts)
      ? null
      : computeNextAttemptAt({ attempts: attempts + 1, failedAt, jitter: 0.5, scale: 1 });
    const isDelivered = retryAt === null;
    const retryInMs = retryAt === null ? null : retryAt.getTime();
    await queue.complete(lane, [
      { number, isDelivered, retryInMs, status: isDelivered ? 200 : 500, error: isDelivered ? null : 'no' },
    ]);
  }
}

const now = ({ scope }: TestAccount) => testEnvironment.database.read(scope, getAccountTime);
const advance = ({ scope }: TestAccount, byMs: number) => advanceClock(testEnvironment.database, scope, byMs);

const LOOKS_MAX = 2_000;

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await condition()) return;
    await pause(20);
  }
  throw new Error(`never came true: ${condition.toString()}`);
}

/** Real time runs too: a time in a test may be later by the real time that the test has taken so far. */
let beganMs = 0;
beforeEach(() => {
  beganMs = performance.now();
});

function expectAt(at: Date, moment: Date): void {
  expect(at.getTime()).toBeGreaterThanOrEqual(moment.getTime());
  expect(at.getTime()).toBeLessThanOrEqual(moment.getTime() + Math.ceil(performance.now() - beganMs));
}

/** Longer than the real time of any of these scenarios, and shorter than the times that they distinguish. */
const REAL_MS = 100_000;

test('a signature without a decision is accepted when its 80 s have passed', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  runWorker(testAccount);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.approvePayment(true);
  const { expireAt } = await machine.readTerminalSession();
  const before = await now(testAccount);
  expectAt(await advance(testAccount, 300_000), new Date(before.getTime() + 300_000));
  const session = await machine.readTerminalSession();
  expect(session.status).toBe('Captured');
  expectAt(session.updatedAt, expireAt);
  await expectConsistent(testEnvironment, testAccount);
});

test('an intent is Canceled on its thirtieth day, not at the end of the skipped month', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  runWorker(testAccount);
  const intentId = await createIntent(testEnvironment, testAccount);
  const { expireAt } = await readIntent(testEnvironment, testAccount, intentId);
  await advance(testAccount, 31 * DAY_MS);
  const intent = await readIntent(testEnvironment, testAccount, intentId);
  expect([intent.status, await listEventTypes(testEnvironment, testAccount, intentId)]).toEqual([
    'Canceled',
    ['Canceled'],
  ]);
  expectAt(intent.updatedAt, expireAt);
  // The event of its creation is older than the retention time by then.
  expect(await listPublishedStates(testEnvironment, testAccount.scope, intentId)).toEqual(['Canceled']);
  await expectConsistent(testEnvironment, testAccount);
});

test('an expired intent waits for the running attempt, and is then Canceled', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  runWorker(testAccount);
  const expireAt = new Date((await now(testAccount)).getTime() + 30_000);
  const intentId = await createIntent(testEnvironment, testAccount, { expireAt });
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  await advance(testAccount, 60_000);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
  await machine.sendReport({ kind: 'canceled' });
  // The next check is a retry: an advance brings it near and does not wait for it.
  await advance(testAccount, 30_000);
  const status = async () => (await readIntent(testEnvironment, testAccount, intentId)).status;
  await until(async () => (await status()) === 'Canceled');
  expect(await status()).toBe('Canceled');
});

test('a webhook that fails is tried again at its times: the whole backoff passes in a moment', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const at: number[] = [];
  const FAILURES = 5;
  runWorker(testAccount, (attempts) => {
    at.push(attempts);
    return attempts >= FAILURES;
  });
  const intentId = await createIntent(testEnvironment, testAccount);
  const before = await now(testAccount);
  // 10, 30, 90, 270 and 810 s.
  await advance(testAccount, 1_209_000 - REAL_MS);
  expect(at).toEqual([0, 1, 2, 3, 4]);
  expectAt(await advance(testAccount, 2 * REAL_MS), new Date(before.getTime() + 1_209_000 + REAL_MS));
  expect(at).toEqual([0, 1, 2, 3, 4, 5]);
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Created');
});

test('a silent machine: the session expires, and soon after its minute the authorisation is undone', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  runWorker(testAccount);
  await advance(testAccount, 600_000);
  expect((await machine.readTerminalSession()).status).toBe('Expired');
  await until(async () => (await machine.readAcquirerCall()).state === 'Settled');
  expect((await machine.readAcquirerCall()).outcome).toBe('Reversed');
  await expectConsistent(testEnvironment, testAccount);
});

test('one advance at a time: the second is refused, and the first has moved the clock by itself', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  await createIntent(testEnvironment, testAccount, { amount: gbp(100) });
  const before = await now(testAccount);
  const outcomes: string[] = [];
  const advances = [1, 2, 3].map(async () => outcomes.push(await getOutcome(advance(testAccount, DAY_MS))));
  // The work that the intent has made due is not done yet, so the first advance is still running.
  await until(() => Promise.resolve(outcomes.length === 2));
  runWorker(testAccount);
  await Promise.all(advances);
  expect(outcomes).toEqual(['idempotency_in_progress', 'idempotency_in_progress', 'done']);
  expectAt(await now(testAccount), new Date(before.getTime() + DAY_MS));
  expect(await getOutcome(advance(testAccount, 1_000))).toBe('done');
});

test('without a worker an advance is refused once its time limit is over, and can be repeated with one', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  const { database } = testEnvironment;
  const request = { database, scope: testAccount.scope, byMs: 60_000 };
  expect(await getOutcome(advanceClockWithin({ workMsMax: 200 }, request))).toBe('service_unavailable');
  expect((await machine.readTerminalSession()).status).toBe('InitiateRequested');
  runWorker(testAccount);
  expect(await getOutcome(advance(testAccount, 60_000))).toBe('done');
  expect((await machine.readTerminalSession()).status).toBe('Expired');
});

test('an advance of one sandbox moves no other', async () => {
  const [testAccount, other] = [await createTestAccount(testEnvironment), await createTestAccount(testEnvironment)];
  runWorker(testAccount);
  const intentId = await createIntent(testEnvironment, other);
  const before = await now(other);
  await advance(testAccount, 60 * DAY_MS);
  expectAt(await now(other), before);
  expect((await readIntent(testEnvironment, other, intentId)).status).toBe('Created');
  await transactAs(testEnvironment, other, async (tx) => {
    expectAt(tx.now, before);
  });
});
