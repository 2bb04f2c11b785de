import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { Egress } from '@pos/service-kit/egress';
import { openLog } from '@pos/service-kit/log';
import { defineStatement } from '@pos/store/statement';
import { webhookSecretContext } from '@pos/store/subscriptions';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import {
  Receiver,
  freshIntent,
  freshSession,
  signatureByTheBook,
  subscribe,
  tellIntent,
  tellSession,
  until,
  NO_GATEWAY,
  SETTINGS,
} from './testing.js';
import { startWorker, type Worker, type WorkerSettings } from './worker.js';

const DELIVERIES = defineStatement(
  'test_deliveries',
  `select d.id, d.state, d.attempts, d.last_status, d.last_error, d.next_attempt_at, e.subject_id
   from deliveries d join events e on e.account_id = d.account_id and e.environment = d.environment and e.id = d.event_id
   where d.account_id = $1 and d.environment = $2 order by e.recorded_at, d.number`,
);
const ROTATE = defineStatement(
  'test_rotate',
  `update webhook_secrets set value_ciphertext = $4 where account_id = $1 and environment = $2 and subscription_id = $3
   returning id`,
);

interface DeliveryRow {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: Date | null;
  readonly subject_id: string;
}

let world: TestDatabase;
let receiver: Receiver;
let egress: Egress;
let scope: Scope;
let workers: Worker[] = [];
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  world = await createTestDatabase();
  receiver = await Receiver.open();
  egress = new Egress({ allow: [receiver.host], certificateAuthority: receiver.authority });
});

afterAll(async () => {
  receiver.close();
  await egress.close();
  await world.close();
});

