import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import { isPositive, subtract } from '@pos/core/money';
import { JourneyPaymentState, JourneyState } from '@pos/grpc-contracts/gateway';
import type { EposFault, EposSimulator } from '@pos/sandbox/epos-simulator';
import { createTablesSocket } from '@pos/sandbox/testing';
import { listTerminals } from '@pos/payments/terminals';
import { createLoopbackChannelCredentials } from '@pos/service-kit/grpc';
import { listLiveConnections } from '@pos/store/connections';
import { putEposIntegration } from '@pos/store/repositories';
import { findIntent } from '@pos/store/payments';
import { findTablePayment } from '@pos/store/tables';
import { randomUUID } from 'node:crypto';
import { defineInLongRun, selectRows } from '@pos/testing';
import type { RunningGateway } from '../boot.js';
import { TestDevice, describeOutcome } from '../testing/payment-device.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

jest.setTimeout(60_000);

const MACHINE = '90000001';
type EposKind = 'rest' | 'ws' | 'tables-ws';
const EPOS_KINDS: readonly EposKind[] = ['rest', 'ws', 'tables-ws'];
const ORDER_EPOS_KINDS: readonly EposKind[] = ['rest', 'ws'];

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const restaurants = new Map<string, Promise<ReferenceRestaurant>>();
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '2000' });
});
afterEach(async () => {
  for (const house of restaurants.values()) (await house).eposSimulator.faults.replaceFaults([]);
});
afterAll(async () => {
  for (const house of restaurants.values()) (await house).device.close();
  await environment.close();
});

/** A restaurant whose reference EPOS is reached over one transport, and a card machine at its tables. */
class ReferenceRestaurant {
  constructor(
    readonly account: GatewayAccount,
    readonly device: TestDevice,
  ) {}

  get eposSimulator(): EposSimulator {
    return requireValue(this.account.sandbox.epos, 'the EPOS');
  }

  /** A session that nobody has paid anything of or locked, and owes at least ten pounds. */
  async findSession(): Promise<string> {
    const { epos } = this.eposSimulator;
    const { sessions } = await this.device.listSessions();
    const freeSession = sessions.find(({ id }) => {
      const bill = epos.restaurant.findSession(id)?.bill;
      return epos.locks.findLock(id) === null && bill?.paid.value === 0 && bill.total.value > 2_000;
    });
    return requireValue(freeSession, 'a party that owes').id;
  }

  getPaidAmount(sessionId: string): number {
    return this.eposSimulator.epos.restaurant.findSession(sessionId)?.bill?.paid.value ?? 0;
  }

  isLocked(sessionId: string): boolean {
    return this.eposSimulator.epos.locks.findLock(sessionId) !== null;
  }

  /** The calls of this name that the EPOS has seen. */
  listCalls(method: string) {
    return this.eposSimulator.listCalls().filter((call) => call.method === method);
  }

  async startJourney(sessionId: string): Promise<string> {
    const { journey } = await this.device.startJourney(sessionId);
    return requireValue(journey, 'the journey').journeyId;
  }

  /** Begins a part; the payer pays it alone. */
  async payPart(journeyId: string, amount: bigint): Promise<string> {
    const paymentId = randomUUID();
    await waitUntil(
      async () => (await describeOutcome(this.device.takeCustomPart(journeyId, amount, paymentId))) === 'OK',
    );
    return paymentId;
  }

  async getPaymentState(journeyId: string, paymentId: string) {
    const { journey } = await this.device.getJourney(journeyId);
    return journey?.payments.find((each) => each.paymentId === paymentId)?.state;
  }

  async listRecorded(journeyId: string, paymentId: string): Promise<void> {
    await waitUntil(
      async () =>
        (await this.getPaymentState(journeyId, paymentId)) === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED,
    );
  }

  getPayment(id: string) {
    return environment.testDatabase.database.read(this.account.scope, (reader) => findTablePayment(reader, id));
  }

  /** What is planned for this session is due now. */
  async makeTimersDue(sessionId: string): Promise<void> {
    const { accountId } = this.account.scope;
    await environment.testDatabase.database.dataSource.query(
      `update timers set due_at = clock_timestamp() where account_id = $1 and subject = $2`,
      [accountId, sessionId],
    );
  }
}

