import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TokenRequest } from '@pos/core/rate-limits';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { deleteFullBuckets } from './token-buckets.js';
import { TokenBucketsModel } from '../testing/token-buckets-model.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

/** So slow that no token is refilled during a test. */
const SLOW = { burst: 20, perSecond: 0.001 };

let names = 0;
const newName = (): string => `bucket ${(names += 1)}`;

async function take(more: Partial<TokenRequest> & { readonly name: string }) {
  const [grant] = await testDatabase.database.takeTokens([
    { allowance: SLOW, spent: 0, aloneSeconds: 0, wanted: 0, ...more },
  ]);
  return { granted: grant?.granted, tokens: Math.round(grant?.tokens ?? NaN) };
}

/** Moves the stored times back, as if this time had passed. */
async function wait(seconds: number): Promise<void> {
  await testDatabase.database.dataSource.query(
    `update token_buckets set updated_at = updated_at - $1 * interval '1 second'`,
    [seconds],
  );
}

const countRows = async (): Promise<number> => {
  const [row] = await testDatabase.database.dataSource.query<{ n: number }[]>(
    'select count(*)::int as n from token_buckets',
  );
  return row?.n ?? NaN;
};

test.each<[string, Partial<TokenRequest>, { granted: number; tokens: number }]>([
  ['the wanted tokens', { wanted: 5 }, { granted: 5, tokens: 15 }],
  ['at most the stored tokens', { wanted: 50 }, { granted: 20, tokens: 0 }],
  ['the rest after the spent tokens', { spent: 18, wanted: 5 }, { granted: 2, tokens: 0 }],
  ['nothing if more was spent than stored', { spent: 23, wanted: 1 }, { granted: 0, tokens: -3 }],
  ['at most a burst of debt', { spent: 1_000, wanted: 1 }, { granted: 0, tokens: -20 }],
  ['no more than a burst after tokens were returned', { spent: -30, wanted: 25 }, { granted: 20, tokens: 0 }],
])('a new bucket gives %s', async (_, request, expected) => {
  expect(await take({ name: newName(), ...request })).toEqual(expected);
});

/** One token is refilled in 1,000 seconds. */
test.each<[string, { firstTaken: number; waitSeconds: number } & Partial<TokenRequest>, number]>([
  [
    'all that was refilled while it was spent',
    { firstTaken: 5, waitSeconds: 30_000, spent: 30, aloneSeconds: 30_000 },
    15,
  ],
  ['the same of a full bucket', { firstTaken: 0, waitSeconds: 30_000, spent: 25, aloneSeconds: 30_000 }, 20],
  ['debt if more was spent than refilled', { firstTaken: 5, waitSeconds: 30_000, spent: 50, aloneSeconds: 30_000 }, -5],
  ['no more than a burst from before it', { firstTaken: 5, waitSeconds: 90_000, spent: 30, aloneSeconds: 30_000 }, 20],
  [
    'nothing of the time before, where it was full',
    { firstTaken: 0, waitSeconds: 90_000, spent: 12, aloneSeconds: 3_000 },
    11,
  ],
  ['no debt for what may have been lost', { firstTaken: 5, waitSeconds: 1_000, spent: 12, aloneSeconds: 13_000 }, 16],
  ['debt for more than may have been lost', { firstTaken: 5, waitSeconds: 1_000, spent: 12, aloneSeconds: 11_000 }, 14],
  [
    'no token in place of those that may have been lost',
    { firstTaken: 15, waitSeconds: 1_000, spent: 2, aloneSeconds: 99_000 },
    6,
  ],
  ['no token for those that were returned', { firstTaken: 15, waitSeconds: 1_000, spent: -2, aloneSeconds: 99_000 }, 8],
  ['at most a burst of debt', { firstTaken: 20, waitSeconds: 1_000, spent: 90, aloneSeconds: 1_000 }, -20],
])(
  'what a process spent while it counted alone leaves %s',
  async (_, { firstTaken, waitSeconds, ...request }, tokens) => {
    const name = newName();
    await take({ name, wanted: firstTaken });
    await wait(waitSeconds);
    expect((await take({ name, ...request })).tokens).toBe(tokens);
  },
);

test('a bucket belongs to its name and to its app, and all processes of the app share it', async () => {
  const name = newName();
  expect(await take({ name, wanted: 20 })).toEqual({ granted: 20, tokens: 0 });
  expect(await take({ name: newName(), wanted: 1 })).toEqual({ granted: 1, tokens: 19 });
  const request = [{ name, allowance: SLOW, spent: 0, aloneSeconds: 0, wanted: 1 }];
  expect(await (await testDatabase.open()).takeTokens(request)).toEqual([expect.objectContaining({ granted: 0 })]);
  const otherApp = await testDatabase.open({ applicationName: 'another app' });
  expect(await otherApp.takeTokens(request)).toEqual([expect.objectContaining({ granted: 1 })]);
});

