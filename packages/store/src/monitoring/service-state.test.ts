import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { insertStateRows, STATE_INSERTS } from '../testing/service-state-rows.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { readServiceState, type StateCount } from './service-state.js';

const DAY_SECONDS = 86_400;

let testDatabase: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterEach(() => owner.query(`truncate ${Object.keys(STATE_INSERTS).join(', ')} cascade`));
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

test('open rows of all accounts are counted, with the age of the oldest', async () => {
  await insertStateRows(owner, 'ended', 20);
  await insertStateRows(owner, 'open', 3);
  const { counts, databaseBytes } = await readServiceState(testDatabase.database);
  const rounded = counts.map(({ oldestAgeSeconds: age, ...count }): StateCount => {
    return { ...count, oldestAgeSeconds: age === null ? null : Math.floor(age / 5) * 5 };
  });
  const open = { environment: 'sandbox', count: 3, amounts: {} };
  const live = { ...open, environment: 'production' };
  expect(rounded.sort((one, other) => (one.subject < other.subject ? -1 : 1))).toEqual([
    { ...open, subject: 'acquirer-call.open', label: 'Capture', oldestAgeSeconds: 70, amounts: { GBP: 3 } },
    { ...live, subject: 'alarm.unanswered', label: 'MoneyNotReturned', oldestAgeSeconds: null },
    { ...live, subject: 'books.unread', label: 'north', oldestAgeSeconds: 7_200 },
    { ...open, subject: 'difference.open', label: 'NotBooked', oldestAgeSeconds: 3_600 },
    { ...open, subject: 'lane.ready', label: 'webhooks', oldestAgeSeconds: 60 },
    { ...open, subject: 'lease.open', label: 'Held', oldestAgeSeconds: null },
    { ...live, subject: 'payment.pending', label: 'Recording', oldestAgeSeconds: 100, amounts: { GBP: 3 } },
    { ...open, subject: 'placement.pending', label: 'Placing', oldestAgeSeconds: 50, amounts: { GBP: 3 } },
    { ...live, subject: 'settlement.awaited', label: 'north', count: 20, oldestAgeSeconds: 7_200 },
    { ...live, subject: 'timer.due', label: 'retention', oldestAgeSeconds: 90 },
  ]);
  expect(databaseBytes).toBeGreaterThan(1_000_000);
});

test('a lane is ready, leased or blocked, by its kind of traffic', async () => {
  const insert = `insert into lanes (account_id, environment, key, last_number, pending, due_at, leased_until, fence,
      failures, is_replay, is_epos) values ('acc_1', 'sandbox', $1, 1, 1, now() + $2::interval, now() + $3::interval, 1, 0, $4, $5)`;
  for (const [key, due, leased, isReplay, isEpos] of [
    ['ready', '-1 minute', null, false, false],
    ['leased', '-1 minute', '1 minute', false, false],
    ['lease lost', '-2 minutes', '-1 minute', false, false],
    ['waits', '1 minute', null, false, false],
    ['replay waits', '1 minute', null, true, false],
    ['replay', '-1 minute', null, true, false],
    ['epos waits', '1 minute', '-1 minute', false, true],
  ])
    await owner.query(insert, [key, due, leased, isReplay, isEpos]);
  const { counts } = await readServiceState(testDatabase.database);
  expect(counts.map(({ subject, label, count }) => `${label} ${subject} ${count}`).sort()).toEqual([
    'epos lane.blocked 1',
    'replays lane.blocked 1',
    'replays lane.ready 1',
    'webhooks lane.blocked 1',
    'webhooks lane.ready 2',
  ]);
});

test('a call within its deadline, a started payment and a reversed call are not open', async () => {
  await insertStateRows(owner, 'open', 1);
  await owner.query(`update acquirer_calls set deadline_at = now() + interval '1 minute'`);
  await owner.query(`update table_payments set state = 'Started'`);
  const { counts } = await readServiceState(testDatabase.database);
  const subjects = counts.map(({ subject }) => subject);
  expect(subjects).not.toContain('acquirer-call.open');
  expect(subjects).not.toContain('payment.pending');
  await owner.query(`update acquirer_calls set deadline_at = now() - interval '1 minute', reverse_reference = 'x'`);
  expect((await readServiceState(testDatabase.database)).counts.map(({ subject }) => subject)).toEqual(subjects);
});

test('waiting money is added up by currency, with its gratuity and cashback', async () => {
  await insertStateRows(owner, 'open', 4);
  await owner.query(`update table_payments set base_amount = 1000, gratuity_amount = 200, cashback_amount = 30`);
  await owner.query(`update table_payments set currency = 'EUR', since = now() - interval '1 day'
    where id = (select min(id) from table_payments)`);
  await owner.query(`update order_placements set total_amount = 500, gratuity_amount = 50`);
  const { counts } = await readServiceState(testDatabase.database);
  const find = (subject: StateCount['subject']): StateCount | undefined =>
    counts.find((count) => count.subject === subject);
  expect(find('payment.pending')).toMatchObject({ count: 4, amounts: { GBP: 3_690, EUR: 1_230 } });
  expect(find('payment.pending')?.oldestAgeSeconds).toBeGreaterThanOrEqual(DAY_SECONDS);
  expect(find('placement.pending')).toMatchObject({ count: 4, amounts: { GBP: 2_200 } });
});
