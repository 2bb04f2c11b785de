import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createId } from '@pos/core/ids';
import pg from 'pg';
import { claimLanes } from './lane-claim.js';
import { LaneQueue } from './lanes.js';
import type { Tx } from '../database/transaction.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { insertSubscription } from '../webhooks/subscriptions.js';

const BLOCKED_EVENTS = 50_000;
const DELIVERIES_PER_LANE = 10;
const LANES = 20;
/** Of one statement for one claim of all lanes: their deliveries, and one more of each lane where a scan ends. */
const ROWS_MAX = LANES * (DELIVERIES_PER_LANE + 1);
/** Of short lanes, PostgreSQL may read the waiting deliveries of all for each. */
const SHORT_LANES_ROWS_MAX = LANES * LANES;
const scope = createTestScope();

let testDatabase: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  const subscriptionId = createId('subscription', 'sandbox', randomBytes(16));
  await testDatabase.database.transact(scope, async (tx) => {
    const secret = { id: await tx.newId('secret'), value: 'a', isActive: true, createdAt: tx.now, lastUsedAt: null };
    await insertSubscription(tx, {
      ...{ id: subscriptionId, url: 'https://example.com/', description: null, isPaused: false },
      ...{ events: ['terminal_session.status_updated'], secrets: [secret], createdAt: tx.now, updatedAt: tx.now },
    });
  });
  // One lane with all the events, and as many lanes with one event as are claimed at once.
  const deliveries = `(select i, case when i <= ${BLOCKED_EVENTS} then 'blocked' else 'lane ' || i end as key
    from generate_series(1, ${BLOCKED_EVENTS + LANES - 1}) i) given`;
  const values = [scope.accountId, scope.environment];
  await owner.query(
    `insert into events (account_id, environment, id, kind, subject_id, number, body, created_at, recorded_at)
     select $1, $2, 'evt_' || lpad(i::text, 22, '0'), 'terminal_session.status_updated', key, i, '', now(), now()
     from ${deliveries}`,
    values,
  );
  await owner.query(
    `insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
       created_at, updated_at)
     select $1, $2, key, i, 'dlv_' || lpad(i::text, 22, '0'), 'evt_' || lpad(i::text, 22, '0'), $3,
       'Pending', 0, now(), now() from ${deliveries}`,
    [...values, subscriptionId],
  );
  await owner.query(
    `insert into lanes (account_id, environment, key, last_number, pending, due_at, fence, failures)
     select $1, $2, key, max(i), count(*), now() - interval '1 minute', 0, 0 from ${deliveries} group by key`,
    values,
  );
  await owner.query('analyze');
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
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

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

/** The rows that a statement reads of each relation. It is undone. */
async function countRowsRead(text: string, values: readonly unknown[]): Promise<Map<string, number>> {
  await owner.query('begin');
  try {
    const { rows } = await owner.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${text}`,
      [...values],
    );
    const counts = new Map<string, number>();
    for (const node of rows[0]!['QUERY PLAN'].flatMap(({ Plan: plan }) => listNodes(plan))) {
      const relation = node['Relation Name'];
      if (relation === undefined || node['Node Type'] === 'ModifyTable') continue;
      const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      counts.set(relation, Math.max(counts.get(relation) ?? 0, read));
    }
    return counts;
  } finally {
    await owner.query('rollback');
  }
}

interface StatementCost {
  readonly statement: string;
  readonly relation: string;
  readonly read: number;
}

/** A transaction that also counts the rows that each of its queries reads. */
function explainQueries(tx: Tx, costs: StatementCost[]): Tx {
  return new Proxy(tx, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (key !== 'query') return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      return async (...[statement, values]: Parameters<Tx['query']>) => {
        const counts = await countRowsRead(statement.text, values);
        for (const [relation, read] of counts) costs.push({ statement: statement.name, relation, read });
        return target.query(statement, values);
      };
    },
  });
}

/** Holds all deliveries of a lane but the last for a second subscription, which is paused, and makes all lanes due. */
async function holdAll(laneKey: string): Promise<void> {
  const pausedId = createId('subscription', 'sandbox', randomBytes(16));
  await testDatabase.database.transact(scope, async (tx) => {
    const secret = { id: await tx.newId('secret'), value: 'a', isActive: true, createdAt: tx.now, lastUsedAt: null };
    await insertSubscription(tx, {
      ...{ id: pausedId, url: 'https://example.com/', description: null, isPaused: true },
      ...{ events: ['terminal_session.notification'], secrets: [secret], createdAt: tx.now, updatedAt: tx.now },
    });
  });
  await owner.query(
    `update deliveries set state = 'Held', subscription_id = $2 where lane_key = $1 and number < ${BLOCKED_EVENTS}`,
    [laneKey, pausedId],
  );
  await owner.query('update lanes set pending = 1 where key = $1', [laneKey]);
  await owner.query(`update lanes set leased_until = null, due_at = now() - interval '1 minute'`);
  await owner.query('vacuum (analyze) deliveries');
}

test('a claim beside a lane of 50,000 waiting events reads only the first deliveries of each lane', async () => {
  const costs: StatementCost[] = [];
  const claimed = await testDatabase.database.transact(scope, (tx) =>
    claimLanes(explainQueries(tx, costs), {
      ...{ lanes: LANES, deliveriesPerLane: DELIVERIES_PER_LANE, leaseMs: 60_000, traffic: 'live' },
    }),
  );
  expect(claimed.claimed).toHaveLength(LANES);
  expect(new Set(costs.map(({ relation }) => relation))).toEqual(
    new Set(['lanes', 'deliveries', 'events', 'webhook_subscriptions', 'webhook_secrets']),
  );
  expect(costs.filter(({ read }) => read > ROWS_MAX)).toEqual([]);
});

test('a claim of a lane with 50,000 held deliveries reads only its first deliveries', async () => {
  await holdAll('blocked');
  const costs: StatementCost[] = [];
  const { claimed } = await testDatabase.database.transact(scope, (tx) =>
    claimLanes(explainQueries(tx, costs), {
      ...{ lanes: LANES, deliveriesPerLane: DELIVERIES_PER_LANE, leaseMs: 60_000, traffic: 'live' },
    }),
  );
  expect(claimed.map(({ key }) => key)).toContain('blocked');
  expect(
    costs.some(({ statement, read }) => statement.startsWith('find_subscriptions_with_held_deliveries') && read > 0),
  ).toBe(true);
  expect(costs.filter(({ statement }) => statement.startsWith('leave_subscription'))).toEqual([]);
  expect(costs.filter(({ read }) => read > SHORT_LANES_ROWS_MAX)).toEqual([]);
});

test('lanes beside one with 50,000 waiting events are claimed at once', async () => {
  await owner.query(`update lanes set leased_until = null`);
  await owner.query(`update lanes set due_at = now() + interval '1 hour', failures = 3 where key = 'blocked'`);
  const queue = new LaneQueue(testDatabase.database);
  const limits = { lanes: LANES, deliveriesPerLane: DELIVERIES_PER_LANE, leaseMs: 60_000 };
  const keys = (await queue.claim(scope, limits)).map(({ key }) => key);
  expect(keys).toHaveLength(LANES - 1);
  expect(keys).not.toContain('blocked');
});
