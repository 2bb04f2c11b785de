import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { listCallsBetween, listOpenCalls, listOpenMachineRefunds } from './acquirer-calls.js';
import type { Reader } from '../database/database.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
let owner: pg.Client;
const scope = createTestScope('production');

/** Many calls that have ended, of this account and of others: so many that no plan reads them all for a few. */
const CALLS = `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, terminal_session_id, intent_id, amount,
    currency, state, outcome, deadline_at, reverse_reference, version, created_at, updated_at)
  select case when i % 2 = 0 then $1 else 'acc_production_' || i end, $2, 'merchant-1', 'r' || i,
    case when i % 20 = 0 then 'Refund' else 'Authorise' end, 'ts' || i, 'pi' || i, 100, 'GBP',
    case when i % 4000 = 0 then 'Unknown' else 'Settled' end, case when i % 4000 = 0 then null else 'Approved' end,
    now() - i * interval '1 minute', null, 1, now() - i * interval '1 minute', now() - i * interval '1 minute'
  from generate_series(1, 20000) i`;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  // Only what a plan depends on is needed of the rows, not the sessions that they belong to.
  await owner.query('set session_replication_role = replica');
  await owner.query(CALLS, [scope.accountId, scope.environment]);
  await owner.query('analyze acquirer_calls');
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** What the reads found, and the plan of each statement that they asked. */
async function explainPlan(
  look: (reader: Reader) => Promise<readonly unknown[]>,
): Promise<{ found: number; plans: string[] }> {
  const plans: string[] = [];
  const found = await testDatabase.database.read(scope, (reader) => {
    const explaining: Reader = {
      ...{ scope, open: reader.open.bind(reader), hash: reader.hash.bind(reader), hashes: reader.hashes.bind(reader) },
      runWithManager: reader.runWithManager.bind(reader),
      query: async (sqlStatement, values) => {
        const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`explain ${sqlStatement.text}`, [...values]);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return reader.query(sqlStatement, values);
      },
    };
    return look(explaining);
  });
  return { found: found.length, plans };
}

test.each([
  ['refunds on card machines', 5, listOpenMachineRefunds],
  ['other calls', 0, listOpenCalls],
])('the open %s are found by their index, however many calls have ended', async (_, count, list) => {
  const { found, plans } = await explainPlan((reader) => list(reader, new Date()));
  expect(found).toBe(count);
  expect(plans).toEqual([expect.stringMatching(/Index Scan (using|on) acquirer_calls_open(_refunds)?\b/)]);
  expect(plans.join()).not.toContain('Seq Scan');
});

test('the calls of a day are read by their index, in the order in which they were written', async () => {
  const to = new Date();
  const from = new Date(to.getTime() - 24 * 60 * 60 * 1000);
  const { found, plans } = await explainPlan((reader) => listCallsBetween(reader, from, to));
  expect(found).toBe(719);
  expect(plans).toEqual([expect.stringMatching(/Index Scan (using|on) acquirer_calls_by_creation\b/)]);
  expect(plans.join()).not.toContain('Seq Scan');
});
