import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Alarm } from '@pos/core/operators';
import type { Scope } from '@pos/core/identity';
import { insertAlarm, listAlarms, updateAlarmAnswer } from './alarms.js';
import type { Tx } from '../database/database.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
const reported: [Scope, Pick<Alarm, 'kind' | 'subject'>][] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase({ reportAlarm: (scope, alarm) => reported.push([scope, alarm]) });
});
beforeEach(() => {
  reported.length = 0;
});
afterAll(() => testDatabase.close());

test('an alarm is reported once its row is committed, and not before', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, async (tx) => {
    await raise(tx, 'call-1');
    await tx.flush();
    expect(reported).toEqual([]);
  });
  const { elements } = await testDatabase.database.read(scope, (reader) => listAlarms(reader, ALL));
  const { answer: _answer, ...raised } = elements[0]!;
  expect(reported).toEqual([[scope, raised]]);
});

test('an alarm that is open already is not reported again; after its answer it is', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => raise(tx, 'call-2'));
  await testDatabase.database.transact(scope, async (tx) => {
    await raise(tx, 'call-2');
    await raise(tx, 'call-2');
  });
  expect(reported).toHaveLength(1);
  const { elements } = await testDatabase.database.read(scope, (reader) => listAlarms(reader, ALL));
  await testDatabase.database.transact(scope, (tx) =>
    updateAlarmAnswer(tx, elements[0]!.id, {
      ...{ note: 'checked', keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA', answeredAt: tx.now },
    }),
  );
  await testDatabase.database.transact(scope, (tx) => raise(tx, 'call-2'));
  expect(reported).toHaveLength(2);
});

test('an alarm of a transaction that is undone is not reported', async () => {
  const work = testDatabase.database.transact(createTestScope(), async (tx) => {
    await raise(tx, 'call-3');
    await tx.flush();
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(reported).toEqual([]);
});

test('a report that fails does not fail the transaction', async () => {
  const scope = createTestScope();
  const other = await testDatabase.open({
    reportAlarm: () => {
      throw new Error('the log is full');
    },
  });
  await other.transact(scope, (tx) => raise(tx, 'call-4'));
  expect((await testDatabase.database.read(scope, (reader) => listAlarms(reader, ALL))).elements).toHaveLength(1);
});

const ALL = { isAnswered: null, limit: 10, cursor: null, direction: 'older' } as const;

async function raise(tx: Tx, subject: string): Promise<void> {
  const alarm = { kind: 'AcquirerCallOpen', subject, occurrence: '', message: 'It is open.', details: {} } as const;
  insertAlarm(tx, { ...alarm, id: await tx.newUuid(), createdAt: tx.now });
}
