import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { TRANSACTION_STATUSES, type TransactionStatus } from '@pos/core/ledger';
import { PAYMENT_INTENT_STATUSES, type PaymentIntentStatus } from '@pos/core/payment-intents';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Reader } from '../database/database.js';
import type { Cursor, Page, PagePosition, PageRange } from '../database/page.js';
import { plantIntents, type PlantedRow, plantTransactions } from '../testing/planted-rows.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { searchIntents } from './payment-intents.js';
import { searchTransactions } from './transaction-listing.js';

const START = Date.UTC(2026, 0, 1);
const timeOf = (second: number): Date => new Date(START + second * 1000);
/** Where the reader begins, after all rows that it has read before. */
const SEEN_SECOND = 3;
const WRITERS = 3;
const POLLS_MAX = 200;

let testDatabase: TestDatabase;
let writers: pg.Client[];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  writers = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: testDatabase.ownerUrl }));
  await Promise.all(writers.map((writer) => writer.connect()));
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await testDatabase.close();
});

interface Terms extends PageRange {
  readonly statuses: readonly string[];
  readonly from: Date;
  readonly to: Date;
}

interface Search {
  readonly plant: typeof plantIntents;
  readonly search: (reader: Reader, terms: Terms) => Promise<Page<PagePosition>>;
  readonly statuses: readonly string[];
  readonly createId: () => string;
}

const SEARCHES: readonly (readonly [string, Search])[] = [
  [
    'intents',
    {
      plant: plantIntents,
      search: (reader, terms) =>
        searchIntents(reader, { ...terms, statuses: terms.statuses as readonly PaymentIntentStatus[] }),
      statuses: PAYMENT_INTENT_STATUSES,
      createId: () => `pi_${randomUUID()}`,
    },
  ],
  [
    'transactions',
    {
      plant: plantTransactions,
      search: (reader, terms) =>
        searchTransactions(reader, { ...terms, statuses: terms.statuses as readonly TransactionStatus[] }),
      statuses: TRANSACTION_STATUSES,
      createId: randomUUID,
    },
  ],
];

/** What a writer or the reader does next. */
type Step =
  | { readonly does: 'write'; readonly writer: number; readonly status: number; readonly second: number }
  | { readonly does: 'commit'; readonly writer: number }
  | { readonly does: 'poll'; readonly limit: number };

const writer = fc.nat({ max: WRITERS - 1 });
const second = fc.integer({ min: 0, max: 2 * SEEN_SECOND });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('write' as const), writer, status: fc.nat({ max: 3 }), second }),
  fc.record({ does: fc.constant('commit' as const), writer }),
  fc.record({ does: fc.constant('poll' as const), limit: fc.integer({ min: 1, max: 3 }) }),
);
const terms = fc.record({
  wanted: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
  from: second,
  to: second,
});

class LateReader {
  readonly readIds: string[] = [];
  #cursor: Cursor;

  constructor(
    private readonly search: Search['search'],
    private readonly scope: Scope,
    private readonly options: Omit<Terms, keyof PageRange> & { readonly start: Cursor; from: Date; to: Date },
  ) {
    this.#cursor = options.start;
  }

  async poll(limit: number): Promise<boolean> {
    const { statuses, from, to } = this.options;
    const page = await testDatabase.database.read(this.scope, (reader) =>
      this.search(reader, { statuses, from, to, limit, cursor: this.#cursor, direction: 'newer' }),
    );
    this.readIds.push(...page.elements.map(({ id }) => id));
    this.#cursor = page.newer ?? this.#cursor;
    return page.newer !== null && page.elements.length > 0;
  }
}

test.each(SEARCHES)(
  'a reader of %s by status and time receives each wanted row of its account, however late it is committed',
  async (_, { plant, search, statuses, createId }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), terms, async (steps, { wanted, ...range }) => {
        const [scope, other] = [createTestScope(), createTestScope()];
        const { rows } = await writers[0]!.query<{ seen: string }>('select pg_current_snapshot()::text as seen');
        const options = {
          statuses: wanted.map((index) => statuses[index]!),
          ...{ from: timeOf(range.from), to: timeOf(range.to) },
          start: { createdAt: timeOf(SEEN_SECOND), id: createId(), seen: rows[0]!.seen },
        };
        const reader = new LateReader(search, scope, options);
        const written: PlantedRow[] = [];
        const open = new Set<number>();
        const commit = async (index: number): Promise<void> => {
          if (open.delete(index)) await writers[index]!.query('commit');
        };
        for (const each of steps) {
          if (each.does === 'poll') await reader.poll(each.limit);
          else if (each.does === 'commit') await commit(each.writer);
          else {
            const client = writers[each.writer]!;
            if (!open.has(each.writer)) await client.query('begin');
            open.add(each.writer);
            const row = { id: createId(), status: statuses[each.status]!, createdAt: timeOf(each.second) };
            await plant(client, scope, [row]);
            await plant(client, other, [{ ...row, id: createId() }]);
            written.push(row);
          }
        }
        for (const index of [...open]) await commit(index);
        let polls = 0;
        while ((await reader.poll(2)) && (polls += 1) < POLLS_MAX);
        await reader.poll(100);
        const isWanted = ({ status, createdAt }: PlantedRow): boolean =>
          options.statuses.includes(status) && createdAt >= options.from && createdAt < options.to;
        expect([...new Set(reader.readIds)].sort()).toEqual(
          written
            .filter(isWanted)
            .map(({ id }) => id)
            .sort(),
        );
        expect(polls).toBeLessThan(POLLS_MAX);
      }),
      { numRuns: process.env['LONG'] === '1' ? 40 : 10 },
    );
  },
  60_000,
);

const OLD_COUNT = 20_000;

interface Plan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Temp Written Blocks': number } }];
}

test.each(SEARCHES)('a cursor that is older than all rows of %s writes none of them to disk', async (_, each) => {
  const { plant, search, statuses, createId } = each;
  const scope = createTestScope();
  const [owner] = writers as [pg.Client];
  const rows = Array.from({ length: OLD_COUNT }, (_row, at) => ({
    ...{ id: createId(), status: statuses[at % 2]!, createdAt: timeOf(at) },
  }));
  await plant(owner, scope, rows);
  const sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const query = ({ text }: { readonly text: string }, values: readonly unknown[]): Promise<never[]> => {
    sent.push({ text, values });
    return Promise.resolve([]);
  };
  // The oldest snapshot that a cursor can have: everything was written since.
  const cursor = { createdAt: timeOf(OLD_COUNT / 2), id: createId(), seen: '3:3:' };
  const page = { statuses: [statuses[0]!], from: timeOf(0), to: timeOf(OLD_COUNT), limit: 20 };
  await search({ scope, query } as unknown as Reader, { ...page, cursor, direction: 'newer' });
  const [{ text, values }] = sent as [(typeof sent)[number]];
  await owner.query(`set work_mem = '64kB'`);
  const { rows: plans } = await owner.query<Plan>(`explain (analyze, buffers, format json) ${text}`, [...values]);
  await owner.query('reset work_mem');
  expect(plans[0]!['QUERY PLAN'][0].Plan['Temp Written Blocks']).toBe(0);
});