beforeEach(() => {
  scope = createTestScope();
  receiver.expectOnly(scope);
  receiver.reaction = () => 200;
  lines.length = 0;
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

test('a webhook carries the stored bytes, both signatures and its own names', async () => {
  const { secret } = await subscribe(world.database, scope, receiver.url('/a?b=1'));
  const intent = freshIntent();
  await tellIntent(world.database, scope, { id: intent, states: ['Created'] });
  await work();
  await until(() => receiver.hooks.length === 1);
  const [hook] = receiver.hooks;
  const { id, headers, raw } = hook!;
  expect(hook).toMatchObject({ path: '/a?b=1', event: 'payment_intent.status_updated', subject: intent, attempt: 1 });
  expect(headers['content-type']).toBe('application/json');
  expect(headers['service-signature']).toBe(signatureByTheBook(secret, raw));
  expect(headers['webhook-id']).toBe(id);
  const stamp = String(headers['webhook-timestamp']);
  const standard = createHmac('sha256', secret).update(`${id}.${stamp}.`).update(raw).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${standard}`);
  const [row] = await settled();
  expect(row).toMatchObject({ id: headers['delivery-id'], state: 'Delivered', attempts: 1, last_status: 200 });
  expect(lines.filter(({ event }) => event === 'delivery.attempted')).toEqual([
    expect.objectContaining({ delivery_id: row!.id, outcome: 'delivered', http_status: 200, attempt: 1 }),
  ]);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("a session's events arrive in order across retries, and another session does not wait for them", async () => {
  await subscribe(world.database, scope, receiver.url());
  const [slow, quick] = [freshSession(), freshSession()];
  receiver.reaction = ({ subject, state, attempt }) =>
    subject === slow && state === 'Initiated' && attempt < 4 ? 500 : 200;
  await tellSession(world.database, scope, { id: slow, states: ['Initiated', 'Authorized', 'Captured'] });
  await tellSession(world.database, scope, { id: quick, states: ['Initiated', 'Declined'] });
  await work();
  await until(() => receiver.hooks.length === 8);
  expect(receiver.statesOf(slow)).toEqual([
    'Initiated',
    'Initiated',
    'Initiated',
    'Initiated',
    'Authorized',
    'Captured',
  ]);
  expect(receiver.statesOf(quick)).toEqual(['Initiated', 'Declined']);
  const repeats = receiver.hooks.filter(({ subject, state }) => subject === slow && state === 'Initiated');
  expect(repeats.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(new Set(repeats.map(({ raw, headers }) => `${String(headers['delivery-id'])} ${raw.toString()}`)).size).toBe(
    1,
  );
});

test('a failed event of an intent does not hold up the next one', async () => {
  await subscribe(world.database, scope, receiver.url());
  const intent = freshIntent();
  receiver.reaction = ({ state, attempt }) => (state === 'Created' && attempt === 1 ? 503 : 200);
  await tellIntent(world.database, scope, { id: intent, states: ['Created', 'Captured'] });
  await work({ WEBHOOK_BACKOFF_SCALE: 0.2 });
  await until(() => receiver.hooks.length === 3);
  expect(receiver.statesOf(intent)).toEqual(['Created', 'Captured', 'Created']);
});

test.each([
  [400, 'answered 400'],
  [404, 'answered 404'],
  [429, 'answered 429'],
  [500, 'answered 500'],
  [302, 'answered 302'],
  [304, 'answered 304'],
])('an answer of %i is a failure', async (status, error) => {
  await subscribe(world.database, scope, receiver.url());
  receiver.reaction = () => status;
  await tellSession(world.database, scope, { id: freshSession(), states: ['Initiated'] });
  await work({ WEBHOOK_BACKOFF_SCALE: 1 });
  await until(async () => (await rows())[0]?.attempts === 1);
  const [row] = await rows();
  expect(row).toMatchObject({ state: 'Pending', last_status: status, last_error: error });
  expect(row!.next_attempt_at).not.toBeNull();
});

test.each([200, 201, 204, 299])('an answer of %i is a success', async (status) => {
  await subscribe(world.database, scope, receiver.url());
  receiver.reaction = () => status;
  await tellSession(world.database, scope, { id: freshSession(), states: ['Initiated'] });
  await work();
  expect(await settled()).toMatchObject([{ state: 'Delivered', last_status: status }]);
});

test('after the first try and twelve more it is dead-lettered, and the next event goes out', async () => {
  await subscribe(world.database, scope, receiver.url());
  const session = freshSession();
  receiver.reaction = ({ state }) => (state === 'Initiated' ? 500 : 200);
  await tellSession(world.database, scope, { id: session, states: ['Initiated', 'Captured'] });
  await work();
  expect(await settled()).toMatchObject([
    { state: 'DeadLettered', attempts: 13, last_status: 500, next_attempt_at: null },
    { state: 'Delivered', attempts: 1 },
  ]);
  expect(receiver.statesOf(session)).toEqual([...Array.from({ length: 13 }, () => 'Initiated'), 'Captured']);
  expect(receiver.hooks.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1]);
});

test('a receiver that never answers costs its own lane its turn, and nobody else', async () => {
  await subscribe(world.database, scope, receiver.url());
  const [stuck, ...others] = [freshSession(), freshSession(), freshSession(), freshSession()];
  receiver.reaction = ({ subject }) => (subject === stuck ? 'hang' : 200);
  await tellSession(world.database, scope, { id: stuck, states: ['Initiated', 'Captured'] });
  for (const other of others)
    await tellSession(world.database, scope, { id: other, states: ['Initiated', 'Captured'] });
  await work({ LANE_LEASE_MS: 12_000, WEBHOOK_BACKOFF_SCALE: 1 });
  await until(() => others.every((other) => receiver.statesOf(other).length === 2));
  await until(async () =>
    (await rows()).some(({ last_error }) => last_error === 'The receiver did not answer in time.'),
  );
  expect(receiver.statesOf(stuck)).toEqual(['Initiated']);
});

test('one account with a dead receiver does not keep the others waiting', async () => {
  const noisy = createTestScope();
  receiver.expectOnly(scope, noisy);
  await subscribe(world.database, noisy, receiver.url('/noisy'));
  await subscribe(world.database, scope, receiver.url('/quiet'));
  receiver.reaction = ({ path }) => (path === '/noisy' ? 'hang' : 200);
  for (let count = 0; count < 20; count += 1)
    await tellIntent(world.database, noisy, { id: freshIntent(), states: ['Created'] });
  await work({ DELIVERY_CONCURRENCY: 6, DELIVERY_ACCOUNT_CONCURRENCY: 5, DELIVERY_ENDPOINT_CONCURRENCY: 2 });
  await until(() => receiver.hooks.length >= 2);
  const intents = Array.from({ length: 10 }, freshIntent);
  for (const id of intents) await tellIntent(world.database, scope, { id, states: ['Created'] });
  await until(() => intents.every((id) => receiver.statesOf(id).length === 1));
  expect(receiver.hooks.filter(({ path }) => path === '/noisy').length).toBeLessThanOrEqual(2);
  receiver.reaction = () => 200;
  receiver.hangUp();
  await settled(noisy);
});

test('what is not on the allow-list and not public is never called', async () => {
  await subscribe(world.database, scope, 'https://127.0.0.1:8443/hooks');
  await tellSession(world.database, scope, { id: freshSession(), states: ['Initiated'] });
  await work({ WEBHOOK_BACKOFF_SCALE: 1 });
  await until(async () => (await rows())[0]?.attempts === 1);
  expect(await rows()).toMatchObject([
    {
      state: 'Pending',
      last_error: 'The address is not one of the public internet, so it is never called.',
      last_status: null,
    },
  ]);
});

test('a name that does not resolve is said in a sentence', async () => {
  await subscribe(world.database, scope, 'https://no-such-name.invalid/hooks');
  await tellSession(world.database, scope, { id: freshSession(), states: ['Initiated'] });
  await work({ WEBHOOK_BACKOFF_SCALE: 1 });
  await until(async () => (await rows())[0]?.attempts === 1);
  const last_error = 'The name does not resolve to a public address.';
  expect(await rows()).toMatchObject([{ state: 'Pending', last_error, last_status: null }]);
});

test('each attempt is signed with the secret that is active then', async () => {
  const { id, secret, secretId } = await subscribe(world.database, scope, receiver.url());
  // The secret changes while the first attempt is under way, so that no speed of the machine decides which one signs.
  receiver.reaction = async ({ attempt }) => {
    if (attempt > 1) return 200;
    await world.database.transact(scope, (tx) =>
      tx.query(ROTATE, [
        scope.accountId,
        scope.environment,
        id,
        tx.seal(webhookSecretContext(id, secretId), 'rotated'),
      ]),
    );
    return 500;
  };
  await tellSession(world.database, scope, { id: freshSession(), states: ['Initiated'] });
  await work({ WEBHOOK_BACKOFF_SCALE: 0.03 });
  await until(() => receiver.hooks.length === 2);
  const [first, second] = receiver.hooks;
  expect(first!.headers['service-signature']).toBe(signatureByTheBook(secret, first!.raw));
  expect(second!.headers['service-signature']).toBe(signatureByTheBook('rotated', second!.raw));
  expect(second!.raw.equals(first!.raw)).toBe(true);
});

test('two workers share the lanes: everything once, every session in order', async () => {
  await subscribe(world.database, scope, receiver.url());
  const sessions = Array.from({ length: 30 }, freshSession);
  const states = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;
  const other = await world.open();
  await work({ DELIVERY_ACCOUNT_CONCURRENCY: 4 });
  await work({ DELIVERY_ACCOUNT_CONCURRENCY: 4 }, other);
  await Promise.all(sessions.map((id) => tellSession(world.database, scope, { id, states })));
  await until(() => receiver.hooks.length >= sessions.length * states.length);
  await settled();
  for (const id of sessions) expect(receiver.statesOf(id)).toEqual(states);
  expect(new Set(receiver.hooks.map(({ headers }) => headers['delivery-id'])).size).toBe(receiver.hooks.length);
});

test('a worker that is told to stop finishes its attempt and hands the rest of the lane to the next', async () => {
  await subscribe(world.database, scope, receiver.url());
  const session = freshSession();
  const states = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;
  await tellSession(world.database, scope, { id: session, states });
  const first = work();
  const stopping: Promise<void>[] = [];
  receiver.reaction = async () => {
    const worker = await first;
    stopping.push(worker.stop());
    return 200;
  };
  await until(() => stopping.length > 0);
  await Promise.all(stopping);
  const sent = receiver.hooks.length;
  expect(sent).toBeLessThan(states.length);
  await work();
  await settled();
  expect(receiver.statesOf(session)).toEqual(states);
});

test('a worker that is told of new work looks at once, and without being told looks by itself', async () => {
  await subscribe(world.database, scope, receiver.url());
  await work({ POLL_MS: 1_000 });
  for (let round = 0; round < 3; round += 1) {
    await tellSession(world.database, scope, { id: freshSession(), states: ['Initiated'] });
    await until(() => receiver.hooks.length === round + 1);
  }
});

async function work(settings: Partial<WorkerSettings> = {}, database = world.database): Promise<Worker> {
  const log = openLog({
    app: 'worker',
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const worker = await startWorker({
    database,
    egress,
    eposDoor: NO_GATEWAY,
    effects: {},
    log,
    fault: () => undefined,
    settings: { ...SETTINGS, ...settings },
  });
  workers.push(worker);
  return worker;
}

async function rows(of = scope): Promise<DeliveryRow[]> {
  return world.database.read(of, (reader) => reader.query<DeliveryRow>(DELIVERIES, [of.accountId, of.environment]));
}

/** The deliveries of the account, when none is on its way any more. */
async function settled(of = scope): Promise<DeliveryRow[]> {
  await until(async () => (await rows(of)).every(({ state }) => state !== 'Pending'));
  return rows(of);
}
