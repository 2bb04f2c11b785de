import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { TestLog } from '@pos/testing';
import { createLog } from '@pos/service-kit/telemetry';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { schedule, TimerQueue } from '@pos/store/queues';
import { ErasureWorker } from './erasure-worker.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const DUE = defineStatement(
  'erasures_due',
  `select subject from timers where account_id = $1 and kind = $2 order by subject`,
);
const ATTEMPTS_MAX = 500;

/** The cards that wait for erasure, once their number is the expected one. */
async function waitForTimers(scope: Scope, count: number): Promise<string[]> {
  let waiting: string[] = [];
  for (let look = 0; look < ATTEMPTS_MAX; look += 1) {
    const rows = await testDatabase.database.read(scope, (reader) =>
      reader.query<{ subject: string }>(DUE, [scope.accountId, 'card-erasure']),
    );
    waiting = rows.map(({ subject }) => subject);
    if (waiting.length <= count) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return waiting;
}

test('a card whose erasure fails does not stop the erasure of others', async () => {
  const scope = createTestScope();
  const broken = 'no id of a card';
  const good = Array.from({ length: 5 }, (_, at) => createId('paymentMethod', 'sandbox', Buffer.alloc(16, at)));
  for (const subject of [broken, ...good]) {
    await testDatabase.database.transact(scope, (tx) => {
      schedule(tx, { kind: 'card-erasure', subject, dueInMs: 0 });
      return Promise.resolve();
    });
  }
  const log = new TestLog();
  const { database } = testDatabase;
  const processLog = createLog({ app: 'card-vault', level: 'info', write: log.write });
  const worker = new ErasureWorker(database, new TimerQueue(database), processLog, { POLL_MS: 50 });
  await worker.onApplicationBootstrap();
  const waiting = await waitForTimers(scope, 1);
  await worker.onModuleDestroy();
  expect(waiting).toEqual([broken]);
  expect(log.lines.filter((line) => line.includes('"erasure.failed"'))).toHaveLength(1);
});
