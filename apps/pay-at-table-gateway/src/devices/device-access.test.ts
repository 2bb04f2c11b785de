import { setTimeout as pause } from 'node:timers/promises';
import { DeviceAccess } from './device-access.js';
import type { ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { resolveAccountSettings, type PayAtTableSettings } from '@pos/core/accounts';
import { requireValue } from '@pos/core/refusals';
import { type Journey, JourneyServiceService, ReceiptCopy } from '@pos/grpc-contracts/gateway';
import { RequestorType, type RequestorInfo, TablesServiceService } from '@pos/grpc-contracts/tables';
import { TABLES_METHODS } from '@pos/grpc-contracts/tables-methods';
import { listTerminals } from '@pos/payments/terminals';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { TestDevice, describeOutcome, callUnary } from '../testing/payment-device.js';
import {
  buildMachineRequestor,
  buildDevicePayment,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import { changeTestSettings } from '@pos/payments/testing';

jest.setTimeout(60_000);
import { disableAccount } from '@pos/administration/accounts';
import { waitUntil } from '../testing/polling.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());

/** Nobody ever holds a card to it. */
const PATIENT = '90000006';
const PAYER_DEVICE: RequestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
  requestor: { $case: 'consumerDeviceRequestorInfo', value: {} },
};

interface TestRestaurant {
  readonly account: GatewayAccount;
  readonly device: TestDevice;
  readonly sessionId: string;
}

async function createRestaurant(settings: Partial<PayAtTableSettings>): Promise<TestRestaurant> {
  const account = await environment.createAccount({
    ...{ epos: 'dialled', hasMachines: true, amountTriggers: false },
    settings: resolveAccountSettings({ payAtTable: settings }),
  });
  const { restaurant } = requireValue(account.sandbox.epos, 'the EPOS').epos;
  const freeSession = restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null);
  return {
    account,
    device: new TestDevice(gateway, account.apiKey),
    sessionId: requireValue(freeSession, 'a table').id,
  };
}

/** The settings are read again within two seconds. */
async function changeSettings({ account }: TestRestaurant, settings: Partial<PayAtTableSettings>): Promise<void> {
  const values = Object.entries(settings).map(([name, value]) => [`payAtTable.${name}`, value] as const);
  await changeTestSettings(environment.testDatabase.database, account.scope, Object.fromEntries(values));
  const access = gateway.app.get(DeviceAccess);
  await waitUntil(async () => {
    const current = await access.getSettings(account.scope);
    return Object.entries(settings).every(([name, value]) => current[name as keyof PayAtTableSettings] === value);
  });
}

type Unary = (
  request: object,
  metadata: object,
  done: (error: ServiceError | null, answer: unknown) => void,
) => unknown;

/** How one rpc ends. */
function callRpc({ device }: TestRestaurant, rpc: string, request: object): Promise<string> {
  const client: object = rpc in device.tablesClient ? device.tablesClient : device.journeyClient;
  const method = (Reflect.get(client, rpc) as Unary).bind(client);
  return describeOutcome(callUnary((done) => method(request, device.metadata, done)));
}

/** The request of each rpc of a device, for a requestor. */
function buildRequests(sessionId: string, journeyId: string, requestorInfo: RequestorInfo): Record<string, object> {
  const [paymentId, mode] = [randomUUID(), { $case: 'full', value: {} }];
  const extras = { gratuityAmount: 0n, cashbackAmount: 0n };
  return {
    listSessions: { tableNames: [], requestorInfo },
    getSession: { sessionId, requestorInfo },
    listTables: { statuses: [], requestorInfo },
    getTable: { name: '1', requestorInfo },
    getBillItems: { sessionId, requestorInfo },
    listBillItems: { sessionIds: [sessionId], requestorInfo },
    getFullBill: { sessionId, requestorInfo },
    lockSession: { sessionId, requestorInfo },
    unlockSession: { sessionId, requestorInfo },
    recordPayment: { payment: buildDevicePayment(randomUUID()), requestorInfo },
    getDeviceSettings: {},
    startJourney: { sessionId, requestorInfo },
    takePayment: { journeyId, paymentId, mode, ...extras },
    moveJourney: { journeyId, terminalId: '90000007' },
    cancelPayment: { paymentId },
    decideSignature: { paymentId, accepted: true },
    getJourney: { journeyId },
    watchJourney: { journeyId },
    printBill: { journeyId },
    printReceipt: { paymentId, copy: ReceiptCopy.RECEIPT_COPY_CUSTOMER },
    sendReceipt: { paymentId, emailAddresses: ['guest@example.com'] },
    finishJourney: { journeyId },
  };
}

