import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import type { Cursor } from '../database/page.js';
import { groupErrors } from './error-groups.js';
import { insertActivityBatch } from './activity-batch.js';
import { DatabaseTime } from './database-time.js';
import { prepareActivity } from './activity-relation.js';
import { type RequestSearch, SCANNED_MAX, searchRequests } from './request-listing.js';

let testDatabase: TestDatabase;
let scope: Scope;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  scope = createTestScope();
  // One that is rare behind more entries than a page looks through.
  await insertRequests([{ name: 'rare', agoMs: 100_000 }, ...createCommon(SCANNED_MAX + 50)]);
});
afterAll(() => testDatabase.close());

interface TestRequest {
  readonly name: string;
  readonly agoMs: number;
  readonly status?: number;
}

function createCommon(count: number): TestRequest[] {
  return Array.from({ length: count }, (_, at) => ({ name: 'common', agoMs: 1_000 + at }));
}

async function insertRequests(requests: readonly TestRequest[]): Promise<void> {
  const now = performance.now();
  const batch = requests.map(({ name, agoMs, status = 200 }) => ({
    scope,
    startedAtMs: now - agoMs,
    row: prepareActivity({
      ...{ scope, kind: 'ApiRequest', name, subjectId: null, status, reason: status < 400 ? null : 'refused' },
      ...{ outcome: status < 400 ? 'Succeeded' : 'Refused', keyId: null, traceId: null, startedAtMs: 0, tookMs: 1 },
      details: {},
    }),
  }));
  await insertActivityBatch(testDatabase.database, batch, new DatabaseTime());
}

const ALL = { name: null, outcome: null, status: null, keyId: null, traceId: null, from: null, to: null } as const;

function search(query: Partial<RequestSearch>) {
  return testDatabase.database.read(scope, (reader) =>
    searchRequests(reader, { ...ALL, limit: 10, cursor: null, direction: 'older', ...query }),
  );
}

test('a page that has looked through its share of entries ends without a match, and leads to the next one', async () => {
  const first = await search({ name: 'rare' });
  expect([first.elements, first.older === null]).toEqual([[], false]);
  const second = await search({ name: 'rare', cursor: first.older });
  expect(second.elements.map(({ name }) => name)).toEqual(['rare']);
  expect(second.older).toBeNull();
});

test('all pages together have each entry once, in the order of time', async () => {
  const seen: string[] = [];
  let last = Infinity;
  let cursor: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search({ limit: 2_000, cursor });
    for (const { id, createdAt } of page.elements) {
      seen.push(id);
      expect(createdAt.getTime()).toBeLessThanOrEqual(last);
      last = createdAt.getTime();
    }
    cursor = page.older;
  } while (cursor !== null);
  expect([seen.length, new Set(seen).size]).toEqual([SCANNED_MAX + 51, SCANNED_MAX + 51]);
});

test('errors are counted up to a limit, and the answer says so', async () => {
  await insertRequests([
    { name: 'pay', agoMs: 9_000, status: 409 },
    { name: 'pay', agoMs: 8_000, status: 409 },
    { name: 'pay', agoMs: 7_000, status: 500 },
  ]);
  const group = (countedMax?: number) =>
    testDatabase.database.read(scope, (reader) =>
      groupErrors(reader, {
        ...{ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) },
        ...(countedMax !== undefined && { countedMax }),
      }),
    );
  expect(await group()).toMatchObject({
    isComplete: true,
    groups: [
      { status: 409, count: 2 },
      { status: 500, count: 1 },
    ],
  });
  expect(await group(3)).toMatchObject({ isComplete: true });
  expect(await group(2)).toMatchObject({ isComplete: false });
});
