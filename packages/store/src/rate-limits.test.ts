import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Allowance, TokenGrant, TokenRequest } from '@pos/core/rate-limit';
import { Refusal } from '@pos/core/refusal';
import fc from 'fast-check';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.js';
import { RateLimits } from './rate-limits.js';
import { freshDatabase, type TestDatabase } from './testing.js';
import { TokenBucketsModel } from './testing-token-buckets.js';

const ALLOWANCE = { burst: 4, perSecond: 2 };

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(() => place.close());

type Source = Pick<Database, 'takeTokens'>;

/** How many calls pass, and how long the first refused one is told to wait. */
interface Count {
  passed: number;
  refused: number;
  waitSeconds: number | null;
}

const newCount = (): Count => ({ passed: 0, refused: 0, waitSeconds: null });

/** Makes calls of one moment, and counts each when it is answered. */
function call(
  limits: RateLimits,
  calls: number,
  {
    name = 'key',
    allowance = ALLOWANCE,
    count = newCount(),
  }: { readonly name?: string; readonly allowance?: Allowance; readonly count?: Count } = {},
) {
  const refuse = (error: unknown): void => {
    if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error;
    count.refused += 1;
    count.waitSeconds ??= Number(error.data?.['retryAfterSeconds']);
  };
  const pass = (): void => {
    count.passed += 1;
  };
  const open: Promise<void>[] = [];
  for (let made = 0; made < calls; made += 1) {
    try {
      const taken = limits.take(name, allowance);
      if (taken === undefined) pass();
      else open.push(taken.then(pass, refuse));
    } catch (error) {
      refuse(error);
    }
  }
  return { count, done: Promise.all(open).then(() => count) };
}

/** A process whose database answers at once, by a clock of the test. */
function limitsAt(sourceOf: (model: TokenBucketsModel) => Source = answering) {
  let nowMs = 0;
  const now = () => nowMs;
  const source = sourceOf(new TokenBucketsModel(now));
  const limits = new RateLimits(source, { now, waitMs: 60_000 });
  return {
    limits,
    another: () => new RateLimits(source, { now, waitMs: 60_000 }),
    wait: (ms: number) => (nowMs += ms),
  };
}

function answering(model: TokenBucketsModel): Source {
  return { takeTokens: (requests) => Promise.resolve(requests.map((request) => model.take(request))) };
}

const away: Source = { takeTokens: () => Promise.reject(new Error('the database is away')) };

describe.each([
  ['with its database', answering],
  ['without its database', () => away],
])('a process %s', (_, source) => {
  test.each([
    ['a burst, and then no more', 0, 4],
    ['nothing before there is a whole token again', 499, 0],
    ['one more after half a second', 500, 1],
    ['two more after a second', 1_000, 2],
    ['no more than a burst, however long nobody called', 3_600_000, 4],
  ])('gives a caller %s', async (_says, afterMs, passes) => {
    const { limits, wait } = limitsAt(source);
    if (afterMs > 0) await call(limits, 10).done;
    wait(afterMs);
    expect(await call(limits, 10).done).toMatchObject({ passed: passes, refused: 10 - passes });
  });

  test('takes nothing from one caller for what another one spends', async () => {
    const { limits } = limitsAt(source);
    await call(limits, 10, { name: 'one' }).done;
    expect(await call(limits, 10, { name: 'other' }).done).toMatchObject({ passed: 4 });
  });

  test('lets a caller through who waits as long as the refusal says', async () => {
    const { limits, wait } = limitsAt(source);
    const { waitSeconds } = await call(limits, 10).done;
    expect(waitSeconds).toBe(1);
    wait(Number(waitSeconds) * 1000);
    expect(await call(limits, 1).done).toMatchObject({ passed: 1 });
  });

  test('gives a returned token to the next call', async () => {
    const { limits } = limitsAt(source);
    await call(limits, 4).done;
    limits.giveBack('key', ALLOWANCE);
    expect(await call(limits, 10).done).toMatchObject({ passed: 1 });
  });
});

