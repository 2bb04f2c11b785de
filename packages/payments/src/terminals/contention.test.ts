import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  FULL_PERMISSIONS,
  listPublishedStates,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(async () => {
  await testEnvironment.close();
});

const AT_ONCE = 50;

const sale = (testAccount: TestAccount, terminalId: string, paymentIntentId: string) =>
  getOutcome(
    transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.sessions.create(tx, FULL_PERMISSIONS, { sessionType: 'Sale', terminalId, paymentIntentId }),
    ),
  );
const cancelIntent = (testAccount: TestAccount, id: string) =>
  getOutcome(transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, id)));

function countOutcomes(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

test('of fifty concurrent sales of one intent on two machines one begins', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount);
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      sale(testAccount, testAccount.terminals[index % 2 === 0 ? 0 : 1].id, intentId),
    ),
  );
  const { done, ...refused } = countOutcomes(outcomes);
  expect(done).toBe(1);
  expect(Object.keys(refused).every((code) => ['payment_intent_busy', 'terminal_unavailable'].includes(code))).toBe(
    true,
  );
  await expectConsistent(testEnvironment, testAccount);
});

test('of fifty concurrent intents one gets the machine, and the others are refused as busy', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const [terminal] = testAccount.terminals;
  const intents: string[] = [];
  for (let index = 0; index < AT_ONCE; index += 1) intents.push(await createIntent(testEnvironment, testAccount));
  const outcomes = await Promise.all(intents.map((id) => sale(testAccount, terminal.id, id)));
  expect(countOutcomes(outcomes)).toEqual({ done: 1, terminal_unavailable: AT_ONCE - 1 });
});

test('an intent cannot be cancelled while a session runs on it, and can again once that has ended', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  expect(await cancelIntent(testAccount, intentId)).toBe('payment_intent_busy');
  await machine.approvePayment(true);
  expect(await cancelIntent(testAccount, intentId)).toBe('payment_intent_busy');
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
  );
  expect(await cancelIntent(testAccount, intentId)).toBe('payment_intent_not_cancelable');
  const other = await createIntent(testEnvironment, testAccount);
  const second = await TestCardMachine.startSale(testEnvironment, testAccount, other);
  await second.sendReport({ kind: 'canceled' });
  await second.sendReport({ kind: 'unable', reason: 'no paper' });
  expect(await cancelIntent(testAccount, other)).toBe('done');
  await elapseTime(testEnvironment, testAccount.scope, 1_000);
  await expectConsistent(testEnvironment, testAccount);
});

test('of a concurrent DELETE and session of one intent one wins, and the other is refused', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const seen = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const intentId = await createIntent(testEnvironment, testAccount);
    const begin = () => sale(testAccount, testAccount.terminals[0].id, intentId);
    const end = () => cancelIntent(testAccount, intentId);
    const first = round % 2 === 0 ? [end(), begin()] : [begin(), end()].reverse();
    const [ended, started] = await Promise.all(first);
    seen.add(`${ended} ${started}`);
    const { status } = await readIntent(testEnvironment, testAccount, intentId);
    expect(status).toBe(ended === 'done' ? 'Canceled' : 'Created');
    if (started !== 'done') continue;
    // Releases the machine for the next round.
    const [session] = await testEnvironment.database.read(
      testAccount.scope,
      async (reader) => (await testEnvironment.intents.get(reader, intentId, { returnCanceled: true })).sessions,
    );
    await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.sessions.applyReport(tx, {
        ...{ terminal: testAccount.terminals[0], sessionId: session!.session.id },
        report: { kind: 'unable', reason: 'next round', number: 1 },
      }),
    );
  }
  for (const outcome of seen)
    expect(['done payment_intent_not_payable', 'payment_intent_busy done']).toContain(outcome);
  await expectConsistent(testEnvironment, testAccount);
});

test('of twenty concurrent refunds of the whole amount on two machines one is begun', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      getOutcome(
        TestCardMachine.createSession(testEnvironment, testAccount, {
          ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
          terminal: testAccount.terminals[index % 2 === 0 ? 0 : 1],
        }),
      ),
    ),
  );
  expect(countOutcomes(outcomes)['done']).toBe(1);
  expect((await readIntent(testEnvironment, testAccount, intentId)).pendingRefund.value).toBe(2_000);
});

test('of a concurrent decision and timeout of a signature one counts', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  for (let round = 0; round < 4; round += 1) {
    const machine = await TestCardMachine.startSale(
      testEnvironment,
      testAccount,
      await createIntent(testEnvironment, testAccount),
    );
    await machine.approvePayment(true);
    const decide = (isAccepted: boolean) =>
      getOutcome(
        transactAs(testEnvironment, testAccount, (tx) =>
          testEnvironment.sessions.decideSignature(tx, machine.session.id, isAccepted),
        ),
      );
    const outcomes = await Promise.all([decide(true), decide(false), decide(true), decide(false)]);
    expect(countOutcomes(outcomes)).toEqual({ done: 1, signature_not_awaited: 3 });
    await elapseTime(testEnvironment, testAccount.scope, 80_000);
    const received = await listPublishedStates(testEnvironment, testAccount.scope, machine.session.id);
    expect(received.filter((each) => /Captured|Rejected/.test(each))).toHaveLength(1);
  }
  await expectConsistent(testEnvironment, testAccount);
});

test('an approval that a machine repeats on many streams at once is taken once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  const approval = await machine.chargeCard();
  const report = { kind: 'approved', approval, isSignatureRequired: false, number: 1 } as const;
  await Promise.all(Array.from({ length: 12 }, () => machine.resendReport(report)));
  expect(await listPublishedStates(testEnvironment, testAccount.scope, intentId)).toEqual([
    'created Created',
    'Captured',
  ]);
  await expectConsistent(testEnvironment, testAccount);
});
