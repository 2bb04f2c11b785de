import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseKnownId } from '@pos/core/identity';
import { createApproval, gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { listOpenDifferences, recordFindings } from '@pos/store/reconciliation';
import { listAlarmPage } from '../alarms/alarms.js';
import { createPaidIntent, TestCardMachine } from '../testing/card-machine.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { MoneyOperations } from '../testing/money-operations.js';
import { createOperatorService } from '../testing/operator-service.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  getOutcome,
  listPublishedStates,
  readCall,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { listOperatorCallPage } from './operator-service.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(async () => {
  await testEnvironment.close();
});

const caller = { keyId: parseKnownId('apiKey', 'key_AAAAAAAAAAAAAAAAAAAAAA') };

const decide = (testAccount: TestAccount, paymentId: string) =>
  getOutcome(
    testEnvironment.database.transact(testAccount.scope, (tx) =>
      createOperatorService(testEnvironment).resolvePending(tx, {
        ...{ caller, paymentId, action: 'MarkNotTaken', note: 'not in the books of the acquirer' },
      }),
    ),
  );

const readUnanswered = async ({ scope }: TestAccount) =>
  testEnvironment.database.read(scope, async (reader) => ({
    alarms: (await listAlarmPage(reader, { limit: 10, isAnswered: false })).alarms.length,
    differences: (await listOpenDifferences(reader)).length,
  }));

const listDecisions = async ({ scope }: TestAccount) => {
  const page = await testEnvironment.database.read(scope, (reader) => listOperatorCallPage(reader, { limit: 10 }));
  return page.calls.map(({ action, outcome, stateBefore, stateAfter }) =>
    [action, outcome, stateBefore, stateAfter].join(' '),
  );
};

/** A payment that a machine reported and that the acquirer does not have, with its alarm. */
async function createUntakenPayment(captureMode: 'Auto' | 'Manual' = 'Auto') {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount, { captureMode });
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  await machine.sendReport({ kind: 'approved', approval: createApproval(gbp(2_000)), isSignatureRequired: false });
  for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapseTime(testEnvironment, testAccount.scope, 60_000);
  return { testAccount, intentId, reference: machine.session.acquirerReference };
}

/** Writes what the daily comparison finds of a payment that the acquirer has not booked. */
async function findNotBooked({ scope }: TestAccount, reference: string): Promise<string> {
  const happenedAt = new Date();
  return testEnvironment.database.transact(scope, async (tx) => {
    const span = { from: new Date(happenedAt.getTime() - DAY_MS), to: new Date(happenedAt.getTime() + DAY_MS) };
    await recordFindings(tx, { kinds: ['NotBooked'], span }, [
      {
        ...{ kind: 'NotBooked', reference, paymentIntentId: null, acquirer: 'default', amount: gbp(2_000) },
        ...{ ours: 'Authorise of 2000 GBP', theirs: null, says: 'not booked', happenedAt },
      },
    ]);
    const [difference] = await listOpenDifferences(tx);
    return difference?.id ?? '';
  });
}

test.each(['Auto', 'Manual'] as const)(
  'a payment (%s) that the acquirer does not have is taken out of the books once, by the subject of its alarm',
  async (captureMode) => {
    const { testAccount, intentId, reference } = await createUntakenPayment(captureMode);
    expect(await readUnanswered(testAccount)).toEqual({ alarms: 1, differences: 0 });
    const answers = await Promise.all([1, 2, 3].map(() => decide(testAccount, reference)));
    expect(answers.sort()).toEqual(['done', 'pending_payment_not_decidable', 'pending_payment_not_decidable']);
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect([intent.status, intent.paymentDetails?.message]).toEqual(['Reversed', 'REVERSED']);
    const paid = captureMode === 'Auto' ? 'Captured' : 'Authorized';
    expect(await listPublishedStates(testEnvironment, testAccount.scope, intentId)).toEqual([
      ...['created Created', paid, 'Reversed'],
    ]);
    expect(await readUnanswered(testAccount)).toEqual({ alarms: 0, differences: 0 });
    expect((await listDecisions(testAccount)).sort()).toEqual([
      'AnswerAlarm Done Unanswered Answered',
      `MarkNotTaken Done ${paid} Reversed`,
    ]);
    await runDueWork(testEnvironment, testAccount.scope);
    expect((await readCall(testEnvironment, testAccount, reference)).outcome).toBe('Reversed');
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('a payment is named by its difference, too, and both answers are stored', async () => {
  const { testAccount, intentId, reference } = await createUntakenPayment();
  const differenceId = await findNotBooked(testAccount, reference);
  expect(await readUnanswered(testAccount)).toEqual({ alarms: 1, differences: 1 });
  expect(await decide(testAccount, differenceId)).toBe('done');
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Reversed');
  expect(await readUnanswered(testAccount)).toEqual({ alarms: 0, differences: 0 });
  expect(await decide(testAccount, differenceId)).toBe('pending_payment_not_decidable');
});

test('money that the acquirer has taken all the same is returned by the reversal', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createPaidIntent(testEnvironment, testAccount);
  const differenceId = await findNotBooked(testAccount, reference);
  expect(await decide(testAccount, differenceId)).toBe('done');
  await runDueWork(testEnvironment, testAccount.scope);
  const [reversal] = testEnvironment.acquirerServer.acquirer.books.listRelatedCalls(reference);
  expect([reversal?.kind, reversal?.outcome]).toEqual(['Reverse', 'Approved']);
  await expectConsistent(testEnvironment, testAccount);
});

test('an alarm about a payment that the acquirer has under another transaction does not show that it is missing', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  const real = await machine.chargeCard();
  const { transactionId } = createApproval(gbp(2_000));
  await machine.sendReport({ kind: 'approved', approval: { ...real, transactionId }, isSignatureRequired: false });
  await runDueWork(testEnvironment, testAccount.scope);
  const reference = machine.session.acquirerReference;
  expect(await readUnanswered(testAccount)).toEqual({ alarms: 1, differences: 0 });
  expect(await decide(testAccount, reference)).toBe('pending_payment_not_decidable');
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  // A comparison of the books that does not find it shows it: then the alarm is answered with the decision, too.
  await findNotBooked(testAccount, reference);
  expect(await decide(testAccount, reference)).toBe('done');
  expect(await readUnanswered(testAccount)).toEqual({ alarms: 0, differences: 0 });
});

test('nothing is decided about a payment without evidence, one that is partly returned, or an unknown one', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId, reference } = await createPaidIntent(testEnvironment, testAccount);
  expect(await decide(testAccount, reference)).toBe('pending_payment_not_decidable');
  await new MoneyOperations(testEnvironment, testAccount).refund(intentId, 500);
  await findNotBooked(testAccount, reference);
  expect(await decide(testAccount, reference)).toBe('pending_payment_not_decidable');
  expect((await readIntent(testEnvironment, testAccount, intentId)).status).toBe('Captured');
  expect(await decide(testAccount, '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f')).toBe('pending_payment_not_found');
  expect(await listDecisions(testAccount)).toEqual([]);
});