test('requests of many buckets are answered in their order, and processes with other orders do not deadlock', async () => {
  const allowance = { burst: 10_000, perSecond: 0.001 };
  const requests = Array.from({ length: 100 }, (_, at) => ({
    name: newName(),
    allowance,
    spent: 0,
    aloneSeconds: 0,
    wanted: at % 5,
  }));
  const other = await testDatabase.open();
  const rounds = Array.from({ length: 40 }, (_, at) => {
    const [client, isBackward] = at % 2 === 0 ? [testDatabase.database, false] : [other, true];
    return client.takeTokens(isBackward ? requests.toReversed() : requests);
  });
  const granted = (await Promise.all(rounds)).map((grants) => grants.map((grant) => grant.granted));
  const wanted = requests.map((request) => request.wanted);
  expect(granted).toEqual(rounds.map((_, at) => (at % 2 === 0 ? wanted : wanted.toReversed())));
});

test('no row contains a key, an address or an intent', async () => {
  await take({ name: 'address 192.0.2.77' });
  const rows = await testDatabase.database.dataSource.query<object[]>('select * from token_buckets');
  expect(JSON.stringify(rows)).not.toContain('192.0.2.77');
  expect(JSON.stringify(rows)).not.toContain(Buffer.from('192.0.2.77').toString('hex'));
});

test('buckets are deleted when they are full again, and not before', async () => {
  await wait(1_000_000);
  await deleteFullBuckets(testDatabase.database);
  expect(await countRows()).toBe(0);
  const name = newName();
  await take({ name, spent: 10 });
  await take({ name: newName(), spent: 30 });
  await wait(9_000);
  await deleteFullBuckets(testDatabase.database);
  expect(await countRows()).toBe(2);
  await wait(1_001);
  await deleteFullBuckets(testDatabase.database);
  expect(await countRows()).toBe(1);
  expect(await take({ name, wanted: 30 })).toEqual({ granted: 20, tokens: 0 });
});

test.each([
  ['an hour', 3_600],
  ['two seconds', 2],
])('after the clock stepped back by %s, buckets fill from then on', async (_, seconds) => {
  const name = newName();
  await take({ name, wanted: 20 });
  await wait(-seconds);
  expect(await take({ name, wanted: 1 })).toEqual({ granted: 0, tokens: 0 });
  await wait(2_001);
  expect(await take({ name, wanted: 20 })).toEqual({ granted: 2, tokens: 0 });
});

test('a clock that is behind by less than a second fills no bucket twice', async () => {
  const allowance = { burst: 1_000, perSecond: 1 };
  const name = newName();
  await take({ name, allowance, wanted: 1_000 });
  for (let round = 0; round < 100; round += 1) {
    await wait(-0.5);
    await take({ name, allowance });
    await wait(0.5);
    await take({ name, allowance });
  }
  // The times were moved back by 50 seconds; the time that has really passed is far less.
  expect((await take({ name, allowance })).tokens).toBeLessThan(40);
});

test('buckets whose time is far ahead of the clock are deleted, and those that are a moment ahead are not', async () => {
  await wait(1_000_000);
  await deleteFullBuckets(testDatabase.database);
  const names = [newName(), newName()];
  for (const name of names) await take({ name, wanted: 20 });
  await wait(-0.9);
  await deleteFullBuckets(testDatabase.database);
  expect(await countRows()).toBe(2);
  await wait(-3_600);
  await take({ name: names[0]!, wanted: 1 });
  await deleteFullBuckets(testDatabase.database);
  expect(await countRows()).toBe(1);
  expect(await take({ name: names[0]!, wanted: 1 })).toEqual({ granted: 0, tokens: 0 });
});

const step = fc.record({
  seconds: fc.oneof(fc.nat({ max: 12_000 }), fc.integer({ min: -5, max: -1 }), fc.integer({ min: -12_000, max: -1 })),
  spent: fc.integer({ min: -10, max: 30 }),
  aloneSeconds: fc.oneof(fc.constant(0), fc.nat({ max: 30_000 })),
  wanted: fc.nat({ max: 30 }),
  burst: fc.constantFrom(20, 10),
});

test('the relation behaves like the model of the property tests', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, async (requests) => {
      let nowMs = 0;
      const model = new TokenBucketsModel(() => nowMs);
      const name = newName();
      for (const { seconds, burst, ...request } of requests) {
        // The half keeps the milliseconds that the test takes away from a whole token.
        nowMs += (seconds + 0.5) * 1000;
        await wait(seconds + 0.5);
        const tokenRequest = { name, allowance: { burst, perSecond: 0.001 }, ...request };
        const [grant] = await testDatabase.database.takeTokens([tokenRequest]);
        const expected = model.take(tokenRequest);
        expect(grant).toEqual({ granted: expected.granted, tokens: expect.closeTo(expected.tokens, 2) });
      }
    }),
    { numRuns: 60 },
  );
});