/** Scenarios share a restaurant, unless one needs its own, with an unused machine. */
function getRestaurant(
  epos: EposKind,
  capabilities: readonly EposCapability[] = EPOS_CAPABILITIES,
  of = 'everybody',
): Promise<ReferenceRestaurant> {
  const key = `${epos} ${capabilities.join()} ${of}`;
  const known = restaurants.get(key);
  if (known !== undefined) return known;
  const openedRestaurant = (async () => {
    const account = await environment.createAccount({ epos, capabilities, hasMachines: true });
    const device = new TestDevice(gateway, account.apiKey);
    await waitUntil(async () => (await describeOutcome(device.listSessions())) === 'OK');
    await waitUntil(async () => {
      const freeSession = await environment.testDatabase.database.read(account.scope, (reader) =>
        listTerminals(reader, ['Available']),
      );
      return freeSession.some(({ terminal }) => terminal.tid === MACHINE);
    });
    return new ReferenceRestaurant(account, device);
  })();
  restaurants.set(key, openedRestaurant);
  return openedRestaurant;
}

const omitCapabilities = (...omitted: EposCapability[]) => EPOS_CAPABILITIES.filter((each) => !omitted.includes(each));

test.each(EPOS_KINDS)(
  'over %s a table is paid in two parts with a tip, and everybody counts the same',
  async (eposKind) => {
    const restaurant = await getRestaurant(eposKind);
    const sessionId = await restaurant.findSession();
    const journeyId = await restaurant.startJourney(sessionId);
    expect(restaurant.isLocked(sessionId)).toBe(true);
    for (const [part, amount] of [500n, 700n].entries()) {
      const paymentId = await restaurant.payPart(journeyId, amount);
      await restaurant.listRecorded(journeyId, paymentId);
      // An order stays locked between two parts; a session is unlocked after each.
      if (eposKind === 'tables-ws') await waitUntil(() => !restaurant.isLocked(sessionId));
      else expect([part, restaurant.isLocked(sessionId)]).toEqual([part, true]);
    }
    const { journey } = await restaurant.device.finishJourney(journeyId);
    expect(journey?.state).toBe(JourneyState.JOURNEY_STATE_FINISHED);
    expect(restaurant.isLocked(sessionId)).toBe(false);
    expect(restaurant.getPaidAmount(sessionId)).toBe(1_200);
    const { epos, data } = restaurant.eposSimulator;
    const bySession = epos.listPayments().filter((each) => each.sessionId === sessionId);
    const byOrder = data.orders.listPayments().filter(({ orderId }) => orderId === sessionId);
    expect([...bySession, ...byOrder]).toHaveLength(2);
    expect(data.orders.getOrder(sessionId)).toMatchObject({ paidAmount: { value: 1_200 } });
    expect(byOrder.map(({ tips }) => tips?.value)).toEqual(eposKind === 'tables-ws' ? [] : [50, 50]);
    expect(new Set(restaurant.eposSimulator.listCalls().map(({ transport }) => transport))).toEqual(
      new Set([eposKind]),
    );
  },
);

test.each(selectRows(EPOS_KINDS))(
  'over %s a session that another EPOS terminal has locked is not changed',
  async (eposKind) => {
    const restaurant = await getRestaurant(eposKind);
    const sessionId = await restaurant.findSession();
    restaurant.eposSimulator.epos.lockSession(sessionId, {
      kind: 'cardMachine',
      terminalId: 'counter',
      waiterId: null,
    });
    expect(await describeOutcome(restaurant.device.startJourney(sessionId))).toBe('ABORTED SESSION_ALREADY_LOCKED');
    restaurant.eposSimulator.epos.releaseLock(sessionId);
    const journeyId = await restaurant.startJourney(sessionId);
    await restaurant.device.finishJourney(journeyId);
  },
);

const RECORD = { rest: 'RecordOrderPaymentById', ws: 'RecordOrderPaymentById', 'tables-ws': 'RecordPayment' } as const;

/** Each transport loses an answer once; the other faults run on one transport each, because each scenario waits for a repeat. */
const ANSWER_LOSSES: readonly (readonly [EposKind, EposFault['effect']])[] = [
  ...EPOS_KINDS.map((eposKind) => [eposKind, 'answer-lost'] as const),
  ['rest', 'broken-json'],
  ['ws', 'huge-answer'],
  ['tables-ws', 'drop-stream'],
];
test.each(selectRows(ANSWER_LOSSES, ([, effect]) => effect === 'answer-lost'))(
  'over %s a record whose answer is spoiled by %s is on the bill once',
  async (eposKind, effect) => {
    const restaurant = await getRestaurant(eposKind);
    const sessionId = await restaurant.findSession();
    const journeyId = await restaurant.startJourney(sessionId);
    restaurant.eposSimulator.faults.replaceFaults([{ method: RECORD[eposKind], effect, times: 1, afterDoing: true }]);
    const paymentId = await restaurant.payPart(journeyId, 500n);
    await restaurant.listRecorded(journeyId, paymentId);
    expect(restaurant.getPaidAmount(sessionId)).toBe(500);
    await waitUntil(async () => (await describeOutcome(restaurant.device.finishJourney(journeyId))) === 'OK');
  },
);

