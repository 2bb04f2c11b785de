import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import type { Permission } from '@pos/core/identity';
import { type Journey, JourneyPaymentState, ReceiptCopy } from '@pos/grpc-contracts/gateway';
import { type FullBill, type ReceiptSection, type RequestorInfo, RequestorType } from '@pos/grpc-contracts/tables';
import { listMailbox } from '@pos/payments/receipts';
import { listTerminals } from '@pos/payments/terminals';
import type { TerminalStatus } from '@pos/core/terminals';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { TestDevice, describeOutcome, callUnary } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
/** Nobody ever holds a card to it. */
const PATIENT = '90000006';
const OFFLINE = '90000008';
const PAYER_DEVICE: RequestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
  requestor: { $case: 'consumerDeviceRequestorInfo', value: {} },
};
const TRANSPORTS = ['tables-ws', 'rest'] as const;
const STATE = JourneyPaymentState;

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const restaurants = new Map<string, { readonly account: GatewayAccount; readonly device: TestDevice }>();
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
  for (const epos of TRANSPORTS) {
    const account = await environment.createAccount({ epos, hasMachines: true, amountTriggers: false });
    const device = new TestDevice(gateway, account.apiKey);
    restaurants.set(epos, { account, device });
    await waitUntil(async () => (await describeOutcome(device.listSessions())) === 'OK');
    for (const tid of [MACHINE, PATIENT]) await waitForTerminalStatus(account, tid, 'Available');
  }
});
afterAll(async () => {
  for (const { device } of restaurants.values()) device.close();
  await environment.close();
});

const getRestaurant = (transport: string) => requireValue(restaurants.get(transport), 'the restaurant');

async function waitForTerminalStatus({ scope }: GatewayAccount, tid: string, status: TerminalStatus): Promise<void> {
  await waitUntil(async () => {
    const found = await environment.testDatabase.database.read(scope, (reader) => listTerminals(reader, [status]));
    return found.some(({ terminal }) => terminal.tid === tid);
  });
}

/** A table that is neither paid nor locked, opened for payment by the requestor. */
async function openTable(transport: string, requestorInfo = buildMachineRequestor(PATIENT)): Promise<Journey> {
  const { account, device } = getRestaurant(transport);
  const { epos } = requireValue(account.sandbox.epos, 'the EPOS');
  const availableTerminals = epos.restaurant.sessions().find(({ id, bill, finishedAt }) => {
    return bill !== null && finishedAt === null && bill.paid.value === 0 && epos.locks.findLock(id) === null;
  });
  const sessionId = requireValue(availableTerminals, 'a table').id;
  const { journey } = await callUnary<{ journey: Journey | undefined }>((done) =>
    device.journeyClient.startJourney({ sessionId, requestorInfo }, device.metadata, done),
  );
  return requireValue(journey, 'the journey');
}

function moveJourney(device: TestDevice, journeyId: string, terminalId: string): Promise<Journey> {
  return callUnary<{ journey: Journey | undefined }>((done) =>
    device.journeyClient.moveJourney({ journeyId, terminalId }, device.metadata, done),
  ).then(({ journey }) => requireValue(journey, 'the journey'));
}

const FULL = { $case: 'full', value: {} } as const;

async function startPayment(device: TestDevice, journeyId: string, terminalId?: string): Promise<string> {
  const paymentId = randomUUID();
  await device.takePayment(journeyId, FULL, { paymentId, ...(terminalId !== undefined && { terminalId }) });
  return paymentId;
}

async function waitForPaymentState(
  device: TestDevice,
  journeyId: string,
  state: JourneyPaymentState,
): Promise<Journey> {
  let journey: Journey | undefined;
  await waitUntil(async () => {
    ({ journey } = await device.getJourney(journeyId));
    return journey?.payments.at(-1)?.state === state;
  });
  return requireValue(journey, 'the journey');
}

async function finishJourney(device: TestDevice, journeyId: string): Promise<void> {
  await waitUntil(async () => (await describeOutcome(device.finishJourney(journeyId))) === 'OK');
}

const cancelPayment = (device: TestDevice, paymentId: string) =>
  callUnary((done) => device.journeyClient.cancelPayment({ paymentId }, device.metadata, done));

