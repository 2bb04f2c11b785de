import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createAcquirerCall } from '@pos/core/acquirer-calls';
import { gbp } from '@pos/core/testing';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerCircuit, AcquirerClient } from '@pos/payments/acquirer';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  moveClock,
  readIntent,
  type TestAccount,
  TestCardMachine,
  type TestEnvironment,
} from '@pos/payments/testing';
import { createTimerEffects } from '@pos/payments/timers';
import { createLog } from '@pos/service-kit/telemetry';
import { CuttableProxy } from '@pos/testing';
import { insertAcquirerCall } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import { schedule } from '@pos/store/queues';
import { NO_GATEWAY, TEST_SETTINGS, waitUntil } from '../testing/test-receiver.js';
import { startWebhookWorker, type WebhookWorker } from '../worker.js';

/** More than the calls that open the circuit and the slots together. */
const OPEN_CALLS = 100;
const SLOTS = 4;
/** Far longer than the test: a call without an answer keeps its slot until the connection is cut. */
const HANG_DEADLINE_MS = 120_000;
const HOUR_MS = 3_600_000;
const ACQUIRER_KINDS = new Set<unknown>(['acquirer-call', 'machine-approval']);
const DAY_MS = 24 * HOUR_MS;

const COUNT_WAITING_CALLS = defineStatement(
  'test_waiting_calls',
  `select count(*)::int as waiting, count(*) filter (where attempts = 0)::int as unworked from timers
   where account_id = $1 and environment = $2 and kind = 'acquirer-call' and subject like 'hang %'`,
);

const NOT_REACHED = {
  ...({ outcome: 'unanswered', reason: 'timeout', detail: '', cause: null } as const),
  ...{ mayHaveArrived: true, tookMs: 0 },
};

let testEnvironment: TestEnvironment;
let proxy: CuttableProxy;
let worker: WebhookWorker | null = null;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
beforeEach(async () => {
  proxy = await CuttableProxy.open();
});
afterEach(async () => {
  // Ends the calls without an answer, so that the worker can stop.
  proxy.cutConnections();
  await worker?.stop();
  worker = null;
  await proxy.close();
  testEnvironment.acquirerServer.rules.replaceRules([]);
  lines.length = 0;
});
afterAll(() => testEnvironment.close());

test('session windows and expiries run in time while a backlog of acquirer calls has no answers', async () => {
  const backlog = await createTestAccount(testEnvironment);
  const quiet = await createTestAccount(testEnvironment);
  const met = [await createOpenWindows(backlog), await createOpenWindows(quiet)];
  await leaveCallsOpen(backlog);
  const hung = dropAnswers();
  await startTimers(HANG_DEADLINE_MS);
  // The checks of machine approvals use the same slots, and get no answer either.
  const runningCalls = (): number => hung.reversals() + hung.inquiries();
  await waitUntil(() => runningCalls() >= SLOTS);
  for (const testAccount of [backlog, quiet]) await moveClock(testEnvironment, testAccount.scope, 30 * DAY_MS);
  await waitUntil(async () => (await Promise.all(met.map((isMet) => isMet()))).every(Boolean));
  // All acquirer slots are still taken by the calls from before the windows were due.
  expect(runningCalls()).toBe(SLOTS);
  const ended = lines.filter(({ event, kind }) => event === 'timer.worked' && ACQUIRER_KINDS.has(kind));
  expect(ended).toEqual([]);
  expect(await countWaitingCalls(backlog)).toMatchObject({
    waiting: OPEN_CALLS,
    unworked: OPEN_CALLS - hung.reversals(),
  });
});

test('an acquirer that does not answer gets one call at a time, and the others are postponed', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  await leaveCallsOpen(testAccount);
  const { reversals } = dropAnswers();
  const circuit = new AcquirerCircuit({ pauseMs: HOUR_MS });
  await startTimers(100, circuit);
  await waitUntil(async () => (await countWaitingCalls(testAccount)).unworked === 0);
  expect(await countWaitingCalls(testAccount)).toEqual({ waiting: OPEN_CALLS, unworked: 0 });
  expect(circuit.isOpen).toBe(true);
  // Five calls without an answer opened the circuit; the other slots were taken before that.
  expect(reversals()).toBeLessThanOrEqual(5 + SLOTS - 1);
});

