import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newCall } from '@pos/core/acquirer-call';
import { gbp } from '@pos/core/testing';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerCircuit } from '@pos/payments/acquirer-circuit';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import { TestCardMachine } from '@pos/payments/card-machine/testing';
import {
  createIntent,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  type TestEnvironment,
} from '@pos/payments/testing';
import { createTimerEffects } from '@pos/payments/timers';
import { openLog } from '@pos/service-kit/log';
import { CuttableLine } from '@pos/service-kit/testing-line';
import { insertAcquirerCall } from '@pos/store/acquirer-calls';
import { defineStatement } from '@pos/store/statement';
import { schedule } from '@pos/store/timers';
import { NO_GATEWAY, SETTINGS, until } from './testing.js';
import { startWorker, type Worker } from './worker.js';

const OPEN_CALLS = 100;
const SEATS = 4;
/** Far longer than the test: a call that hangs holds its seat until the line is cut. */
const HANGING_MS = 120_000;
const HOUR_MS = 3_600_000;
const ACQUIRER_KINDS = new Set<unknown>(['acquirer-call', 'machine-approval']);
const DAY_MS = 24 * HOUR_MS;

const WAITING = defineStatement(
  'test_waiting_calls',
  `select count(*)::int as waiting, count(*) filter (where attempts = 0)::int as unworked from timers
   where account_id = $1 and environment = $2 and kind = 'acquirer-call' and subject like 'hang %'`,
);

const NOT_REACHED = { outcome: 'unanswered', reason: 'timeout', detail: '', mayHaveArrived: true, tookMs: 0 } as const;

let world: TestEnvironment;
let line: CuttableLine;
let worker: Worker | null = null;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  world = await createTestEnvironment();
});
beforeEach(async () => {
  line = await CuttableLine.open();
});
afterEach(async () => {
  // Whatever hangs ends now, so that the worker can stop.
  line.cut();
  await worker?.stop();
  worker = null;
  await line.close();
  world.acquirerServer.rules.replace([]);
  lines.length = 0;
});
afterAll(() => world.close());

test('windows of sessions and expiries are met while a backlog of calls to the acquirer hangs', async () => {
  const backlog = await createTestAccount(world);
  const quiet = await createTestAccount(world);
  const met = [await windowsOf(backlog), await windowsOf(quiet)];
  await leaveCallsOpen(backlog);
  const hung = hang();
  await work(HANGING_MS);
  // The approvals of the machines are checked by the same seats, and hang as well.
  const seated = (): number => hung.reversals() + hung.inquiries();
  await until(() => seated() >= SEATS);
  for (const shop of [backlog, quiet]) await moveClock(world, shop.scope, 30 * DAY_MS);
  await until(async () => (await Promise.all(met.map((isMet) => isMet()))).every(Boolean));
  // All seats of the acquirer are still taken by the calls that hung before the windows came due.
  expect(seated()).toBe(SEATS);
  const ended = lines.filter(({ event, kind }) => event === 'timer.worked' && ACQUIRER_KINDS.has(kind));
  expect(ended).toEqual([]);
  expect(await waiting(backlog)).toMatchObject({ waiting: OPEN_CALLS, unworked: OPEN_CALLS - hung.reversals() });
});

test('an acquirer that does not answer is tried by one call at a time, and the others are put off', async () => {
  const shop = await createTestAccount(world);
  await leaveCallsOpen(shop);
  const { reversals } = hang();
  const circuit = new AcquirerCircuit({ pauseMs: HOUR_MS });
  await work(100, circuit);
  await until(async () => (await waiting(shop)).unworked === 0);
  expect(await waiting(shop)).toEqual({ waiting: OPEN_CALLS, unworked: 0 });
  expect(circuit.isOpen).toBe(true);
  // Five silences opened the circuit; the other seats had been taken by then.
  expect(reversals()).toBeLessThanOrEqual(5 + SEATS - 1);
});