test.each(TRANSPORTS)(
  'over %s a payment moves from a machine that nobody uses to one that takes the card',
  async (transport) => {
    const { account, device } = getRestaurant(transport);
    const { journeyId, sessionId, outstanding, terminalId } = await openTable(transport);
    expect(terminalId).toBe(PATIENT);
    const paymentId = await startPayment(device, journeyId);
    await waitForTerminalStatus(account, PATIENT, 'InUse');
    const moved = await moveJourney(device, journeyId, MACHINE);
    expect([moved.terminalId, moved.payments[0]?.movingToTerminalId]).toEqual([MACHINE, MACHINE]);
    const { payments } = await waitForPaymentState(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_RECORDED);
    expect(payments).toMatchObject([{ paymentId, terminalId: MACHINE, movingToTerminalId: undefined }]);
    await waitForTerminalStatus(account, PATIENT, 'Available');
    expect(requireValue(account.sandbox.epos, 'the EPOS').epos.getBill(sessionId).paid.value).toBe(Number(outstanding));
    await finishJourney(device, journeyId);
  },
);

test.each<[string, () => Promise<unknown>, string]>([
  ['no journey', () => moveJourney(getRestaurant('rest').device, randomUUID(), MACHINE), 'NOT_FOUND'],
  [
    'a journey that is none',
    () => moveJourney(getRestaurant('rest').device, 'seven', MACHINE),
    'INVALID_ARGUMENT ERROR_PARSE_ERROR',
  ],
  [
    "another account's journey",
    async () => moveJourney(getRestaurant('rest').device, (await openTable('tables-ws')).journeyId, MACHINE),
    'NOT_FOUND',
  ],
])('moving %s is refused', async (_, ask, description) => {
  expect(await describeOutcome(ask())).toBe(description);
});

test.each<[Permission, string]>([
  ['tables.use', 'NOT_FOUND'],
  ['tables.operate', 'PERMISSION_DENIED'],
])('moving a journey with the permission %s alone answers %s: only a waiter may', async (permission, description) => {
  const { apiKey } = await environment.createAccount({ permissions: [permission] });
  const device = new TestDevice(gateway, apiKey);
  expect(await describeOutcome(moveJourney(device, randomUUID(), MACHINE))).toBe(description);
  device.close();
});

test('a journey moves only to a machine that is there, and only while it runs', async () => {
  const { device } = getRestaurant('tables-ws');
  const { journeyId } = await openTable('tables-ws');
  expect(await describeOutcome(moveJourney(device, journeyId, ''))).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  expect(await describeOutcome(moveJourney(device, journeyId, '12345678'))).toBe('NOT_FOUND');
  const paymentId = await startPayment(device, journeyId, PATIENT);
  expect(await describeOutcome(moveJourney(device, journeyId, OFFLINE))).toBe('ABORTED');
  await cancelPayment(device, paymentId);
  await waitForPaymentState(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_ENDED);
  // This one has its card in the machine within a moment.
  const paying = await startPayment(device, journeyId, MACHINE);
  await waitForPaymentState(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_RECORDED);
  expect(await describeOutcome(cancelPayment(device, paying))).toBe('FAILED_PRECONDITION');
  await finishJourney(device, journeyId);
  expect(await describeOutcome(moveJourney(device, journeyId, MACHINE))).toBe('FAILED_PRECONDITION');
});

test('a payer receives a link for their own device, and nothing else is taken on the table meanwhile', async () => {
  const { device } = getRestaurant('rest');
  const { journeyId, sessionId, terminalId } = await openTable('rest', PAYER_DEVICE);
  expect(terminalId).toBeUndefined();
  const cash = device.takePayment(journeyId, FULL, { cashbackAmount: 100n });
  expect(await describeOutcome(cash)).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  const paymentId = await startPayment(device, journeyId);
  const { journey } = await device.getJourney(journeyId);
  const [payment] = journey?.payments ?? [];
  expect(payment?.paymentLink).toMatch(new RegExp(`^https?://[^ ]+/checkout/${payment?.paymentIntentId}$`));
  expect([payment?.terminalId, payment?.terminalSessionId]).toEqual([undefined, undefined]);
  expect(await describeOutcome(device.startJourney(sessionId, MACHINE))).toBe('ABORTED SESSION_ALREADY_LOCKED');
  expect(await describeOutcome(moveJourney(device, journeyId, MACHINE))).toBe('FAILED_PRECONDITION');
  expect(await describeOutcome(device.takePayment(journeyId, FULL))).toBe('FAILED_PRECONDITION');
  await cancelPayment(device, paymentId);
  await waitForPaymentState(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_ENDED);
  await finishJourney(device, journeyId);
});

const printReceipt = (device: TestDevice, paymentId: string, copy: ReceiptCopy) =>
  callUnary<{ receipt: ReceiptSection | undefined }>((done) =>
    device.journeyClient.printReceipt({ paymentId, copy }, device.metadata, done),
  );
const sendReceipt = (device: TestDevice, paymentId: string, emailAddresses: string[]) =>
  callUnary((done) => device.journeyClient.sendReceipt({ paymentId, emailAddresses }, device.metadata, done));

