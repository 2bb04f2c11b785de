import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createLog } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { cancelTimer, schedule, TimerQueue, type ClaimedTimer, type TimerKind } from '@pos/store/queues';
import { AccountConcurrencyLimiter, PollingLoop } from '@pos/service-kit/lifecycle';
import { waitUntil } from '../testing/test-receiver.js';
import { TimerWorker, type TimerEffects } from './timer-worker.js';

let testEnvironment: TestDatabase;
let scope: Scope;
let runningWorkers: { stop: () => Promise<void> }[] = [];
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  testEnvironment = await createTestDatabase();
});

afterAll(async () => {
  await testEnvironment.close();
});

beforeEach(() => {
  scope = createTestScope();
  lines.length = 0;
});

afterEach(async () => {
  await Promise.all(runningWorkers.map(({ stop }) => stop()));
  runningWorkers = [];
});

test('a due timer is worked once, and one that is not due stays', async () => {
  const worked: string[] = [];
  await scheduleTimer('intent-expiry', 'pi_1', 0);
  await scheduleTimer('intent-expiry', 'pi_2', 3_600_000);
  startTestWorker({ 'intent-expiry': createCompletingEffect((timer) => worked.push(timer.subject)) });
  await waitUntil(() => worked.length === 1);
  await scheduleTimer('intent-expiry', 'pi_3', 0);
  await waitUntil(() => worked.length === 2);
  expect(worked).toEqual(['pi_1', 'pi_3']);
  await waitUntil(() => lines.filter(({ event }) => event === 'timer.worked').length === 2);
});

test('timers of a kind without an effect stay unclaimed for other processes', async () => {
  await scheduleTimer('table-payment', 'p_1', 0);
  await scheduleTimer('session-window', 'ts_1', 0);
  const worked: string[] = [];
  startTestWorker({ 'session-window': createCompletingEffect((timer) => worked.push(timer.kind)) });
  await waitUntil(() => worked.length > 0);
  expect(worked).toEqual(['session-window']);
  const left = await new TimerQueue(testEnvironment.database).claim(scope, ['table-payment'], {
    limit: 9,
    leaseMs: 1_000,
  });
  expect(left).toMatchObject([{ kind: 'table-payment', attempts: 1 }]);
});

test('an effect that fails is retried, and does not affect others', async () => {
  const worked: string[] = [];
  await scheduleTimer('acquirer-call', 'bad', 0);
  await scheduleTimer('acquirer-call', 'good', 0);
  startTestWorker({
    'acquirer-call': createCompletingEffect(({ subject, attempts }) => {
      if (subject === 'bad' && attempts === 1) throw new Error('the acquirer is away');
      worked.push(`${subject} ${attempts}`);
    }),
  });
  await waitUntil(() => worked.length === 2);
  expect(worked.sort()).toEqual(['bad 2', 'good 1']);
  expect(lines.filter(({ event }) => event === 'timer.failed')).toMatchObject([{ subject: 'bad', attempt: 1 }]);
});

test('an effect that sets the next due time is called again then', async () => {
  const worked: number[] = [];
  await scheduleTimer('acquirer-call', 'again', 0);
  const queue = new TimerQueue(testEnvironment.database);
  startTestWorker({
    'acquirer-call': async (timer) => {
      worked.push(timer.attempts);
      const next = worked.length < 3 ? { inMs: 20 } : null;
      await testEnvironment.database.transact(scope, (tx) => queue.complete(tx, timer, next));
    },
  });
  await waitUntil(() => worked.length === 3);
});

test('two workers never have the same timer at once', async () => {
  const COUNT = 60;
  const worked: string[] = [];
  for (let number = 0; number < COUNT; number += 1) await scheduleTimer('intent-expiry', `pi_${number}`, 0);
  const other = await testEnvironment.open();
  startTestWorker({ 'intent-expiry': createCompletingEffect((timer) => worked.push(timer.subject)) });
  startTestWorker(
    { 'intent-expiry': createCompletingEffect((timer) => worked.push(timer.subject), other) },
    { database: other },
  );
  await waitUntil(() => worked.length >= COUNT);
  expect(new Set(worked).size).toBe(COUNT);
  expect(worked).toHaveLength(COUNT);
});

