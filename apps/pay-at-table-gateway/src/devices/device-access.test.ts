import type { ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { accountSettings, type PayAtTableSettings } from '@pos/core/account';
import { required } from '@pos/core/assert';
import { type Journey, JourneyServiceService, ReceiptCopy } from '@pos/grpc-contracts/gateway';
import { RequestorType, type RequestorInfo, TablesServiceService } from '@pos/grpc-contracts/tables';
import { TABLES_METHODS } from '@pos/grpc-contracts/tables-methods';
import { listTerminals } from '@pos/payments/terminals';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { Device, outcome, told } from '../journeys/testing-device.js';
import { machine, paidBy, type TestAccount, TestPlace, until } from '../testing.js';

jest.setTimeout(60_000);

let place: TestPlace;
let gateway: RunningGateway;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway();
});
afterAll(() => place.close());

/** Nobody ever holds a card to it. */
const PATIENT = '90000006';
const GUEST: RequestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
  requestor: { $case: 'consumerDeviceRequestorInfo', value: {} },
};

interface House {
  readonly account: TestAccount;
  readonly device: Device;
  readonly sessionId: string;
}

async function open(settings: Partial<PayAtTableSettings>): Promise<House> {
  const account = await place.account({
    ...{ epos: 'dialled', hasMachines: true, amountTriggers: false },
    settings: accountSettings({ payAtTable: settings }),
  });
  const { restaurant } = required(account.place.epos, 'the EPOS').epos;
  const free = restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null);
  return { account, device: new Device(gateway, account.apiKey), sessionId: required(free, 'a table').id };
}

/** The settings are read again within two seconds. */
async function change({ account }: House, settings: Partial<PayAtTableSettings>): Promise<void> {
  const { accountId } = account.scope;
  const stored = JSON.stringify(settings);
  await place.test.database.dataSource.query(
    `update accounts set settings = jsonb_set(settings, '{payAtTable}', settings -> 'payAtTable' || $2::jsonb) where account_id = $1`,
    [accountId, stored],
  );
  const { access } = gateway.gateway.tables;
  await until(async () => {
    const current = await access.settingsOf(account.scope);
    return Object.entries(settings).every(([name, value]) => current[name as keyof PayAtTableSettings] === value);
  });
}

type Unary = (
  request: object,
  metadata: object,
  done: (error: ServiceError | null, answer: unknown) => void,
) => unknown;

/** How one rpc ends. */
function ended({ device }: House, rpc: string, request: object): Promise<string> {
  const client: object = rpc in device.tables ? device.tables : device.service;
  const method = (Reflect.get(client, rpc) as Unary).bind(client);
  return outcome(told((done) => method(request, device.metadata, done)));
}