async function listMailedAddresses({ scope }: GatewayAccount): Promise<string[]> {
  const { mails } = await environment.testDatabase.database.read(scope, (reader) => listMailbox(reader, { limit: 10 }));
  return mails.map(({ recipient }) => recipient);
}

/** For the keys of calls that were made. */
async function expireIdempotencyKeys({ scope }: GatewayAccount): Promise<void> {
  await environment.testDatabase.database.dataSource.query(
    `update idempotency_keys set keep_until = keep_until - interval '61 seconds'
     where account_id = $1 and environment = $2 and method = 'SendReceipt'`,
    [scope.accountId, scope.environment],
  );
}

function listTexts(section: ReceiptSection | undefined): string[] {
  return (section?.receiptLines ?? []).flatMap(({ line }) => (line?.$case === 'receiptText' ? [line.value.value] : []));
}

test.each(TRANSPORTS)(
  'over %s the bill is printed, and both copies of the receipt, and one is mailed',
  async (transport) => {
    const { account, device } = getRestaurant(transport);
    const { journeyId, outstanding } = await openTable(transport, buildMachineRequestor(MACHINE));
    const { fullBill } = await callUnary<{ fullBill: FullBill | undefined }>((done) =>
      device.journeyClient.printBill({ journeyId }, device.metadata, done),
    );
    expect(fullBill?.billItems?.totalAmount).toBe(outstanding);
    expect(fullBill?.header?.receiptLines.length).toBeGreaterThan(0);

    const paymentId = await startPayment(device, journeyId);
    await waitForPaymentState(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_RECORDED);
    const customer = listTexts((await printReceipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_CUSTOMER)).receipt);
    const merchant = listTexts((await printReceipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_MERCHANT)).receipt);
    expect(customer).toEqual(expect.arrayContaining(['The Oyster Shed', 'SALE', 'CUSTOMER COPY']));
    expect(merchant).toEqual(expect.arrayContaining(['The Oyster Shed', 'SALE', 'MERCHANT COPY']));
    expect(customer.some((text) => text.startsWith('Transaction'))).toBe(false);
    expect(merchant.some((text) => text.startsWith('Transaction'))).toBe(true);
    await sendReceipt(device, paymentId, ['ada@example.com', 'ADA@example.com']);
    const { mails } = await environment.testDatabase.database.read(account.scope, (reader) =>
      listMailbox(reader, { limit: 10 }),
    );
    expect(mails).toMatchObject([{ recipient: 'ADA@example.com', subject: 'Your receipt from The Oyster Shed' }]);
    // The device repeats what it had no answer to, and asks for one address more.
    await sendReceipt(device, paymentId, ['ada@example.com']);
    await Promise.all([
      sendReceipt(device, paymentId, ['ada@example.com', 'bob@example.com']),
      sendReceipt(device, paymentId, ['bob@example.com']),
    ]);
    expect(await listMailedAddresses(account)).toEqual(['bob@example.com', 'ADA@example.com']);
    await expireIdempotencyKeys(account);
    await sendReceipt(device, paymentId, ['ada@example.com']);
    expect(await listMailedAddresses(account)).toEqual(['ada@example.com', 'bob@example.com', 'ADA@example.com']);
    expect(await describeOutcome(sendReceipt(device, paymentId, ['Ada <ada@example.com>']))).toBe(
      'INVALID_ARGUMENT ERROR_PARSE_ERROR',
    );
    expect(await describeOutcome(sendReceipt(device, paymentId, []))).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
    const unspecified = printReceipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_UNSPECIFIED);
    expect(await describeOutcome(unspecified)).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
    await finishJourney(device, journeyId);
    // A payer who asks for a copy afterwards receives it all the same.
    expect(listTexts((await printReceipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_CUSTOMER)).receipt)).toEqual(
      customer,
    );
  },
);

test('a payment without money and an unknown payment have no receipt', async () => {
  const { device } = getRestaurant('tables-ws');
  const { journeyId } = await openTable('tables-ws');
  const paymentId = await startPayment(device, journeyId);
  const copy = ReceiptCopy.RECEIPT_COPY_CUSTOMER;
  expect(await describeOutcome(printReceipt(device, paymentId, copy))).toBe('FAILED_PRECONDITION');
  expect(await describeOutcome(sendReceipt(device, paymentId, ['ada@example.com']))).toBe('FAILED_PRECONDITION');
  expect(await describeOutcome(printReceipt(device, randomUUID(), copy))).toBe('NOT_FOUND');
  expect(await describeOutcome(printReceipt(getRestaurant('rest').device, paymentId, copy))).toBe('NOT_FOUND');
  await cancelPayment(device, paymentId);
  await waitForPaymentState(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_ENDED);
  expect(await describeOutcome(printReceipt(device, paymentId, copy))).toBe('FAILED_PRECONDITION');
  await finishJourney(device, journeyId);
});
