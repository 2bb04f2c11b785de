import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { money } from '@pos/core/money';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { createAuthorisation, createDeclinedVerdict } from '@pos/sandbox/testing';
import type { Database, Reader } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { overrideMembers } from '../testing/object-override.js';
import { compareWithAcquirers } from './acquirer-comparison.js';
import {
  transactAs,
  createIntent,
  findDifferences,
  elapseTime,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  readCall,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(async () => {
  await testEnvironment.close();
});

const OUTCOME = defineStatement(
  'plant_outcome',
  `update acquirer_calls set outcome = $4 where account_id = $1 and environment = $2 and reference = $3 returning reference`,
);

/** A scenario with one of everything: paid, held, reversed, refunded by us and by a machine, declined, given up. */
async function createBusyScenario(testAccount: TestAccount) {
  const sale = await createPaidIntent(testEnvironment, testAccount);
  const hold = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  const undone = await createPaidIntent(testEnvironment, testAccount);
  await testEnvironment.giveBack.giveBackPayment(testAccount.scope, {
    intentId: undone.intentId,
    reference: `undo ${testAccount.merchantId}`,
  });
  const matched = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: sale.intentId, amount: gbp(300) },
  });
  await matched.approvePayment();
  const unlinked = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{ sessionType: 'UnlinkedRefund', amount: gbp(400), cardHolderNotPresent: false },
  });
  await unlinked.approvePayment();
  const no = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await no.declinePayment();
  const lost = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await elapseTime(testEnvironment, testAccount.scope, 10_000);
  await elapseTime(testEnvironment, testAccount.scope, 61_000);
  expect((await lost.readAcquirerCall()).outcome).toBe('Reversed');
  const refunded = await createPaidIntent(testEnvironment, testAccount);
  await moveClock(testEnvironment, testAccount.scope, DAY_MS);
  const refund = `refund ${testAccount.merchantId}`;
  await testEnvironment.giveBack.giveBackPayment(testAccount.scope, { intentId: refunded.intentId, reference: refund });
  return { sale, hold, undone, refund, no, matched, unlinked };
}
type ReconciliationScenario = Awaited<ReturnType<typeof createBusyScenario>>;

type Restore = () => unknown;

/** Changes a line of the acquirer's books. */
function tamper(reference: string, change: object): Restore {
  const { books } = testEnvironment.acquirerServer.acquirer;
  const before = books.findCall(reference)!;
  books.recordCall({ ...before, ...change });
  return () => books.recordCall(before);
}

/** Changes the outcome in our own row of a call. */
async function setRecordedOutcome(testAccount: TestAccount, reference: string, outcome: string): Promise<Restore> {
  const { accountId, environment } = testAccount.scope;
  const { outcome: before } = await readCall(testEnvironment, testAccount, reference);
  const write = (each: string | null) =>
    transactAs(testEnvironment, testAccount, (tx) => tx.query(OUTCOME, [accountId, environment, reference, each]));
  await write(outcome);
  return () => write(before);
}

async function chargeWithoutCall({ merchantId }: TestAccount): Promise<Restore> {
  const reference = `stray ${merchantId}`;
  await testEnvironment.acquirerServer.authorise(createAuthorisation(reference, { merchantId }));
  return () => tamper(reference, { merchantId: 'another' });
}

const AMOUNT = defineStatement(
  'plant_amount',
  `update transactions set amount = amount + $4
   where account_id = $1 and environment = $2 and acquirer_reference = $3 returning amount`,
);

/** Changes the amount in a line of the listing. */
async function changeListing(testAccount: TestAccount, reference: string): Promise<Restore> {
  const { accountId, environment } = testAccount.scope;
  const write = (by: number) =>
    transactAs(testEnvironment, testAccount, (tx) => tx.query(AMOUNT, [accountId, environment, reference, by]));
  await write(1);
  return () => write(-1);
}

type PlantedDifference = (testAccount: TestAccount, scenario: ReconciliationScenario) => Restore | Promise<Restore>;
const PLANTED_DIFFERENCES: readonly (readonly [string, PlantedDifference, readonly string[]])[] = [
  [
    'a payment is missing in its list',
    (_, { sale }) => tamper(sale.reference, { merchantId: 'another' }),
    ['we count a Authorise that the acquirer has not booked'],
  ],
  [
    'a payment was undone behind our back',
    (_, { hold }) => tamper(hold.reference, { isReversed: true }),
    ['we count a Authorise that the acquirer has not booked'],
  ],
  [
    'a refund of ours was never booked',
    (_, { refund }) => tamper(refund, { outcome: 'Declined' }),
    ['we count a Refund that the acquirer has not booked'],
  ],
  [
    'more was held than we requested',
    (_, { hold }) => tamper(hold.reference, { amount: gbp(2_001) }),
    ['the acquirer booked 2001 GBP, we asked for 2000 GBP'],
  ],
  [
    'a sale is listed with more than was taken',
    (testAccount, { sale }) => changeListing(testAccount, sale.reference),
    ['the ledger keeps 1700 GBP, the transactions sum to 1701'],
  ],
  [
    'another currency was given back',
    (_, { unlinked }) => tamper(unlinked.session.acquirerReference, { amount: money(400, 'EUR') }),
    ['the acquirer booked 400 EUR, we asked for 400 GBP'],
  ],
  [
    'a payment is booked as a refund',
    (_, { hold }) => tamper(hold.reference, { kind: 'Refund' }),
    ['the acquirer booked a Refund, we asked for a Authorise'],
  ],
  [
    'a card was charged without a call of ours',
    (testAccount) => chargeWithoutCall(testAccount),
    ['the acquirer booked a Authorise that we never asked for'],
  ],
  [
    'a payment that is declined in our books is held',
    (_, { no }) => tamper(no.session.acquirerReference, { outcome: 'Approved', isPurchase: false }),
    ['the acquirer booked a Authorise that we take for Declined'],
  ],
  [
    'a payment that we have undone is held again',
    (_, { undone }) => tamper(undone.reference, { isReversed: false, isPurchase: false }),
    ['the acquirer booked a Authorise that we take for Reversed'],
  ],
  [
    'a refund that is refused in our books was made',
    (testAccount, { refund }) => setRecordedOutcome(testAccount, refund, 'Declined'),
    ['the acquirer booked a Refund that we take for Declined'],
  ],
];

