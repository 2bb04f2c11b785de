import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/epos-capability';
import { isPositive, subtract } from '@pos/core/money';
import { JourneyPaymentState, JourneyState } from '@pos/grpc-contracts/gateway';
import type { EposDoor } from '@pos/sandbox/epos-door';
import type { EposFault } from '@pos/sandbox/epos-faults';
import { tablesSocketOf } from '@pos/sandbox/epos-socket-clients';
import { listTerminals } from '@pos/payments/terminals';
import { listLiveConnections } from '@pos/store/connections';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { findIntent } from '@pos/store/payment-intents';
import { findTablePayment } from '@pos/store/table-payments';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { Device, outcome } from '../journeys/testing-device.js';
import { type TestAccount, TestPlace, until } from '../testing.js';
import { Seed } from '@pos/sandbox/seed';
import { wallClock } from '@pos/sandbox/clock';

jest.setTimeout(60_000);

const MACHINE = '90000001';
type Transport = 'rest' | 'ws' | 'tables-ws';
const TRANSPORTS: readonly Transport[] = ['rest', 'ws', 'tables-ws'];
const ORDERS: readonly Transport[] = ['rest', 'ws'];

let place: TestPlace;
let gateway: RunningGateway;
const houses = new Map<string, Promise<House>>();
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '2000' });
});
afterEach(async () => {
  for (const house of houses.values()) (await house).door.faults.replace([]);
});
afterAll(async () => {
  for (const house of houses.values()) (await house).device.close();
  await place.close();
});

/** A restaurant whose reference EPOS is reached over one transport, and a card machine at its tables. */
class House {
  constructor(
    readonly account: TestAccount,
    readonly device: Device,
  ) {}

  get door(): EposDoor {
    return required(this.account.place.epos, 'the EPOS');
  }

  /** A session that nobody has paid anything of or locked, and owes at least ten pounds. */
  async party(): Promise<string> {
    const { epos } = this.door;
    const { sessions } = await this.device.listSessions();
    const free = sessions.find(({ id }) => {
      const bill = epos.restaurant.find(id)?.bill;
      return epos.held.find(id) === null && bill?.paid.value === 0 && bill.total.value > 2_000;
    });
    return required(free, 'a party that owes').id;
  }

  paid(sessionId: string): number {
    return this.door.epos.restaurant.find(sessionId)?.bill?.paid.value ?? 0;
  }

  isLocked(sessionId: string): boolean {
    return this.door.epos.held.find(sessionId) !== null;
  }

  /** The calls of this name that the EPOS has seen. */
  seen(method: string) {
    return this.door.calls().filter((call) => call.method === method);
  }

  async begin(sessionId: string): Promise<string> {
    const { journey } = await this.device.start(sessionId);
    return required(journey, 'the journey').journeyId;
  }

  /** Begins a part; the guest pays it by himself. */
  async pay(journeyId: string, amount: bigint): Promise<string> {
    const paymentId = randomUUID();
    await until(async () => (await outcome(this.device.take(journeyId, amount, paymentId))) === 'OK');
    return paymentId;
  }

  async stateOf(journeyId: string, paymentId: string) {
    const { journey } = await this.device.get(journeyId);
    return journey?.payments.find((each) => each.paymentId === paymentId)?.state;
  }

  async recorded(journeyId: string, paymentId: string): Promise<void> {
    await until(
      async () => (await this.stateOf(journeyId, paymentId)) === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED,
    );
  }

  payment(id: string) {
    return place.test.database.read(this.account.scope, (reader) => findTablePayment(reader, id));
  }

  /** What is planned for this session is due now. */
  async hurry(sessionId: string): Promise<void> {
    const { accountId } = this.account.scope;
    await place.test.database.dataSource.query(
      `update timers set due_at = clock_timestamp() where account_id = $1 and subject = $2`,
      [accountId, sessionId],
    );
  }
}

/** Stories share a house, unless one asks for its own: then no other has used its machine. */
function house(
  epos: Transport,
  capabilities: readonly EposCapability[] = EPOS_CAPABILITIES,
  of = 'everybody',
): Promise<House> {
  const key = `${epos} ${capabilities.join()} ${of}`;
  const known = houses.get(key);
  if (known !== undefined) return known;
  const opened = (async () => {
    const account = await place.account({ epos, capabilities, hasMachines: true });
    const device = new Device(gateway, account.apiKey);
    await until(async () => (await outcome(device.listSessions())) === 'OK');
    await until(async () => {
      const free = await place.test.database.read(account.scope, (reader) => listTerminals(reader, ['Available']));
      return free.some(({ terminal }) => terminal.tid === MACHINE);
    });
    return new House(account, device);
  })();
  houses.set(key, opened);
  return opened;
}

const without = (...left: EposCapability[]) => EPOS_CAPABILITIES.filter((each) => !left.includes(each));

