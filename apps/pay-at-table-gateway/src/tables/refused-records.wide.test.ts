import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ServiceError } from '@grpc/grpc-js';
import { computeTotalAmount } from '@pos/core/payment-intents';
import { requireValue } from '@pos/core/refusals';
import type { Payment } from '@pos/grpc-contracts/tables';
import { readEposParams } from '@pos/rest-contracts/epos-data';
import { listTerminals } from '@pos/payments/terminals';
import { TablePayments } from '@pos/payments/tables';
import { findIntent } from '@pos/store/payments';
import { insertApiKey } from '@pos/store/repositories';
import { findTablePayment } from '@pos/store/tables';
import { randomBytes, randomUUID } from 'node:crypto';
import { selectRows } from '@pos/testing';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { callUnary, describeOutcome, TestDevice } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
const TRANSPORTS = ['dialled', 'stream', 'tables-ws', 'rest', 'ws'] as const;
const NOT_RECORDED = 'FAILED_PRECONDITION PAYMENT_NOT_RECORDED';
/** A call that waits lasts until its deadline, half a minute. */
const AT_ONCE_MS = 5_000;
const requestorInfo = buildMachineRequestor(MACHINE);

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  gateway = await environment.startGateway({ INQUIRY_INTERVAL_MS: '200' });
});
afterAll(() => environment.close());

/** A restaurant with two devices: one may return money, the other has `tables.use` only. */
class Restaurant {
  readonly device: TestDevice;

  private constructor(
    readonly account: GatewayAccount,
    readonly plainDevice: TestDevice,
    readonly sessionIds: readonly string[],
  ) {
    this.device = new TestDevice(gateway, account.apiKey);
  }

  static async open(epos: (typeof TRANSPORTS)[number]): Promise<Restaurant> {
    const account = await environment.createAccount({ epos, hasMachines: true, amountTriggers: false });
    const key = `sk_sandbox_${randomBytes(32).toString('base64url')}`;
    const { database } = environment.testDatabase;
    await database.transact(account.scope, async (tx) =>
      insertApiKey(tx, { id: await tx.newId('apiKey'), text: key, label: 'device', permissions: ['tables.use'] }),
    );
    const device = new TestDevice(gateway, key);
    await waitUntil(async () => (await describeOutcome(device.listSessions())) === 'OK');
    await waitUntil(async () =>
      (await database.read(account.scope, (reader) => listTerminals(reader, ['Available']))).some(
        ({ terminal }) => terminal.tid === MACHINE,
      ),
    );
    const { sessions } = await device.listSessions();
    return new Restaurant(
      account,
      device,
      sessions.map(({ id }) => id),
    );
  }

  get epos() {
    return requireValue(this.account.sandbox.epos, 'the EPOS');
  }

  refuseRecords(code: 'PAYMENT_NOT_RECORDED' | 'SESSION_NO_SUCH_SESSION' = 'PAYMENT_NOT_RECORDED'): void {
    const conflict = { method: 'RecordOrderPaymentById', effect: 'refuse', code: 'Conflict' } as const;
    this.epos.faults.replaceFaults([{ method: 'RecordPayment', effect: 'refuse', code }, conflict]);
  }

  lock(sessionId: string, { tablesClient, metadata } = this.plainDevice) {
    return callUnary((done) => tablesClient.lockSession({ sessionId, requestorInfo }, metadata, done));
  }

  /** How a record call ends, its text, and whether it ended without a wait. */
  async record(payment: Payment, { tablesClient, metadata } = this.plainDevice) {
    const begunAtMs = performance.now();
    let text = '';
    const call = callUnary((done) => tablesClient.recordPayment({ payment, requestorInfo }, metadata, done));
    const outcome = await describeOutcome(
      call.catch((error: unknown) => {
        text = (error as ServiceError).details;
        throw error;
      }),
    );
    return { outcome, text, isAtOnce: performance.now() - begunAtMs < AT_ONCE_MS };
  }

  find({ id }: Payment) {
    return environment.testDatabase.database.read(this.account.scope, (reader) => findTablePayment(reader, id));
  }

  countRecords(): number {
    return this.epos.listCalls().filter(({ method }) => method.startsWith('Record')).length;
  }

  close(): void {
    this.device.close();
    this.plainDevice.close();
  }
}

/** An EPOS of tables and one of orders in `npm test`, each transport in the long run. */
const isOfOrders = (transport: (typeof TRANSPORTS)[number]): boolean => transport === 'rest' || transport === 'ws';

