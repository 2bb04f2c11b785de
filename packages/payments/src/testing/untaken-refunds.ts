import { createApproval, gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { defineStatement } from '@pos/postgres/statements';
import { createPaidIntent, TestCardMachine } from './card-machine.js';
import { createTestAccount, elapseTime, type TestAccount, type TestEnvironment } from './test-environment.js';

/** Time in which a call that the acquirer does not know may still arrive, and some more. */
const ARRIVES_MS = 2 * DAY_MS;

/**
 * A refund of `amount` that a machine has reported and that the acquirer does not have, with its alarm. It was made so long ago
 * that it cannot arrive any more.
 */
export async function createUntakenRefund(testEnvironment: TestEnvironment, amount: number, agoMs = ARRIVES_MS) {
  const testAccount = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, testAccount);
  const request = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: gbp(amount) } as const;
  const machine = await TestCardMachine.createSession(testEnvironment, testAccount, request);
  await reportUnbookedApproval(testEnvironment, { testAccount, machine, agoMs });
  return { testAccount, intentId, machine, reference: machine.session.acquirerReference };
}

/** The machine reports an approval that the acquirer does not have; the call becomes as old as that. */
export async function reportUnbookedApproval(
  testEnvironment: TestEnvironment,
  {
    testAccount,
    machine,
    agoMs = ARRIVES_MS,
  }: { readonly testAccount: TestAccount; readonly machine: TestCardMachine; readonly agoMs?: number },
): Promise<void> {
  await machine.confirmSession();
  const approval = createApproval(machine.session.total);
  await machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false });
  for (let inquiry = 0; inquiry < 4; inquiry += 1) await elapseTime(testEnvironment, testAccount.scope, 60_000);
  await moveCallBack(testEnvironment, { testAccount, reference: machine.session.acquirerReference, agoMs });
}

const MOVE_BACK = defineStatement(
  'test_move_call_back',
  `update acquirer_calls set created_at = created_at - $3 * interval '1 millisecond',
     deadline_at = deadline_at - $3 * interval '1 millisecond'
   where account_id = $1 and reference = $2 returning reference`,
);

/** Moves one call into the past in our books: when it was written, and until when it was sent. */
export async function moveCallBack(
  { database }: Pick<TestEnvironment, 'database'>,
  { testAccount: { scope }, reference, agoMs }: MovedCall,
): Promise<void> {
  await database.transact(scope, (tx) => tx.query(MOVE_BACK, [scope.accountId, reference, agoMs]));
}

interface MovedCall {
  readonly testAccount: TestAccount;
  readonly reference: string;
  readonly agoMs: number;
}
