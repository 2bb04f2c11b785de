import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { authoriseEntry, buildIntent, captureEntry, createPaymentEvent, gbp, NOON, VISA } from '@pos/core/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { verifyIntentChain } from '../reconciliation/chain-verification.js';
import { listLedgerEntries } from './ledger.js';
import { insertIntent, lockIntent, writeIntentRow } from '../payments/payment-intents.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

const ATTEMPT = { transactionId: 't', amount: gbp(2000), card: VISA };

let testDatabase: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

test('the records of a payment are intact as they were written', async () => {
  const { scope, id } = await paidIntent();
  expect(await verdict(scope, id)).toEqual([]);
  const entries = await testDatabase.database.read(scope, (reader) => listLedgerEntries(reader, id));
  expect(entries).toEqual([
    authoriseEntry('auth-1', gbp(2000)),
    captureEntry('auth-1', gbp(2000)),
    captureEntry('cap-2', gbp(1)),
  ]);
});

test.each([
  [
    'an amount of a balanced entry is changed',
    ['update ledger_postings set amount = amount * 2 where entry_number = 3 and $'],
  ],
  [
    'a posting moves to another account',
    [`update ledger_postings set ledger_account = 'card_receivable' where entry_number = 3 and line = 1 and $`],
  ],
  [
    'the last record is deleted',
    ['delete from ledger_postings where entry_number = 5 and $', 'delete from ledger_entries where number = 5 and $'],
  ],
  ['a record in the middle is deleted', ['delete from payment_events where number = 4 and $']],
  [
    'an event is changed',
    [`update payment_events set details = jsonb_set(details, '{cardNumber}', '"0"') where number = 1 and $`],
  ],
  [
    'an event is given another time',
    [`update payment_events set occurred_at = occurred_at - interval '1 day' where number = 1 and $`],
  ],
  [
    'two records change places',
    [
      [2, 50],
      [3, 2],
      [50, 3],
    ].flatMap(([from, to]) => [
      `update ledger_postings set entry_number = ${to} where entry_number = ${from} and $`,
      `update ledger_entries set number = ${to} where number = ${from} and $`,
    ]),
  ],
  ['a reference is changed', [`update ledger_entries set reference = 'other' where number = 2 and $`]],
  ['the end of the chain is moved back', ['update payment_intents set chain_length = chain_length - 1 where $']],
  ['a link is overwritten', [`update ledger_entries set hash = '\\x00' where number = 5 and $`]],
])('it is seen when %s', async (_, statements) => {
  const { scope, id } = await paidIntent();
  // Only the owner of the database can do this; the service's own logins cannot.
  await owner.query('set session_replication_role = replica');
  for (const sql of statements) {
    const { rowCount } = await owner.query(sql.replace('$', `account_id = '${scope.accountId}'`));
    expect(rowCount).toBeGreaterThan(0);
  }
  expect(await verdict(scope, id)).not.toEqual([]);
});

test('a decision that is not stored leaves the chain as it was', async () => {
  const { scope, id } = await paidIntent();
  const work = testDatabase.database.transact(scope, async (tx) => {
    const locked = await lockIntent(tx, id);
    const entries = [captureEntry('cap-3', gbp(1))];
    await writeIntentRow(
      tx,
      { intent: locked!.intent, events: [], entries, webhookEvents: [], transactions: [] },
      locked!,
    );
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(await verdict(scope, id)).toEqual([]);
});

test('eight writers at once append one after another', async () => {
  const { scope, id } = await paidIntent();
  await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      testDatabase.database.transact(scope, async (tx) => {
        const locked = await lockIntent(tx, id);
        const entries = [captureEntry(`more-${number}`, gbp(1))];
        await writeIntentRow(
          tx,
          { intent: locked!.intent, events: [], entries, webhookEvents: [], transactions: [] },
          locked!,
        );
      }),
    ),
  );
  expect(await verdict(scope, id)).toEqual([]);
  expect(await testDatabase.database.read(scope, (reader) => listLedgerEntries(reader, id))).toHaveLength(11);
});

test('a chain that grows during verification is reported as intact', async () => {
  const { scope, id } = await paidIntent();
  let isWriting = true;
  const verdicts: string[][] = [];
  const verifying = (async () => {
    while (isWriting) verdicts.push(await verdict(scope, id));
  })();
  for (let number = 0; number < 150; number += 1) await appendCapture(scope, id, `beside-${number}`);
  isWriting = false;
  await verifying;
  expect(verdicts.length).toBeGreaterThan(10);
  expect(verdicts.filter((problems) => problems.length > 0)).toEqual([]);
});

test('a chain of several pages is intact, and a fault on its last page is found', async () => {
  const { scope, id } = await paidIntent();
  const { database } = testDatabase;
  const events = Array.from({ length: 150 }, () =>
    createPaymentEvent('Captured', NOON, { ...ATTEMPT, amount: gbp(1) }),
  );
  for (let round = 0; round < 5; round += 1) {
    await database.transact(scope, async (tx) => {
      const locked = await lockIntent(tx, id);
      const entries = Array.from({ length: 120 }, (_, number) => captureEntry(`many-${round}-${number}`, gbp(1)));
      await writeIntentRow(
        tx,
        { intent: locked!.intent, events, entries, webhookEvents: [], transactions: [] },
        locked!,
      );
    });
  }
  await appendCapture(scope, id, 'last');
  expect(await verdict(scope, id)).toEqual([]);
  await owner.query('set session_replication_role = replica');
  const edited = await owner.query(
    `update ledger_postings set amount = amount * 2 where entry_number = 1356 and account_id = '${scope.accountId}'`,
  );
  expect(edited.rowCount).toBeGreaterThan(0);
  expect(await verdict(scope, id)).toEqual(['record 1356 was changed after it was written']);
});

async function appendCapture(scope: Scope, id: PaymentIntentId, reference: string): Promise<void> {
  await testDatabase.database.transact(scope, async (tx) => {
    const locked = await lockIntent(tx, id);
    const entries = [captureEntry(reference, gbp(1))];
    await writeIntentRow(
      tx,
      { intent: locked!.intent, events: [], entries, webhookEvents: [], transactions: [] },
      locked!,
    );
  });
}

async function verdict(scope: Scope, id: PaymentIntentId): Promise<string[]> {
  return testDatabase.database.readSnapshot(scope, (snapshot) => verifyIntentChain(snapshot, id));
}

/** Five records: an event and two entries, then an event and an entry. */
async function paidIntent(): Promise<{ scope: Scope; id: PaymentIntentId }> {
  const { database } = testDatabase;
  const scope = createTestScope();
  const intent = { ...buildIntent(), id: createId('paymentIntent', 'sandbox', randomBytes(16)) };
  const first = [authoriseEntry('auth-1', gbp(2000)), captureEntry('auth-1', gbp(2000))];
  await database.transact(scope, (tx) =>
    insertIntent(tx, { intent, events: [], entries: [], webhookEvents: [], transactions: [] }),
  );
  for (const entries of [first, [captureEntry('cap-2', gbp(1))]]) {
    await database.transact(scope, async (tx) => {
      const locked = await lockIntent(tx, intent.id);
      const events = [createPaymentEvent('Captured', NOON, ATTEMPT)];
      await writeIntentRow(
        tx,
        { intent: locked!.intent, events, entries, webhookEvents: [], transactions: [] },
        locked!,
      );
    });
  }
  return { scope, id: intent.id };
}
