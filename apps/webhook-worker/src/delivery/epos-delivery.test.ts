import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { type DeliveryState, EPOS_WAIT_MAX_MS } from '@pos/core/webhooks';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import { putEposIntegration } from '@pos/store/repositories';
import { deliveries, findRows } from '@pos/store/relations';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import type { EposEventRequest, EventOutcome } from './epos-gateway-client.js';
import {
  createIntentId,
  TestReceiver,
  TEST_SETTINGS,
  subscribe,
  publishIntentStates,
  waitUntil,
} from '../testing/test-receiver.js';
import { startWebhookWorker, type WebhookWorker } from '../worker.js';

const ACCEPTED: EventOutcome = { outcome: 'accepted', httpStatus: 200 };
const AGE_DELIVERIES = defineStatement(
  'test_age',
  `update deliveries set created_at = created_at - $3 * interval '1 millisecond'
   where account_id = $1 and environment = $2 returning id`,
);

/** Gateways that record each event that the worker sends, and answer as the test sets. */
class FakeGateways {
  readonly receivedEvents: { readonly scope: Scope; readonly text: string; readonly state: string }[] = [];
  answer: (state: string, time: number) => EventOutcome | Promise<EventOutcome> = () => ACCEPTED;

  async sendEvent({ scope: whose, body }: EposEventRequest): Promise<EventOutcome> {
    const text = body.toString('utf8');
    const { data } = JSON.parse(text) as { data: { paymentStatus: string } };
    this.receivedEvents.push({ scope: whose, text, state: data.paymentStatus });
    return this.answer(data.paymentStatus, this.receivedEvents.filter((each) => each.text === text).length);
  }

  listStates(): string[] {
    return this.receivedEvents.map(({ state }) => state);
  }
}

const LOG = createLog({ app: 'worker', level: 'error' });

let testEnvironment: TestDatabase;
let receiver: TestReceiver;
let egress: EgressClient;
let gateways: FakeGateways;
let scope: Scope;
let worker: WebhookWorker;
beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  receiver = await TestReceiver.open();
  egress = new EgressClient({ allow: [receiver.host], certificateAuthority: receiver.authority });
});
beforeEach(async () => {
  scope = createTestScope();
  gateways = new FakeGateways();
  receiver.expectOnlyAccounts(scope);
  receiver.reaction = () => 200;
  worker = await startWebhookWorker({
    ...{ database: testEnvironment.database, egress, gatewayClient: gateways, effects: {}, fault: () => undefined },
    log: LOG,
    settings: TEST_SETTINGS,
  });
});
afterEach(async () => {
  receiver.closeSockets();
  await worker.stop();
});
afterAll(async () => {
  await egress.close();
  receiver.close();
  await testEnvironment.close();
});

const KINDS = ['payment_intent.created', 'payment_intent.status_updated'];

function registerEpos(kind: 'rest' | 'ws', names: readonly string[] = KINDS, of = scope): Promise<void> {
  const capabilities = names.map((name) => ({ name: `HandleEvent:${name}`, version: 'v1' as const }));
  return testEnvironment.database.transact(of, (tx) =>
    putEposIntegration(tx, { kind, url: null, username: null, password: null, capabilities }),
  );
}

const publishPayment = (of = scope) =>
  publishIntentStates(testEnvironment.database, of, {
    id: createIntentId(),
    states: ['Created', 'Authorized', 'Captured'],
  });
const readDeliveries = () =>
  testEnvironment.database.read(scope, (reader) => findRows(reader, deliveries, { where: {}, orderBy: 'number' }));
/** Waits until there are deliveries and all of them are in this state. */
const waitForStates = (wanted: DeliveryState) =>
  waitUntil(async () => {
    const all = await readDeliveries();
    return all.length > 0 && all.every(({ state }) => state === wanted);
  });
const listDeliveryStates = async () => (await readDeliveries()).map(({ state, attempts }) => [state, attempts]);

test('an EPOS receives the events of a payment in order, with the same bytes as webhooks', async () => {
  await registerEpos('rest');
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  await publishPayment();
  await waitUntil(() => gateways.receivedEvents.length === 3 && receiver.receivedHooks.length === 3);
  expect(gateways.listStates()).toEqual(['Created', 'Authorized', 'Captured']);
  expect(new Set(gateways.receivedEvents.map(({ text }) => text))).toEqual(
    new Set(receiver.receivedHooks.map(({ raw }) => raw.toString('utf8'))),
  );
});

test.each([
  ['refuses', { outcome: 'refused', httpStatus: 503, reason: 'UnexpectedError' }],
  ['does not answer', { outcome: 'unanswered', reason: 'no answer in time' }],
  ['is not there', { outcome: 'unreachable', reason: 'connection refused' }],
] as const)(
  'an EPOS that %s receives the event again with the same bytes, and others meanwhile',
  async (_, failure) => {
    await registerEpos('rest');
    gateways.answer = (state, time) => (state === 'Created' && time <= 3 ? failure : ACCEPTED);
    await publishPayment();
    await waitForStates('Delivered');
    const created = gateways.receivedEvents.filter(({ state }) => state === 'Created');
    expect(created).toHaveLength(4);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect((await readDeliveries()).map(({ attempts }) => attempts).sort()).toEqual([1, 1, 4]);
  },
);