const KEY = { burst: 400, perSecond: 200 };

test('the first calls of a name, and steady calls below its rate, pass without waiting for the database', async () => {
  const { limits, wait } = limitsAt();
  for (let ms = 0; ms < 3_000; ms += 10) {
    const { count, done } = call(limits, 1, { allowance: KEY });
    expect(count.passed).toBe(1);
    wait(10);
    await done;
    await endOfTurn();
  }
});

test('calls of many names that have to wait are asked for by one statement', async () => {
  let statements = 0;
  const { limits } = limitsAt((model) => ({
    takeTokens: (requests) => {
      statements += 1;
      return Promise.resolve(requests.map((request) => model.take(request)));
    },
  }));
  await Promise.all(Array.from({ length: 50 }, (_, at) => call(limits, 3, { name: `name ${at}` }).done));
  expect(statements).toBe(1);
});

test('a flood of refused calls asks the database at most twenty times a second', async () => {
  let statements = 0;
  const { limits, wait } = limitsAt((model) => ({
    takeTokens: (requests) => {
      statements += 1;
      return Promise.resolve(requests.map((request) => model.take(request)));
    },
  }));
  await call(limits, 1_000, { allowance: KEY }).done;
  statements = 0;
  const count = newCount();
  for (let ms = 0; ms < 1_000; ms += 1) {
    wait(1);
    await call(limits, 10, { allowance: KEY, count }).done;
  }
  expect(statements).toBeLessThanOrEqual(40);
  expect(count.passed).toBeGreaterThanOrEqual(180);
  expect(count.passed).toBeLessThanOrEqual(200);
});

/** A network between one process and the relation: requests and answers wait until the test moves them. */
class SlowNetwork implements Source {
  readonly #steps: (() => void)[] = [];

  constructor(private readonly model: TokenBucketsModel) {}

  takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]> {
    return new Promise((resolve) => {
      this.#steps.push(() => {
        const grants = requests.map((request) => this.model.take(request));
        this.#steps.push(() => resolve(grants));
      });
    });
  }

  /** Takes the oldest request to the relation, or its answer back. */
  async move(): Promise<void> {
    this.#steps.shift()?.();
    await endOfTurn();
  }
}

const PROCESSES = 4;
const ALLOWANCES: readonly Allowance[] = [
  { burst: 4, perSecond: 2 },
  { burst: 20, perSecond: 10 },
  { burst: 40, perSecond: 2 / 3 },
  { burst: 60, perSecond: 1 },
  KEY,
];

const event = fc.record({
  process: fc.nat({ max: PROCESSES - 1 }),
  calls: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 500 })),
  pauseMs: fc.oneof(fc.constant(0), fc.nat({ max: 40 }), fc.nat({ max: 3_000 })),
  moves: fc.nat({ max: 3 }),
});

test('four processes admit together at most a fifth more than the limit, in whatever order they ask and are answered', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...ALLOWANCES),
    fc.array(event, { maxLength: 40 }),
    async (allowance, events) => {
      let nowMs = 0;
      const now = () => nowMs;
      const model = new TokenBucketsModel(now);
      const processes = Array.from({ length: PROCESSES }, () => {
        const network = new SlowNetwork(model);
        return { network, limits: new RateLimits(network, { now, waitMs: 60_000 }) };
      });
      const count = newCount();
      for (const { process, calls, pauseMs, moves } of events) {
        nowMs += pauseMs;
        call(processes[process]!.limits, calls, { allowance, count });
        await endOfTurn();
        for (let move = 0; move < moves; move += 1) await processes[process]!.network.move();
        expect(count.passed).toBeLessThanOrEqual(1.2 * allowance.burst + (nowMs / 1000) * allowance.perSecond);
      }
    },
  );
  await fc.assert(property, { numRuns: 150 });
});

const flood = fc.record({
  senders: fc.uniqueArray(fc.nat({ max: PROCESSES - 1 }), { minLength: 1, maxLength: PROCESSES }),
  pauseMs: fc.integer({ min: 1, max: 3_000 }),
});

