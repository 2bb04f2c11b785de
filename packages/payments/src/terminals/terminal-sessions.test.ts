import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SESSION_WINDOWS } from '@pos/core/terminals';
import { gbp } from '@pos/core/testing';
import { listTerminalSessionEvents } from '@pos/store/terminals';
import {
  transactAs,
  createIntent,
  elapseTime,
  listPublishedStates,
  listEventTypes,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  listTimers,
  listPublishedEvents,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { TestCardMachine } from '../testing/card-machine.js';
import { listMachineCommands } from './machine-commands.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(async () => {
  await testEnvironment.close();
});

/** The state for the merchant, the subscriber and the acquirer when the scenario of a sale is over. */
interface ExpectedEnding {
  readonly published: readonly string[];
  readonly intent: string;
  readonly history: readonly string[];
  readonly call: string;
}

const CREATED = 'created InitiateRequested';
const CARD_REQUESTED = [
  'SignatureVerificationRequired',
  'signature_verification_required SignatureVerificationRequired',
];
const PAID = { intent: 'Captured', history: ['Captured'], call: 'Settled Approved' } as const;
const UNPAID = { intent: 'Created', history: [], call: 'Settled Canceled' } as const;

interface SaleScenario {
  readonly title: string;
  readonly captureMode?: 'Manual';
  readonly happens: (machine: TestCardMachine, testAccount: TestAccount) => Promise<unknown>;
  readonly then: ExpectedEnding;
}

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

const SALES: readonly SaleScenario[] = [
  {
    title: 'an approved payment is taken',
    happens: async (machine) => {
      await confirmMachine(machine);
      await machine.approvePayment();
    },
    then: { ...PAID, published: [CREATED, 'Initiated', 'Captured'] },
  },
  {
    title: 'an approved payment of a Manual intent is held',
    captureMode: 'Manual',
    happens: async (machine) => {
      await confirmMachine(machine);
      await machine.approvePayment();
    },
    then: {
      published: [CREATED, 'Initiated', 'Authorized'],
      intent: 'Authorized',
      history: ['Authorized'],
      call: 'Settled Approved',
    },
  },
  {
    title: 'an approval proves that the machine had begun, even if its confirmation is lost',
    happens: (machine) => machine.approvePayment(),
    then: { ...PAID, published: [CREATED, 'Initiated', 'Captured'] },
  },
  {
    title: 'a signature that the merchant accepts',
    happens: async (machine, testAccount) => {
      await signPayment(machine);
      await decideSignature(machine, testAccount, true);
    },
    then: {
      ...PAID,
      published: [CREATED, 'Initiated', ...CARD_REQUESTED, 'SignatureVerificationAccepted', 'Captured'],
    },
  },
  {
    title: 'a signature on a Manual intent leads to a hold',
    captureMode: 'Manual',
    happens: async (machine, testAccount) => {
      await signPayment(machine);
      await decideSignature(machine, testAccount, true);
    },
    then: {
      published: [CREATED, 'Initiated', ...CARD_REQUESTED, 'SignatureVerificationAccepted', 'Authorized'],
      intent: 'Authorized',
      history: ['Authorized'],
      call: 'Settled Approved',
    },
  },
  {
    title: 'a signature without a decision for 80 s is accepted',
    happens: async (machine, testAccount) => {
      await signPayment(machine);
      await elapseTime(testEnvironment, testAccount.scope, 79_000);
      expect((await machine.readTerminalSession()).status).toBe('SignatureVerificationRequired');
      await elapseTime(testEnvironment, testAccount.scope, 1_000);
    },
    then: {
      ...PAID,
      published: [CREATED, 'Initiated', ...CARD_REQUESTED, 'SignatureVerificationAccepted', 'Captured'],
    },
  },
  {
    title: 'a signature that the merchant rejects is undone at the acquirer',
    happens: async (machine, testAccount) => {
      await signPayment(machine);
      await decideSignature(machine, testAccount, false);
      await runDueWork(testEnvironment, testAccount.scope);
    },
    then: {
      published: [CREATED, 'Initiated', ...CARD_REQUESTED, 'SignatureVerificationRejected'],
      intent: 'Reversed',
      history: ['Reversed'],
      call: 'Settled Reversed',
    },
  },
  {
    title: 'a card that is declined may be tried again',
    happens: async (machine) => {
      await confirmMachine(machine);
      await machine.declinePayment();
    },
    then: {
      published: [CREATED, 'Initiated', 'Declined'],
      intent: 'Created',
      history: ['Declined'],
      call: 'Settled Declined',
    },
  },
  {
    title: 'cancelled at the machine',
    happens: async (machine) => {
      await confirmMachine(machine);
      await machine.sendReport({ kind: 'canceled' });
    },
    then: { ...UNPAID, published: [CREATED, 'Initiated', 'Canceled'] },
  },
  {
    title: 'cancelled by the merchant before the machine has confirmed',
    happens: async (machine, testAccount) => {
      await cancel(machine, testAccount);
      await machine.sendReport({ kind: 'canceled' });
    },
    then: { ...UNPAID, published: [CREATED, 'CancelRequested', 'Canceled'] },
  },
  {
    title: 'cancelled twice by the merchant',
    happens: async (machine, testAccount) => {
      await confirmMachine(machine);
      await cancel(machine, testAccount);
      expect((await cancel(machine, testAccount)).session.status).toBe('CancelRequested');
      await machine.sendReport({ kind: 'canceled' });
    },
    then: { ...UNPAID, published: [CREATED, 'Initiated', 'CancelRequested', 'Canceled'] },
  },
  {
    title: 'a card that was in before the request to cancel arrived pays',
    happens: async (machine, testAccount) => {
      await confirmMachine(machine);
      await cancel(machine, testAccount);
      await machine.approvePayment();
    },
    then: { ...PAID, published: [CREATED, 'Initiated', 'CancelRequested', 'Captured'] },
  },
  {
    title: 'a machine that cannot begin',
    happens: (machine) => machine.sendReport({ kind: 'unable', reason: 'no paper' }),
    then: { ...UNPAID, published: [CREATED, 'Canceled'] },
  },
  {
    title: 'a machine that does not confirm within 10 s; later it reports that it never began',
    happens: async (machine, testAccount) => {
      await elapseTime(testEnvironment, testAccount.scope, 9_000);
      expect((await machine.readTerminalSession()).status).toBe('InitiateRequested');
      await elapseTime(testEnvironment, testAccount.scope, 1_000);
      expect((await machine.readTerminalSession()).status).toBe('Expired');
      await machine.sendReport({ kind: 'unable', reason: 'restarted' });
    },
    then: { ...UNPAID, published: [CREATED, 'Expired'] },
  },
  {
    title: 'a card that is not presented for 90 s; then the machine reports that it has ended',
    happens: async (machine, testAccount) => {
      await confirmMachine(machine);
      await elapseTime(testEnvironment, testAccount.scope, 89_000);
      expect((await machine.readTerminalSession()).status).toBe('Initiated');
      await elapseTime(testEnvironment, testAccount.scope, 1_000);
      expect(await machine.sendReport({ kind: 'canceled' })).toBe(true);
    },
    then: { ...UNPAID, published: [CREATED, 'Initiated', 'Expired'] },
  },
  {
    title: 'a request to cancel that the machine never answers ends at 90 s',
    happens: async (machine, testAccount) => {
      await confirmMachine(machine);
      await cancel(machine, testAccount);
      await elapseTime(testEnvironment, testAccount.scope, 90_000);
      expect((await machine.readAcquirerCall()).state).toBe('Unknown');
      await machine.sendReport({ kind: 'canceled' });
    },
    then: { ...UNPAID, published: [CREATED, 'Initiated', 'CancelRequested', 'Expired'] },
  },
  {
    title: 'a confirmation that comes too late, before the timer has run, begins nothing',
    happens: async (machine, testAccount) => {
      await advanceMachine(testAccount, 10_500);
      expect(await machine.confirmSession()).toBe(false);
      expect(await machine.sendReport({ kind: 'canceled' })).toBe(true);
    },
    then: { ...UNPAID, published: [CREATED, 'Expired'] },
  },
];

