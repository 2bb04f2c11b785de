import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Tx } from '../database/database.js';
import { countBuffers, countRows, explainStatement, type SentStatement } from '../testing/query-plan.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { deleteExpiredBookings, deleteSettledDepositClaims } from './booking-retention.js';
import { deleteExpiredCustomerSecrets, deleteExpiredSubscriptions, findNextRetentionInMs } from './retention.js';

const COUNT = 20_000;
/** Rows that are due, and a few for the checks beside them. A scan of the relation reads thousands. */
const ROWS_MAX = 60;
const BUFFERS_MAX = 300;
const DUE = 5;
const SCOPE = createTestScope();

/** Rows of an account that keeps its data: `n` is their number. A few of them are due. */
const PLANTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customers: { id: `'cus' || n`, version: '0', created_at: 'now()', updated_at: 'now()' },
  customer_secrets: {
    ...{ id: `'cs' || n`, customer_id: `'cus' || n`, hash: `decode(md5(n::text), 'hex')`, created_at: 'now()' },
    expire_at: `now() + case when n <= ${DUE} then interval '-1 hour' else interval '1 hour' end`,
  },
  webhook_subscriptions: {
    ...{ id: `'sub' || n`, url: `'https://shop.example'`, paused: 'false', created_at: 'now()', updated_at: 'now()' },
    deleted_at: `case when n <= ${DUE} then now() - interval '2 years' end`,
  },
  epos_bookings: {
    ...{ kind: `'Party'`, service_id: `'s' || n`, epos_id: `'e' || n`, may_exist: 'true', created_at: 'now()' },
    keep_until: `now() + case when n <= ${DUE} then interval '-1 hour' else interval '1 hour' end`,
  },
  epos_booking_owners: { kind: `'Party'`, epos_id: `'e' || n`, service_id: `'s' || n`, bound_at: 'now()' },
  deposit_claims: {
    ...{ intent_id: `'pi' || n`, service_id: `'s' || n`, amount: '100', currency: `'GBP'`, held_until: 'now()' },
    ...{ claimed_at: 'now()', starts_at: 'now()' },
    check_at: `now() + case when n <= ${DUE} then interval '-1 hour' else interval '1 hour' end`,
  },
};

let testDatabase: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  for (const [relation, columns] of Object.entries(PLANTED)) {
    await owner.query(
      `insert into ${relation} (account_id, environment, ${Object.keys(columns).join(', ')})
       select $1, $2, ${Object.values(columns).join(', ')} from generate_series(1, $3) n`,
      [SCOPE.accountId, SCOPE.environment, COUNT],
    );
    await owner.query(`vacuum analyze ${relation}`);
  }
}, 60_000);
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** The statements of the work, whose changes are not kept. */
async function recordStatements(run: (tx: Tx) => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const undo = new Error('the rows are kept');
  const work = testDatabase.database.transact(SCOPE, async (tx) => {
    const query = (statement: { readonly text: string }, values: readonly unknown[]): Promise<unknown> => {
      sent.push({ text: statement.text, values });
      return tx.query(statement as never, values);
    };
    await run(new Proxy(tx, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) as unknown }));
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
  return sent;
}

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['expired secrets of customers', deleteExpiredCustomerSecrets],
  ['deleted subscriptions', deleteExpiredSubscriptions],
  ['bookings that are over', deleteExpiredBookings],
  ['claims of payments', deleteSettledDepositClaims],
  ['times of the next deletion', (tx) => findNextRetentionInMs(tx, 1)],
])('%s are found without a scan of what the account keeps', async (_, run) => {
  const statements = await recordStatements(run);
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements)
    for (const mode of ['custom', 'generic'] as const) {
      await owner.query('begin');
      const plan = await explainStatement(owner, statement, mode);
      await owner.query('rollback');
      const [rows, buffers] = [countRows(plan), countBuffers(plan)];
      expect({ mode, rows, buffers, isBounded: rows <= ROWS_MAX && buffers <= BUFFERS_MAX }).toEqual({
        mode,
        rows,
        buffers,
        isBounded: true,
      });
    }
});
