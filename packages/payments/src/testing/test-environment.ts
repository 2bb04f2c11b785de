import { Server, ServerCredentials } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { expect } from '@jest/globals';
import { resolveAccountSettings, type AccountSettings } from '@pos/core/accounts';
import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { createId } from '@pos/core/ids';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { ROLES, type Scope, type TerminalId, type TerminalSessionId } from '@pos/core/identity';
import type { Finding } from '@pos/core/ledger';
import { Refusal } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import {
  Acquirer,
  AcquirerBooks,
  AcquirerRuleSet,
  AcquirerSimulator,
  addAcquirerService,
  createMemoryJournal,
} from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { createAccount } from '@pos/store/repositories';
import { findAcquirerCall, findIntent, listPaymentEvents } from '@pos/store/payments';
import { getAccountTime, beginAdvance, endAdvance, applyClockStep } from '@pos/store/clock';
import { findTerminal, insertTerminal, type Terminal } from '@pos/store/terminals';
import { insertConnection } from '@pos/store/connections';
import type { Database, Tx } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { LeaseLost, TimerQueue } from '@pos/store/queues';
import { EVENT_KINDS } from '@pos/core/events';
import { randomBytes } from 'node:crypto';
import { AccountCache } from '../accounts/account-cache.js';
import { type AcquirerPorts, createCompleteDirectory } from '../accounts/acquirer-directory.js';
import { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { AcquirerClient } from '../acquirer/acquirer-client.js';
import { AmountChanges } from '../captures-refunds/amount-changes.js';
import { Captures } from '../captures-refunds/captures.js';
import { GiveBack } from '../captures-refunds/give-back.js';
import { Holds } from '../holds/holds.js';
import { type PaymentIntentRequest, PaymentIntents } from '../payment-intents/payment-intents.js';
import { compareWithAcquirers } from '../reconciliation/acquirer-comparison.js';
import { Refunds } from '../captures-refunds/refunds.js';
import { Reversals } from '../captures-refunds/reversals.js';
import { SetupIntents } from '../setup-intents/setup-intents.js';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '../accounts/payment-settings.js';
import { TerminalSessions } from '../terminals/terminal-sessions.js';
import { WORKER_TIMER_KINDS, createTimerEffects } from '../timers/worker-timers.js';
import { createIntentRequest } from './intent-requests.js';
import { createSubscription } from '../webhooks/subscriptions.js';

export const FULL_PERMISSIONS = { permissions: new Set(ROLES.full) } as const;

/** Everything that the use cases need, on a real database and a real socket to the simulated acquirer. */
export interface TestEnvironment {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly acquirerServer: AcquirerSimulator;
  readonly acquirer: AcquirerClient;
  /** Production has none. */
  readonly acquirers: AcquirerPorts;
  /** The address of the simulated acquirer, `host:port`. */
  readonly acquirerAddress: string;
  readonly settings: PaymentSettings;
  readonly accounts: AccountCache;
  /** Advances the clock of the cached accounts until all of them are read again. */
  expireAccounts(): void;
  readonly intents: PaymentIntents;
  readonly amounts: AmountChanges;
  readonly holds: Holds;
  readonly captures: Captures;
  readonly refunds: Refunds;
  readonly reversals: Reversals;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly calls: AcquirerCalls;
  readonly giveBack: GiveBack;
  readonly queue: TimerQueue;
  close(): Promise<void>;
}

/** An account with two machines, subscribed to every kind of event; its clock is at noon. */
export interface TestAccount {
  readonly scope: Scope;
  readonly merchantId: string;
  readonly terminals: readonly [Terminal, Terminal];
}

const INQUIRY_MS = 5_000;
/** The age at which a cached account is read again. */
const ACCOUNT_AGE_MS = 2_000;
/**
 * The deadline of acquirer calls: short in scenarios about its silence, long elsewhere because the machine may be
 * busy.
 */
const ACQUIRER_DEADLINE_MS = { ruled: 400, free: 10_000 };

/**
 * `patienceMs` is the deadline of calls to an acquirer without rules; with rules it is short. The environment closes
 * the database that it is given.
 */
export async function createTestEnvironment({
  patienceMs = ACQUIRER_DEADLINE_MS.free,
  openDatabase = () => createTestDatabase({ poolMax: 4 }),
} = {}): Promise<TestEnvironment> {
  const testDatabase = await openDatabase();
  const clock = createWallClock({ timeScale: 1, frozenAt: null });
  const simulated = new Acquirer({
    books: new AcquirerBooks(createMemoryJournal()),
    clock,
    seed: new Seed('payments'),
  });
  const acquirerServer = new AcquirerSimulator({ acquirer: simulated, rules: new AcquirerRuleSet(), clock });
  const server = new Server();
  addAcquirerService(server, { simulator: acquirerServer, clock, stepUpUrl: 'http://127.0.0.1/challenge' });
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  const acquirerAddress = `127.0.0.1:${port}`;
  const acquirer = new AcquirerClient(acquirerAddress);
  const { database } = testDatabase;
  const settings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    inquiryIntervalMs: INQUIRY_MS,
    // Its own, so that a test may change what the acquirer declares.
    acquirers: createCompleteDirectory(['sandbox']),
    get acquirerDeadlineMs() {
      return acquirerServer.rules.listRules().length > 0 ? ACQUIRER_DEADLINE_MS.ruled : patienceMs;
    },
  };
  let passedMs = 0;
  const accounts = new AccountCache(() => performance.now() + passedMs);
  const acquirers: AcquirerPorts = { find: (environment) => (environment === 'sandbox' ? acquirer : null) };
  const calls = new AcquirerCalls({ database, acquirers, accounts, settings });
  const intents = new PaymentIntents(accounts, settings);
  return {
    ...{ testDatabase, database, acquirerServer, acquirer, acquirerAddress, settings, accounts, calls },
    expireAccounts: () => {
      passedMs += ACCOUNT_AGE_MS;
    },
    acquirers,
    intents,
    amounts: new AmountChanges(calls, intents, settings),
    holds: new Holds(settings),
    captures: new Captures(calls, settings),
    refunds: new Refunds(calls, settings),
    reversals: new Reversals(calls, accounts, settings),
    setups: new SetupIntents(accounts, settings),
    sessions: new TerminalSessions(accounts, settings),
    giveBack: new GiveBack({ database, calls, accounts, settings }),
    queue: new TimerQueue(database),
    close: async () => {
      acquirer.close();
      server.forceShutdown();
      await testDatabase.close();
    },
  };
}

