import { describe, expect, test } from '@jest/globals';
import type { RateLimit, TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import fc from 'fast-check';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { SharedRateLimiter } from './shared-rate-limiter.js';
import {
  createAnsweringSource,
  makeCalls,
  KEY_ALLOWANCE,
  createCount,
  SlowNetwork,
  type TokenSource,
} from '../testing/rate-limit-calls.js';
import { TokenBucketsModel } from '../testing/token-buckets-model.js';

/**
 * A process whose database does not answer while the test blocks it, and another one whose database always answers.
 */
function slowAndFast() {
  let nowMs = 0;
  const now = () => nowMs;
  const model = new TokenBucketsModel(now);
  let gate: Promise<unknown> | null = null;
  const slowSource: TokenSource = {
    takeTokens: async (requests) => {
      await gate;
      return requests.map((request) => model.take(request));
    },
  };
  return {
    slow: new SharedRateLimiter(slowSource, { now, waitMs: 10 }),
    fast: new SharedRateLimiter(createAnsweringSource(model), { now, waitMs: 60_000 }),
    wait: (ms: number) => (nowMs += ms),
    /** From now on requests wait for this. */
    holdFor: (answer: Promise<unknown> | null): void => {
      gate = answer;
    },
  };
}

/** A database that is unreachable, or answers late, while the test sets it so. */
class FailingSource implements TokenSource {
  state: 'well' | 'away' | 'late' = 'well';
  readonly #late: (() => void)[] = [];

  constructor(private readonly model: TokenBucketsModel) {}

  async takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]> {
    if (this.state === 'away') throw new Error('the database is away');
    if (this.state === 'late') await new Promise<void>((resolve) => this.#late.push(resolve));
    return requests.map((request) => this.model.take(request));
  }

  restore(): void {
    this.state = 'well';
    for (const answer of this.#late.splice(0)) answer();
  }
}

const outage = fc.record({
  kind: fc.constantFrom('away' as const, 'late' as const),
  wellMs: fc.nat({ max: 5_000 }),
  outMs: fc.oneof(fc.nat({ max: 1_500 }), fc.nat({ max: 120_000 })),
});
type Outage = typeof outage extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes calls at a steady rate through two processes in turn; the database of the first has the outages. */
async function callThrough(
  outages: readonly Outage[],
  {
    allowance,
    everyMs,
    callsAtOnce,
    processes,
  }: {
    readonly allowance: RateLimit;
    readonly everyMs: number;
    readonly callsAtOnce: number;
    readonly processes: number;
  },
) {
  let nowMs = 0;
  const now = () => nowMs;
  const model = new TokenBucketsModel(now);
  const source = new FailingSource(model);
  const limits = [source, createAnsweringSource(model)].map((each) => new SharedRateLimiter(each, { now, waitMs: 1 }));
  const count = createCount();
  let calls = 0;
  const callFor = async (ms: number): Promise<void> => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += everyMs) {
      await makeCalls(limits[(calls += 1) % processes]!, callsAtOnce, { allowance, count }).done;
      await endOfTurn();
    }
  };
  for (const { kind, wellMs, outMs } of outages) {
    source.state = kind;
    await callFor(outMs);
    source.restore();
    await endOfTurn();
    await callFor(wellMs);
  }
  return { count, seconds: nowMs / 1000 };
}

const BUCKETS = fc.constantFrom(KEY_ALLOWANCE, { burst: 60, perSecond: 1 }, { burst: 20, perSecond: 10 });

test.each([1, 2])(
  'a caller below its rate is never refused after an outage, through %i processes',
  async (processes) => {
    const property = fc.asyncProperty(BUCKETS, fc.array(outage, { maxLength: 3 }), async (allowance, outages) => {
      const everyMs = 1_100 / allowance.perSecond;
      const { count } = await callThrough(outages, { allowance, everyMs, callsAtOnce: 1, processes });
      expect(count.refused).toBe(0);
    });
    await fc.assert(property, { numRuns: process.env['LONG'] === '1' ? 25 : 6 });
  },
);

test('a caller above its rate gets at most the limit from one process, and a burst more for each outage', async () => {
  const property = fc.asyncProperty(BUCKETS, fc.array(outage, { maxLength: 3 }), async (allowance, outages) => {
    const everyMs = 2_500 / allowance.perSecond;
    const { count, seconds } = await callThrough(outages, { allowance, everyMs, callsAtOnce: 5, processes: 1 });
    const bursts = 1 + outages.length;
    expect(count.passed).toBeLessThanOrEqual(bursts * allowance.burst + seconds * allowance.perSecond + 1);
  });
  await fc.assert(property, { numRuns: process.env['LONG'] === '1' ? 25 : 6 });
});

test('a caller above its rate is refused again after an outage', async () => {
  const { count } = await callThrough([{ kind: 'away', outMs: 8_000, wellMs: 5_000 }], {
    ...{ allowance: KEY_ALLOWANCE, everyMs: 5, callsAtOnce: 5, processes: 1 },
  });
  expect(count.refused).toBeGreaterThan(9_500);
});

