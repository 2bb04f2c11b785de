import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RateLimit } from '@pos/core/rate-limits';
import fc from 'fast-check';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { SharedRateLimiter } from './shared-rate-limiter.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import {
  createAnsweringSource,
  ALLOWANCE,
  UNREACHABLE_SOURCE,
  makeCalls,
  KEY_ALLOWANCE,
  createTestLimiter,
  createCount,
  SlowNetwork,
  type TokenSource,
} from '../testing/rate-limit-calls.js';
import { TokenBucketsModel } from '../testing/token-buckets-model.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

describe.each([
  ['with its database', createAnsweringSource],
  ['without its database', () => UNREACHABLE_SOURCE],
])('a process %s', (_, source) => {
  test.each([
    ['a burst, and then no more', 0, 4],
    ['nothing before there is a whole token again', 499, 0],
    ['one more after half a second', 500, 1],
    ['two more after a second', 1_000, 2],
    ['no more than a burst, after any time without calls', 3_600_000, 4],
  ])('gives a caller %s', async (_title, afterMs, passes) => {
    const { limits, wait } = createTestLimiter(source);
    if (afterMs > 0) await makeCalls(limits, 10).done;
    wait(afterMs);
    expect(await makeCalls(limits, 10).done).toMatchObject({ passed: passes, refused: 10 - passes });
  });

  test('takes nothing from one caller for the calls of another one', async () => {
    const { limits } = createTestLimiter(source);
    await makeCalls(limits, 10, { name: 'one' }).done;
    expect(await makeCalls(limits, 10, { name: 'other' }).done).toMatchObject({ passed: 4 });
  });

  test('admits a caller that waits as long as the refusal requires', async () => {
    const { limits, wait } = createTestLimiter(source);
    const { waitSeconds } = await makeCalls(limits, 10).done;
    expect(waitSeconds).toBe(1);
    wait(Number(waitSeconds) * 1000);
    expect(await makeCalls(limits, 1).done).toMatchObject({ passed: 1 });
  });

  test('gives a returned token to the next call', async () => {
    const { limits } = createTestLimiter(source);
    await makeCalls(limits, 4).done;
    limits.returnToken('key', ALLOWANCE);
    expect(await makeCalls(limits, 10).done).toMatchObject({ passed: 1 });
  });
});

test('the first calls of a name, and steady calls below its rate, pass without waiting for the database', async () => {
  const { limits, wait } = createTestLimiter();
  for (let ms = 0; ms < 3_000; ms += 10) {
    const { count, done } = makeCalls(limits, 1, { allowance: KEY_ALLOWANCE });
    expect(count.passed).toBe(1);
    wait(10);
    await done;
    await endOfTurn();
  }
});

test('waiting calls of many names use one statement', async () => {
  let statements = 0;
  const { limits } = createTestLimiter((model) => ({
    takeTokens: (requests) => {
      statements += 1;
      return Promise.resolve(requests.map((request) => model.take(request)));
    },
  }));
  await Promise.all(Array.from({ length: 50 }, (_, at) => makeCalls(limits, 3, { name: `name ${at}` }).done));
  expect(statements).toBe(1);
});

test('a flood of refused calls queries the database at most twenty times a second', async () => {
  let statements = 0;
  const { limits, wait } = createTestLimiter((model) => ({
    takeTokens: (requests) => {
      statements += 1;
      return Promise.resolve(requests.map((request) => model.take(request)));
    },
  }));
  await makeCalls(limits, 1_000, { allowance: KEY_ALLOWANCE }).done;
  statements = 0;
  const count = createCount();
  for (let ms = 0; ms < 1_000; ms += 1) {
    wait(1);
    await makeCalls(limits, 10, { allowance: KEY_ALLOWANCE, count }).done;
  }
  expect(statements).toBeLessThanOrEqual(40);
  expect(count.passed).toBeGreaterThanOrEqual(180);
  expect(count.passed).toBeLessThanOrEqual(200);
});

const PROCESSES = 4;
const ALLOWANCES: readonly RateLimit[] = [
  { burst: 4, perSecond: 2 },
  { burst: 20, perSecond: 10 },
  { burst: 40, perSecond: 2 / 3 },
  { burst: 60, perSecond: 1 },
  KEY_ALLOWANCE,
];

const event = fc.record({
  process: fc.nat({ max: PROCESSES - 1 }),
  calls: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 500 })),
  pauseMs: fc.oneof(fc.constant(0), fc.nat({ max: 40 }), fc.nat({ max: 3_000 })),
  moves: fc.nat({ max: 3 }),
});

