import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { PendingAction, RefundDecision } from '@pos/core/operators';
import { listCallsOfIntent, lockAcquirerCall, lockIntent } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';
import { createDeferred, waitUntilBlocked } from '../testing/lock-waits.js';
import { lockSessionWithIntent } from '../terminals/session-commit.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  getOutcome,
  type TestAccount,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { createOperatorService } from '../testing/operator-service.js';
import { concludeReplacementRefund } from '../acquirer/undo-refund.js';

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

const OPERATOR = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;

interface ConcurrentWork<T> {
  readonly lock: (tx: Tx) => Promise<unknown>;
  readonly goOn: (tx: Tx) => Promise<T>;
}

/**
 * Decides while another transaction has locked rows; that one continues once the decision waits. Returns both
 * results.
 */
async function decideDuring<T>(
  testAccount: TestAccount,
  request: { readonly paymentId: string; readonly action: PendingAction | RefundDecision },
  { lock, goOn }: ConcurrentWork<T>,
): Promise<[T, string]> {
  const locked = createDeferred();
  const blocked = createDeferred();
  const other = transactAs(testEnvironment, testAccount, async (tx) => {
    await lock(tx);
    locked.resolve();
    await blocked.promise;
    return goOn(tx);
  });
  await locked.promise;
  const decision = { ...request, caller: OPERATOR, note: 'seen in the books' };
  const decided = getOutcome(
    transactAs(testEnvironment, testAccount, (tx) =>
      createOperatorService(testEnvironment).resolvePending(tx, decision),
    ),
  );
  await waitUntilBlocked(testEnvironment.database).finally(blocked.resolve);
  return Promise.all([other, decided]);
}

/** A refund of a paid intent on a machine whose session has expired. */
async function createExpiredRefund() {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  await elapseTime(testEnvironment, testAccount.scope, 10_000);
  return { testAccount, intentId, machine };
}

test.each([
  ['MarkRefunded', 2_000],
  ['MarkNotRefunded', 0],
] as const)('%s waits for a report that has locked the payment, and neither fails', async (action, refunded) => {
  const { testAccount, intentId, machine } = await createExpiredRefund();
  const paymentId = machine.session.id;
  const both = await decideDuring(
    testAccount,
    { paymentId, action },
    {
      // In the order of a received report: first the intent, then the session and its call.
      lock: (tx) => lockIntent(tx, intentId),
      goOn: async (tx) => (await lockSessionWithIntent(tx, paymentId))?.isAttemptOpen,
    },
  );
  expect(both).toEqual([true, 'done']);
  expect((await readIntent(testEnvironment, testAccount, intentId)).refunded.value).toBe(refunded);
});

test.each(['MarkRefunded', 'MarkNotRefunded', 'RetryNow'] as const)(
  '%s is refused when the refund ends while it waits',
  async (action) => {
    const { testAccount, intentId, machine } = await createExpiredRefund();
    const paymentId = machine.session.id;
    const operatorService = createOperatorService(testEnvironment);
    const first = { caller: OPERATOR, note: 'the first', paymentId, action: 'MarkRefunded' } as const;
    const both = await decideDuring(
      testAccount,
      { paymentId, action },
      {
        lock: (tx) => lockSessionWithIntent(tx, paymentId),
        goOn: (tx) => getOutcome(operatorService.resolvePending(tx, first)),
      },
    );
    expect(both).toEqual(['done', 'pending_payment_not_decidable']);
    expect((await readIntent(testEnvironment, testAccount, intentId)).refunded.value).toBe(2_000);
  },
);

const DONE = { isDone: true, isFailure: false, result: null } as const;

test('RetryNow orders no second refund when the refund in place of a reversal ends while it waits', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.approvePayment(true);
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
  );
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Reverse' }, effect: 'refuse', status: 'FAILED_PRECONDITION' },
    { match: { kind: 'Refund' }, effect: 'drop-answer' },
  ]);
  await runDueWork(testEnvironment, testAccount.scope);
  const calls = () =>
    testEnvironment.database.read(testAccount.scope, (reader) =>
      listCallsOfIntent(reader, machine.session.paymentIntentId!),
    );
  const [original, reversal, refund] = await calls();
  expect([reversal?.state, refund?.kind]).toEqual(['Declined', 'Refund']);
  const [, decided] = await decideDuring(
    testAccount,
    { paymentId: reversal!.reference, action: 'RetryNow' },
    {
      lock: (tx) => lockAcquirerCall(tx, reversal!.reference),
      goOn: (tx) =>
        concludeReplacementRefund(tx, { locked: null, refund: refund!, original: original!, verdict: DONE }),
    },
  );
  expect(decided).toBe('pending_payment_not_decidable');
  expect((await calls()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'Authorise Settled',
    'Reverse Settled',
    'Refund Settled',
  ]);
});