/** What each rpc of a device asks, with whoever asks. */
function requestsOf(sessionId: string, journeyId: string, requestorInfo: RequestorInfo): Record<string, object> {
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
    recordPayment: { payment: paidBy(sessionId), requestorInfo },
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
const BEGINS = [
  ...['listSessions', 'getSession', 'listTables', 'getTable', 'getBillItems', 'listBillItems', 'getFullBill'],
  ...['lockSession', 'startJourney', 'takePayment'],
];
const GOES_ON = [
  ...['unlockSession', 'recordPayment', 'getDeviceSettings', 'moveJourney', 'cancelPayment', 'decideSignature'],
  ...['getJourney', 'watchJourney', 'printBill', 'printReceipt', 'sendReceipt', 'finishJourney'],
];
/** `watchJourney` answers with a stream, which the journeys' own tests read. */
const UNARY_GOES_ON = GOES_ON.filter((rpc) => rpc !== 'watchJourney');

describe('paying at the table is switched off', () => {
  let house: House;
  let journey: Journey;
  let paymentId: string;
  beforeAll(async () => {
    house = await open({});
    const { account, device, sessionId } = house;
    await until(async () => {
      const found = await place.test.database.read(account.scope, (reader) => listTerminals(reader, ['Available']));
      return found.some(({ terminal }) => terminal.tid === PATIENT);
    });
    journey = required((await device.start(sessionId, PATIENT)).journey, 'the journey');
    paymentId = randomUUID();
    await device.ask(journey.journeyId, { $case: 'full', value: {} }, { paymentId });
    await change(house, { isEnabled: false });
  });
  beforeEach(() => house.account.place.epos!.reset());
  afterAll(() => house.device.close());

  test('every rpc of a device is either refused or goes on', () => {
    const rpcs = [...Object.keys(TablesServiceService), ...Object.keys(JourneyServiceService)];
    expect([...BEGINS, ...GOES_ON].sort()).toEqual(rpcs.sort());
  });

  test.each(BEGINS)('%s is refused, and the EPOS is not asked', async (rpc) => {
    const request = required(requestsOf(house.sessionId, journey.journeyId, machine('90000001'))[rpc], rpc);
    expect(await ended(house, rpc, request)).toBe('PERMISSION_DENIED');
    expect(house.account.place.epos!.calls()).toEqual([]);
  });

  test.each(UNARY_GOES_ON.filter((rpc) => rpc !== 'finishJourney'))('%s goes on', async (rpc) => {
    const request = required(requestsOf(house.sessionId, journey.journeyId, machine(PATIENT))[rpc], rpc);
    expect(await ended(house, rpc, request)).not.toBe('PERMISSION_DENIED');
  });

  const methods = Object.keys(TABLES_METHODS).map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  test.each(methods)('the simulated device is refused %s', async (method) => {
    const headers = { 'content-type': 'application/json', authorization: `Basic ${house.account.apiKey}` };
    const answer = await fetch(`${gateway.urls.health}/simulator/${method}`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(403);
    expect(house.account.place.epos!.calls()).toEqual([]);
  });

  test('a payment that has begun is repeated, called off and finished', async () => {
    const { device } = house;
    const full = { $case: 'full', value: {} } as const;
    expect(await outcome(device.ask(journey.journeyId, full, { paymentId }))).toBe('OK');
    await until(async () => ['OK', 'FAILED_PRECONDITION'].includes(await ended(house, 'cancelPayment', { paymentId })));
    await until(async () => (await outcome(device.finish(journey.journeyId))) === 'OK');
  });

  test('a device can ask for that before it shows anything', async () => {
    const { device } = house;
    const settings = await told((done) => device.service.getDeviceSettings({}, device.metadata, done));
    expect(settings).toEqual({
      payAtTable: false,
      asksWaiterId: false,
      asksGratuity: true,
      offersEmailReceipts: true,
    });
  });
});

describe('an account that asks for waiter ids', () => {
  let house: House;
  beforeAll(async () => {
    house = await open({ asksWaiterId: true });
  });
  beforeEach(() => house.account.place.epos!.reset());
  afterAll(() => house.device.close());

  const asks = BEGINS.filter((rpc) => rpc !== 'takePayment');

  test.each(asks)('refuses %s of a card machine without one, and does not ask the EPOS', async (rpc) => {
    const request = required(requestsOf(house.sessionId, randomUUID(), machine(PATIENT))[rpc], rpc);
    expect(await ended(house, rpc, request)).toBe('PERMISSION_DENIED WAITER_INCORRECT_WAITER_ID');
    expect(house.account.place.epos!.calls()).toEqual([]);
  });

  test.each([
    ['a card machine that names a waiter', machine(PATIENT, 1)],
    ["a payer's own device, which has none", GUEST],
  ])('lets %s through', async (_, requestorInfo) => {
    const request = { tableNames: [], requestorInfo };
    expect(await ended(house, 'listSessions', request)).toBe('OK');
  });

  test('says so to a device', async () => {
    const { device } = house;
    const settings = await told<object>((done) => device.service.getDeviceSettings({}, device.metadata, done));
    expect(settings).toMatchObject({ payAtTable: true, asksWaiterId: true });
  });
});

describe('an account that asks for no tips', () => {
  let house: House;
  let journey: Journey;
  beforeAll(async () => {
    house = await open({ asksGratuity: false });
    journey = required((await house.device.start(house.sessionId, PATIENT)).journey, 'the journey');
  });
  afterAll(() => house.device.close());

  test('refuses a payment with a tip, naming the member, and takes one without', async () => {
    const { device } = house;
    const refused = (await device
      .ask(journey.journeyId, { $case: 'custom', value: { amount: 100n } }, { gratuityAmount: 1n })
      .catch((error: unknown) => error)) as ServiceError;
    expect(refused.details).toContain('gratuity_amount');
    expect(await outcome(Promise.reject(refused))).toMatch(/^INVALID_ARGUMENT/);
    expect((await device.get(journey.journeyId)).journey?.payments).toEqual([]);
    device.metadata.set('software-house-id', 'House of Tills');
    device.metadata.set('reseller-id', 'Reseller 9');
    const taken = await device.ask(journey.journeyId, { $case: 'custom', value: { amount: 100n } });
    expect(taken.journey?.payments).toHaveLength(1);
    // The partners of the device's call are stored with what it created.
    const { paymentIntentId, terminalSessionId } = required(taken.journey?.payments[0], 'the payment');
    for (const [relation, id] of [
      ['payment_intents', paymentIntentId],
      ['terminal_sessions', terminalSessionId],
    ]) {
      const stored: unknown = await place.test.database.dataSource.query(
        `select software_house_id, reseller_id from ${relation} where id = $1`,
        [id],
      );
      expect(stored).toEqual([{ software_house_id: 'House of Tills', reseller_id: 'Reseller 9' }]);
    }
  });

  test('says so to a device', async () => {
    const { device } = house;
    const settings = await told<object>((done) => device.service.getDeviceSettings({}, device.metadata, done));
    expect(settings).toMatchObject({ payAtTable: true, asksGratuity: false });
  });
});