test('an event that its EPOS always refuses is a dead letter after thirteen attempts', async () => {
  await registerEpos('rest');
  gateways.answer = () => ({ outcome: 'refused', httpStatus: 500, reason: 'UnexpectedError: till jammed' });
  await publishIntentStates(testEnvironment.database, scope, { id: createIntentId(), states: ['Created'] });
  await waitForStates('DeadLettered');
  expect(await readDeliveries()).toMatchObject([
    { attempts: 13, last_status: 500, last_error: 'UnexpectedError: till jammed' },
  ]);
  expect(gateways.receivedEvents).toHaveLength(13);
});

describe('an EPOS that opens its socket itself', () => {
  const CLOSED: EventOutcome = { outcome: 'unreachable', reason: 'no EPOS is connected' };

  test('receives everything in order when it connects, however often the worker tried before', async () => {
    await registerEpos('ws');
    let isOpen = false;
    gateways.answer = () => (isOpen ? ACCEPTED : CLOSED);
    await publishPayment();
    await waitUntil(() => gateways.receivedEvents.length >= 20);
    expect(await listDeliveryStates()).toEqual([
      ['Pending', 0],
      ['Pending', 0],
      ['Pending', 0],
    ]);
    const before = gateways.receivedEvents.length;
    expect(new Set(gateways.listStates())).toEqual(new Set(['Created']));
    isOpen = true;
    await waitForStates('Delivered');
    expect(await listDeliveryStates()).toEqual([
      ['Delivered', 1],
      ['Delivered', 1],
      ['Delivered', 1],
    ]);
    expect(gateways.listStates().slice(before).slice(-3)).toEqual(['Created', 'Authorized', 'Captured']);
  });

  test('has a day to connect, not longer', async () => {
    await registerEpos('ws');
    gateways.answer = () => CLOSED;
    await publishIntentStates(testEnvironment.database, scope, { id: createIntentId(), states: ['Created'] });
    await waitUntil(() => gateways.receivedEvents.length >= 3);
    await testEnvironment.database.transact(scope, (tx) =>
      tx.query(AGE_DELIVERIES, [scope.accountId, scope.environment, EPOS_WAIT_MAX_MS]),
    );
    await waitForStates('DeadLettered');
    expect(await readDeliveries()).toMatchObject([
      { last_error: expect.stringContaining('no socket was opened within a day') },
    ]);
  });

  test('is retried after a refusal like any other EPOS', async () => {
    await registerEpos('ws');
    gateways.answer = (_, time) =>
      time <= 2 ? { outcome: 'refused', httpStatus: 0, reason: 'Conflict' } : { ...ACCEPTED, httpStatus: 0 };
    await publishIntentStates(testEnvironment.database, scope, { id: createIntentId(), states: ['Created'] });
    await waitForStates('Delivered');
    expect(await readDeliveries()).toMatchObject([{ attempts: 3, last_status: null }]);
  });
});

test('while no gateway can be reached, no attempt of an EPOS is counted, however long that takes', async () => {
  await registerEpos('rest');
  let isUp = false;
  gateways.answer = () => (isUp ? ACCEPTED : { outcome: 'notForwarded', reason: 'no gateway can be reached' });
  await publishPayment();
  await waitUntil(() => gateways.receivedEvents.length >= 20);
  await testEnvironment.database.transact(scope, (tx) =>
    tx.query(AGE_DELIVERIES, [scope.accountId, scope.environment, 2 * EPOS_WAIT_MAX_MS]),
  );
  isUp = true;
  await waitForStates('Delivered');
  expect(await listDeliveryStates()).toEqual([
    ['Delivered', 1],
    ['Delivered', 1],
    ['Delivered', 1],
  ]);
});

test('events of a kind that is no longer registered are dead letters, and others are delivered', async () => {
  await registerEpos('ws');
  let isOpen = false;
  gateways.answer = () => (isOpen ? ACCEPTED : { outcome: 'unreachable', reason: 'no EPOS is connected' });
  await publishPayment();
  await waitUntil(() => gateways.receivedEvents.length >= 1);
  await registerEpos('ws', []);
  await waitForStates('DeadLettered');
  isOpen = true;
  const before = gateways.receivedEvents.length;
  await registerEpos('ws', ['payment_intent.status_updated']);
  await publishPayment();
  await waitUntil(async () => (await readDeliveries()).every(({ state }) => state !== 'Pending'));
  expect(gateways.receivedEvents).toHaveLength(before + 3);
  expect(await readDeliveries()).toMatchObject([
    ...Array.from({ length: 3 }, () => ({ last_error: expect.stringContaining('not registered') })),
    ...Array.from({ length: 3 }, () => ({ state: 'Delivered' })),
  ]);
});

test('an EPOS that hangs holds up neither webhooks nor the EPOS of another account', async () => {
  await registerEpos('rest');
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const other = createTestScope();
  await registerEpos('rest', KINDS, other);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  gateways.answer = async () => {
    if (gateways.receivedEvents.at(-1)?.scope.accountId === scope.accountId) await released;
    return ACCEPTED;
  };
  await publishPayment();
  await waitUntil(() => receiver.receivedHooks.length === 3);
  await publishPayment(other);
  await waitUntil(
    () => gateways.receivedEvents.filter(({ scope: whose }) => whose.accountId === other.accountId).length === 3,
  );
  expect(gateways.receivedEvents.filter(({ scope: whose }) => whose.accountId === scope.accountId)).toHaveLength(1);
  release();
  await waitForStates('Delivered');
});
