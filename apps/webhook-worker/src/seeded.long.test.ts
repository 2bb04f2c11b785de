import { expect, test } from '@jest/globals';
import { EVENT_KINDS } from '@pos/core/events';
import { createId } from '@pos/core/ids';
import type { MachineReport } from '@pos/core/terminals';
import { ROLES, type Scope } from '@pos/core/identity';
import { createApproval } from '@pos/core/testing';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { Holds } from '@pos/payments/holds';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { advanceClock } from '@pos/payments/sandbox-clock';
import { SetupIntents } from '@pos/payments/setup-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import { createIntentRequest } from '@pos/payments/testing';
import { createTimerEffects } from '@pos/payments/timers';
import { createSubscription } from '@pos/payments/webhooks';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import { createAccount } from '@pos/store/repositories';
import { findTerminal, insertTerminal } from '@pos/store/terminals';
import { insertConnection } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { createTestDatabase } from '@pos/store/testing';
import { TimerQueue } from '@pos/store/queues';
import { TestReceiver, waitUntil, NO_GATEWAY } from './testing/test-receiver.js';
import { startWebhookWorker, type WorkerSettings } from './worker.js';

const SETTINGS: Omit<WorkerSettings, 'SEED'> = {
  DELIVERY_CONCURRENCY: 8,
  DELIVERY_ACCOUNT_CONCURRENCY: 8,
  DELIVERY_ENDPOINT_CONCURRENCY: 8,
  TIMER_CONCURRENCY: 4,
  TIMER_ACCOUNT_CONCURRENCY: 4,
  ACQUIRER_CONCURRENCY: 4,
  LANE_LEASE_MS: 60_000,
  TIMER_LEASE_MS: 60_000,
  POLL_MS: 20,
  WEBHOOK_BACKOFF_SCALE: 1,
  NODE_ENV: 'test',
};
const DAY_MS = 86_400_000;
const FULL_PERMISSIONS = { permissions: new Set(ROLES.full) };
/** A seeded sandbox, whose clock starts at noon of the given day. */
const scope: Scope = { accountId: createId('account', 'sandbox', Buffer.alloc(16, 9)), environment: 'sandbox' };

/** Runs a payment with an undecided signature and a failing receiver; returns every byte that it received. */
async function runScenario(seed: string): Promise<string[]> {
  const testDatabase = await createTestDatabase({ seed });
  const receiver = await TestReceiver.open();
  const egress = new EgressClient({ allow: [receiver.host], certificateAuthority: receiver.authority });
  const { database } = testDatabase;
  await createAccount(database, {
    ...{ id: scope.accountId, name: 'a', tradingName: 'A', locationId: 'loc_AAAAAAAAAAAAAAAAAAAAAA', merchantId: 'm' },
    ...{ currencies: ['GBP'], settings: {}, createdAt: new Date('2026-03-01T12:00:00.000Z') },
  });
  await database.transact(scope, (tx) =>
    createSubscription(tx, { events: EVENT_KINDS, url: receiver.buildUrl(), description: null }),
  );
  const worker = await startWebhookWorker({
    ...{
      database,
      egress,
      gatewayClient: NO_GATEWAY,
      log: createLog({ app: 'worker', level: 'error' }),
      fault: () => undefined,
    },
    effects: createEffects(database),
    settings: { ...SETTINGS, SEED: seed },
  });
  // A session's next event waits until the one before is a dead letter.
  receiver.reaction = ({ event }) => (event.endsWith('.created') ? 500 : 200);
  const begunAt = performance.now();
  const session = await createPayments(database);
  await advanceClock(database, scope, 80_000);
  await advanceClock(database, scope, 5 * DAY_MS);
  await waitUntil(() => receiver.listStates(session).at(-1) === 'Captured');
  // Without the start of the database and the worker: the time that a developer waits.
  const tookMs = Math.round(performance.now() - begunAt);
  process.stderr.write(
    `  a sale, 80 s of signature and ${receiver.receivedHooks.length} attempts over five days: ${tookMs} ms\n`,
  );
  await worker.stop();
  const received = receiver.receivedHooks.map(({ headers, raw, subject }) => {
    const { host: _host, ...sent } = headers;
    return `${subject} ${JSON.stringify(sent)} ${raw.toString('utf8')}`;
  });
  receiver.close();
  await egress.close();
  await testDatabase.close();
  // The order is certain within one lane only.
  return received.sort();
}

/** A sale on a machine up to the required signature. */
async function createPayments(database: Database): Promise<string> {
  const accounts = new AccountCache();
  const intents = new PaymentIntents(accounts, DEFAULT_PAYMENT_SETTINGS);
  const sessions = new TerminalSessions(accounts, DEFAULT_PAYMENT_SETTINGS);
  const { intent } = await database.transact(scope, (tx) =>
    intents.create(tx, FULL_PERMISSIONS, createIntentRequest()),
  );
  const terminal = await database.transact(scope, async (tx) => {
    const id = await tx.newId('terminal');
    await insertTerminal(tx, { id, tid: '90000003', name: 'signature' });
    const at = { connectionId: 'stream', gatewayId: 'gateway', gatewayAddress: '127.0.0.1:1' };
    await insertConnection(tx, { ...at, kind: 'machine', key: '90000003', inUse: false });
    return (await findTerminal(tx, id))!;
  });
  const { session } = await database.transact(scope, (tx) =>
    sessions.create(tx, FULL_PERMISSIONS, { sessionType: 'Sale', terminalId: terminal.id, paymentIntentId: intent.id }),
  );
  const approval = createApproval(session.total, { reference: session.acquirerReference });
  const reports: MachineReport[] = [
    { number: 1, kind: 'confirmed' },
    { number: 2, kind: 'notification', notificationType: 'EnterPin' },
    { number: 3, kind: 'approved', approval, isSignatureRequired: true },
  ];
  for (const report of reports) {
    await database.transact(scope, (tx) => sessions.applyReport(tx, { terminal, sessionId: session.id, report }));
  }
  return session.id;
}

function createEffects(database: Database) {
  const accounts = new AccountCache();
  const settings = DEFAULT_PAYMENT_SETTINGS;
  // This scenario makes no call to the acquirer.
  const acquirer = new AcquirerClient('127.0.0.1:1');
  return createTimerEffects({
    ...{
      database,
      settings,
      queue: new TimerQueue(database),
      intents: new PaymentIntents(accounts, DEFAULT_PAYMENT_SETTINGS),
    },
    holds: new Holds(settings),
    setups: new SetupIntents(accounts, DEFAULT_PAYMENT_SETTINGS),
    sessions: new TerminalSessions(accounts, settings),
    calls: new AcquirerCalls({ database, acquirers: { find: () => acquirer }, accounts, settings }),
    ...{ accounts, acquirers: { find: () => null } },
  });
}

test('a signature window and all retries pass at once, with the same bytes for one seed', async () => {
  const [first, second] = [await runScenario('dawn'), await runScenario('dawn')];
  const other = await runScenario('dusk');
  const attempts = (state: string) => first.filter((line) => line.includes(`"${state}"`)).length;
  const states = ['InitiateRequested', 'Created', 'Initiated', 'SignatureVerificationAccepted', 'Captured'];
  expect(states.map(attempts)).toEqual([13, 13, 1, 1, 2]);
  expect(second).toEqual(first);
  expect(other.filter((line) => first.includes(line))).toEqual([]);
});