test('callers who ask for more than the limit get at least four fifths of it, through however many processes', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...ALLOWANCES),
    fc.array(flood, { maxLength: 30 }),
    async (allowance, floods) => {
      const { limits, another, wait } = limitsAt();
      const processes = [limits, ...Array.from({ length: PROCESSES - 1 }, another)];
      const count = newCount();
      let most = allowance.burst;
      const sendAll = (senders: readonly number[]) =>
        Promise.all(senders.map((at) => call(processes[at]!, allowance.burst, { allowance, count }).done));
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
  await fc.assert(property, { numRuns: 150 });
});

test('without an answer yet, four processes have admitted a fifth of the limit on trust and no more', async () => {
  const count = newCount();
  for (let process = 0; process < PROCESSES; process += 1) {
    const limits = new RateLimits({ takeTokens: () => new Promise(() => undefined) }, { waitMs: 60_000 });
    for (let wave = 0; wave < 30; wave += 1) {
      call(limits, 3, { allowance: KEY, count });
      await endOfTurn();
    }
  }
  expect(count).toEqual({ passed: 80, refused: 0, waitSeconds: null });
});

/** A process whose database does not answer while the test says so, and another one whose database always does. */
function slowAndFast() {
  let nowMs = 0;
  const now = () => nowMs;
  const model = new TokenBucketsModel(now);
  let gate: Promise<unknown> | null = null;
  const slowSource: Source = {
    takeTokens: async (requests) => {
      await gate;
      return requests.map((request) => model.take(request));
    },
  };
  return {
    slow: new RateLimits(slowSource, { now, waitMs: 10 }),
    fast: new RateLimits(answering(model), { now, waitMs: 60_000 }),
    wait: (ms: number) => (nowMs += ms),
    /** From now on requests wait for this. */
    holdFor: (answer: Promise<unknown> | null): void => {
      gate = answer;
    },
  };
}

/** A database that is away, or answers late, while the test says so. */
class FailingSource implements Source {
  state: 'well' | 'away' | 'late' = 'well';
  readonly #late: (() => void)[] = [];

  constructor(private readonly model: TokenBucketsModel) {}

  async takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]> {
    if (this.state === 'away') throw new Error('the database is away');
    if (this.state === 'late') await new Promise<void>((resolve) => this.#late.push(resolve));
    return requests.map((request) => this.model.take(request));
  }

  mend(): void {
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

/** Makes calls at a steady rate through two processes by turns; the database of the first has the outages. */
async function callThrough(
  outages: readonly Outage[],
  {
    allowance,
    everyMs,
    callsAtOnce,
    processes,
  }: {
    readonly allowance: Allowance;
    readonly everyMs: number;
    readonly callsAtOnce: number;
    readonly processes: number;
  },
) {
  let nowMs = 0;
  const now = () => nowMs;
  const model = new TokenBucketsModel(now);
  const source = new FailingSource(model);
  const limits = [source, answering(model)].map((each) => new RateLimits(each, { now, waitMs: 1 }));
  const count = newCount();
  let calls = 0;
  const callFor = async (ms: number): Promise<void> => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += everyMs) {
      await call(limits[(calls += 1) % processes]!, callsAtOnce, { allowance, count }).done;
      await endOfTurn();
    }
  };
  for (const { kind, wellMs, outMs } of outages) {
    source.state = kind;
    await callFor(outMs);
    source.mend();
    await endOfTurn();
    await callFor(wellMs);
  }
  return { count, seconds: nowMs / 1000 };
}

const BUCKETS = fc.constantFrom(KEY, { burst: 60, perSecond: 1 }, { burst: 20, perSecond: 10 });

test.each([1, 2])(
  'a caller below its rate is never refused after an outage, through %i processes',
  async (processes) => {
    const property = fc.asyncProperty(BUCKETS, fc.array(outage, { maxLength: 3 }), async (allowance, outages) => {
      const everyMs = 1_100 / allowance.perSecond;
      const { count } = await callThrough(outages, { allowance, everyMs, callsAtOnce: 1, processes });
      expect(count.refused).toBe(0);
    });
    await fc.assert(property, { numRuns: 25 });
  },
);

