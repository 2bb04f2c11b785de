import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PaymentIntentStatus } from '@pos/core/payment-intents';
import pg from 'pg';
import { searchIntents } from '../payments/payment-intents.js';
import { searchTransactions } from '../payments/transaction-listing.js';
import { plantDeliveries, plantIntents, type PlantedRow, plantTransactions } from '../testing/planted-rows.js';
import { countBuffers, countRows, explainStatement, type SentStatement } from '../testing/query-plan.js';
import { takeSettledSnapshot } from '../testing/settled-snapshot.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { recordStatements } from '../testing/typeorm-work.js';
import { searchDeliveries } from '../webhooks/deliveries.js';
import type { Cursor, Direction } from './page.js';
import type { Reader, Tx } from './transaction.js';

const COUNT = 50_000;
const UNANALYZED_COUNT = 2_000;
const LIMIT = 20;
/** The rows of a page, one more, and one of each branch. A page of another plan reads thousands. */
const ROWS_MAX = 3 * LIMIT;
/** A row of an index whose rows are not together costs a page of the index and one of the relation. */
const BUFFERS_MAX = 12 * LIMIT;

const START = Date.UTC(2026, 0, 1);
const SCOPE = createTestScope();
const SUBSCRIPTION = 'su_planted';
/** A form that intents and transactions accept. */
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const deliveryIdOf = (number: number): string => `dlv_${String(number).padStart(21, '0')}A`;
const timeOf = (number: number): Date => new Date(START + number * 1000);

let testDatabase: TestDatabase;
let owner: pg.Client;
let seen: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  await plantIntents(owner, SCOPE, plan({ common: 'Captured', frequent: 'Canceled', rare: 'Reversed' }));
  await plantTransactions(owner, SCOPE, plan({ common: 'Authorized', frequent: 'Declined', rare: 'Expired' }));
  const planned = plan({ common: 'Delivered', frequent: 'DeadLettered', rare: 'Held' });
  const rows = planned.map((row, number) => ({ ...row, id: deliveryIdOf(number) }));
  await plantDeliveries(owner, SCOPE, { subscriptionId: SUBSCRIPTION, rows });
  await owner.query('vacuum analyze payment_intents, transactions, deliveries, events');
  await plantIntents(owner, SCOPE, planUnanalyzed({ status: 'Created', idOf }));
  await plantTransactions(owner, SCOPE, planUnanalyzed({ status: 'Held', idOf }));
  const rowsOfOutage = planUnanalyzed({ status: 'Pending', idOf: deliveryIdOf });
  await plantDeliveries(owner, SCOPE, { subscriptionId: SUBSCRIPTION, rows: rowsOfOutage, after: COUNT });
  seen = await takeSettledSnapshot(owner);
}, 60_000);
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** Half of the rows have the frequent status, the newest ones; one in 20,000 has the rare one, and a customer has one in 50. */
function plan({ common, frequent, rare }: Record<'common' | 'frequent' | 'rare', string>): PlantedRow[] {
  return Array.from({ length: COUNT }, (_, number) => ({
    id: idOf(number),
    status: number % 20_000 === 7 ? rare : number < COUNT / 2 ? common : frequent,
    createdAt: timeOf(number),
    customerId: number % 50 === 0 ? 'cu_1' : null,
  }));
}

/** Rows since the last analysis: the statistics have none of their status, and nothing as new. */
function planUnanalyzed({ status, idOf: buildId }: { status: string; idOf: typeof idOf }): PlantedRow[] {
  return Array.from({ length: UNANALYZED_COUNT }, (_, number) => ({
    id: buildId(COUNT + number),
    status,
    createdAt: timeOf(COUNT + number),
    customerId: number % 2 === 0 ? 'cu_1' : null,
  }));
}

/** Where a page begins. */
const POSITIONS: Readonly<Record<string, () => { readonly cursor: Cursor | null; readonly direction: Direction }>> = {
  first: () => ({ cursor: null, direction: 'older' }),
  'deep, older': () => ({ cursor: cursorAt(COUNT / 10), direction: 'older' }),
  'middle, older': () => ({ cursor: cursorAt(COUNT / 2 + 5), direction: 'older' }),
  'deep, newer': () => ({ cursor: cursorAt(COUNT / 10), direction: 'newer' }),
  'middle, newer': () => ({ cursor: cursorAt(COUNT / 2 - 5), direction: 'newer' }),
  'newest, newer': () => ({ cursor: cursorAt(COUNT - 1), direction: 'newer' }),
  'unanalyzed, older': () => ({ cursor: cursorAt(COUNT + UNANALYZED_COUNT / 2), direction: 'older' }),
  'unanalyzed, newer': () => ({ cursor: cursorAt(COUNT + UNANALYZED_COUNT / 2), direction: 'newer' }),
};
const cursorAt = (number: number): Cursor => ({ createdAt: timeOf(number), id: idOf(number), seen });
type Position = ReturnType<NonNullable<(typeof POSITIONS)[string]>>;