test('once the acquirer answers again every call is asked and ends', async () => {
  const shop = await createTestAccount(world);
  await leaveCallsOpen(shop);
  hang();
  const circuit = new AcquirerCircuit({ pauseMs: 50 });
  await work(100, circuit);
  await until(() => circuit.isOpen);
  world.acquirerServer.rules.replace([]);
  await until(async () => (await waiting(shop)).waiting === 0);
  expect(circuit.isOpen).toBe(false);
  const booked = world.acquirerServer.acquirer.books.all().filter(({ merchantId }) => merchantId === shop.merchantId);
  expect(booked.filter(({ kind }) => kind === 'Reverse')).toHaveLength(OPEN_CALLS);
});

/** Every call is booked and never answered; counts those of the backlog and the inquiries. A reconciliation may ask beside them. */
function hang(): { readonly reversals: () => number; readonly inquiries: () => number } {
  world.acquirerServer.rules.replace([
    { match: { kind: 'Reverse' }, effect: 'drop-answer' },
    { match: { kind: 'Inquire' }, effect: 'drop-answer' },
    { match: {}, effect: 'drop-answer' },
  ]);
  const used = (rule: number) => (): number => world.acquirerServer.rules.list()[rule]?.used ?? 0;
  return { reversals: used(0), inquiries: used(1) };
}

/** Reversals of authorisations that the acquirer never had, all of them due for long. */
async function leaveCallsOpen({ scope, merchantId }: TestAccount): Promise<void> {
  await world.database.transact(scope, async (tx) => {
    for (let index = 0; index < OPEN_CALLS; index += 1) {
      const reference = `hang ${merchantId} ${index}`;
      const subject = { paymentIntentId: null, terminalSessionId: null, amount: gbp(100) };
      const call = { reference, kind: 'Reverse', originalReference: `never ${merchantId} ${index}` } as const;
      await insertAcquirerCall(tx, newCall({ ...call, ...subject, deadlineAt: tx.databaseNow }));
      schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: -HOUR_MS, isRepeat: true });
    }
  });
}

/** A signature that nobody judges, a machine that never answers and an intent that nobody pays; says when all have ended. */
async function windowsOf(shop: TestAccount): Promise<() => Promise<boolean>> {
  const signing = await TestCardMachine.startSale(world, shop, await createIntent(world, shop));
  await signing.approvePayment(true);
  const silent = await TestCardMachine.createSession(world, shop, {
    ...{ sessionType: 'Sale', paymentIntentId: await createIntent(world, shop), terminal: shop.terminals[1] },
  });
  const unpaid = await createIntent(world, shop);
  return async () => {
    const states = [(await signing.readTerminalSession()).status, (await silent.readTerminalSession()).status];
    const { status } = await readIntent(world, shop, unpaid);
    return (
      states.every((state) => ['Captured', 'SignatureAccepted', 'Expired'].includes(state)) && status === 'Canceled'
    );
  };
}

async function waiting({ scope }: TestAccount): Promise<{ waiting: number; unworked: number }> {
  const { accountId, environment } = scope;
  const [row] = await world.database.read(scope, (reader) =>
    reader.query<{ waiting: number; unworked: number }>(WAITING, [accountId, environment]),
  );
  return row!;
}

async function work(deadlineMs: number, circuit: AcquirerCircuit | null = null): Promise<void> {
  const { database, accounts } = world;
  const address = new URL(line.to(`http://${world.acquirerAddress}`)).host;
  const settings = { ...world.settings, acquirerDeadlineMs: deadlineMs, inquiryIntervalMs: 200 };
  const acquirer = new AcquirerClient(address, { circuit });
  const calls = new AcquirerCalls({ database, acquirer, accounts, settings });
  const log = openLog({
    app: 'worker',
    level: 'info',
    write: (text) => lines.push(JSON.parse(text) as Record<string, unknown>),
  });
  worker = await startWorker({
    ...{ database, eposDoor: NO_GATEWAY, log, fault: () => undefined },
    egress: { send: () => Promise.resolve(NOT_REACHED) },
    effects: createTimerEffects({ ...world, calls, settings }),
    settings: { ...SETTINGS, TIMER_CONCURRENCY: SEATS, ACQUIRER_CONCURRENCY: SEATS, WEBHOOK_BACKOFF_SCALE: 1 },
  });
}