export async function createTestAccount(
  testEnvironment: TestEnvironment,
  settings: Partial<AccountSettings> = {},
): Promise<TestAccount> {
  const scope = createTestScope();
  const merchantId = `m-${scope.accountId.slice(-12)}`;
  await createAccount(testEnvironment.database, {
    id: scope.accountId,
    name: 'The Corner Table Ltd',
    tradingName: 'The Corner Table',
    locationId: createId('location', 'sandbox', randomBytes(16)),
    merchantId,
    currencies: ['GBP', 'EUR'],
    settings: { ...resolveAccountSettings(settings), phoneNumber: '020 7946 0000' },
    createdAt: new Date(),
  });
  const first = await addTerminal(testEnvironment, scope, '90000001');
  const second = await addTerminal(testEnvironment, scope, '90000002');
  await testEnvironment.database.transact(scope, (tx) =>
    createSubscription(tx, { events: EVENT_KINDS, url: 'https://example.com/hook', description: null }),
  );
  const now = await testEnvironment.database.read(scope, getAccountTime);
  const nextNoon = (Math.floor(now.getTime() / DAY_MS) + 1.5) * DAY_MS;
  await moveClock(testEnvironment, scope, nextNoon - now.getTime());
  return { scope, merchantId, terminals: [first, second] };
}

async function addTerminal(testEnvironment: TestEnvironment, scope: Scope, tid: string): Promise<Terminal> {
  return testEnvironment.database.transact(scope, async (tx) => {
    const id: TerminalId = await tx.newId('terminal');
    await insertTerminal(tx, { id, tid, name: `machine ${tid}` });
    await insertConnection(tx, {
      ...{ kind: 'machine', key: tid, connectionId: `stream ${tid}`, gatewayId: 'gateway' },
      ...{ gatewayAddress: '127.0.0.1:1', inUse: false },
    });
    return (await findTerminal(tx, id))!;
  });
}

/** Advances the sandbox's time without doing the work that becomes due. */
export async function moveClock(testEnvironment: TestEnvironment, scope: Scope, byMs: number): Promise<void> {
  const advance = (await beginAdvance(testEnvironment.database, scope, 10_000))!;
  expect(await applyClockStep(testEnvironment.database, advance, Math.round(byMs))).toBe(true);
  await endAdvance(testEnvironment.database, advance);
}

const PASSES_MAX = 50;

/** Does all due work, as a worker would. */
export async function runDueWork(testEnvironment: TestEnvironment, scope: Scope): Promise<void> {
  const effects = createTimerEffects(testEnvironment);
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const claimed = await testEnvironment.queue.claim(scope, WORKER_TIMER_KINDS, { limit: 10, leaseMs: 30_000 });
    if (claimed.length === 0) return;
    for (const timer of claimed) {
      const effect = effects[timer.kind as keyof typeof effects];
      await effect(timer).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        throw new Error(`no other worker runs here, and yet ${error.message}`);
      });
    }
  }
  throw new Error('there is no end to what is due');
}

/** Advances time, and does the work that is due at its end. */
export async function elapseTime(testEnvironment: TestEnvironment, scope: Scope, byMs: number): Promise<void> {
  await moveClock(testEnvironment, scope, byMs);
  await runDueWork(testEnvironment, scope);
}