test('a caller above its rate gets at most the limit from one process, and a burst more for each outage', async () => {
  const property = fc.asyncProperty(BUCKETS, fc.array(outage, { maxLength: 3 }), async (allowance, outages) => {
    const everyMs = 2_500 / allowance.perSecond;
    const { count, seconds } = await callThrough(outages, { allowance, everyMs, callsAtOnce: 5, processes: 1 });
    const bursts = 1 + outages.length;
    expect(count.passed).toBeLessThanOrEqual(bursts * allowance.burst + seconds * allowance.perSecond + 1);
  });
  await fc.assert(property, { numRuns: 25 });
});

test('a caller above its rate is refused again after an outage', async () => {
  const { count } = await callThrough([{ kind: 'away', outMs: 8_000, wellMs: 5_000 }], {
    ...{ allowance: KEY, everyMs: 5, callsAtOnce: 5, processes: 1 },
  });
  expect(count.refused).toBeGreaterThan(9_500);
});

/** A process whose statements wait until the test answers them, by a clock of the test. */
function steppedLimits() {
  let nowMs = 0;
  const now = () => nowMs;
  const network = new SlowNetwork(new TokenBucketsModel(now));
  const sent: string[][] = [];
  const source: Source = {
    takeTokens: (requests) => {
      sent.push(requests.map((request) => request.name));
      return network.takeTokens(requests);
    },
  };
  const limits = new RateLimits(source, { now, waitMs: 60_000 });
  const answer = async (afterMs: number): Promise<void> => {
    nowMs += afterMs;
    await network.move();
    await network.move();
    await endOfTurn();
  };
  return { limits, sent, answer };
}

const ADDRESS = { burst: 20, perSecond: 10 };

describe('behind a flood of names', () => {
  test('a call that waits is asked for by the next statement', async () => {
    const { limits, sent, answer } = steppedLimits();
    call(limits, 2, { name: 'first', allowance: ADDRESS });
    await endOfTurn();
    for (let at = 0; at < 30_000; at += 1) call(limits, 1, { name: `address ${at}`, allowance: ADDRESS });
    const { count } = call(limits, 2, { name: 'tenant' });
    expect(count.passed).toBe(0);
    await answer(5);
    expect(sent[1]?.[0]).toBe('tenant');
    expect(sent[1]).toHaveLength(200);
    await answer(5);
    expect(count.passed).toBe(2);
  });

  test('no call waits longer than its own limit, however many others wait', async () => {
    const { limits, sent, answer } = steppedLimits();
    const counts = Array.from({ length: 2_000 }, (_, at) => call(limits, 2, { name: `name ${at}` }).count);
    const waiting = () => counts.filter((count) => count.passed + count.refused < 2).length;
    await endOfTurn();
    await answer(25_000);
    await answer(25_000);
    expect([sent.length, waiting()]).toEqual([3, 1_600]);
    await answer(10_000);
    expect(waiting()).toBe(0);
    expect(counts.every((count) => count.passed === 2)).toBe(true);
    expect(call(limits, 3, { name: 'another' }).count.passed).toBe(3);
  });

  test('a call that comes later has its whole time', async () => {
    const { limits, answer } = steppedLimits();
    call(limits, 2, { name: 'first' });
    await endOfTurn();
    const { count } = call(limits, 2, { name: 'second' });
    await answer(50_000);
    const third = call(limits, 2, { name: 'third' }).count;
    await answer(9_999);
    expect([count.passed, third.passed]).toEqual([2, 0]);
    await answer(1);
    expect(third.passed).toBe(2);
  });
});

