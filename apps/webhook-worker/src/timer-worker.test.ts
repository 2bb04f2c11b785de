import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { openLog } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { cancelTimer, schedule, TimerQueue, type ClaimedTimer, type TimerKind } from '@pos/store/timers';
import { Hands } from './hands.js';
import { Polling } from '@pos/service-kit/polling';
import { until } from './testing.js';
import { TimerWorker, type TimerEffects } from './timer-worker.js';

let world: TestDatabase;
let scope: Scope;
let running: { stop: () => Promise<void> }[] = [];
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  world = await createTestDatabase();
});

afterAll(async () => {
  await world.close();
});

beforeEach(() => {
  scope = createTestScope();
  lines.length = 0;
});

afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  running = [];
});

test('a due timer is worked once, and one that is not due is left', async () => {
  const worked: string[] = [];
  await due('intent-expiry', 'pi_1', 0);
  await due('intent-expiry', 'pi_2', 3_600_000);
  start({ 'intent-expiry': finishing((timer) => worked.push(timer.subject)) });
  await until(() => worked.length === 1);
  await due('intent-expiry', 'pi_3', 0);
  await until(() => worked.length === 2);
  expect(worked).toEqual(['pi_1', 'pi_3']);
  await until(() => lines.filter(({ event }) => event === 'timer.worked').length === 2);
});

test('a kind that has no effect here is left for whoever works it', async () => {
  await due('table-payment', 'p_1', 0);
  await due('session-window', 'ts_1', 0);
  const worked: string[] = [];
  start({ 'session-window': finishing((timer) => worked.push(timer.kind)) });
  await until(() => worked.length > 0);
  expect(worked).toEqual(['session-window']);
  const left = await new TimerQueue(world.database).claim(scope, ['table-payment'], { limit: 9, leaseMs: 1_000 });
  expect(left).toMatchObject([{ kind: 'table-payment', attempts: 1 }]);
});

test('an effect that fails is tried again, and undoes nothing of another', async () => {
  const worked: string[] = [];
  await due('acquirer-call', 'bad', 0);
  await due('acquirer-call', 'good', 0);
  start({
    'acquirer-call': finishing(({ subject, attempts }) => {
      if (subject === 'bad' && attempts === 1) throw new Error('the acquirer is away');
      worked.push(`${subject} ${attempts}`);
    }),
  });
  await until(() => worked.length === 2);
  expect(worked.sort()).toEqual(['bad 2', 'good 1']);
  expect(lines.filter(({ event }) => event === 'timer.failed')).toMatchObject([{ subject: 'bad', attempt: 1 }]);
});

test('an effect that sets the next deadline is called again then', async () => {
  const worked: number[] = [];
  await due('acquirer-call', 'again', 0);
  const queue = new TimerQueue(world.database);
  start({
    'acquirer-call': async (timer) => {
      worked.push(timer.attempts);
      const next = worked.length < 3 ? { inMs: 20 } : null;
      await world.database.transact(scope, (tx) => queue.complete(tx, timer, next));
    },
  });
  await until(() => worked.length === 3);
});

test('two workers never have the same timer at once', async () => {
  const COUNT = 60;
  const worked: string[] = [];
  for (let number = 0; number < COUNT; number += 1) await due('intent-expiry', `pi_${number}`, 0);
  const other = await world.open();
  start({ 'intent-expiry': finishing((timer) => worked.push(timer.subject)) });
  start({ 'intent-expiry': finishing((timer) => worked.push(timer.subject), other) }, { database: other });
  await until(() => worked.length >= COUNT);
  expect(new Set(worked).size).toBe(COUNT);
  expect(worked).toHaveLength(COUNT);
});

test('an effect that outlives its lease is undone, and the one that took over stands', async () => {
  const committed: number[] = [];
  await due('session-window', 'ts_1', 0);
  const queue = new TimerQueue(world.database);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const effect = async (timer: ClaimedTimer): Promise<void> => {
    if (timer.attempts === 1) await held;
    await world.database.transact(scope, async (tx) => {
      schedule(tx, { kind: 'acquirer-call', subject: `by attempt ${timer.attempts}`, dueInMs: 3_600_000 });
      await queue.complete(tx, timer, null);
    });
    committed.push(timer.attempts);
  };
  start({ 'session-window': effect }, { leaseMs: 200 });
  await until(() => committed.length === 1);
  release();
  await until(() => lines.some(({ event }) => event === 'timer.lost'));
  expect(committed).toEqual([2]);
  await world.database.transact(scope, (tx) => cancelTimer(tx, { kind: 'acquirer-call', subject: 'by attempt 2' }));
});

test('a broken database stops nothing: the loop goes on when it is back', async () => {
  const worked: string[] = [];
  let isAway = true;
  const queue = new TimerQueue(world.database);
  const readyAccounts: TimerQueue['listReadyAccounts'] = (kinds, limits) =>
    isAway ? Promise.reject(new Error('away')) : queue.listReadyAccounts(kinds, limits);
  const flaky = Object.assign(new TimerQueue(world.database), { readyAccounts });
  await due('intent-expiry', 'pi_1', 0);
  start({ 'intent-expiry': finishing((timer) => worked.push(timer.subject)) }, { queue: flaky });
  await until(() => lines.some(({ event }) => event === 'pass.failed'));
  isAway = false;
  await until(() => worked.length === 1);
});

test('stopping waits for the effect in hand and takes no other', async () => {
  const worked: string[] = [];
  await due('intent-expiry', 'pi_1', 0);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isIn = false;
  const loop = start({
    'intent-expiry': async (timer) => {
      isIn = true;
      await held;
      await finishing(() => worked.push(timer.subject))(timer);
    },
  });
  await until(() => isIn);
  const stopped = loop.stop();
  await due('intent-expiry', 'pi_2', 0);
  release();
  await stopped;
  expect(worked).toEqual(['pi_1']);
});

function due(kind: TimerKind, subject: string, dueInMs: number): Promise<void> {
  return world.database.transact(scope, (tx) => schedule(tx, { kind, subject, dueInMs }));
}

/** An effect that does its deed and ends its claim in one transaction. */
function finishing(deed: (timer: ClaimedTimer) => unknown, database: Database = world.database) {
  const queue = new TimerQueue(database);
  return async (timer: ClaimedTimer): Promise<void> => {
    await database.transact(timer.scope, async (tx) => {
      await queue.complete(tx, timer, null);
      deed(timer);
    });
  };
}

function start(
  effects: TimerEffects,
  { database = world.database, queue = new TimerQueue(database), leaseMs = 60_000 } = {},
): { stop: () => Promise<void> } {
  const log = openLog({
    app: 'worker',
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const hands = new Hands({ max: 8, perAccountMax: 8 });
  const worker = new TimerWorker({ database, queue, hands, effects, log, leaseMs, ended: () => loop.wake() });
  const loop = new Polling({ name: 'timers', pass: () => worker.pass(), pauseMs: 20, log });
  loop.start();
  const stop = async (): Promise<void> => {
    const told = worker.stop();
    await loop.stop();
    await told;
    await worker.stop();
  };
  running.push({ stop });
  return { stop };
}