test('four processes admit together at most a fifth more than the limit, in any order of requests and answers', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...ALLOWANCES),
    fc.array(event, { maxLength: 40 }),
    async (allowance, events) => {
      let nowMs = 0;
      const now = () => nowMs;
      const model = new TokenBucketsModel(now);
      const processes = Array.from({ length: PROCESSES }, () => {
        const network = new SlowNetwork(model);
        return { network, limits: new SharedRateLimiter(network, { now, waitMs: 60_000 }) };
      });
      const count = createCount();
      for (const { process, calls, pauseMs, moves } of events) {
        nowMs += pauseMs;
        makeCalls(processes[process]!.limits, calls, { allowance, count });
        await endOfTurn();
        for (let move = 0; move < moves; move += 1) await processes[process]!.network.deliverNext();
        expect(count.passed).toBeLessThanOrEqual(1.2 * allowance.burst + (nowMs / 1000) * allowance.perSecond);
      }
    },
  );
  await fc.assert(property, { numRuns: process.env['LONG'] === '1' ? 150 : 30 });
});

const flood = fc.record({
  senders: fc.uniqueArray(fc.nat({ max: PROCESSES - 1 }), { minLength: 1, maxLength: PROCESSES }),
  pauseMs: fc.integer({ min: 1, max: 3_000 }),
});

test('callers above the limit get at least four fifths of it, through any number of processes', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...ALLOWANCES),
    fc.array(flood, { maxLength: 30 }),
    async (allowance, floods) => {
      const { limits, another, wait } = createTestLimiter();
      const processes = [limits, ...Array.from({ length: PROCESSES - 1 }, another)];
      const count = createCount();
      let most = allowance.burst;
      const sendAll = (senders: readonly number[]) =>
        Promise.all(senders.map((at) => makeCalls(processes[at]!, allowance.burst, { allowance, count }).done));
      await sendAll([0]);
      for (const { senders, pauseMs } of floods) {
        wait(pauseMs);
        most += Math.min(allowance.burst, (pauseMs / 1000) * allowance.perSecond);
        await sendAll(senders);
        expect(count.passed).toBeGreaterThanOrEqual(Math.floor(0.8 * most) - 1);
      }
      expect(count.passed).toBeLessThanOrEqual(1.2 * most);
    },
  );
  await fc.assert(property, { numRuns: process.env['LONG'] === '1' ? 150 : 30 });
});

test('without an answer yet, four processes have admitted a fifth of the limit on trust and no more', async () => {
  const count = createCount();
  for (let process = 0; process < PROCESSES; process += 1) {
    const limits = new SharedRateLimiter({ takeTokens: () => new Promise(() => undefined) }, { waitMs: 60_000 });
    for (let wave = 0; wave < 30; wave += 1) {
      makeCalls(limits, 3, { allowance: KEY_ALLOWANCE, count });
      await endOfTurn();
    }
  }
  expect(count).toEqual({ passed: 80, refused: 0, waitSeconds: null });
});

/** So slow that no token is refilled during a test. */
const SLOW = { burst: 400, perSecond: 0.001 };

test('four processes on one database admit no more than a fifth above a limit, and all of it', async () => {
  const databases = await Promise.all(Array.from({ length: PROCESSES }, () => testDatabase.open()));
  const processes = databases.map((database) => new SharedRateLimiter(database, { waitMs: 60_000 }));
  const count = createCount();
  const allowance = SLOW;
  for (let wave = 0; wave < 30; wave += 1) {
    await Promise.all(processes.map((limits) => makeCalls(limits, 40, { name: 'shared', allowance, count }).done));
  }
  expect(count.passed + count.refused).toBe(30 * PROCESSES * 40);
  expect(count.passed).toBeGreaterThanOrEqual(400);
  expect(count.passed).toBeLessThanOrEqual(480);
  expect(count.waitSeconds).toBeGreaterThan(1);
});

test('a process logs once that it counts alone, and why, and once that it does no longer', async () => {
  const database = await testDatabase.open();
  const lines: unknown[] = [];
  const log = {
    info: (...line: readonly unknown[]) => lines.push(line),
    warn: (...line: readonly unknown[]) => lines.push(line),
  };
  let isAway = false;
  const source: TokenSource = {
    takeTokens: (requests) => (isAway ? UNREACHABLE_SOURCE : database).takeTokens(requests),
  };
  const limits = await SharedRateLimiter.open(source, log);
  await makeCalls(limits, 3, { allowance: { burst: 10, perSecond: 1 } }).done;
  expect(lines).toEqual([]);
  isAway = true;
  for (let calls = 0; calls < 3; calls += 1) await makeCalls(limits, 2, { name: `name ${calls}` }).done;
  const error = expect.objectContaining({ message: 'the database is away' });
  expect(lines).toEqual([['rate_limits.counted_alone', { error }]]);
  isAway = false;
  for (let calls = 0; lines.length === 1; calls += 1) {
    await pause(10);
    await makeCalls(limits, 2, { name: `other ${calls}` }).done;
  }
  expect(lines.slice(1)).toEqual([['rate_limits.counted_together']]);
});

test('a process whose database is closed still limits', async () => {
  const database = await testDatabase.open();
  await database.close();
  const limits = new SharedRateLimiter(database, { waitMs: 60_000 });
  const count = createCount();
  for (let wave = 0; wave < 5; wave += 1) await makeCalls(limits, 200, { allowance: SLOW, count }).done;
  expect(count).toMatchObject({ passed: 400, refused: 600 });
});