test.each(
  selectRows([
    ['rest', 'Conflict'],
    ['ws', 'InvalidRequest'],
    ['tables-ws', 'PAYMENT_NOT_RECORDED'],
  ] as const),
)('over %s a record that is refused with %s is given back', async (eposKind, code) => {
  const restaurant = await getRestaurant(eposKind);
  const sessionId = await restaurant.findSession();
  const journeyId = await restaurant.startJourney(sessionId);
  restaurant.eposSimulator.faults.replaceFaults([{ method: RECORD[eposKind], effect: 'refuse', code, times: 1 }]);
  const paymentId = await restaurant.payPart(journeyId, 500n);
  await waitUntil(async () => {
    const state = (await restaurant.getPayment(paymentId))?.state;
    return state === 'GivingBack' || state === 'GivenBack';
  });
  expect(restaurant.getPaidAmount(sessionId)).toBe(0);
});

test.each(selectRows(ORDER_EPOS_KINDS))(
  'over %s an EPOS without locks is paid under our lease alone',
  async (eposKind) => {
    const restaurant = await getRestaurant(
      eposKind,
      omitCapabilities('CreateOrderLock', 'ExtendOrderLock', 'DeleteOrderLock'),
    );
    const sessionId = await restaurant.findSession();
    const journeyId = await restaurant.startJourney(sessionId);
    const paymentId = await restaurant.payPart(journeyId, 500n);
    await restaurant.listRecorded(journeyId, paymentId);
    await restaurant.device.finishJourney(journeyId);
    expect([restaurant.getPaidAmount(sessionId), restaurant.listCalls('CreateOrderLock').length]).toEqual([500, 0]);
  },
);

testLong.each([
  ['until its end where locks cannot be extended', omitCapabilities('ExtendOrderLock'), 15 * 60_000],
  ['for a minute at a time where they can be', EPOS_CAPABILITIES, 60_000],
] as const)('an order is locked %s', async (_, capabilities, lengthMs) => {
  const restaurant = await getRestaurant('rest', capabilities);
  const sessionId = await restaurant.findSession();
  const before = Date.now();
  const journeyId = await restaurant.startJourney(sessionId);
  const lock = requireValue(restaurant.eposSimulator.epos.locks.findLock(sessionId)?.order ?? undefined, 'the lock');
  const [least, most] = [before + lengthMs - 5_000, Date.now() + lengthMs + 5_000];
  expect(lock.expiresAt.getTime()).toBeGreaterThan(least);
  expect(lock.expiresAt.getTime()).toBeLessThan(most);
  const isExtended = capabilities.includes('ExtendOrderLock');
  if (isExtended) {
    await restaurant.makeTimersDue(sessionId);
    await waitUntil(() => restaurant.listCalls('ExtendOrderLock').some((call) => call.sessionId === sessionId));
    const now = requireValue(restaurant.eposSimulator.epos.locks.findLock(sessionId)?.order ?? undefined, 'the lock');
    expect(now.lockId).toBe(lock.lockId);
    expect(now.expiresAt.getTime()).toBeGreaterThan(lock.expiresAt.getTime());
  }
  await restaurant.device.finishJourney(journeyId);
});

test('a lock that is lost when it is extended stops new payments until the table is locked again', async () => {
  const restaurant = await getRestaurant('ws');
  const sessionId = await restaurant.findSession();
  const journeyId = await restaurant.startJourney(sessionId);
  restaurant.eposSimulator.faults.replaceFaults([{ method: 'ExtendOrderLock', effect: 'forget-locks', times: 1 }]);
  await restaurant.makeTimersDue(sessionId);
  await waitUntil(() => restaurant.listCalls('ExtendOrderLock').some(({ answered }) => answered === 'NotFound'));
  expect(restaurant.isLocked(sessionId)).toBe(false);
  const lockings = () => restaurant.listCalls('CreateOrderLock').filter((call) => call.sessionId === sessionId).length;
  expect(lockings()).toBe(1);
  const paymentId = await restaurant.payPart(journeyId, 500n);
  await restaurant.listRecorded(journeyId, paymentId);
  expect(restaurant.getPaidAmount(sessionId)).toBe(500);
  expect([restaurant.isLocked(sessionId), lockings()]).toEqual([true, 2]);
  await restaurant.device.finishJourney(journeyId);
});