/** A process whose statements wait until the test answers them, by a clock of the test. */
function steppedLimits() {
  let nowMs = 0;
  const now = () => nowMs;
  const network = new SlowNetwork(new TokenBucketsModel(now));
  const sent: string[][] = [];
  const source: TokenSource = {
    takeTokens: (requests) => {
      sent.push(requests.map((request) => request.name));
      return network.takeTokens(requests);
    },
  };
  const limits = new SharedRateLimiter(source, { now, waitMs: 60_000 });
  const answer = async (afterMs: number): Promise<void> => {
    nowMs += afterMs;
    await network.deliverNext();
    await network.deliverNext();
    await endOfTurn();
  };
  return { limits, sent, answer };
}

const ADDRESS = { burst: 20, perSecond: 10 };

describe('behind a flood of names', () => {
  test('a waiting call is included in the next statement', async () => {
    const { limits, sent, answer } = steppedLimits();
    makeCalls(limits, 2, { name: 'first', allowance: ADDRESS });
    await endOfTurn();
    for (let at = 0; at < 30_000; at += 1) makeCalls(limits, 1, { name: `address ${at}`, allowance: ADDRESS });
    const { count } = makeCalls(limits, 2, { name: 'tenant' });
    expect(count.passed).toBe(0);
    await answer(5);
    expect(sent[1]?.[0]).toBe('tenant');
    expect(sent[1]).toHaveLength(200);
    await answer(5);
    expect(count.passed).toBe(2);
  });

  test('no call waits longer than its own limit, however many others wait', async () => {
    const { limits, sent, answer } = steppedLimits();
    const counts = Array.from({ length: 2_000 }, (_, at) => makeCalls(limits, 2, { name: `name ${at}` }).count);
    const waiting = () => counts.filter((count) => count.passed + count.refused < 2).length;
    await endOfTurn();
    await answer(25_000);
    await answer(25_000);
    expect([sent.length, waiting()]).toEqual([3, 1_600]);
    await answer(10_000);
    expect(waiting()).toBe(0);
    expect(counts.every((count) => count.passed === 2)).toBe(true);
    expect(makeCalls(limits, 3, { name: 'another' }).count.passed).toBe(3);
  });

  test('a later call has its whole time', async () => {
    const { limits, answer } = steppedLimits();
    makeCalls(limits, 2, { name: 'first' });
    await endOfTurn();
    const { count } = makeCalls(limits, 2, { name: 'second' });
    await answer(50_000);
    const third = makeCalls(limits, 2, { name: 'third' }).count;
    await answer(9_999);
    expect([count.passed, third.passed]).toEqual([2, 0]);
    await answer(1);
    expect(third.passed).toBe(2);
  });
});

describe('a process whose database does not answer in time', () => {
  test('lets one call wait for a moment and the next ones not at all, and applies the limit by itself', async () => {
    const { slow, holdFor } = slowAndFast();
    holdFor(new Promise(() => undefined));
    expect(await makeCalls(slow, 10).done).toMatchObject({ passed: 4, refused: 6, waitSeconds: 1 });
    expect(makeCalls(slow, 10, { name: 'other' }).count).toMatchObject({ passed: 4, refused: 6 });
  });

  test('still counts alone after a late answer, and with the others after one in time', async () => {
    const { slow, fast, wait, holdFor } = slowAndFast();
    let answer = (): void => undefined;
    holdFor(new Promise<void>((resolve) => (answer = resolve)));
    await makeCalls(slow, 1).done;
    answer();
    await endOfTurn();
    expect(makeCalls(slow, 1, { name: 'second' }).count).toMatchObject({ passed: 1 });
    holdFor(null);
    wait(1_000);
    expect(makeCalls(slow, 2, { name: 'third' }).count).toMatchObject({ passed: 2 });
    await endOfTurn();
    await makeCalls(fast, 4, { name: 'fourth' }).done;
    expect(await makeCalls(slow, 4, { name: 'fourth' }).done).toMatchObject({ passed: 0, refused: 4 });
  });

  test.each([
    [
      'an answer that comes late',
      (hold: (answer: Promise<unknown> | null) => void) => {
        let answer = (): void => undefined;
        hold(new Promise<void>((resolve) => (answer = resolve)));
        return () => answer();
      },
    ],
    [
      'a failure',
      (hold: (answer: Promise<unknown> | null) => void) => {
        const failure = Promise.reject(new Error('the database is away'));
        failure.catch(() => undefined);
        hold(failure);
        return () => undefined;
      },
    ],
  ])('reports afterwards what it admitted by itself, after %s', async (_, hold) => {
    const { slow, fast, wait, holdFor } = slowAndFast();
    await makeCalls(fast, 4).done;
    const answer = hold(holdFor);
    expect(await makeCalls(slow, 10).done).toMatchObject({ passed: 4, refused: 6 });
    answer();
    await endOfTurn();
    holdFor(null);
    // The bucket has two tokens again by then.
    wait(1_000);
    await makeCalls(slow, 2, { name: 'other' }).done;
    await endOfTurn();
    expect(await makeCalls(fast, 10).done).toMatchObject({ passed: 0, refused: 10 });
    wait(3_000);
    expect(await makeCalls(fast, 10).done).toMatchObject({ passed: 4 });
  });
});
