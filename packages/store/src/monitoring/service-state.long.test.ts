import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { requireValue } from '@pos/core/refusals';
import { insertStateRows, STATE_INSERTS } from '../testing/service-state-rows.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { readServiceState, SERVICE_STATE, STATE_COUNT_MAX, type StateCount } from './service-state.js';

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

const ENDED_ROWS = 30_000;

test('no part of the statement reads a whole relation, and each count stops', async () => {
  await insertStateRows(owner, 'ended', ENDED_ROWS);
  await insertStateRows(owner, 'open', 50);
  // More than is counted.
  await owner.query(
    `${STATE_INSERTS['lanes']?.replaceAll('STATE', '1') ?? ''} from generate_series(2000001, 2011000) n`,
  );
  await owner.query('analyze');
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`explain ${SERVICE_STATE.text}`);
  const plan = rows.map((row) => row['QUERY PLAN']);
  expect(plan.filter((line) => line.includes('Seq Scan'))).toEqual([]);
  for (const relation of Object.keys(STATE_INSERTS))
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

test('the oldest row is shown behind thousands of younger ones, and with it those of rare labels', async () => {
  await insertStateRows(owner, 'open', BACKLOG_ROWS);
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
  await insertStateRows(owner, 'ended', ENDED_ROWS);
  // Where nearly all rows are counted, sorting them costs less than an index.
  await insertStateRows(owner, 'open', 5 * STATE_COUNT_MAX);
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