test('a payment that was begun over orders is never repeated over the pay-at-table contract', async () => {
  const restaurant = await getRestaurant('rest', omitCapabilities('ListAreas'));
  const sessionId = await restaurant.findSession();
  const journeyId = await restaurant.startJourney(sessionId);
  restaurant.eposSimulator.faults.replaceFaults([{ method: 'RecordOrderPaymentById', effect: 'internal-error' }]);
  const paymentId = await restaurant.payPart(journeyId, 500n);
  await waitUntil(async () => (await restaurant.getPayment(paymentId))?.state === 'RecordUnknown');
  const socket = createTablesSocket({
    ...{
      eposSimulator: restaurant.eposSimulator,
      accountId: restaurant.account.scope.accountId,
      apiKey: restaurant.account.apiKey,
      softwareHouseId: 'house',
    },
    ...{ merchantName: 'The Oyster Shed', gatewayUrls: [gateway.urls.health.replace('http', 'ws')] },
    ...{ clock: createWallClock({ timeScale: 1, frozenAt: null }), seed: new Seed('late socket') },
    transport: { createCredentials: createLoopbackChannelCredentials, readSocketOptions: () => ({}) },
  });
  socket.start();
  try {
    await waitUntil(async () => {
      const live = await environment.testDatabase.database.read(restaurant.account.scope, (r) =>
        listLiveConnections(r, ['tables-ws']),
      );
      return live.length > 0;
    });
    const before = restaurant.listCalls('RecordOrderPaymentById').length;
    await waitUntil(() => restaurant.listCalls('RecordOrderPaymentById').length > before);
    restaurant.eposSimulator.faults.replaceFaults([]);
    await waitUntil(async () => (await restaurant.getPayment(paymentId))?.state === 'Recorded');
    expect(restaurant.listCalls('RecordPayment')).toEqual([]);
    expect([restaurant.getPaidAmount(sessionId), restaurant.eposSimulator.epos.listPayments().length]).toEqual([
      500, 0,
    ]);
  } finally {
    socket.stop();
  }
});

test('a payment that was begun over the pay-at-table contract is never repeated over orders', async () => {
  const capabilities = omitCapabilities('CreateOrderLock', 'DeleteOrderLock', 'ExtendOrderLock');
  const restaurant = await getRestaurant('tables-ws', capabilities, 'who has both');
  const { epos } = restaurant.account.sandbox.account;
  const { username = '', password = '' } = epos ?? {};
  await environment.testDatabase.database.transact(restaurant.account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'rest', url: environment.simulators.restUrl, username, password },
      capabilities: capabilities.map((name) => ({ name, version: 'v1' as const })),
    }),
  );
  const sessionId = await restaurant.findSession();
  const journeyId = await restaurant.startJourney(sessionId);
  restaurant.eposSimulator.faults.replaceFaults([
    { method: 'RecordPayment', effect: 'drop-stream', afterDoing: true, times: 1 },
  ]);
  const sockets = restaurant.account.sandbox.eposSockets;
  const paymentId = await restaurant.payPart(journeyId, 500n);
  await waitUntil(async () => (await restaurant.getPayment(paymentId))?.state === 'RecordUnknown');
  for (const socket of sockets) socket.stop();
  await waitUntil(async () => {
    const live = await environment.testDatabase.database.read(restaurant.account.scope, (r) =>
      listLiveConnections(r, ['tables-ws']),
    );
    return live.length === 0;
  });
  const { recordCalls: before } = requireValue(await restaurant.getPayment(paymentId), 'the payment');
  await restaurant.makeTimersDue(paymentId);
  await waitUntil(async () => ((await restaurant.getPayment(paymentId))?.recordCalls ?? 0) > before);
  expect(restaurant.listCalls('RecordOrderPaymentById')).toEqual([]);
  for (const socket of sockets) socket.start();
  await waitUntil(async () => (await restaurant.getPayment(paymentId))?.state === 'Recorded');
  expect([restaurant.getPaidAmount(sessionId), restaurant.listCalls('RecordOrderPaymentById')]).toEqual([500, []]);
  await restaurant.device.finishJourney(journeyId);
});

test('a payment is on the bill of both contracts, and the intent is found on the order', async () => {
  const restaurant = await getRestaurant('ws', EPOS_CAPABILITIES, 'the payer');
  const sessionId = await restaurant.findSession();
  const journeyId = await restaurant.startJourney(sessionId);
  const paymentId = await restaurant.payPart(journeyId, 500n);
  await restaurant.listRecorded(journeyId, paymentId);
  const { payments = [], totalAmount, paidAmount } = restaurant.eposSimulator.data.orders.getOrder(sessionId);
  const bill = restaurant.eposSimulator.epos.getBill(sessionId);
  expect([totalAmount, paidAmount]).toEqual([bill.total, bill.paid]);
  const intentId = requireValue((await restaurant.getPayment(paymentId))?.intentId ?? undefined, 'the intent');
  const intent = await environment.testDatabase.database.read(restaurant.account.scope, (reader) =>
    findIntent(reader, intentId),
  );
  expect([payments.map((each) => each.paymentIntentId), intent?.status]).toEqual([[intentId], 'Captured']);
  expect(isPositive(subtract(bill.total, bill.paid))).toBe(true);
  await restaurant.device.finishJourney(journeyId);
});