const RANGES: Readonly<Record<string, { readonly from: Date | null; readonly to: Date | null }>> = {
  'no range': { from: null, to: null },
  'an old day': { from: timeOf(2_000), to: timeOf(2_600) },
  'until an old day': { from: null, to: timeOf(2_600) },
  'since a recent day': { from: timeOf(COUNT - 600), to: null },
};

/** The one named statement of a search. */
async function findStatement(search: (reader: Reader) => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const query = ({ text }: { readonly text: string }, values: readonly unknown[]): Promise<never[]> => {
    sent.push({ text, values });
    return Promise.resolve([]);
  };
  await search({ scope: SCOPE, query } as unknown as Reader);
  return sent;
}

const findTypeormStatement = async (run: (tx: Tx) => Promise<unknown>): Promise<SentStatement[]> =>
  (await recordStatements(testDatabase.database, SCOPE, { run })).map(({ sql, values }) => ({ text: sql, values }));

type Search = readonly [name: string, find: (position: Position) => Promise<SentStatement[]>];

const INTENT_STATUSES: readonly (readonly PaymentIntentStatus[])[] = [
  [],
  ['Reversed'],
  ['Canceled'],
  ['Created'],
  ['Reversed', 'Captured'],
];
const intentSearches: Search[] = INTENT_STATUSES.flatMap((statuses) =>
  Object.entries(RANGES).flatMap(([range, terms]) =>
    [null, 'cu_1', 'cu_2'].map((customerId): Search => [
      `intents ${statuses.join()}, ${range}, of ${customerId ?? 'all customers'}`,
      (position) =>
        findStatement((reader) => searchIntents(reader, { statuses, customerId, ...terms, limit: LIMIT, ...position })),
    ]),
  ),
);
const transactionSearches: Search[] = (
  [[], ['Expired'], ['Declined'], ['Held'], ['Expired', 'Authorized']] as const
).flatMap((statuses) =>
  [
    { from: timeOf(0), to: timeOf(COUNT) },
    { from: timeOf(2_000), to: timeOf(2_600) },
  ].map((terms): Search => [
    `transactions ${statuses.join()} since ${terms.from.toISOString()}`,
    (position) =>
      findStatement((reader) => searchTransactions(reader, { statuses, ...terms, limit: LIMIT, ...position })),
  ]),
);
const deliverySearches: Search[] = ([null, 'Held', 'DeadLettered', 'Pending', 'Delivered'] as const).flatMap((state) =>
  [undefined, ['subject_3'], ['subject_0', 'subject_4999']].map((subjectIds): Search => [
    `deliveries ${state ?? ''} about ${subjectIds?.join() ?? 'anything'}`,
    (position) => {
      const { direction, cursor } = position;
      const number = cursor === null ? 0 : (cursor.createdAt.getTime() - START) / 1000;
      const place = { direction, cursor: cursor && { ...cursor, id: deliveryIdOf(number) } };
      const search = { state, ...(subjectIds && { subjectIds }), limit: LIMIT, ...place };
      return findTypeormStatement((tx) => searchDeliveries(tx, SUBSCRIPTION as never, search));
    },
  ]),
);

async function listUnbounded(searches: readonly Search[], modes: readonly ('custom' | 'generic')[]): Promise<string[]> {
  const unbounded: string[] = [];
  for (const [name, find] of searches) {
    for (const [place, position] of Object.entries(POSITIONS)) {
      const sent = await find(position());
      expect(sent).toHaveLength(1);
      for (const mode of modes) {
        const plan = await explainStatement(owner, sent[0]!, mode);
        const [rows, buffers] = [countRows(plan), countBuffers(plan)];
        if (rows > ROWS_MAX || buffers > BUFFERS_MAX)
          unbounded.push(`${name}, ${place}, ${mode} plan: ${rows} rows, ${buffers} buffers`);
      }
    }
  }
  return unbounded;
}

test('no search of intents reads more rows than a page of them has, by a plan for its values or for any', async () => {
  expect(await listUnbounded(intentSearches, ['custom', 'generic'])).toEqual([]);
}, 60_000);

test('no search of transactions reads more', async () => {
  expect(await listUnbounded(transactionSearches, ['custom', 'generic'])).toEqual([]);
}, 60_000);

test('no listing of deliveries reads more', async () => {
  // TypeORM names no statements, so each has a plan for its values.
  expect(await listUnbounded(deliverySearches, ['custom'])).toEqual([]);
}, 60_000);
