import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { findFreePort } from '@pos/dev-database';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import { createAcquirerCall } from '@pos/core/acquirer-calls';
import type { Scope } from '@pos/core/identity';
import { gbp } from '@pos/core/testing';
import { createAccount, insertMail } from '@pos/store/repositories';
import { insertAcquirerCall } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import {
  createTestDatabase,
  createTestScope,
  requireAgreedSettings,
  startBeforeDatabase,
  TEST_SECRETS,
  type TestDatabase,
} from '@pos/store/testing';
import { schedule } from '@pos/store/queues';
import { defineInLongRun, selectRows } from '@pos/testing';
import { createSessionId, TestReceiver, subscribe, publishSessionStates, waitUntil } from './testing/test-receiver.js';

const STATES = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;
const LIST_OPEN_DELIVERIES = defineStatement(
  'test_open',
  `select id from deliveries where account_id = $1 and environment = $2 and state = 'Pending'`,
);
const END_LEASES = defineStatement(
  'test_end_leases',
  `update lanes set leased_until = clock_timestamp() where account_id = $1 and environment = $2 returning key`,
);

const MAIL_IS_LATER = defineStatement(
  'test_mail_is_later',
  `select due_at > clock_timestamp() + interval '30 seconds' and leased_until is null as is_later from timers
   where account_id = $1 and environment = 'production' and kind = 'mail'`,
);

const SERVICE_CHECKS = defineStatement(
  'test_service_checks',
  `select subject from timers where account_id = $1 and environment = $2 and kind = 'reconciliation'`,
);

const ALARMS = defineStatement('test_alarms', 'select id from alarms where account_id = $1 and environment = $2');

/** The edges are in the long run. */
const testLong = defineInLongRun(test);
/** The same for all processes on the database, which must agree on it. */
const PENDING_MS = '1000';

let testEnvironment: TestDatabase;
let receiver: TestReceiver;
let folder: string;
let scope: Scope;
type WorkerProcess = ChildProcessByStdio<null, Readable, Readable>;
const processes: WorkerProcess[] = [];

beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  receiver = await TestReceiver.open();
  folder = mkdtempSync(path.join(tmpdir(), 'pos-worker-'));
  writeFileSync(path.join(folder, 'ca.pem'), receiver.authority);
});

afterAll(async () => {
  receiver.close();
  rmSync(folder, { recursive: true });
  await testEnvironment.close();
});

beforeEach(() => {
  scope = createTestScope();
  receiver.expectOnlyAccounts(scope);
  receiver.reaction = () => 200;
});

afterEach(async () => {
  for (const child of processes) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  processes.length = 0;
});

const CRASHES = [
  ['after it has sent, before it stores the result', 'webhook.after-send:2', 2],
  ['before it sends', 'webhook.before-send:2', 1],
] as const;

test.each(CRASHES)('a worker killed %s loses nothing and keeps the order', async (_, point, sent) => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const session = createSessionId();
  await publishSessionStates(testEnvironment.database, scope, { id: session, states: STATES });
  const killed = startProcess({ FAULT_POINT: point });
  expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
  expect(receiver.receivedHooks).toHaveLength(sent);
  // Ends the leases of the killed worker before another one starts.
  await testEnvironment.database.transact(scope, (tx) => tx.query(END_LEASES, [scope.accountId, scope.environment]));
  startProcess({});
  await waitUntilDelivered();
  // At least once: deliveries without a stored result are sent again, with the same ids.
  expect(receiver.listStates(session)).toEqual([...STATES.slice(0, sent), ...STATES]);
  expect(new Set(receiver.receivedHooks.map(({ headers }) => headers['delivery-id'])).size).toBe(STATES.length);
});