test.each(TRANSPORTS)('over %s a table is paid in two parts with a tip, and everybody counts the same', async (way) => {
  const at = await house(way);
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  expect(at.isLocked(sessionId)).toBe(true);
  for (const [part, amount] of [500n, 700n].entries()) {
    const paymentId = await at.pay(journeyId, amount);
    await at.recorded(journeyId, paymentId);
    // An order stays locked between two parts; a session is let go after each.
    if (way === 'tables-ws') await until(() => !at.isLocked(sessionId));
    else expect([part, at.isLocked(sessionId)]).toEqual([part, true]);
  }
  const { journey } = await at.device.finish(journeyId);
  expect(journey?.state).toBe(JourneyState.JOURNEY_STATE_FINISHED);
  expect(at.isLocked(sessionId)).toBe(false);
  expect(at.paid(sessionId)).toBe(1_200);
  const { epos, data } = at.door;
  const bySession = epos.payments().filter((each) => each.sessionId === sessionId);
  const byOrder = data.orders.payments().filter(({ orderId }) => orderId === sessionId);
  expect([...bySession, ...byOrder]).toHaveLength(2);
  expect(data.orders.get(sessionId)).toMatchObject({ paidAmount: { value: 1_200 } });
  expect(byOrder.map(({ tips }) => tips?.value)).toEqual(way === 'tables-ws' ? [] : [50, 50]);
  expect(new Set(at.door.calls().map(({ transport }) => transport))).toEqual(new Set([way]));
});

test.each(TRANSPORTS)('over %s a session that another till has locked is not touched', async (way) => {
  const at = await house(way);
  const sessionId = await at.party();
  at.door.epos.lock(sessionId, { kind: 'cardMachine', terminalId: 'counter', waiterId: null });
  expect(await outcome(at.device.start(sessionId))).toBe('ABORTED SESSION_ALREADY_LOCKED');
  at.door.epos.letGo(sessionId);
  const journeyId = await at.begin(sessionId);
  await at.device.finish(journeyId);
});

const RECORD = { rest: 'RecordOrderPaymentById', ws: 'RecordOrderPaymentById', 'tables-ws': 'RecordPayment' } as const;

/** Each way once loses an answer; what else spoils one is told on one way each, because each story waits for a repeat. */
const LOST: readonly (readonly [Transport, EposFault['effect']])[] = [
  ...TRANSPORTS.map((way) => [way, 'answer-lost'] as const),
  ['rest', 'broken-json'],
  ['ws', 'huge-answer'],
  ['tables-ws', 'drop-stream'],
];
test.each(LOST)('over %s a record whose answer is spoiled by %s is on the bill once', async (way, effect) => {
  const at = await house(way);
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  at.door.faults.replace([{ method: RECORD[way], effect, times: 1, afterDoing: true }]);
  const paymentId = await at.pay(journeyId, 500n);
  await at.recorded(journeyId, paymentId);
  expect(at.paid(sessionId)).toBe(500);
  await until(async () => (await outcome(at.device.finish(journeyId))) === 'OK');
});

test.each([
  ['rest', 'Conflict'],
  ['ws', 'InvalidRequest'],
  ['tables-ws', 'PAYMENT_NOT_RECORDED'],
] as const)('over %s a record that is refused with %s is given back', async (way, code) => {
  const at = await house(way);
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  at.door.faults.replace([{ method: RECORD[way], effect: 'refuse', code, times: 1 }]);
  const paymentId = await at.pay(journeyId, 500n);
  await until(async () => {
    const state = (await at.payment(paymentId))?.state;
    return state === 'GivingBack' || state === 'GivenBack';
  });
  expect(at.paid(sessionId)).toBe(0);
});

test.each(ORDERS)('over %s an EPOS without locks is paid under our lease alone', async (way) => {
  const at = await house(way, without('CreateOrderLock', 'ExtendOrderLock', 'DeleteOrderLock'));
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  const paymentId = await at.pay(journeyId, 500n);
  await at.recorded(journeyId, paymentId);
  await at.device.finish(journeyId);
  expect([at.paid(sessionId), at.seen('CreateOrderLock').length]).toEqual([500, 0]);
});

test.each([
  ['until its end where locks cannot be extended', without('ExtendOrderLock'), 15 * 60_000],
  ['for a minute at a time where they can be', EPOS_CAPABILITIES, 60_000],
] as const)('an order is locked %s', async (_, capabilities, lengthMs) => {
  const at = await house('rest', capabilities);
  const sessionId = await at.party();
  const before = Date.now();
  const journeyId = await at.begin(sessionId);
  const lock = required(at.door.epos.held.find(sessionId)?.order ?? undefined, 'the lock');
  const [least, most] = [before + lengthMs - 5_000, Date.now() + lengthMs + 5_000];
  expect(lock.expiresAt.getTime()).toBeGreaterThan(least);
  expect(lock.expiresAt.getTime()).toBeLessThan(most);
  const isExtended = capabilities.includes('ExtendOrderLock');
  if (isExtended) {
    await at.hurry(sessionId);
    await until(() => at.seen('ExtendOrderLock').some((call) => call.sessionId === sessionId));
    const now = required(at.door.epos.held.find(sessionId)?.order ?? undefined, 'the lock');
    expect(now.lockId).toBe(lock.lockId);
    expect(now.expiresAt.getTime()).toBeGreaterThan(lock.expiresAt.getTime());
  }
  await at.device.finish(journeyId);
});

