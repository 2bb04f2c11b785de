import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClauseId } from './clauses.js';
import { breakageOf, expectCaught } from './testing-breakage.js';
import { TABLES_BREAKAGES } from './testing-tables-breakages.js';
import { TestTown } from './testing.js';
import { DATA_MEMBERS } from './zoo/data-members.js';

// One of each sort; all of them, and what becomes of the money, are in the long tests beside this one.

let town: TestTown;

beforeAll(async () => {
  town = await TestTown.open();
}, 60_000);

afterAll(() => town.close());

/** Money booked twice, locks that are none, answers of a wrong shape, filters that are overlooked, refusals that are missing. */
const OF_EACH_SORT: readonly ClauseId[] = [
  ...(['record.once', 'lock.exclusive', 'answer.schema', 'connection.credentials'] as const),
  ...(['order-record.once', 'order-lock.exclusive', 'schema.type', 'pages.back', 'unknown.order'] as const),
];

const ROWS = [...TABLES_BREAKAGES, ...DATA_MEMBERS.map((row) => ({ ...breakageOf(row), way: 'data' as const }))];
const CHOSEN = OF_EACH_SORT.flatMap((clause) => ROWS.find((row) => row.clause === clause) ?? []);

describe('an EPOS', () => {
  test('of each sort is tried', () => {
    expect(CHOSEN.map(({ clause }) => clause)).toEqual(OF_EACH_SORT);
  });

  test.each(CHOSEN)('$epos is caught by $flow and told $clause', (breakage) => expectCaught(town, breakage), 30_000);
});