test('SIGTERM lets the running attempt end, and the process exits with 0', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const child = startProcess({});
  receiver.reaction = () => {
    child.kill('SIGTERM');
    return 200;
  };
  const session = createSessionId();
  await publishSessionStates(testEnvironment.database, scope, { id: session, states: STATES });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const sent = receiver.receivedHooks.length;
  expect(sent).toBeGreaterThan(0);
  receiver.reaction = () => 200;
  startProcess({});
  await waitUntilDelivered();
  expect(receiver.listStates(session)).toEqual(STATES);
});

test('health answers while it runs', async () => {
  const port = await findFreePort();
  startProcess({ HTTP_PORT: String(port) });
  const ask = (which: string) =>
    fetch(`http://127.0.0.1:${port}/health/${which}`).then(
      ({ status }) => status,
      () => 0,
    );
  await waitUntil(async () => (await ask('ready')) === 200);
  expect(await ask('live')).toBe(200);
});

testLong('each start begins the daily check of the audit log of the service, which begins once', async () => {
  const listChecks = () =>
    testEnvironment.database.read(SYSTEM_SCOPE, (reader) =>
      reader.query(SERVICE_CHECKS, [SYSTEM_SCOPE.accountId, SYSTEM_SCOPE.environment]),
    );
  for (let start = 0; start < 2; start += 1) {
    const child = startProcess({});
    await once(child.stdout, 'data');
    await waitUntil(async () => (await listChecks()).length > 0);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
  expect(await listChecks()).toEqual([{ subject: 'chains' }]);
});

testLong('a worker without a mail server puts mails off, so that none of them is overdue', async () => {
  const production: Scope = { ...scope, environment: 'production' };
  await testEnvironment.database.transact(production, (tx) =>
    insertMail(tx, { paymentIntentId: null, recipient: 'ann@corner.example', subject: 's', text: 't', html: 'h' }),
  );
  startProcess({});
  await waitUntil(async () => {
    const [row] = await testEnvironment.database.read(production, (reader) =>
      reader.query<{ is_later: boolean }>(MAIL_IS_LATER, [scope.accountId]),
    );
    return row?.is_later === true;
  });
});

const WRONG_SETTINGS = [
  ['without a database', { DATABASE_URL: '' }, 'DATABASE_URL: is not set'],
  ['with a backoff of zero', { WEBHOOK_BACKOFF_SCALE: '0' }, 'WEBHOOK_BACKOFF_SCALE: '],
  ['with an invalid encryption key', { ENCRYPTION_KEY: 'short' }, 'ENCRYPTION_KEY: is not 32 bytes'],
] as const;

test.each<readonly [string, Record<string, string>, string]>(selectRows(WRONG_SETTINGS))(
  '%s it does not start, and names the setting',
  async (_, settings, problem) => {
    const child = startProcess(settings);
    let output = '';
    child.stderr.on('data', (part: Buffer) => (output += part.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(2);
    expect(output).toContain(problem);
  },
);

testLong('with a database of another pepper it exits with 2 and names the setting', async () => {
  const child = startProcess({ KEY_PEPPER: 'another pepper for tests' });
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(2);
  expect(output).toContain('  KEY_PEPPER: is not the one');
  // A line with the remedy, without a stack.
  expect(output).not.toContain('    at ');
});

test('with a setting that differs from the other processes it exits with 2, and one line names both values', async () => {
  const { dataSource } = testEnvironment.database;
  await requireAgreedSettings(dataSource, { app: 'api', settings: { ACQUIRER_CALL_PENDING_MS: PENDING_MS } });
  const child = startProcess({ ACQUIRER_CALL_PENDING_MS: '2000' });
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(output).toMatch(/^ {2}ACQUIRER_CALL_PENDING_MS: is 2000 at webhook-worker, and 1000 at the other processes/m);
  expect(output).not.toContain('    at ');
});

testLong('without its database it waits, logs one line, and starts when the database is available', async () => {
  const { lines, stderr, code } = await startBeforeDatabase(testEnvironment, {
    ACQUIRER_ADDRESS: '127.0.0.1:1',
    ACQUIRER_CALL_PENDING_MS: PENDING_MS,
    HTTP_PORT: '0',
  });
  expect(stderr).toBe('');
  const events = lines.map(({ event }) => event);
  expect(events.filter((event) => event === 'database.awaited')).toHaveLength(1);
  const started = ['database.awaited', 'database.reached', 'monitoring.started', 'process.started'];
  // Its acquirer does not answer, at any time.
  expect(events.filter((event) => event !== 'acquirer.capabilities_unanswered').slice(0, 4)).toEqual(started);
  expect(lines[0]).toMatchObject({ level: 40, reason: 'away', code: 'ECONNREFUSED' });
  expect(JSON.stringify(lines)).not.toContain(new URL(testEnvironment.url).password);
  expect(code).toBe(0);
});

test('an alarm is logged once, however often it is raised', async () => {
  const reference = `silent-${scope.accountId}`;
  await createAccount(testEnvironment.database, {
    ...{ id: scope.accountId, name: 'a', tradingName: 'A', locationId: 'loc_AAAAAAAAAAAAAAAAAAAAAA' },
    ...{ merchantId: 'm', currencies: ['GBP'], settings: {}, createdAt: new Date() },
  });
  await testEnvironment.database.transact(scope, async (tx) => {
    const subject = { paymentIntentId: null, terminalSessionId: null, amount: gbp(100) };
    const call = { reference, kind: 'Reverse', originalReference: 'never' } as const;
    await insertAcquirerCall(
      tx,
      createAcquirerCall({
        ...call,
        acquirer: 'default',
        merchantId: 'M-1',
        ...subject,
        deadlineAt: new Date(tx.databaseNow.getTime() - 60_000),
      }),
    );
    schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: 0, isRepeat: true });
  });
  const child = startProcess({ INQUIRY_INTERVAL_MS: '50', LOG_LEVEL: 'info' });
  let written = '';
  child.stdout.on('data', (part: Buffer) => (written += part.toString()));
  const events = (): Record<string, unknown>[] =>
    written
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const tries = (): number =>
    events().filter(({ event, subject }) => event === 'timer.worked' && subject === reference).length;
  await waitUntil(() => tries() >= 4);
  const [row, ...more] = await testEnvironment.database.read(scope, (reader) =>
    reader.query<{ id: string }>(ALARMS, [scope.accountId, scope.environment]),
  );
  expect(more).toEqual([]);
  expect(events().filter(({ event }) => event === 'alarm.raised')).toEqual([
    expect.objectContaining({
      ...{ level: 50, account_id: scope.accountId, environment: 'sandbox', alarm_id: row?.id },
      ...{ kind: 'AcquirerCallOpen', subject: reference },
    }),
  ]);
});

/** Starts the built worker in its own process. */
function startProcess(settings: Record<string, string>): WorkerProcess {
  const child = spawn(process.execPath, [path.join(process.cwd(), 'bundle/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      DATABASE_URL: testEnvironment.url,
      DATABASE_CONNECTIONS: '4',
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      // No server listens there; these tests do not call the acquirer.
      ACQUIRER_ADDRESS: '127.0.0.1:1',
      HOST: '127.0.0.1',
      HTTP_PORT: '0',
      POLL_MS: '50',
      ACQUIRER_CALL_PENDING_MS: PENDING_MS,
      WEBHOOK_BACKOFF_SCALE: '0.0001',
      EGRESS_ALLOW: receiver.host,
      EGRESS_CA_FILE: path.join(folder, 'ca.pem'),
      ...settings,
    },
  });
  child.stdout.resume();
  child.stderr.resume();
  processes.push(child);
  return child;
}

async function waitUntilDelivered(): Promise<void> {
  await waitUntil(async () => {
    const open = await testEnvironment.database.read(scope, (reader) =>
      reader.query(LIST_OPEN_DELIVERIES, [scope.accountId, scope.environment]),
    );
    return open.length === 0;
  });
}