const LANE_BODIES = defineStatement(
  'lane_bodies',
  `select e.body from deliveries d
   join events e on e.account_id = $1 and e.environment = $2 and e.id = d.event_id
   where d.account_id = $1 and d.environment = $2 and d.lane_key = $3 order by d.number`,
);

/** The bodies of a lane in its order. */
export async function listPublishedEvents(
  testEnvironment: TestEnvironment,
  scope: Scope,
  lane: string,
): Promise<PublishedEvent[]> {
  const rows = await testEnvironment.database.read(scope, (reader) =>
    reader.query<{ body: Buffer }>(LANE_BODIES, [scope.accountId, scope.environment, lane]),
  );
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')) as PublishedEvent);
}

export interface PublishedEvent {
  readonly id: string;
  readonly event: string;
  readonly accountId: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * `Captured`, `signature_verification_required SignatureVerificationRequired`: the events of a subscriber in short
 * form.
 */
export async function listPublishedStates(
  testEnvironment: TestEnvironment,
  scope: Scope,
  lane: string,
): Promise<string[]> {
  return (await listPublishedEvents(testEnvironment, scope, lane)).map(({ event, data }) => {
    const kind = event.slice(event.indexOf('.') + 1);
    const state = String(data['state'] ?? data['paymentStatus']);
    return kind === 'status_updated' ? state : `${kind} ${state}`;
  });
}

export function readIntent(
  testEnvironment: TestEnvironment,
  { scope }: TestAccount,
  id: string,
): Promise<PaymentIntent> {
  return testEnvironment.database.read(scope, async (reader) => (await findIntent(reader, id))!);
}

export function readCall(
  testEnvironment: TestEnvironment,
  { scope }: TestAccount,
  reference: string,
): Promise<AcquirerCall> {
  return testEnvironment.database.read(scope, async (reader) => (await findAcquirerCall(reader, reference))!);
}

/** The history of an intent, one value for each event. */
export async function listEventTypes(
  testEnvironment: TestEnvironment,
  { scope }: TestAccount,
  id: PaymentIntent['id'],
): Promise<string[]> {
  const events = await testEnvironment.database.read(scope, (reader) => listPaymentEvents(reader, id));
  return events.map(({ eventType }) => eventType);
}

export const SUBJECTS = defineStatement(
  'intents_of',
  'select id from payment_intents where account_id = $1 and environment = $2',
);
const TIMERS = defineStatement(
  'timers_of',
  `select kind, subject from timers
   where account_id = $1 and environment = $2 and kind not in ('retention', 'reconciliation')
     and (kind = 'machine-approval') = $3
   order by kind, subject`,
);

/**
 * The timers of payments. Retention and reconciliation timers are not included, and the check of a machine's
 * approval only if it is requested.
 */
export async function listTimers(
  testEnvironment: TestEnvironment,
  { scope }: TestAccount,
  { ofMachines = false }: { readonly ofMachines?: boolean } = {},
): Promise<string[]> {
  const rows = await testEnvironment.database.read(scope, (reader) =>
    reader.query<{ kind: string; subject: string }>(TIMERS, [scope.accountId, scope.environment, ofMachines]),
  );
  return rows.map(({ kind, subject }) => `${kind} ${subject}`);
}

/** What a comparison of the account with its acquirers finds. Fails where the books of one cannot be read. */
export async function findDifferences(testEnvironment: TestEnvironment, { scope }: TestAccount): Promise<Finding[]> {
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const { findings, incomplete } = await compareWithAcquirers(
    {
      ...{ database: testEnvironment.database, accounts: testEnvironment.accounts },
      ...{ acquirers: testEnvironment.acquirers, directory: testEnvironment.settings.acquirers },
    },
    scope,
    { span },
  );
  const unread = incomplete.find(({ reason }) => reason === 'BooksUnread');
  if (unread !== undefined) throw new Error(`${unread.acquirer}: ${unread.problem}`);
  return [...findings];
}

/** Runs the work in one transaction of the account. */
export function transactAs<T>(
  testEnvironment: TestEnvironment,
  { scope }: TestAccount,
  task: (tx: Tx) => Promise<T>,
): Promise<T> {
  return testEnvironment.database.transact(scope, task);
}

export async function createIntent(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
  overrides: Partial<PaymentIntentRequest> = {},
): Promise<PaymentIntent['id']> {
  const view = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.create(tx, FULL_PERMISSIONS, createIntentRequest(overrides)),
  );
  return view.intent.id;
}

/** The state of a session that tests check most often. */
export async function readSession(testEnvironment: TestEnvironment, { scope }: TestAccount, id: TerminalSessionId) {
  return testEnvironment.database.read(scope, (reader) => testEnvironment.sessions.get(reader, id));
}

/** The code of the refusal, or `done`. */
export async function getOutcome(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