describe('after a busy evening', () => {
  let testAccount: TestAccount;
  let scenario: ReconciliationScenario;
  beforeAll(async () => {
    testAccount = await createTestAccount(testEnvironment);
    scenario = await createBusyScenario(testAccount);
  });

  test('there is no difference', async () => {
    expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
  });

  test.each(PLANTED_DIFFERENCES)('it is found that %s', async (_title, plantDifference, found) => {
    const restore = await plantDifference(testAccount, scenario);
    expect((await findDifferences(testEnvironment, testAccount)).map(({ says }) => says)).toEqual(found);
    await restore();
    expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
  });
});

test('an open call is no difference: a running payment, a waiting refund, a running reversal', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.approvePayment(true);
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Reverse' }, effect: 'down' }]);
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
  );
  expect(
    (await readCall(testEnvironment, testAccount, machine.session.acquirerReference)).reverseReference,
  ).not.toBeNull();
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const refund = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(100) },
  });
  await refund.chargeCard();
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});

test('a payment that ends while the list is being transferred is no difference', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'ListBooked' }, effect: 'delay', delayMs: 500, times: 1 },
  ]);
  const comparing = findDifferences(testEnvironment, testAccount);
  while (testEnvironment.acquirerServer.rules.listRules()[0]!.used === 0)
    await new Promise((resolve) => setTimeout(resolve, 1));
  // The list was made before the card was charged, and our books are read after it.
  await machine.approvePayment();
  expect(await comparing).toEqual([]);
  expect((await machine.readAcquirerCall()).outcome).toBe('Approved');
});

test('a payment at the edge of the span is a difference on neither side of it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const started = new Date();
  await createPaidIntent(testEnvironment, testAccount);
  const { bookedAt } = testEnvironment.acquirerServer.acquirer.books
    .listCalls()
    .findLast(({ merchantId }) => merchantId === testAccount.merchantId)!;
  const parts = {
    database: testEnvironment.database,
    acquirers: testEnvironment.acquirers,
    accounts: testEnvironment.accounts,
    directory: testEnvironment.settings.acquirers,
  };
  // Between our row for it and the acquirer's.
  for (const at of [started, new Date(bookedAt), new Date(Date.parse(bookedAt) + 1)]) {
    const before = { from: new Date(at.getTime() - DAY_MS), to: at };
    const after = { from: at, to: new Date(at.getTime() + DAY_MS) };
    expect((await compareWithAcquirers(parts, testAccount.scope, { span: before })).findings).toEqual([]);
    expect((await compareWithAcquirers(parts, testAccount.scope, { span: after })).findings).toEqual([]);
  }
});

/** The database; it adds the names of the statements that its readers execute. */
function recordStatements(database: Database, names: string[]): Database {
  const recordReader = <R extends Reader>(reader: R): R =>
    overrideMembers<Reader>(reader, {
      query: (statement, values) => {
        names.push(statement.name);
        return reader.query(statement, values);
      },
    }) as R;
  return overrideMembers(database, {
    read: (scope, work) => database.read(scope, (reader) => work(recordReader(reader))),
    readSnapshot: (scope, work) => database.readSnapshot(scope, (reader) => work(recordReader(reader))),
  });
}

test('the calls of a span are read once for all acquirers, and no line of a settlement file outside it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  await createPaidIntent(testEnvironment, testAccount);
  const names: string[] = [];
  const can = { ...COMPLETE_CAPABILITIES.can, booked_list: false };
  const parts = {
    database: recordStatements(testEnvironment.database, names),
    acquirers: testEnvironment.acquirers,
    accounts: testEnvironment.accounts,
    directory: { getCapabilities: () => ({ ...COMPLETE_CAPABILITIES, can }) },
  };
  const now = Date.now();
  const span = { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS) };
  await compareWithAcquirers(parts, testAccount.scope, { span });
  const count = (label: string) => names.filter((name) => name.startsWith(label)).length;
  expect([count('list_calls_between'), count('list_settlement_lines')]).toEqual([1, 1]);
});

test('a list that the acquirer does not return is not an empty list', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'ListBooked' }, effect: 'down' }]);
  await expect(findDifferences(testEnvironment, testAccount)).rejects.toThrow('the acquirer is down');
});

test('a long list is read to its end', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const bookings = 1_200;
  for (let index = 0; index < bookings; index += 1) {
    testEnvironment.acquirerServer.acquirer.authorise(
      createAuthorisation(`many ${testAccount.merchantId} ${index}`, { merchantId: testAccount.merchantId }),
    );
  }
  testEnvironment.acquirerServer.acquirer.authorise(
    createAuthorisation(`no ${testAccount.merchantId}`, { merchantId: testAccount.merchantId }),
    createDeclinedVerdict('no'),
  );
  expect(await findDifferences(testEnvironment, testAccount)).toHaveLength(bookings + 1);
});