/** What begins something is refused while paying at the table is switched off; what ends something is not. */
const STARTING_RPCS = [
  ...['listSessions', 'getSession', 'listTables', 'getTable', 'getBillItems', 'listBillItems', 'getFullBill'],
  ...['lockSession', 'startJourney', 'takePayment'],
];
const CONTINUING_RPCS = [
  ...['unlockSession', 'recordPayment', 'getDeviceSettings', 'moveJourney', 'cancelPayment', 'decideSignature'],
  ...['getJourney', 'watchJourney', 'printBill', 'printReceipt', 'sendReceipt', 'finishJourney'],
];
/** `watchJourney` answers with a stream, which the journeys' own tests read. */
const UNARY_CONTINUING_RPCS = CONTINUING_RPCS.filter((rpc) => rpc !== 'watchJourney');

describe('paying at the table is switched off', () => {
  let testRestaurant: TestRestaurant;
  let journey: Journey;
  let paymentId: string;
  beforeAll(async () => {
    testRestaurant = await createRestaurant({});
    const { account, device, sessionId } = testRestaurant;
    await waitUntil(async () => {
      const found = await environment.testDatabase.database.read(account.scope, (reader) =>
        listTerminals(reader, ['Available']),
      );
      return found.some(({ terminal }) => terminal.tid === PATIENT);
    });
    journey = requireValue((await device.startJourney(sessionId, PATIENT)).journey, 'the journey');
    paymentId = randomUUID();
    await device.takePayment(journey.journeyId, { $case: 'full', value: {} }, { paymentId });
    await changeSettings(testRestaurant, { isEnabled: false });
  });
  beforeEach(() => testRestaurant.account.sandbox.epos!.reset());
  afterAll(() => testRestaurant.device.close());

  test('every rpc of a device is either refused or continues', () => {
    const rpcs = [...Object.keys(TablesServiceService), ...Object.keys(JourneyServiceService)];
    expect([...STARTING_RPCS, ...CONTINUING_RPCS].sort()).toEqual(rpcs.sort());
  });

  test.each(STARTING_RPCS)('%s is refused, and the EPOS is not asked', async (rpc) => {
    const request = requireValue(
      buildRequests(testRestaurant.sessionId, journey.journeyId, buildMachineRequestor('90000001'))[rpc],
      rpc,
    );
    expect(await callRpc(testRestaurant, rpc, request)).toBe('PERMISSION_DENIED');
    expect(testRestaurant.account.sandbox.epos!.listCalls()).toEqual([]);
  });

  test.each(UNARY_CONTINUING_RPCS.filter((rpc) => rpc !== 'finishJourney'))('%s continues', async (rpc) => {
    const request = requireValue(
      buildRequests(testRestaurant.sessionId, journey.journeyId, buildMachineRequestor(PATIENT))[rpc],
      rpc,
    );
    expect(await callRpc(testRestaurant, rpc, request)).not.toBe('PERMISSION_DENIED');
  });

  const methods = Object.keys(TABLES_METHODS).map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  test.each(methods)('the simulated device is refused %s', async (method) => {
    const headers = { 'content-type': 'application/json', authorization: `Basic ${testRestaurant.account.apiKey}` };
    const answer = await fetch(`${gateway.urls.health}/simulator/${method}`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(403);
    expect(testRestaurant.account.sandbox.epos!.listCalls()).toEqual([]);
  });

  test('a payment that has begun is repeated, cancelled and finished', async () => {
    const { device } = testRestaurant;
    const full = { $case: 'full', value: {} } as const;
    expect(await describeOutcome(device.takePayment(journey.journeyId, full, { paymentId }))).toBe('OK');
    await waitUntil(async () =>
      ['OK', 'FAILED_PRECONDITION'].includes(await callRpc(testRestaurant, 'cancelPayment', { paymentId })),
    );
    await waitUntil(async () => (await describeOutcome(device.finishJourney(journey.journeyId))) === 'OK');
  });

  test('a device can ask for that before it shows anything', async () => {
    const { device } = testRestaurant;
    const settings = await callUnary((done) => device.journeyClient.getDeviceSettings({}, device.metadata, done));
    expect(settings).toEqual({
      payAtTable: false,
      asksWaiterId: false,
      asksGratuity: true,
      offersEmailReceipts: true,
    });
  });
});

test('within two seconds nothing starts for a disabled account, and its device is refused as an unknown one', async () => {
  const { account, device, sessionId } = await createRestaurant({});
  const access = gateway.app.get(DeviceAccess);
  await access.requireEnabled(account.scope);
  const change = { actor: 'anna', reason: 'contract ended' };
  await environment.testDatabase.database.transact(account.scope, (tx) => disableAccount(tx, change));
  await pause(2_000);
  const refused = access.requireDevice(account.scope, { type: 'consumerDevice' });
  await expect(refused).rejects.toMatchObject({ code: 'account_disabled' });
  expect(await describeOutcome(device.startJourney(sessionId, PATIENT))).toBe('UNAUTHENTICATED');
  // What ends a payment asks for the settings only.
  expect((await access.getSettings(account.scope)).isEnabled).toBe(true);
  device.close();
});

describe('an account that asks for waiter ids', () => {
  let testRestaurant: TestRestaurant;
  beforeAll(async () => {
    testRestaurant = await createRestaurant({ asksWaiterId: true });
  });
  beforeEach(() => testRestaurant.account.sandbox.epos!.reset());
  afterAll(() => testRestaurant.device.close());

  const sendsRequest = STARTING_RPCS.filter((rpc) => rpc !== 'takePayment');

  test.each(sendsRequest)('refuses %s of a card machine without one, and does not ask the EPOS', async (rpc) => {
    const request = requireValue(
      buildRequests(testRestaurant.sessionId, randomUUID(), buildMachineRequestor(PATIENT))[rpc],
      rpc,
    );
    expect(await callRpc(testRestaurant, rpc, request)).toBe('PERMISSION_DENIED WAITER_INCORRECT_WAITER_ID');
    expect(testRestaurant.account.sandbox.epos!.listCalls()).toEqual([]);
  });

  test.each([
    ['a card machine that names a waiter', buildMachineRequestor(PATIENT, 1)],
    ["a payer's own device, which has none", PAYER_DEVICE],
  ])('lets %s through', async (_, requestorInfo) => {
    const request = { tableNames: [], requestorInfo };
    expect(await callRpc(testRestaurant, 'listSessions', request)).toBe('OK');
  });

  test('returns the setting to a device', async () => {
    const { device } = testRestaurant;
    const settings = await callUnary<object>((done) =>
      device.journeyClient.getDeviceSettings({}, device.metadata, done),
    );
    expect(settings).toMatchObject({ payAtTable: true, asksWaiterId: true });
  });
});

describe('an account that asks for no tips', () => {
  let testRestaurant: TestRestaurant;
  let journey: Journey;
  beforeAll(async () => {
    testRestaurant = await createRestaurant({ asksGratuity: false });
    journey = requireValue(
      (await testRestaurant.device.startJourney(testRestaurant.sessionId, PATIENT)).journey,
      'the journey',
    );
  });
  afterAll(() => testRestaurant.device.close());

  test('refuses a payment with a tip, naming the member, and takes one without', async () => {
    const { device } = testRestaurant;
    const refused = (await device
      .takePayment(journey.journeyId, { $case: 'custom', value: { amount: 100n } }, { gratuityAmount: 1n })
      .catch((error: unknown) => error)) as ServiceError;
    expect(refused.details).toContain('gratuity_amount');
    expect(await describeOutcome(Promise.reject(refused))).toMatch(/^INVALID_ARGUMENT/);
    expect((await device.getJourney(journey.journeyId)).journey?.payments).toEqual([]);
    device.metadata.set('software-house-id', 'House of Tills');
    device.metadata.set('reseller-id', 'Reseller 9');
    const answer = await device.takePayment(journey.journeyId, { $case: 'custom', value: { amount: 100n } });
    expect(answer.journey?.payments).toHaveLength(1);
    // The partners of the device's call are stored with what it created.
    const { paymentIntentId, terminalSessionId } = requireValue(answer.journey?.payments[0], 'the payment');
    for (const [relation, id] of [
      ['payment_intents', paymentIntentId],
      ['terminal_sessions', terminalSessionId],
    ]) {
      const partners: unknown = await environment.testDatabase.database.dataSource.query(
        `select software_house_id, reseller_id from ${relation} where id = $1`,
        [id],
      );
      expect(partners).toEqual([{ software_house_id: 'House of Tills', reseller_id: 'Reseller 9' }]);
    }
  });

  test('returns the setting to a device', async () => {
    const { device } = testRestaurant;
    const settings = await callUnary<object>((done) =>
      device.journeyClient.getDeviceSettings({}, device.metadata, done),
    );
    expect(settings).toMatchObject({ payAtTable: true, asksGratuity: false });
  });
});