describe('a process whose database does not answer in time', () => {
  test('lets a call wait for a moment and the next ones not at all, and applies the limit by itself', async () => {
    const { slow, holdFor } = slowAndFast();
    holdFor(new Promise(() => undefined));
    expect(await call(slow, 10).done).toMatchObject({ passed: 4, refused: 6, waitSeconds: 1 });
    expect(call(slow, 10, { name: 'other' }).count).toMatchObject({ passed: 4, refused: 6 });
  });

  test('still counts alone after a late answer, and together after one in time', async () => {
    const { slow, fast, wait, holdFor } = slowAndFast();
    let answer = (): void => undefined;
    holdFor(new Promise<void>((resolve) => (answer = resolve)));
    await call(slow, 1).done;
    answer();
    await endOfTurn();
    expect(call(slow, 1, { name: 'second' }).count).toMatchObject({ passed: 1 });
    holdFor(null);
    wait(1_000);
    expect(call(slow, 2, { name: 'third' }).count).toMatchObject({ passed: 2 });
    await endOfTurn();
    await call(fast, 4, { name: 'fourth' }).done;
    expect(await call(slow, 4, { name: 'fourth' }).done).toMatchObject({ passed: 0, refused: 4 });
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
    await call(fast, 4).done;
    const answer = hold(holdFor);
    expect(await call(slow, 10).done).toMatchObject({ passed: 4, refused: 6 });
    answer();
    await endOfTurn();
    holdFor(null);
    // The bucket would have two tokens again.
    wait(1_000);
    await call(slow, 2, { name: 'other' }).done;
    await endOfTurn();
    expect(await call(fast, 10).done).toMatchObject({ passed: 0, refused: 10 });
    wait(3_000);
    expect(await call(fast, 10).done).toMatchObject({ passed: 4 });
  });
});

/** So slow that what comes back during a test is nothing. */
const SLOW = { burst: 400, perSecond: 0.001 };

test('four processes on one database admit no more than a fifth above a limit, and all of it', async () => {
  const databases = await Promise.all(Array.from({ length: PROCESSES }, () => place.open()));
  const processes = databases.map((database) => new RateLimits(database, { waitMs: 60_000 }));
  const count = newCount();
  const allowance = SLOW;
  for (let wave = 0; wave < 30; wave += 1) {
    await Promise.all(processes.map((limits) => call(limits, 40, { name: 'shared', allowance, count }).done));
  }
  expect(count.passed + count.refused).toBe(30 * PROCESSES * 40);
  expect(count.passed).toBeGreaterThanOrEqual(400);
  expect(count.passed).toBeLessThanOrEqual(480);
  expect(count.waitSeconds).toBeGreaterThan(1);
});

test('a process says once that it counts alone, and why, and once that it does no longer', async () => {
  const database = await place.open();
  const lines: unknown[] = [];
  const log = {
    info: (...line: readonly unknown[]) => lines.push(line),
    warn: (...line: readonly unknown[]) => lines.push(line),
  };
  let isAway = false;
  const source: Source = { takeTokens: (requests) => (isAway ? away : database).takeTokens(requests) };
  const limits = await RateLimits.open(source, log);
  await call(limits, 3, { allowance: { burst: 10, perSecond: 1 } }).done;
  expect(lines).toEqual([]);
  isAway = true;
  for (let calls = 0; calls < 3; calls += 1) await call(limits, 2, { name: `name ${calls}` }).done;
  const error = expect.objectContaining({ message: 'the database is away' });
  expect(lines).toEqual([['rate_limits.counted_alone', { error }]]);
  isAway = false;
  for (let calls = 0; lines.length === 1; calls += 1) {
    await pause(10);
    await call(limits, 2, { name: `other ${calls}` }).done;
  }
  expect(lines.slice(1)).toEqual([['rate_limits.counted_together']]);
});

test('a process whose database is closed still limits', async () => {
  const database = await place.open();
  await database.close();
  const limits = new RateLimits(database, { waitMs: 60_000 });
  const count = newCount();
  for (let wave = 0; wave < 5; wave += 1) await call(limits, 200, { allowance: SLOW, count }).done;
  expect(count).toMatchObject({ passed: 400, refused: 600 });
});
