import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { requireValue } from '@pos/core/refusals/assert';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { readServiceState, SERVICE_STATE, STATE_COUNT_MAX, type StateCount } from './service-state.js';

let testDatabase: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterEach(() => owner.query(`truncate ${Object.keys(INSERTS).join(', ')} cascade`));
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

/** Rows by number: most are finished long ago, as in a database of years. `$1` to `$2` are the numbers of the rows. */
const INSERTS: Readonly<Record<string, string>> = {
  lanes: `insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures)
    select 'acc_' || n % 7, 'sandbox', 'lane' || n, 1, STATE::integer, now() - interval '1 minute', 1, 0`,
  timers: `insert into timers (account_id, environment, kind, subject, due_at, fence, revision, attempts, is_repeat)
    select 'acc_' || n % 7, 'production', 'retention', 's' || n,
      now() + case when STATE::integer = 1 then interval '-90 seconds' else interval '1 day' end, 1, 0, 0, false`,
  acquirer_calls: `insert into acquirer_calls (account_id, environment, reference, kind, amount, currency, state,
      deadline_at, version, created_at, updated_at)
    select 'acc_' || n % 7, 'sandbox', 'r' || n, 'Capture', 1, 'GBP',
      case when STATE::integer = 1 then 'Unknown' else 'Settled' end, now() - interval '70 seconds', 1, now(), now()`,
  table_payments: `insert into table_payments (account_id, environment, id, origin, session_id, state, base_amount,
      gratuity_amount, cashback_amount, currency, record_calls, is_unanswered, lock_rounds, tries, since, version,
      created_at, updated_at)
    select 'acc_' || n % 7, 'production', 'tp' || n, 'journey', 's', case when STATE::integer = 1 then 'Recording' else 'Recorded' end,
      1, 0, 0, 'GBP', 0, false, 0, 0, now() - interval '100 seconds', 1, now(), now()`,
  order_placements: `insert into order_placements (account_id, environment, id, intent_id, placed_order, state, total_amount,
      gratuity_amount, currency, place_calls, is_unanswered, is_hold_ending, is_money_gone, tries, may_order_stand, since,
      version, created_at, updated_at)
    select 'acc_' || n % 7, 'sandbox', 'op' || n, 'pi' || n, '{}', case when STATE::integer = 1 then 'Placing' else 'Completed' end,
      1, 0, 'GBP', 0, false, false, false, 0, false, now() - interval '50 seconds', 1, now(), now()`,
  alarms: `insert into alarms (account_id, environment, id, kind, subject, occurrence, message, details, created_at,
      answered_at, answered_by, answer)
    select 'acc_' || n % 7, 'production', 'a' || n, 'MoneyNotReturned', 's' || n, '', 'm', '{}', now(),
      case when STATE::integer = 0 then now() end, case when STATE::integer = 0 then 'key' end, case when STATE::integer = 0 then 'done' end`,
  reconciliation_differences: `insert into reconciliation_differences (account_id, environment, id, kind, reference, says,
      happened_at, state, first_seen_at, last_seen_at)
    select 'acc_' || n % 7, 'sandbox', 'd' || n, 'NotBooked', 'r' || n, 's', now(),
      case when STATE::integer = 1 then 'Open' else 'Closed' end, now() - interval '1 hour', now()`,
  uncompared_days: `insert into uncompared_days (account_id, environment, acquirer, day, reason, problem, since)
    select 'acc_' || n, 'production', 'north', current_date,
      case when STATE::integer = 1 then 'BooksUnread' else 'WaitingForSettlement' end,
      case when STATE::integer = 1 then 'down' end, now() - interval '2 hours'`,
  session_leases: `insert into session_leases (account_id, environment, lease_id, session_id, owner, requestor, state,
      epos_locked, open_payments, acquired_at, expires_at, version)
    select 'acc_' || n % 7, 'sandbox', 'l' || n, 's' || n, 'o', '{}', case when STATE::integer = 1 then 'Held' else 'Released' end,
      false, 0, now() - interval '5 seconds', now(), 1`,
};

async function insertRows(state: 'open' | 'ended', count: number): Promise<void> {
  for (const text of Object.values(INSERTS)) {
    const offset = state === 'open' ? 1_000_000 : 0;
    const rows = `from generate_series(${offset + 1}, ${offset + count}) n`;
    await owner.query(`${text.replaceAll('STATE', state === 'open' ? '1' : '0')} ${rows}`);
  }
}