test('once the acquirer answers again, every call is sent and settled', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  await leaveCallsOpen(testAccount);
  dropAnswers();
  const circuit = new AcquirerCircuit({ pauseMs: 50 });
  await startTimers(100, circuit);
  await waitUntil(() => circuit.isOpen);
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await waitUntil(async () => (await countWaitingCalls(testAccount)).waiting === 0);
  expect(circuit.isOpen).toBe(false);
  const booked = testEnvironment.acquirerServer.acquirer.books
    .listCalls()
    .filter(({ merchantId }) => merchantId === testAccount.merchantId);
  expect(booked.filter(({ kind }) => kind === 'Reverse')).toHaveLength(OPEN_CALLS);
});

/** Books every call and drops its answer. Counts reversals and inquiries; reconciliations may call at the same time. */
function dropAnswers(): { readonly reversals: () => number; readonly inquiries: () => number } {
  testEnvironment.acquirerServer.rules.replaceRules([
    { match: { kind: 'Reverse' }, effect: 'drop-answer' },
    { match: { kind: 'Inquire' }, effect: 'drop-answer' },
    { match: {}, effect: 'drop-answer' },
  ]);
  const used = (rule: number) => (): number => testEnvironment.acquirerServer.rules.listRules()[rule]?.used ?? 0;
  return { reversals: used(0), inquiries: used(1) };
}

/** Creates overdue reversals of authorisations that the acquirer never received. */
async function leaveCallsOpen({ scope, merchantId }: TestAccount): Promise<void> {
  await testEnvironment.database.transact(scope, async (tx) => {
    for (let index = 0; index < OPEN_CALLS; index += 1) {
      const reference = `hang ${merchantId} ${index}`;
      const subject = { paymentIntentId: null, terminalSessionId: null, amount: gbp(100) };
      const call = { reference, kind: 'Reverse', originalReference: `never ${merchantId} ${index}` } as const;
      await insertAcquirerCall(
        tx,
        createAcquirerCall({ ...call, acquirer: 'default', merchantId, ...subject, deadlineAt: tx.databaseNow }),
      );
      schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: -HOUR_MS, isRepeat: true });
    }
  });
}

/** Creates an undecided signature, a machine that never answers and an unpaid intent; reports when all have ended. */
async function createOpenWindows(testAccount: TestAccount): Promise<() => Promise<boolean>> {
  const signing = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await signing.approvePayment(true);
  const silent = await TestCardMachine.createSession(testEnvironment, testAccount, {
    ...{
      sessionType: 'Sale',
      paymentIntentId: await createIntent(testEnvironment, testAccount),
      terminal: testAccount.terminals[1],
    },
  });
  const unpaid = await createIntent(testEnvironment, testAccount);
  return async () => {
    const states = [(await signing.readTerminalSession()).status, (await silent.readTerminalSession()).status];
    const { status } = await readIntent(testEnvironment, testAccount, unpaid);
    return (
      states.every((state) => ['Captured', 'SignatureAccepted', 'Expired'].includes(state)) && status === 'Canceled'
    );
  };
}

async function countWaitingCalls({ scope }: TestAccount): Promise<{ waiting: number; unworked: number }> {
  const { accountId, environment } = scope;
  const [row] = await testEnvironment.database.read(scope, (reader) =>
    reader.query<{ waiting: number; unworked: number }>(COUNT_WAITING_CALLS, [accountId, environment]),
  );
  return row!;
}

async function startTimers(deadlineMs: number, circuit: AcquirerCircuit | null = null): Promise<void> {
  const { database, accounts } = testEnvironment;
  const address = new URL(proxy.connectTo(`http://${testEnvironment.acquirerAddress}`)).host;
  const settings = { ...testEnvironment.settings, acquirerDeadlineMs: deadlineMs, inquiryIntervalMs: 200 };
  const acquirer = new AcquirerClient(address, { circuit });
  const calls = new AcquirerCalls({ database, acquirers: { find: () => acquirer }, accounts, settings });
  const log = createLog({
    app: 'worker',
    level: 'info',
    write: (text) => lines.push(JSON.parse(text) as Record<string, unknown>),
  });
  worker = await startWebhookWorker({
    ...{ database, gatewayClient: NO_GATEWAY, log, fault: () => undefined },
    egress: { send: () => Promise.resolve(NOT_REACHED) },
    effects: createTimerEffects({ ...testEnvironment, calls, settings }),
    settings: { ...TEST_SETTINGS, TIMER_CONCURRENCY: SLOTS, ACQUIRER_CONCURRENCY: SLOTS, WEBHOOK_BACKOFF_SCALE: 1 },
  });
}