test.each(SALES.map((scenario) => [scenario.title, scenario] as const))(
  '%s',
  async (_title, { captureMode, happens, then }) => {
    const testAccount = await createTestAccount(testEnvironment);
    const intentId = await createIntent(testEnvironment, testAccount, { captureMode: captureMode ?? 'Auto' });
    const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
    await happens(machine, testAccount);
    await runDueWork(testEnvironment, testAccount.scope);
    const call = await machine.readAcquirerCall();
    const intent = await readIntent(testEnvironment, testAccount, intentId);
    expect({
      published: await listPublishedStates(testEnvironment, testAccount.scope, machine.session.id),
      intent: intent.status,
      history: await listEventTypes(testEnvironment, testAccount, intentId),
      call: `${call.state} ${call.outcome}`,
    }).toEqual(then);
    // The intent's own lane contains its creation and each change, once.
    const changes = then.intent === 'Created' ? [] : [then.intent];
    expect(await listPublishedStates(testEnvironment, testAccount.scope, intentId)).toEqual([
      'created Created',
      ...changes,
    ]);
    // Only a session that still waits for something keeps a deadline.
    const deadlines: Partial<Record<string, string[]>> = {
      Created: [`intent-expiry ${intentId}`],
      Authorized: [`hold-end ${intentId}`],
    };
    expect(await listTimers(testEnvironment, testAccount)).toEqual(deadlines[then.intent] ?? []);
    await expectConsistent(testEnvironment, testAccount);
  },
);