test('open rows of all accounts are counted, with the age of the oldest', async () => {
  await insertRows('ended', 20);
  await insertRows('open', 3);
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
  await insertRows('open', 1);
  await owner.query(`update acquirer_calls set deadline_at = now() + interval '1 minute'`);
  await owner.query(`update table_payments set state = 'Started'`);
  const { counts } = await readServiceState(testDatabase.database);
  const subjects = counts.map(({ subject }) => subject);
  expect(subjects).not.toContain('acquirer-call.open');
  expect(subjects).not.toContain('payment.pending');
  await owner.query(`update acquirer_calls set deadline_at = now() - interval '1 minute', reverse_reference = 'x'`);
  expect((await readServiceState(testDatabase.database)).counts.map(({ subject }) => subject)).toEqual(subjects);
});

const ENDED_ROWS = 30_000;

test('no part of the statement reads a whole relation, and each count stops', async () => {
  await insertRows('ended', ENDED_ROWS);
  await insertRows('open', 50);
  // More than is counted.
  await owner.query(`${INSERTS['lanes']?.replaceAll('STATE', '1') ?? ''} from generate_series(2000001, 2011000) n`);
  await owner.query('analyze');
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`explain ${SERVICE_STATE.text}`);
  const plan = rows.map((row) => row['QUERY PLAN']);
  expect(plan.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  for (const relation of Object.keys(INSERTS))
    expect(plan.filter((line) => line.includes(` on ${relation}`) && line.includes('Index'))).not.toEqual([]);
  const { counts } = await readServiceState(testDatabase.database);
  expect(counts.find(({ subject }) => subject === 'lane.ready')).toMatchObject({ count: STATE_COUNT_MAX });
});

/** A row that waits for a day, of a label that thousands of younger rows do not have, or have. */
const OLDEST: readonly (readonly [StateCount['subject'], string, string, string])[] = [
  ['acquirer-call.open', 'Capture', 'acquirer_calls', 'deadline_at'],
  ['acquirer-call.open', 'Refund', 'acquirer_calls', 'deadline_at'],
  ['payment.pending', 'Recording', 'table_payments', 'since'],
  ['payment.pending', 'NeedsOperator', 'table_payments', 'since'],
  ['placement.pending', 'Placing', 'order_placements', 'since'],
  ['placement.pending', 'Held', 'order_placements', 'since'],
  ['difference.open', 'NotBooked', 'reconciliation_differences', 'first_seen_at'],
  ['difference.open', 'BrokenChain', 'reconciliation_differences', 'first_seen_at'],
];
const BACKLOG_ROWS = STATE_COUNT_MAX + 2_000;
const DAY_SECONDS = 86_400;

test('the oldest row is shown behind thousands of younger ones, and with it those of rare labels', async () => {
  await insertRows('open', BACKLOG_ROWS);
  for (const [, label, relation, column] of OLDEST) {
    const labelColumn = /payments|placements/.test(relation) ? 'state' : 'kind';
    // The last of the table, so a count that stops early does not meet it by chance.
    const last = `(select ctid from ${relation} where ${column} > now() - interval '2 hours' order by ctid desc limit 1)`;
    await owner.query(
      `update ${relation} set ${column} = now() - interval '1 day', ${labelColumn} = $1 where ctid = ${last}`,
      [label],
    );
  }
  await owner.query('analyze');
  const { counts } = await readServiceState(testDatabase.database);
  for (const [subject, label] of OLDEST) {
    const found = counts.find((count) => count.subject === subject && count.label === label);
    expect({ subject, label, isOld: (found?.oldestAgeSeconds ?? 0) >= DAY_SECONDS }).toEqual({
      subject,
      label,
      isOld: true,
    });
    expect(found?.count).toBeLessThanOrEqual(STATE_COUNT_MAX);
  }
});

/** A node of `explain (analyze, format json)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

test('a backlog of any size costs no more rows than are counted, and none are sorted', async () => {
  await insertRows('ended', ENDED_ROWS);
  // Where nearly all rows are counted, sorting them costs less than an index.
  await insertRows('open', 5 * STATE_COUNT_MAX);
  await owner.query('analyze');
  const { rows } = await owner.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${SERVICE_STATE.text}`,
  );
  const nodes = listNodes(requireValue(rows[0]?.['QUERY PLAN'][0]?.Plan, 'a plan'));
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
  expect(scans.length).toBeGreaterThan(20);
  const costly = scans.flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': relation } = node;
    const count = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    return count > STATE_COUNT_MAX || !type.startsWith('Index') ? [{ relation, type, count }] : [];
  });
  expect(costly).toEqual([]);
});

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

test('waiting money is added up by currency, with its gratuity and cashback', async () => {
  await insertRows('open', 4);
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