describe.each(selectRows(TRANSPORTS, isOfOrders))('an EPOS over %s', (epos) => {
  let restaurant: Restaurant;
  beforeAll(async () => {
    restaurant = await Restaurant.open(epos);
  });
  afterAll(() => restaurant.close());

  test('refuses a payment: a device that may not refund learns at once that an operator decides, at each repeat', async () => {
    const sessionId = requireValue(restaurant.sessionIds[0], 'a session');
    await restaurant.lock(sessionId);
    const payment = await environment.takeCardPayment(restaurant.account, sessionId);
    restaurant.refuseRecords();
    const answers = [await restaurant.record(payment)];
    expect(await restaurant.find(payment)).toMatchObject({ state: 'NeedsOperator' });
    const calls = restaurant.countRecords();
    answers.push(await restaurant.record(payment), await restaurant.record(payment));
    const expected = { outcome: NOT_RECORDED, text: expect.stringContaining('operator decides'), isAtOnce: true };
    expect(answers).toEqual([expected, expected, expected]);
    expect(restaurant.countRecords()).toBe(calls);
    await environment.testDatabase.database.transact(restaurant.account.scope, (tx) =>
      gateway.app.get(TablePayments).resolvePayment(tx, payment.id, 'giveBack'),
    );
    await waitUntil(async () => (await restaurant.find(payment))?.state === 'GivenBack');
    expect(await restaurant.record(payment)).toMatchObject({ outcome: NOT_RECORDED, isAtOnce: true });
  });

  test('refuses a payment: a device that may refund learns at once that it is not recorded', async () => {
    const sessionId = requireValue(restaurant.sessionIds[1], 'another session');
    const { device } = restaurant;
    await restaurant.lock(sessionId, device);
    const payment = await environment.takeCardPayment(restaurant.account, sessionId);
    restaurant.refuseRecords();
    const expected = { outcome: NOT_RECORDED, isAtOnce: true };
    expect(await restaurant.record(payment, device)).toMatchObject(expected);
    await waitUntil(async () => (await restaurant.find(payment))?.state === 'GivenBack');
    expect(await restaurant.record(payment, device)).toMatchObject(expected);
  });

  test('records a card payment of one amount, of which the waiter names a part as tip', async () => {
    restaurant.epos.faults.replaceFaults([]);
    readBackIntents(restaurant);
    const sessionId = requireValue(restaurant.sessionIds[2], 'a third session');
    await restaurant.lock(sessionId);
    const taken = await environment.takeCardPayment(restaurant.account, sessionId, { baseAmount: 200n });
    const payment = { ...taken, baseAmount: 180n, gratuityAmount: 20n };
    expect(await restaurant.record(payment)).toMatchObject({ outcome: 'OK' });
    expect(await restaurant.find(payment)).toMatchObject({ state: 'Recorded' });
    // A penny more than the card paid is refused before it reaches the EPOS.
    const calls = restaurant.countRecords();
    const more = { ...payment, id: randomUUID(), gratuityAmount: 21n };
    expect(await restaurant.record(more)).toMatchObject({ outcome: NOT_RECORDED });
    expect(restaurant.countRecords()).toBe(calls);
  });
});

/** The EPOS reads payments back, as over the API: the intent as it is stored. */
function readBackIntents({ account, epos }: Restaurant): void {
  epos.data.readIntentProof = async ({ name, params }) => {
    const read = name === 'RecordOrderPaymentById' ? readEposParams('RecordOrderPaymentById', params) : null;
    if (read?.ok !== true) return { kind: 'notAsked' };
    const { paymentIntentId } = read.value;
    const intent = await environment.testDatabase.database.read(account.scope, (reader) =>
      findIntent(reader, paymentIntentId),
    );
    if (intent === null) return { kind: 'absent' };
    return { kind: 'read', status: intent.status, charged: computeTotalAmount(intent) };
  };
}

test('a device is not kept waiting, nor misinformed, when only an operator can find out whether the EPOS has a payment', async () => {
  const restaurant = await Restaurant.open('dialled');
  const sessionId = requireValue(restaurant.sessionIds[0], 'a session');
  await restaurant.lock(sessionId);
  const payment = await environment.takeCardPayment(restaurant.account, sessionId);
  restaurant.epos.faults.replaceFaults([{ method: 'RecordPayment', effect: 'drop-stream' }]);
  const first = restaurant.record(payment);
  await waitUntil(async () => (await restaurant.find(payment))?.isUnanswered === true);
  restaurant.refuseRecords('SESSION_NO_SUCH_SESSION');
  const unknown = {
    outcome: 'INTERNAL ERROR_INTERNAL_POS_ERROR',
    text: expect.stringMatching(/not known.*operator decides/),
  };
  expect(await first).toMatchObject(unknown);
  expect(await restaurant.find(payment)).toMatchObject({ state: 'NeedsOperator', isUnanswered: true });
  expect(await restaurant.record(payment)).toEqual({ ...unknown, isAtOnce: true });
  restaurant.close();
});
