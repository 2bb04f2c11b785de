import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PAYMENT_INTENT_STATUSES, type PaymentIntentStatus } from '@pos/core/payment-intents';
import type { Scope } from '@pos/core/identity';
import fc from 'fast-check';
import pg from 'pg';
import type { Cursor, Direction } from '../database/page.js';
import { plantIntents, type PlantedRow } from '../testing/planted-rows.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { searchIntents } from './payment-intents.js';

const START = Date.UTC(2026, 0, 1);
const PAGES_MAX = 200;

let testDatabase: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** Few times, so that many rows share one. */
const time = fc.integer({ min: 0, max: 5 }).map((second) => new Date(START + second * 1000));
const status = fc.constantFrom(...PAYMENT_INTENT_STATUSES);
const row = fc.record({
  id: fc.uuid().map((id) => `pi_${id}`),
  status,
  createdAt: time,
  customerId: fc.constantFrom(null, 'cu_1', 'cu_2'),
});
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 30 });
const terms = fc.record({
  statuses: fc.uniqueArray(status),
  from: fc.option(time),
  to: fc.option(time),
  customerId: fc.constantFrom(null, 'cu_1'),
  limit: fc.integer({ min: 1, max: 4 }),
});
interface Terms {
  readonly statuses: readonly PaymentIntentStatus[];
  readonly from: Date | null;
  readonly to: Date | null;
  readonly customerId: string | null;
  readonly limit: number;
}

function isWanted({ status: own, createdAt, customerId = null }: PlantedRow, wanted: Terms): boolean {
  const isOfStatus =
    wanted.statuses.length === 0 ? own !== 'Canceled' : (wanted.statuses as readonly string[]).includes(own);
  const isInRange = (wanted.from === null || createdAt >= wanted.from) && (wanted.to === null || createdAt < wanted.to);
  return isOfStatus && isInRange && (wanted.customerId === null || wanted.customerId === customerId);
}

function compareRows(one: PlantedRow, other: PlantedRow): number {
  const difference = other.createdAt.getTime() - one.createdAt.getTime();
  return difference === 0 ? (one.id < other.id ? 1 : -1) : difference;
}

const filter = (planted: readonly PlantedRow[], wanted: Terms): string[] =>
  planted
    .filter((each) => isWanted(each, wanted))
    .sort(compareRows)
    .map(({ id }) => id);

/** All pages from a cursor to the end of its direction, and the cursor of each page for newer rows. */
async function readAll(
  scope: Scope,
  wanted: Terms,
  { cursor: first, direction }: { readonly cursor: Cursor | null; readonly direction: Direction },
): Promise<{ readonly ids: readonly string[]; readonly cursors: readonly Cursor[] }> {
  const [ids, cursors]: [string[], Cursor[]] = [[], []];
  let cursor = first;
  for (let count = 0; count < PAGES_MAX; count += 1) {
    const place = { cursor, direction };
    const page = await testDatabase.database.read(scope, (reader) => searchIntents(reader, { ...wanted, ...place }));
    expect(page.elements.length).toBeLessThanOrEqual(wanted.limit);
    const found = page.elements.map(({ id }) => id);
    ids.push(...(direction === 'older' ? found : found.reverse()));
    if (page.newer !== null) cursors.push(page.newer);
    cursor = page[direction];
    if (cursor === null || found.length === 0) return { ids, cursors };
  }
  throw new Error('the pages have no end');
}

test('pages of older intents are what a filter over all of them returns', async () => {
  await fc.assert(
    fc.asyncProperty(rows, terms, async (planted, wanted) => {
      const scope = createTestScope();
      await plantIntents(owner, scope, planted);
      const { ids } = await readAll(scope, wanted, { cursor: null, direction: 'older' });
      expect(ids).toEqual(filter(planted, wanted));
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('pages of newer intents are those after the cursor and those that were committed since, each once', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, terms, async (planted, later, wanted) => {
      const scope = createTestScope();
      await plantIntents(owner, scope, planted);
      const { cursors } = await readAll(scope, wanted, { cursor: null, direction: 'older' });
      const cursor = cursors.at(-1);
      fc.pre(cursor !== undefined);
      const known = new Set(planted.map(({ id }) => id));
      const added = later.filter(({ id }) => !known.has(id));
      await plantIntents(owner, scope, added);
      const after = planted.filter((each) => compareRows({ ...each, ...cursor }, each) > 0);
      const { ids } = await readAll(scope, wanted, { cursor, direction: 'newer' });
      expect([...ids].sort()).toEqual(filter([...after, ...added], wanted).sort());
    }),
    { numRuns: 60 },
  );
}, 60_000);
