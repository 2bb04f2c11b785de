import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { newId } from '@pos/core/ids';
import { LogLines } from '@pos/service-kit/log-lines';
import { openLog } from '@pos/service-kit/log';
import { defineStatement } from '@pos/store/statement';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { schedule } from '@pos/store/timers';
import { startErasures } from './erasures.js';

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
});
afterAll(() => place.close());

const DUE = defineStatement(
  'erasures_due',
  `select subject from timers where account_id = $1 and kind = $2 order by subject`,
);
const LOOKS_MAX = 500;

/** The cards that wait to be erased, once there is only the expected number of them. */
async function awaitWaiting(scope: Scope, count: number): Promise<string[]> {
  let waiting: string[] = [];
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const rows = await place.database.read(scope, (reader) =>
      reader.query<{ subject: string }>(DUE, [scope.accountId, 'card-erasure']),
    );
    waiting = rows.map(({ subject }) => subject);
    if (waiting.length <= count) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return waiting;
}

test('a card whose erasure fails keeps no other card from being erased', async () => {
  const scope = createTestScope();
  const broken = 'no id of a card';
  const good = Array.from({ length: 5 }, (_, at) => newId('paymentMethod', 'sandbox', Buffer.alloc(16, at)));
  for (const subject of [broken, ...good]) {
    await place.database.transact(scope, (tx) => {
      schedule(tx, { kind: 'card-erasure', subject, dueInMs: 0 });
      return Promise.resolve();
    });
  }
  const log = new LogLines();
  const erasures = await startErasures(place.database, {
    log: openLog({ app: 'card-vault', level: 'info', write: log.write }),
    pollMs: 50,
  });
  const waiting = await awaitWaiting(scope, 1);
  await erasures.stop();
  expect(waiting).toEqual([broken]);
  expect(log.lines.filter((line) => line.includes('"erasure.failed"'))).toHaveLength(1);
});
