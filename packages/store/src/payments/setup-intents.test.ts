import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createId } from '@pos/core/ids';
import {
  authoriseSetup,
  declineSetup,
  type SetupDecision,
  type SetupIntent,
  undoLateSetup,
} from '@pos/core/setup-intents';
import { createApproval, buildSetup, getDecline, gbp, NOON, NOTHING, createPastDate } from '@pos/core/testing';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { verifySetupChain } from '../reconciliation/chain-verification.js';
import {
  findSetupIntent,
  insertSetupIntent,
  lockSetupIntent,
  listSetupEvents,
  updateSetupIntent,
} from './setup-intents.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.replaceAll('\0', ''));

test('a setup intent is read as it was written, in all of its members', async () => {
  const changes = fc.record({
    merchantInitiatedTransactionType: fc.constantFrom('NoShow', 'Unscheduled'),
    terms: text,
    intendedAmount: fc.option(fc.integer({ min: 1, max: 999_999_999_999 }).map(gbp), { nil: null }),
    reference: text,
    description: fc.option(text, { nil: null }),
    paymentMethods: fc.constantFrom(['Card'], ['Card', 'SavedCard']),
    expireAt: time,
    cardExpireAt: fc.option(time, { nil: null }),
    metadata: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())),
    paymentDetails: fc.constantFrom(null, declineSetup(buildSetup(), getDecline(), NOON).setup.paymentDetails),
    updatedAt: time,
  });
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const scope = createTestScope();
      const id = createId('setupIntent', 'sandbox', randomBytes(16));
      const setup = { ...buildSetup(), ...change, id } as SetupIntent;
      await testDatabase.database.transact(scope, (tx) => {
        insertSetupIntent(tx, setup);
      });
      const found = await testDatabase.database.read(scope, (reader) => findSetupIntent(reader, id));
      expect(found).toEqual({ ...setup, metadata: JSON.parse(JSON.stringify(setup.metadata)) as unknown });
      const foreign = { accountId: scope.accountId, environment: 'production' } as const;
      expect(await testDatabase.database.read(foreign, (reader) => findSetupIntent(reader, id))).toBeNull();
      await testDatabase.database.transact(scope, async (tx) => {
        const locked = (await lockSetupIntent(tx, id))!;
        const next = { ...locked.setup, description: 'another', updatedAt: NOON };
        const written = updateSetupIntent(tx, { setup: next, events: [] }, locked);
        expect((await lockSetupIntent(tx, id))!.setup).toEqual({ ...written, version: 2, clientSecret: null });
      });
      expect((await testDatabase.database.read(scope, (reader) => findSetupIntent(reader, id)))?.clientSecret).toBe(
        'secret',
      );
    }),
    { numRuns: 25 },
  );
});

async function withHistory() {
  const scope = createTestScope();
  const id = createId('setupIntent', 'sandbox', randomBytes(16));
  const decide = (change: (setup: SetupIntent) => SetupDecision) =>
    testDatabase.database.transact(scope, async (tx) => {
      const locked = (await lockSetupIntent(tx, id))!;
      updateSetupIntent(tx, change(locked.setup), locked);
    });
  const approval = createApproval(NOTHING);
  await testDatabase.database.transact(scope, (tx) => {
    insertSetupIntent(tx, buildSetup({ id }));
  });
  await decide((setup) => declineSetup(setup, getDecline(), createPastDate(1)));
  await decide((setup) => authoriseSetup(setup, approval, createPastDate(2)));
  await decide((setup) => undoLateSetup(setup, approval, createPastDate(3)));
  return { scope, id };
}

test('its history is whole and in order', async () => {
  const { scope, id } = await withHistory();
  const events = await testDatabase.database.read(scope, (reader) => listSetupEvents(reader, id));
  expect(events.map(({ eventType, occurredAt }) => [eventType, occurredAt])).toEqual([
    ['Declined', createPastDate(1)],
    ['Authorized', createPastDate(2)],
    ['Reversed', createPastDate(3)],
  ]);
  expect(await testDatabase.database.readSnapshot(scope, (snapshot) => verifySetupChain(snapshot, id))).toEqual([]);
});

// oxfmt-ignore
test.each([
  ['edited', `update setup_events set details = details || '{"authCode": "1"}' where number = 2 and setup_intent_id = $1`, 'record 2 was changed after it was written'],
  ['removed', 'delete from setup_events where number = 2 and setup_intent_id = $1', 'record 2 is missing, the next record is 3'],
  ['cut off', 'delete from setup_events where number = 3 and setup_intent_id = $1', 'the setup intent counts 3 records, the chain has 2'],
  ['dated at another time', `update setup_events set occurred_at = occurred_at + interval '1 s' where number = 1 and setup_intent_id = $1`, 'record 1 was changed after it was written'],
])('a record that was %s behind our back is found', async (_, sql, fault) => {
  const { scope, id } = await withHistory();
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  expect((await owner.query(sql, [id])).rowCount).toBe(1);
  await owner.end();
  expect(await testDatabase.database.readSnapshot(scope, (snapshot) => verifySetupChain(snapshot, id))).toContain(fault);
});

test.each([
  ['an amount without its currency', { intendedAmount: { value: 5, currencyCode: 'pounds' } }],
  ['a card that cannot be charged any more', { status: 'Closed', clientSecretExpireAt: null, cardExpireAt: NOON }],
  ['a secret of a setup that is over', { status: 'Completed' }],
])('the database itself refuses %s', async (_, wrong) => {
  const id = createId('setupIntent', 'sandbox', randomBytes(16));
  const setup = { ...buildSetup(), ...wrong, id } as SetupIntent;
  const written = testDatabase.database.transact(createTestScope(), (tx) => {
    insertSetupIntent(tx, setup);
  });
  await expect(written).rejects.toMatchObject({ code: '23514' });
});