test('a lock that is lost when it is extended stops new payments until the table is locked anew', async () => {
  const at = await house('ws');
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  at.door.faults.replace([{ method: 'ExtendOrderLock', effect: 'forget-locks', times: 1 }]);
  await at.hurry(sessionId);
  await until(() => at.seen('ExtendOrderLock').some(({ answered }) => answered === 'NotFound'));
  expect(at.isLocked(sessionId)).toBe(false);
  const lockings = () => at.seen('CreateOrderLock').filter((call) => call.sessionId === sessionId).length;
  expect(lockings()).toBe(1);
  const paymentId = await at.pay(journeyId, 500n);
  await at.recorded(journeyId, paymentId);
  expect(at.paid(sessionId)).toBe(500);
  expect([at.isLocked(sessionId), lockings()]).toEqual([true, 2]);
  await at.device.finish(journeyId);
});

test('a payment that was begun over orders is never repeated over the pay-at-table contract', async () => {
  const at = await house('rest', without('ListAreas'));
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  at.door.faults.replace([{ method: 'RecordOrderPaymentById', effect: 'internal-error' }]);
  const paymentId = await at.pay(journeyId, 500n);
  await until(async () => (await at.payment(paymentId))?.state === 'RecordUnknown');
  const socket = tablesSocketOf({
    ...{ door: at.door, accountId: at.account.scope.accountId, apiKey: at.account.apiKey, softwareHouseId: 'house' },
    ...{ merchantName: 'The Oyster Shed', gatewayUrls: [gateway.urls.health.replace('http', 'ws')] },
    ...{ clock: wallClock({ timeScale: 1, standingAt: null }), seed: new Seed('late socket') },
  });
  socket.start();
  try {
    await until(async () => {
      const live = await place.test.database.read(at.account.scope, (r) => listLiveConnections(r, ['tables-ws']));
      return live.length > 0;
    });
    const before = at.seen('RecordOrderPaymentById').length;
    await until(() => at.seen('RecordOrderPaymentById').length > before);
    at.door.faults.replace([]);
    await until(async () => (await at.payment(paymentId))?.state === 'Recorded');
    expect(at.seen('RecordPayment')).toEqual([]);
    expect([at.paid(sessionId), at.door.epos.payments().length]).toEqual([500, 0]);
  } finally {
    socket.stop();
  }
});

test('a payment that was begun over the pay-at-table contract is never repeated over orders', async () => {
  const capabilities = without('CreateOrderLock', 'DeleteOrderLock', 'ExtendOrderLock');
  const at = await house('tables-ws', capabilities, 'who has both');
  const { epos } = at.account.place.account;
  const { username = '', password = '' } = epos ?? {};
  await place.test.database.transact(at.account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'rest', url: place.outside.restUrl, username, password },
      capabilities: capabilities.map((name) => ({ name, version: 'v1' as const })),
    }),
  );
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  at.door.faults.replace([{ method: 'RecordPayment', effect: 'drop-stream', afterDoing: true, times: 1 }]);
  const sockets = at.account.place.eposSockets;
  const paymentId = await at.pay(journeyId, 500n);
  await until(async () => (await at.payment(paymentId))?.state === 'RecordUnknown');
  for (const socket of sockets) socket.stop();
  await until(async () => {
    const live = await place.test.database.read(at.account.scope, (r) => listLiveConnections(r, ['tables-ws']));
    return live.length === 0;
  });
  const { recordCalls: before } = required(await at.payment(paymentId), 'the payment');
  await at.hurry(paymentId);
  await until(async () => ((await at.payment(paymentId))?.recordCalls ?? 0) > before);
  expect(at.seen('RecordOrderPaymentById')).toEqual([]);
  for (const socket of sockets) socket.start();
  await until(async () => (await at.payment(paymentId))?.state === 'Recorded');
  expect([at.paid(sessionId), at.seen('RecordOrderPaymentById')]).toEqual([500, []]);
  await at.device.finish(journeyId);
});

test('what a guest has paid is on the bill of both contracts, and the intent is found on the order', async () => {
  const at = await house('ws', EPOS_CAPABILITIES, 'the guest');
  const sessionId = await at.party();
  const journeyId = await at.begin(sessionId);
  const paymentId = await at.pay(journeyId, 500n);
  await at.recorded(journeyId, paymentId);
  const { payments = [], totalAmount, paidAmount } = at.door.data.orders.get(sessionId);
  const bill = at.door.epos.getBill(sessionId);
  expect([totalAmount, paidAmount]).toEqual([bill.total, bill.paid]);
  const intentId = required((await at.payment(paymentId))?.intentId ?? undefined, 'the intent');
  const intent = await place.test.database.read(at.account.scope, (reader) => findIntent(reader, intentId));
  expect([payments.map((each) => each.paymentIntentId), intent?.status]).toEqual([[intentId], 'Captured']);
  expect(isPositive(subtract(bill.total, bill.paid))).toBe(true);
  await at.device.finish(journeyId);
});
