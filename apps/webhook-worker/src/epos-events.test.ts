import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { type DeliveryState, EPOS_WAIT_MAX_MS } from '@pos/core/webhook';
import { Egress } from '@pos/service-kit/egress';
import { openLog } from '@pos/service-kit/log';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { deliveries } from '@pos/store/queue-rows';
import { defineStatement } from '@pos/store/statement';
import { findRows } from '@pos/store/table';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import type { EposEvent, EventOutcome } from './epos-door.js';
import { freshIntent, Receiver, SETTINGS, subscribe, tellIntent, until } from './testing.js';
import { startWorker, type Worker } from './worker.js';

const OK: EventOutcome = { outcome: 'accepted', httpStatus: 200 };
const AGE = defineStatement(
  'test_age',
  `update deliveries set created_at = created_at - $3 * interval '1 millisecond'
   where account_id = $1 and environment = $2 returning id`,
);

/** The gateways, as the worker sees them: each event that they are given, and what comes of it. */
class Gateways {
  readonly told: { readonly scope: Scope; readonly text: string; readonly state: string }[] = [];
  answer: (state: string, time: number) => EventOutcome | Promise<EventOutcome> = () => OK;

  async tell({ scope: whose, body }: EposEvent): Promise<EventOutcome> {
    const text = body.toString('utf8');
    const { data } = JSON.parse(text) as { data: { paymentStatus: string } };
    this.told.push({ scope: whose, text, state: data.paymentStatus });
    return this.answer(data.paymentStatus, this.told.filter((each) => each.text === text).length);
  }

  states(): string[] {
    return this.told.map(({ state }) => state);
  }
}

const LOG = openLog({ app: 'worker', level: 'error' });

let world: TestDatabase;
let receiver: Receiver;
let egress: Egress;
let gateways: Gateways;
let scope: Scope;
let worker: Worker;
beforeAll(async () => {
  world = await createTestDatabase();
  receiver = await Receiver.open();
  egress = new Egress({ allow: [receiver.host], certificateAuthority: receiver.authority });
});
beforeEach(async () => {
  scope = createTestScope();
  gateways = new Gateways();
  receiver.expectOnly(scope);
  receiver.reaction = () => 200;
  worker = await startWorker({
    ...{ database: world.database, egress, eposDoor: gateways, effects: {}, fault: () => undefined },
    log: LOG,
    settings: SETTINGS,
  });
});
afterEach(async () => {
  receiver.hangUp();
  await worker.stop();
});
afterAll(async () => {
  await egress.close();
  receiver.close();
  await world.close();
});

const KINDS = ['payment_intent.created', 'payment_intent.status_updated'];

function registers(kind: 'rest' | 'ws', names: readonly string[] = KINDS, of = scope): Promise<void> {
  const capabilities = names.map((name) => ({ name: `HandleEvent:${name}`, version: 'v1' as const }));
  return world.database.transact(of, (tx) =>
    putEposIntegration(tx, { kind, url: null, username: null, password: null, capabilities }),
  );
}

const pays = (of = scope) =>
  tellIntent(world.database, of, { id: freshIntent(), states: ['Created', 'Authorized', 'Captured'] });
const rows = () =>
  world.database.read(scope, (reader) => findRows(reader, deliveries, { where: {}, orderBy: 'number' }));
/** Waits until something was to be told, and all of it has come to this. */
const untilAllAre = (wanted: DeliveryState) =>
  until(async () => {
    const all = await rows();
    return all.length > 0 && all.every(({ state }) => state === wanted);
  });
const statesOfRows = async () => (await rows()).map(({ state, attempts }) => [state, attempts]);

test('an EPOS hears in order what happens to a payment, with the bytes that webhooks are sent', async () => {
  await registers('rest');
  await subscribe(world.database, scope, receiver.url());
  await pays();
  await until(() => gateways.told.length === 3 && receiver.hooks.length === 3);
  expect(gateways.states()).toEqual(['Created', 'Authorized', 'Captured']);
  expect(new Set(gateways.told.map(({ text }) => text))).toEqual(
    new Set(receiver.hooks.map(({ raw }) => raw.toString('utf8'))),
  );
});

test.each([
  ['refuses', { outcome: 'refused', httpStatus: 503, reason: 'UnexpectedError' }],
  ['does not answer', { outcome: 'unanswered', reason: 'no answer in time' }],
  ['is not there', { outcome: 'unreachable', reason: 'connection refused' }],
] as const)('an EPOS that %s hears it again with the same bytes, and the rest meanwhile', async (_, failure) => {
  await registers('rest');
  gateways.answer = (state, time) => (state === 'Created' && time <= 3 ? failure : OK);
  await pays();
  await untilAllAre('Delivered');
  const created = gateways.told.filter(({ state }) => state === 'Created');
  expect(created).toHaveLength(4);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([1, 1, 4]);
});

