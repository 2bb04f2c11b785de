import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { NOON } from '@pos/core/testing';
import { emit } from '../queues/outbox.js';
import { events } from '../relations/queue-relations.js';
import { findRows, insertRow } from '../relations/relation.js';
import { listAccountIds } from '../repositories/accounts.js';
import { auditEntries } from '../repositories/audit-entries.js';
import { insertLocation } from '../repositories/locations.js';
import { activateWebhookSecret } from '../webhooks/subscriptions.js';
import { createIntentEvent } from '../testing/lane-events.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { setDatabaseTelemetry } from '@pos/postgres/telemetry';
import { type RoundTrip } from '@pos/postgres/testing';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => setDatabaseTelemetry(null));
afterAll(() => testDatabase.close());

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('each write is observed with the names of its statements, and a failed one as failed', async () => {
  const observed = observeRoundTrips();
  const { database } = testDatabase;
  const scope = createTestScope();
  await database.transact(scope, (tx) => tx.query({ name: 'one_0123456789ab', text: 'select 1' }, []));
  const failing = database.transact(scope, (tx) => tx.query({ name: 'bad_0123456789ab', text: 'select 1 / 0' }, []));
  await expect(failing).rejects.toThrow('division by zero');
  const begin = 'begin lock_clock_for_share';
  expect(observed.listNames()).toEqual([begin, 'one', 'commit', begin, 'bad failed']);
  expect(observed.countOpen()).toBe(0);
});

test('each statement of TypeORM is a round trip under its verb and relation, after the queued statements', async () => {
  const observed = observeRoundTrips();
  const { database } = testDatabase;
  const scope = createTestScope();
  const location = {
    id: createId('location', 'sandbox', randomBytes(16)),
    name: 'Bar',
    createdAt: NOON,
    updatedAt: NOON,
  };
  await database.transact(scope, async (tx) => {
    insertRow(tx, auditEntries, { ...CHANGE, id: await tx.newUuid(), created_at: tx.databaseNow });
    await insertLocation(tx, { ...location, address: null, phoneNumber: null, timeZone: 'UTC' });
    await activateWebhookSecret(tx, SUBSCRIPTION, createId('secret', 'sandbox', randomBytes(16)));
  });
  await database.readSystem((reader) => listAccountIds(reader, '', 1));
  const failing = database.read(scope, (reader) =>
    reader.runWithManager('typeorm_divide', (manager) => manager.query('select 1 / 0')),
  );
  await expect(failing).rejects.toThrow('division by zero');
  expect(observed.listNames()).toEqual([
    'begin lock_clock_for_share',
    'insert_audit_entries',
    'typeorm_insert_locations',
    'typeorm_update_webhook_secrets',
    'typeorm_update_webhook_secrets',
    'commit',
    'typeorm_select_accounts',
    'typeorm_divide failed',
  ]);
  expect(observed.countOpen()).toBe(0);
});

test('statements of TypeORM without a label, as at the start of a process, are observed by their first word', async () => {
  const observed = observeRoundTrips();
  await testDatabase.database.dataSource.query('\n  SELECT 1');
  expect(observed.listNames()).toEqual(['select']);
});

const SUBSCRIPTION = createId('subscription', 'sandbox', randomBytes(16));
const CHANGE = {
  ...({ actor: 'tester', action: 'CreateLocation', subject: 'loc', reason: 'a test' } as const),
  ...{ operating_system_user: null, state_before: null, state_after: null },
  // The trigger of the chain replaces them.
  ...{ number: 0, previous_hash: Buffer.alloc(0), hash: Buffer.alloc(0) },
};

interface ObservedRoundTrips {
  /** `one`, `bad failed`. */
  readonly listNames: () => string[];
  readonly countOpen: () => number;
}

/** Observes from now on. */
function observeRoundTrips(): ObservedRoundTrips {
  const roundTrips: RoundTrip[] = [];
  let started = 0;
  setDatabaseTelemetry({
    startRoundTrip: () => {
      started += 1;
      return (roundTrip) => roundTrips.push(roundTrip);
    },
    countServerFailure: () => undefined,
    readTraceparent: () => null,
    readTraceId: () => null,
  });
  return {
    listNames: () =>
      roundTrips.map(({ listStatements, hasFailed }) => `${listStatements().join(' ')}${hasFailed ? ' failed' : ''}`),
    countOpen: () => started - roundTrips.length,
  };
}

test.each([TRACEPARENT, null])('an event is stored with the trace %s of its transaction', async (traceparent) => {
  if (traceparent !== null)
    setDatabaseTelemetry({
      startRoundTrip: () => () => undefined,
      countServerFailure: () => undefined,
      readTraceparent: () => traceparent,
      readTraceId: () => null,
    });
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) =>
    emit(tx, createIntentEvent(scope, createId('paymentIntent', 'sandbox', randomBytes(16)))),
  );
  const stored = await testDatabase.database.read(scope, (reader) => findRows(reader, events, { where: {} }));
  expect(stored.map((event) => event.traceparent)).toEqual([traceparent]);
});

test('the use of the pool is what is lent, idle and waited for', async () => {
  const database = await testDatabase.open({ poolMax: 2 });
  const scope = createTestScope();
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const reads = [1, 2, 3].map(() => database.read(scope, () => finished));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const use = database.getPoolUse();
  finish();
  await Promise.all(reads);
  expect(use).toEqual({ inUse: 2, idle: 0, waiting: 1 });
  expect(database.getPoolUse()).toEqual({ inUse: 0, idle: 2, waiting: 0 });
  await database.close();
});
