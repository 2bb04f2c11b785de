import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PaymentIntentId, TerminalId } from '@pos/core/identity';
import pg from 'pg';
import { listPaymentActivities } from '../activities/payment-activities.js';
import { type RequestSearch, searchRequests } from '../activities/request-listing.js';
import { listCustomers } from '../repositories/customers.js';
import { searchTesterRuns } from '../repositories/tester-runs.js';
import { searchOrderPlacements } from '../tables/order-placements.js';
import { searchSessionsOfTerminal } from '../terminals/terminal-session-listing.js';
import { plantIntents } from '../testing/planted-rows.js';
import { countBuffers, countRows, explainStatement, type SentStatement } from '../testing/query-plan.js';
import { takeSettledSnapshot } from '../testing/settled-snapshot.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import type { Cursor, Direction } from './page.js';
import type { Reader } from './transaction.js';

const COUNT = 20_000;
const LIMIT = 20;
/** The rows of a page, one more, and what belongs to each. A page of another plan reads thousands. */
const ROWS_MAX = 6 * LIMIT;
/**
 * At most a thousand customers whose name begins with a text are sorted. Of more, a plan walks the newest customers, or
 * reads all of a range in which it expects fewer than it would have to walk.
 */
const CUSTOMERS_MAX = 5_000;
/** An index scan that skips rows before its position reads their pages, and counts no rows. */
const BUFFERS_MAX = 300;
const START = Date.UTC(2026, 0, 1);
const SCOPE = createTestScope();
const INTENT = 'pi_planted' as PaymentIntentId;

/** Rows of each listing; `n` is their number, and `at` their time. */
const PLANTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  terminals: { id: `'tm' || n`, tid: 'n::text', name: `'a'`, created_at: 'at', updated_at: 'at' },
  terminal_sessions: {
    ...{ id: `'id' || n`, version: '1', terminal_id: `'tm1'`, session_type: `'Sale'`, status: `'Captured'` },
    ...{ acquirer_reference: `'a'`, currency: `'GBP'`, base_amount: '1', tips_amount: '0', cashback_amount: '0' },
    ...{ service_charge_amount: '0', capture: 'true', card_holder_not_present: 'false', last_report: '0' },
    ...{ card_presented: 'true', expire_at: 'at', created_at: 'at', updated_at: 'at' },
  },
  order_placements: {
    ...{ id: `'id' || n`, intent_id: `'pi' || n`, placed_order: `'{}'`, state: `'Completed'`, total_amount: '1' },
    ...{ gratuity_amount: '0', currency: `'GBP'`, place_calls: '1', is_unanswered: 'false', is_hold_ending: 'false' },
    ...{ is_money_gone: 'false', tries: '0', may_order_stand: 'false', since: 'at', version: '1' },
    ...{ created_at: 'at', updated_at: 'at' },
  },
  activities: {
    ...{ trace_id: `md5(n::text)`, id: `substr(md5(n::text), 1, 16)`, kind: `'ApiRequest'`, name: `'a'` },
    ...{ subject_id: `'${INTENT}'`, outcome: `case when n % 2 = 0 then 'Succeeded' else 'Refused' end`, took_ms: '1' },
    ...{ status: '200', details: `'{}'`, created_at: 'at' },
  },
  // Every second customer is an Ada, and every thousandth is a Zed.
  customers: {
    ...{ id: `'id' || n`, version: '0', created_at: 'at', updated_at: 'at', email_address: `'guest' || n` },
    name: `case when n % 1000 = 7 then 'Zed' when n % 2 = 0 then 'Ada' else 'Ben' end || n`,
  },
  tester_runs: {
    ...{ id: `'id' || n`, flow: `'pay'`, status: `'SUCCESS'`, started_at: 'at', finished_at: 'at' },
    ...{ steps: `'[]'`, params: `'{}'` },
  },
};

let testDatabase: TestDatabase;
let owner: pg.Client;
let seen: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  await plantIntents(owner, SCOPE, [{ id: INTENT, status: 'Captured', createdAt: timeOf(0) }]);
  for (const [relation, columns] of Object.entries(PLANTED)) {
    await owner.query(
      `insert into ${relation} (account_id, environment, ${Object.keys(columns).join(', ')})
       select $1, $2, ${Object.values(columns).join(', ')}
       from generate_series(1, $3) n, lateral (select to_timestamp($4::bigint / 1000 + n) as at) planted`,
      [SCOPE.accountId, SCOPE.environment, COUNT, START],
    );
    await owner.query(`vacuum analyze ${relation}`);
  }
  seen = await takeSettledSnapshot(owner);
}, 60_000);
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

