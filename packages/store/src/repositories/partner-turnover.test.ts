import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PAYMENT_INTENT_STATUSES } from '@pos/core/payment-intents';
import { DAY_MS } from '@pos/core/time';
import pg from 'pg';
import type { SystemReader } from '../database/database.js';
import { plantIntents } from '../testing/planted-rows.js';
import { countBuffers, countRows, explainStatement, type SentStatement } from '../testing/query-plan.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { createAccount } from './accounts.js';
import { listUsedPartners } from './partner-turnover.js';

/** Payments of a hundred days, each with a software house. */
const COUNT = 20_000;
const DAYS = 100;
const START = Date.UTC(2026, 0, 1);
const SCOPE = createTestScope('production');
const DAY = { from: new Date(START + 50 * DAY_MS), to: new Date(START + 51 * DAY_MS) };
/** The payments of the day, and a row for each status and relation. A scan of the relation reads all. */
const ROWS_MAX = (2 * COUNT) / DAYS;
const BUFFERS_MAX = 600;

let testDatabase: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { accountId } = SCOPE;
  await createAccount(testDatabase.database, {
    ...{ id: accountId, name: 'a', tradingName: 'a', merchantId: 'm', locationId: 'loc_a', currencies: ['GBP'] },
    ...{ settings: {}, createdAt: new Date(START) },
  });
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  const planted = Array.from({ length: COUNT }, (_, n) => ({
    id: `pi${n}`,
    status: PAYMENT_INTENT_STATUSES[n % PAYMENT_INTENT_STATUSES.length]!,
    createdAt: new Date(START + (n * DAYS * DAY_MS) / COUNT),
  }));
  await plantIntents(owner, SCOPE, planted);
  await owner.query(`update payment_intents set software_house_id = 'house-' || status`);
  await owner.query('vacuum analyze');
}, 60_000);
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

test('the partners of a day are those of payments in every status', async () => {
  const found = await testDatabase.database.readSystem((reader) => listUsedPartners(reader, 'production', DAY));
  expect(found.map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual(
    PAYMENT_INTENT_STATUSES.map((status) => `software-house house-${status}`).toSorted(),
  );
});

test.each(['custom', 'generic'] as const)(
  'they are found without a scan of all payments, by a %s plan',
  async (mode) => {
    const sent: SentStatement[] = [];
    const reader = {
      query: (statement: { readonly text: string }, values: readonly unknown[]) => {
        sent.push({ text: statement.text, values });
        return Promise.resolve([]);
      },
    };
    await listUsedPartners(reader as unknown as SystemReader, 'production', DAY);
    const [statement] = sent;
    const plan = await explainStatement(owner, statement!, mode);
    const [rows, buffers] = [countRows(plan), countBuffers(plan)];
    expect({ rows, buffers, isBounded: rows <= ROWS_MAX && buffers <= BUFFERS_MAX }).toEqual({
      ...{ rows, buffers, isBounded: true },
    });
  },
);