test('a report that is repeated, and one that was overtaken, change nothing', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  const approval = await machine.chargeCard();
  const report = { kind: 'approved', approval, isSignatureRequired: false, number: 3 } as const;
  expect(await machine.resendReport(report)).toBe(true);
  const after = await machine.readTerminalSession();
  expect(await machine.resendReport(report)).toBe(true);
  expect(await machine.resendReport({ kind: 'canceled', number: 2 })).toBe(true);
  expect(await machine.readTerminalSession()).toEqual(after);
  expect(await listPublishedStates(testEnvironment, testAccount.scope, machine.session.id)).toEqual([
    CREATED,
    'Initiated',
    'Captured',
  ]);
});

test('the events of a PIN payment contain each step with the bytes of the contract', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const intentId = await createIntent(testEnvironment, testAccount, { tipsAmount: gbp(150) });
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  for (const displayed of ['PresentCard', 'PleaseWait', 'EnterPin', 'RemoveCard'] as const)
    await machine.showNotification(displayed);
  await machine.approvePayment();
  expect(await listPublishedStates(testEnvironment, testAccount.scope, machine.session.id)).toEqual([
    ...[CREATED, 'Initiated', 'notification PresentCard', 'notification PleaseWait', 'notification EnterPin'],
    ...['notification RemoveCard', 'Captured'],
  ]);
  const session = await machine.readTerminalSession();
  const published = await listPublishedEvents(testEnvironment, testAccount.scope, session.id);
  expect(published.at(-1)).toEqual({
    id: expect.stringMatching(/^evt_/),
    event: 'terminal_session.status_updated',
    accountId: testAccount.scope.accountId,
    createdAt: session.updatedAt.toISOString(),
    data: {
      terminalSessionId: session.id,
      state: 'Captured',
      terminalId: session.terminalId,
      createdAt: session.createdAt.toISOString(),
      updatedAt: session.updatedAt.toISOString(),
      expireAt: new Date(session.createdAt.getTime() + 90_000).toISOString(),
      sessionType: 'Sale',
      paymentIntentId: intentId,
      paymentDetails: { cardScheme: 'VISA', maskedPan: '************1014', authCode: session.approval?.authCode },
    },
  });
  expect(published[0]?.data).not.toHaveProperty('paymentDetails');
  const [, paid] = await listPublishedEvents(testEnvironment, testAccount.scope, intentId);
  expect(paid?.data).toEqual({ paymentIntentId: intentId, paymentStatus: 'Captured', captureMode: 'Auto' });
  const events = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listTerminalSessionEvents(reader, session.id),
  );
  expect(events.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    ...['status InitiateRequested', 'status Initiated', 'notification PresentCard', 'notification PleaseWait'],
    ...['notification EnterPin', 'notification RemoveCard', 'status Captured'],
  ]);
  expect(readPrinted(session.customerReceipt)).toEqual(
    expect.arrayContaining(['The Corner Table', '020 7946 0000', 'SALE', 'SUCCESSFUL']),
  );
  expect(readPrinted(session.merchantReceipt)).toEqual(expect.arrayContaining([expect.stringContaining(session.id)]));
  expect((await readIntent(testEnvironment, testAccount, intentId)).captured).toEqual(gbp(2_150));
});

test('the merchant has the slip to sign at once, and the customer copy only when the signature is accepted', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await signPayment(machine);
  const waiting = await machine.readTerminalSession();
  expect([waiting.customerReceipt === null, waiting.merchantReceipt === null]).toEqual([true, false]);
  expect((await readIntent(testEnvironment, testAccount, waiting.paymentIntentId!)).status).toBe('Created');
  const { session } = await decideSignature(machine, testAccount, true);
  expect([session.customerReceipt === null, session.merchantReceipt === null]).toEqual([false, false]);
});

test('a machine receives the decision about a signature before the start of its next session', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const startSale = async () =>
    TestCardMachine.startSale(testEnvironment, testAccount, await createIntent(testEnvironment, testAccount));
  const signed = await startSale();
  await signPayment(signed);
  await decideSignature(signed, testAccount, true);
  const next = await startSale();
  const { terminalId } = next.session;
  expect(signed.session.terminalId).toBe(terminalId);
  const machines = { terminalIds: [terminalId], sessionIds: [signed.session.id] };
  const commands = await testEnvironment.database.read(testAccount.scope, (reader) =>
    listMachineCommands(reader, machines, { windows: { sandbox: SESSION_WINDOWS, production: SESSION_WINDOWS } }),
  );
  expect(commands.map(({ command: { kind, sessionId } }) => [kind, sessionId])).toEqual([
    ['signature', signed.session.id],
    ['stop', signed.session.id],
    ['start', next.session.id],
  ]);
});

function advanceMachine(testAccount: TestAccount, byMs: number): Promise<void> {
  return moveClock(testEnvironment, testAccount.scope, byMs);
}

function readPrinted(receipt: { readonly lines: readonly { readonly text?: { readonly value: string } }[] } | null) {
  return (receipt?.lines ?? []).map(({ text }) => text?.value ?? '');
}