const timeOf = (number: number): Date => new Date(START + number * 1000);
const cursorAt = (number: number): Cursor => ({ createdAt: timeOf(number), id: `id${number}`, seen });

/** Where a page begins. */
const POSITIONS: Readonly<Record<string, () => { readonly cursor: Cursor | null; readonly direction: Direction }>> = {
  first: () => ({ cursor: null, direction: 'older' }),
  oldest: () => ({ cursor: null, direction: 'newer' }),
  'deep, older': () => ({ cursor: cursorAt(COUNT / 10), direction: 'older' }),
  'middle, older': () => ({ cursor: cursorAt(COUNT / 2), direction: 'older' }),
  'middle, newer': () => ({ cursor: cursorAt(COUNT / 2), direction: 'newer' }),
};
type Position = ReturnType<NonNullable<(typeof POSITIONS)[string]>>;

/** Runs the listing on the planted rows, and returns its statements. */
async function recordStatements(list: (reader: Reader) => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  await testDatabase.database.read(SCOPE, (reader) => {
    const query = (statement: { readonly text: string }, values: readonly unknown[]): Promise<unknown> => {
      sent.push({ text: statement.text, values });
      return reader.query(statement as never, values);
    };
    return list(
      new Proxy(reader, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) as unknown }),
    );
  });
  return sent;
}

async function listUnbounded(
  list: (reader: Reader, position: Position) => Promise<unknown>,
  rowsMax: number,
): Promise<string[]> {
  const unbounded: string[] = [];
  for (const [place, position] of Object.entries(POSITIONS)) {
    for (const sent of await recordStatements((reader) => list(reader, position()))) {
      for (const mode of ['custom', 'generic'] as const) {
        const plan = await explainStatement(owner, sent, mode);
        const [rows, buffers] = [countRows(plan), countBuffers(plan)];
        if (rows > rowsMax || buffers > BUFFERS_MAX) {
          unbounded.push(`${place}, ${mode} plan: ${rows} rows, ${buffers} buffers: ${sent.text.slice(0, 100)}`);
        }
      }
    }
  }
  return unbounded;
}

const ALL = { name: null, outcome: null, status: null, keyId: null, traceId: null, from: null, to: null };
const requests =
  (terms: Partial<RequestSearch>) =>
  (reader: Reader, position: Position): Promise<unknown> =>
    searchRequests(reader, { ...ALL, ...terms, limit: LIMIT, ...position });
const customers =
  (text: string) =>
  (reader: Reader, position: Position): Promise<unknown> =>
    listCustomers(reader, { prefix: { member: 'name', text }, limit: LIMIT, ...position });
/** A page of requests looks through so many entries first, and reads its elements twice. */
const REQUESTS_MAX = 500 + 2 * (LIMIT + 1);

test.each<[string, (reader: Reader, position: Position) => Promise<unknown>, number]>([
  [
    'sessions of a terminal',
    (reader, position) => searchSessionsOfTerminal(reader, 'tm1' as TerminalId, { limit: LIMIT, ...position }),
    ROWS_MAX,
  ],
  ['order placements', (reader, position) => searchOrderPlacements(reader, { limit: LIMIT, ...position }), ROWS_MAX],
  ['runs of the tester', (reader, position) => searchTesterRuns(reader, { limit: LIMIT, ...position }), ROWS_MAX],
  ['requests', requests({}), REQUESTS_MAX],
  ['unsuccessful requests', requests({ outcome: 'Refused' }), REQUESTS_MAX],
  ['requests of an old hour', requests({ from: timeOf(3_600), to: timeOf(7_200) }), REQUESTS_MAX],
  [
    'steps of a payment',
    (reader, position) => listPaymentActivities(reader, INTENT, { limit: LIMIT, ...position, now: timeOf(0) }),
    ROWS_MAX,
  ],
  ['customers with a common name', customers('ada'), CUSTOMERS_MAX],
  ['customers with a rare name', customers('ZED'), ROWS_MAX],
  ['customers with an unknown name', customers('zzz'), ROWS_MAX],
])('a page of %s reads no more rows than it needs, by a plan for its values or for any', async (_, list, rowsMax) => {
  expect(await listUnbounded(list, rowsMax)).toEqual([]);
});