test('an EPOS that always fails is given up after thirteen attempts', async () => {
  await registers('rest');
  gateways.answer = () => ({ outcome: 'refused', httpStatus: 500, reason: 'UnexpectedError: till jammed' });
  await tellIntent(world.database, scope, { id: freshIntent(), states: ['Created'] });
  await untilAllAre('DeadLettered');
  expect(await rows()).toMatchObject([{ attempts: 13, last_status: 500, last_error: 'UnexpectedError: till jammed' }]);
  expect(gateways.told).toHaveLength(13);
});

describe('an EPOS that opens its socket itself', () => {
  const CLOSED: EventOutcome = { outcome: 'unreachable', reason: 'no EPOS is connected' };

  test('hears everything in order when it connects, however often it was looked for', async () => {
    await registers('ws');
    let isOpen = false;
    gateways.answer = () => (isOpen ? OK : CLOSED);
    await pays();
    await until(() => gateways.told.length >= 20);
    expect(await statesOfRows()).toEqual([
      ['Pending', 0],
      ['Pending', 0],
      ['Pending', 0],
    ]);
    const before = gateways.told.length;
    expect(new Set(gateways.states())).toEqual(new Set(['Created']));
    isOpen = true;
    await untilAllAre('Delivered');
    expect(await statesOfRows()).toEqual([
      ['Delivered', 1],
      ['Delivered', 1],
      ['Delivered', 1],
    ]);
    expect(gateways.states().slice(before).slice(-3)).toEqual(['Created', 'Authorized', 'Captured']);
  });

  test('is waited for a day, not longer', async () => {
    await registers('ws');
    gateways.answer = () => CLOSED;
    await tellIntent(world.database, scope, { id: freshIntent(), states: ['Created'] });
    await until(() => gateways.told.length >= 3);
    await world.database.transact(scope, (tx) => tx.query(AGE, [scope.accountId, scope.environment, EPOS_WAIT_MAX_MS]));
    await untilAllAre('DeadLettered');
    expect(await rows()).toMatchObject([{ last_error: expect.stringContaining('no socket was opened within a day') }]);
  });

  test('and that refuses is told again as any other', async () => {
    await registers('ws');
    gateways.answer = (_, time) =>
      time <= 2 ? { outcome: 'refused', httpStatus: 0, reason: 'Conflict' } : { ...OK, httpStatus: 0 };
    await tellIntent(world.database, scope, { id: freshIntent(), states: ['Created'] });
    await untilAllAre('Delivered');
    expect(await rows()).toMatchObject([{ attempts: 3, last_status: null }]);
  });
});

test('while no gateway can be reached, nothing is counted against an EPOS, however long that takes', async () => {
  await registers('rest');
  let isUp = false;
  gateways.answer = () => (isUp ? OK : { outcome: 'untold', reason: 'no gateway can be reached' });
  await pays();
  await until(() => gateways.told.length >= 20);
  await world.database.transact(scope, (tx) =>
    tx.query(AGE, [scope.accountId, scope.environment, 2 * EPOS_WAIT_MAX_MS]),
  );
  isUp = true;
  await untilAllAre('Delivered');
  expect(await statesOfRows()).toEqual([
    ['Delivered', 1],
    ['Delivered', 1],
    ['Delivered', 1],
  ]);
});

test('a kind that was taken back meanwhile is not told, and the others go on', async () => {
  await registers('ws');
  let isOpen = false;
  gateways.answer = () => (isOpen ? OK : { outcome: 'unreachable', reason: 'no EPOS is connected' });
  await pays();
  await until(() => gateways.told.length >= 1);
  await registers('ws', []);
  await untilAllAre('DeadLettered');
  isOpen = true;
  const before = gateways.told.length;
  await registers('ws', ['payment_intent.status_updated']);
  await pays();
  await until(async () => (await rows()).every(({ state }) => state !== 'Pending'));
  expect(gateways.told).toHaveLength(before + 3);
  expect(await rows()).toMatchObject([
    ...Array.from({ length: 3 }, () => ({ last_error: expect.stringContaining('not registered') })),
    ...Array.from({ length: 3 }, () => ({ state: 'Delivered' })),
  ]);
});

test('an EPOS that hangs holds up neither webhooks nor the EPOS of another account', async () => {
  await registers('rest');
  await subscribe(world.database, scope, receiver.url());
  const other = createTestScope();
  await registers('rest', KINDS, other);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  gateways.answer = async () => {
    if (gateways.told.at(-1)?.scope.accountId === scope.accountId) await released;
    return OK;
  };
  await pays();
  await until(() => receiver.hooks.length === 3);
  await pays(other);
  await until(() => gateways.told.filter(({ scope: whose }) => whose.accountId === other.accountId).length === 3);
  expect(gateways.told.filter(({ scope: whose }) => whose.accountId === scope.accountId)).toHaveLength(1);
  release();
  await untilAllAre('Delivered');
});