test('an effect that outlives its lease is rolled back, and the effect of the next claim is kept', async () => {
  const committed: number[] = [];
  await scheduleTimer('session-window', 'ts_1', 0);
  const queue = new TimerQueue(testEnvironment.database);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const effect = async (timer: ClaimedTimer): Promise<void> => {
    if (timer.attempts === 1) await held;
    await testEnvironment.database.transact(scope, async (tx) => {
      schedule(tx, { kind: 'acquirer-call', subject: `by attempt ${timer.attempts}`, dueInMs: 3_600_000 });
      await queue.complete(tx, timer, null);
    });
    committed.push(timer.attempts);
  };
  startTestWorker({ 'session-window': effect }, { leaseMs: 200 });
  await waitUntil(() => committed.length === 1);
  release();
  await waitUntil(() => lines.some(({ event }) => event === 'timer.lost'));
  expect(committed).toEqual([2]);
  await testEnvironment.database.transact(scope, (tx) =>
    cancelTimer(tx, { kind: 'acquirer-call', subject: 'by attempt 2' }),
  );
});

test('the loop continues after an outage of the database', async () => {
  const worked: string[] = [];
  let isAway = true;
  const queue = new TimerQueue(testEnvironment.database);
  const readyAccounts: TimerQueue['listReadyAccounts'] = (kinds, limits) =>
    isAway ? Promise.reject(new Error('away')) : queue.listReadyAccounts(kinds, limits);
  const flaky = Object.assign(new TimerQueue(testEnvironment.database), { listReadyAccounts: readyAccounts });
  await scheduleTimer('intent-expiry', 'pi_1', 0);
  startTestWorker({ 'intent-expiry': createCompletingEffect((timer) => worked.push(timer.subject)) }, { queue: flaky });
  await waitUntil(() => lines.some(({ event }) => event === 'pass.failed'));
  isAway = false;
  await waitUntil(() => worked.length === 1);
});

test('stopping waits for the running effect and starts no other', async () => {
  const worked: string[] = [];
  await scheduleTimer('intent-expiry', 'pi_1', 0);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isIn = false;
  const loop = startTestWorker({
    'intent-expiry': async (timer) => {
      isIn = true;
      await held;
      await createCompletingEffect(() => worked.push(timer.subject))(timer);
    },
  });
  await waitUntil(() => isIn);
  const stopped = loop.stop();
  await scheduleTimer('intent-expiry', 'pi_2', 0);
  release();
  await stopped;
  expect(worked).toEqual(['pi_1']);
});

function scheduleTimer(kind: TimerKind, subject: string, dueInMs: number): Promise<void> {
  return testEnvironment.database.transact(scope, (tx) => schedule(tx, { kind, subject, dueInMs }));
}

/** An effect that runs its operation and completes its claim in one transaction. */
function createCompletingEffect(
  operation: (timer: ClaimedTimer) => unknown,
  database: Database = testEnvironment.database,
) {
  const queue = new TimerQueue(database);
  return async (timer: ClaimedTimer): Promise<void> => {
    await database.transact(timer.scope, async (tx) => {
      await queue.complete(tx, timer, null);
      operation(timer);
    });
  };
}

function startTestWorker(
  effects: TimerEffects,
  { database = testEnvironment.database, queue = new TimerQueue(database), leaseMs = 60_000 } = {},
): { stop: () => Promise<void> } {
  const log = createLog({
    app: 'worker',
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const limiter = new AccountConcurrencyLimiter({ total: 8, perAccount: 8 });
  const worker = new TimerWorker({ database, queue, limiter, effects, log, leaseMs });
  const loop = new PollingLoop({ name: 'timers', pass: (wake) => worker.runPass(wake), pauseMs: 20, log });
  loop.start();
  const stop = async (): Promise<void> => {
    const published = worker.stop();
    await loop.stop();
    await published;
    await worker.stop();
  };
  runningWorkers.push({ stop });
  return { stop };
}
