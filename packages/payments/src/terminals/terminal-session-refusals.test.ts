import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SessionStatus } from '@pos/core/terminals';
import { gbp } from '@pos/core/testing';
import {
  transactAs,
  createIntent,
  elapseTime,
  FULL_PERMISSIONS,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  type TestAccount,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { TestCardMachine, createPaidIntent } from '../testing/card-machine.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(async () => {
  await testEnvironment.close();
});

const confirmMachine = async (machine: TestCardMachine): Promise<void> => {
  await machine.confirmSession();
};
const signPayment = async (machine: TestCardMachine): Promise<void> => {
  await machine.confirmSession();
  await machine.approvePayment(true);
};
const cancel = ({ session }: TestCardMachine, testAccount: TestAccount) =>
  transactAs(testEnvironment, testAccount, (tx) => testEnvironment.sessions.cancel(tx, session.id));
const decideSignature = ({ session }: TestCardMachine, testAccount: TestAccount, isAccepted: boolean) =>
  transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, session.id, isAccepted),
  );

describe('what is refused', () => {
  const IN: readonly (readonly [
    string,
    (machine: TestCardMachine, testAccount: TestAccount) => Promise<unknown>,
    SessionStatus,
  ])[] = [
    ['nothing has happened yet', async () => undefined, 'InitiateRequested'],
    ['it is at work', confirmMachine, 'Initiated'],
    ['a signature is awaited', signPayment, 'SignatureVerificationRequired'],
    ['it was paid', (machine) => machine.approvePayment(), 'Captured'],
    ['it was declined', (machine) => machine.declinePayment(), 'Declined'],
    ['it was cancelled', (machine) => machine.sendReport({ kind: 'unable', reason: 'no paper' }), 'Canceled'],
    ['it expired', (_, testAccount) => elapseTime(testEnvironment, testAccount.scope, 10_000), 'Expired'],
    [
      'the signature was rejected',
      async (machine, testAccount) => {
        await signPayment(machine);
        await decideSignature(machine, testAccount, false);
      },
      'SignatureVerificationRejected',
    ],
  ];
  const CANCELABLE: readonly SessionStatus[] = ['InitiateRequested', 'Initiated'];

  test.each(IN)('cancelling a session or deciding its signature when %s', async (_title, happens, status) => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.startSale(
      testEnvironment,
      testAccount,
      await createIntent(testEnvironment, testAccount),
    );
    await happens(machine, testAccount);
    expect((await machine.readTerminalSession()).status).toBe(status);
    const mayCancel = CANCELABLE.includes(status);
    if (status !== 'SignatureVerificationRequired') {
      expect(await getOutcome(decideSignature(machine, testAccount, true))).toBe('signature_not_awaited');
      expect(await getOutcome(decideSignature(machine, testAccount, false))).toBe('signature_not_awaited');
    }
    expect(await getOutcome(cancel(machine, testAccount))).toBe(mayCancel ? 'done' : 'terminal_session_not_cancelable');
  });

  test.each(['PleaseWait', 'EnterPin', 'RemoveCard', 'Approved', 'Declined'] as const)(
    'cancelling once the machine shows %s, because a card is in',
    async (notification) => {
      const testAccount = await createTestAccount(testEnvironment);
      const machine = await TestCardMachine.startSale(
        testEnvironment,
        testAccount,
        await createIntent(testEnvironment, testAccount),
      );
      await machine.confirmSession();
      await machine.showNotification('PresentCard');
      await machine.showNotification(notification);
      expect(await getOutcome(cancel(machine, testAccount))).toBe('terminal_session_not_cancelable');
    },
  );

  test('rejecting a signature after the 80 s, before the timer has run: it was accepted', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.startSale(
      testEnvironment,
      testAccount,
      await createIntent(testEnvironment, testAccount),
    );
    await signPayment(machine);
    await advanceMachine(testAccount, 80_000);
    expect(await getOutcome(decideSignature(machine, testAccount, false))).toBe('signature_not_awaited');
    await runDueWork(testEnvironment, testAccount.scope);
    expect((await machine.readTerminalSession()).status).toBe('Captured');
  });

  test('a session on a machine that is busy, away or unknown, or of an intent that is unknown or finished', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const other = await createTestAccount(testEnvironment);
    const [busy, free] = testAccount.terminals;
    const { intentId: paid } = await createPaidIntent(testEnvironment, testAccount);
    const intentId = await createIntent(testEnvironment, testAccount);
    const sale = (terminalId: string, paymentIntentId: string, from = testAccount) =>
      getOutcome(
        transactAs(testEnvironment, from, (tx) =>
          testEnvironment.sessions.create(tx, FULL_PERMISSIONS, { sessionType: 'Sale', terminalId, paymentIntentId }),
        ),
      );
    expect(await sale(free.id, paid)).toBe('payment_intent_not_payable');
    expect(await sale(free.id, 'pi_unknown')).toBe('payment_intent_not_found');
    expect(await sale(other.terminals[0].id, intentId)).toBe('terminal_not_found');
    expect(await sale(other.terminals[0].id, intentId, other)).toBe('payment_intent_not_found');
    expect(await sale(busy.id, await createIntent(testEnvironment, testAccount))).toBe('done');
    expect(await sale(busy.id, intentId)).toBe('terminal_unavailable');
    expect(await sale(free.id, intentId)).toBe('done');
    await expectConsistent(testEnvironment, testAccount);
  });

  test('an unlinked refund without the permission, regardless of its other errors', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const request = { sessionType: 'UnlinkedRefund', amount: gbp(500), cardHolderNotPresent: false } as const;
    const unauthorized = { permissions: new Set<never>() };
    const create = (terminalId: string) =>
      getOutcome(
        transactAs(testEnvironment, testAccount, (tx) =>
          testEnvironment.sessions.create(tx, unauthorized, { ...request, terminalId }),
        ),
      );
    expect(await create(testAccount.terminals[0].id)).toBe('permission_missing');
    expect(await create('tm_unknown')).toBe('permission_missing');
  });

  test('a report of a machine that does not run the session stops it, and changes nothing', async () => {
    const testAccount = await createTestAccount(testEnvironment);
    const machine = await TestCardMachine.startSale(
      testEnvironment,
      testAccount,
      await createIntent(testEnvironment, testAccount),
    );
    const [, terminal] = testAccount.terminals;
    const stranger = await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.sessions.applyReport(tx, {
        terminal,
        sessionId: machine.session.id,
        report: { kind: 'confirmed', number: 1 },
      }),
    );
    const unknown = await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.sessions.applyReport(tx, {
        terminal,
        sessionId: 'ts_unknown',
        report: { kind: 'confirmed', number: 1 },
      }),
    );
    const stopped = { stop: true, isPostponed: false };
    expect([stranger, unknown]).toEqual([stopped, stopped]);
    expect(await machine.readTerminalSession()).toEqual(machine.session);
  });
});

function advanceMachine(testAccount: TestAccount, byMs: number): Promise<void> {
  return moveClock(testEnvironment, testAccount.scope, byMs);
}
