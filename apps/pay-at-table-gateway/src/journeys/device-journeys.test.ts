import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import type { Permission } from '@pos/core/permissions';
import { type Journey, JourneyPaymentState, ReceiptCopy } from '@pos/grpc-contracts/gateway';
import { type FullBill, type ReceiptSection, type RequestorInfo, RequestorType } from '@pos/grpc-contracts/tables';
import { listMailbox } from '@pos/payments/receipts';
import { listTerminals } from '@pos/payments/terminals';
import type { TerminalStatus } from '@pos/core/terminal-session';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { machine, type TestAccount, TestPlace, until } from '../testing.js';
import { Device, outcome, told } from './testing-device.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
/** Nobody ever holds a card to it. */
const PATIENT = '90000006';
const OFFLINE = '90000008';
const GUEST: RequestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
  requestor: { $case: 'consumerDeviceRequestorInfo', value: {} },
};
const WAYS = ['tables-ws', 'rest'] as const;
const STATE = JourneyPaymentState;

let place: TestPlace;
let gateway: RunningGateway;
const houses = new Map<string, { readonly account: TestAccount; readonly device: Device }>();
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway();
  for (const epos of WAYS) {
    const account = await place.account({ epos, hasMachines: true, amountTriggers: false });
    const device = new Device(gateway, account.apiKey);
    houses.set(epos, { account, device });
    await until(async () => (await outcome(device.listSessions())) === 'OK');
    for (const tid of [MACHINE, PATIENT]) await stands(account, tid, 'Available');
  }
});
afterAll(async () => {
  for (const { device } of houses.values()) device.close();
  await place.close();
});

const at = (way: string) => required(houses.get(way), 'the house');

async function stands({ scope }: TestAccount, tid: string, status: TerminalStatus): Promise<void> {
  await until(async () => {
    const found = await place.test.database.read(scope, (reader) => listTerminals(reader, [status]));
    return found.some(({ terminal }) => terminal.tid === tid);
  });
}

/** A table that nobody has paid or holds, opened for paying by whoever asks. */
async function opened(way: string, requestorInfo = machine(PATIENT)): Promise<Journey> {
  const { account, device } = at(way);
  const { epos } = required(account.place.epos, 'the EPOS');
  const free = epos.restaurant.sessions().find(({ id, bill, finishedAt }) => {
    return bill !== null && finishedAt === null && bill.paid.value === 0 && epos.held.find(id) === null;
  });
  const sessionId = required(free, 'a table').id;
  const { journey } = await told<{ journey: Journey | undefined }>((done) =>
    device.service.startJourney({ sessionId, requestorInfo }, device.metadata, done),
  );
  return required(journey, 'the journey');
}

function move(device: Device, journeyId: string, terminalId: string): Promise<Journey> {
  return told<{ journey: Journey | undefined }>((done) =>
    device.service.moveJourney({ journeyId, terminalId }, device.metadata, done),
  ).then(({ journey }) => required(journey, 'the journey'));
}

const FULL = { $case: 'full', value: {} } as const;

async function begun(device: Device, journeyId: string, terminalId?: string): Promise<string> {
  const paymentId = randomUUID();
  await device.ask(journeyId, FULL, { paymentId, ...(terminalId !== undefined && { terminalId }) });
  return paymentId;
}

async function arrives(device: Device, journeyId: string, state: JourneyPaymentState): Promise<Journey> {
  let journey: Journey | undefined;
  await until(async () => {
    ({ journey } = await device.get(journeyId));
    return journey?.payments.at(-1)?.state === state;
  });
  return required(journey, 'the journey');
}

async function finish(device: Device, journeyId: string): Promise<void> {
  await until(async () => (await outcome(device.finish(journeyId))) === 'OK');
}

const cancel = (device: Device, paymentId: string) =>
  told((done) => device.service.cancelPayment({ paymentId }, device.metadata, done));

test.each(WAYS)('over %s a payment moves from a machine that nobody uses to one that takes the card', async (way) => {
  const { account, device } = at(way);
  const { journeyId, sessionId, outstanding, terminalId } = await opened(way);
  expect(terminalId).toBe(PATIENT);
  const paymentId = await begun(device, journeyId);
  await stands(account, PATIENT, 'InUse');
  const moved = await move(device, journeyId, MACHINE);
  expect([moved.terminalId, moved.payments[0]?.movingToTerminalId]).toEqual([MACHINE, MACHINE]);
  const { payments } = await arrives(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_RECORDED);
  expect(payments).toMatchObject([{ paymentId, terminalId: MACHINE, movingToTerminalId: undefined }]);
  await stands(account, PATIENT, 'Available');
  expect(required(account.place.epos, 'the EPOS').epos.getBill(sessionId).paid.value).toBe(Number(outstanding));
  await finish(device, journeyId);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['no journey', () => move(at('rest').device, randomUUID(), MACHINE), 'NOT_FOUND'],
  ['a journey that is none', () => move(at('rest').device, 'seven', MACHINE), 'INVALID_ARGUMENT ERROR_PARSE_ERROR'],
  [
    "another account's journey",
    async () => move(at('rest').device, (await opened('tables-ws')).journeyId, MACHINE),
    'NOT_FOUND',
  ],
])('who moves %s is told so', async (_, ask, said) => {
  expect(await outcome(ask())).toBe(said);
});

test.each<[Permission, string]>([
  ['tables.use', 'NOT_FOUND'],
  ['tables.operate', 'PERMISSION_DENIED'],
])(
  'who has the permission %s alone and moves a journey is told %s: it is an act of the waiter',
  async (permission, said) => {
    const { apiKey } = await place.account({ permissions: [permission] });
    const device = new Device(gateway, apiKey);
    expect(await outcome(move(device, randomUUID(), MACHINE))).toBe(said);
    device.close();
  },
);

test('a journey moves only to a machine that is there, and only while it runs', async () => {
  const { device } = at('tables-ws');
  const { journeyId } = await opened('tables-ws');
  expect(await outcome(move(device, journeyId, ''))).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  expect(await outcome(move(device, journeyId, '12345678'))).toBe('NOT_FOUND');
  const paymentId = await begun(device, journeyId, PATIENT);
  expect(await outcome(move(device, journeyId, OFFLINE))).toBe('ABORTED');
  await cancel(device, paymentId);
  await arrives(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_ENDED);
  // This one has its card in the machine within a moment.
  const paying = await begun(device, journeyId, MACHINE);
  await arrives(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_RECORDED);
  expect(await outcome(cancel(device, paying))).toBe('FAILED_PRECONDITION');
  await finish(device, journeyId);
  expect(await outcome(move(device, journeyId, MACHINE))).toBe('FAILED_PRECONDITION');
});

test('a guest gets a link for his own device, and nothing else is taken on the table meanwhile', async () => {
  const { device } = at('rest');
  const { journeyId, sessionId, terminalId } = await opened('rest', GUEST);
  expect(terminalId).toBeUndefined();
  const cash = device.ask(journeyId, FULL, { cashbackAmount: 100n });
  expect(await outcome(cash)).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  const paymentId = await begun(device, journeyId);
  const { journey } = await device.get(journeyId);
  const [payment] = journey?.payments ?? [];
  expect(payment?.paymentLink).toMatch(new RegExp(`^https?://[^ ]+/checkout/${payment?.paymentIntentId}$`));
  expect([payment?.terminalId, payment?.terminalSessionId]).toEqual([undefined, undefined]);
  expect(await outcome(device.start(sessionId, MACHINE))).toBe('ABORTED SESSION_ALREADY_LOCKED');
  expect(await outcome(move(device, journeyId, MACHINE))).toBe('FAILED_PRECONDITION');
  expect(await outcome(device.ask(journeyId, FULL))).toBe('FAILED_PRECONDITION');
  await cancel(device, paymentId);
  await arrives(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_ENDED);
  await finish(device, journeyId);
});

const receipt = (device: Device, paymentId: string, copy: ReceiptCopy) =>
  told<{ receipt: ReceiptSection | undefined }>((done) =>
    device.service.printReceipt({ paymentId, copy }, device.metadata, done),
  );
const mail = (device: Device, paymentId: string, emailAddresses: string[]) =>
  told((done) => device.service.sendReceipt({ paymentId, emailAddresses }, device.metadata, done));

async function mailed({ scope }: TestAccount): Promise<string[]> {
  const { mails } = await place.test.database.read(scope, (reader) => listMailbox(reader, { limit: 10 }));
  return mails.map(({ recipient }) => recipient);
}

/** For the keys of calls that were made. */
async function minuteIsOver({ scope }: TestAccount): Promise<void> {
  await place.test.database.dataSource.query(
    `update idempotency_keys set keep_until = keep_until - interval '61 seconds'
     where account_id = $1 and environment = $2 and method = 'SendReceipt'`,
    [scope.accountId, scope.environment],
  );
}

function texts(section: ReceiptSection | undefined): string[] {
  return (section?.receiptLines ?? []).flatMap(({ line }) => (line?.$case === 'receiptText' ? [line.value.value] : []));
}

test.each(WAYS)('over %s the bill is printed, and both copies of the receipt, and one is mailed', async (way) => {
  const { account, device } = at(way);
  const { journeyId, outstanding } = await opened(way, machine(MACHINE));
  const { fullBill } = await told<{ fullBill: FullBill | undefined }>((done) =>
    device.service.printBill({ journeyId }, device.metadata, done),
  );
  expect(fullBill?.billItems?.totalAmount).toBe(outstanding);
  expect(fullBill?.header?.receiptLines.length).toBeGreaterThan(0);

  const paymentId = await begun(device, journeyId);
  await arrives(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_RECORDED);
  const customer = texts((await receipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_CUSTOMER)).receipt);
  const merchant = texts((await receipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_MERCHANT)).receipt);
  expect(customer).toEqual(expect.arrayContaining(['The Oyster Shed', 'SALE', 'CUSTOMER COPY']));
  expect(merchant).toEqual(expect.arrayContaining(['The Oyster Shed', 'SALE', 'MERCHANT COPY']));
  expect(customer.some((text) => text.startsWith('Transaction'))).toBe(false);
  expect(merchant.some((text) => text.startsWith('Transaction'))).toBe(true);
  await mail(device, paymentId, ['ada@example.com', 'ADA@example.com']);
  const { mails } = await place.test.database.read(account.scope, (reader) => listMailbox(reader, { limit: 10 }));
  expect(mails).toMatchObject([{ recipient: 'ADA@example.com', subject: 'Your receipt from The Oyster Shed' }]);
  // The device repeats what it had no answer to, and asks for one address more.
  await mail(device, paymentId, ['ada@example.com']);
  await Promise.all([
    mail(device, paymentId, ['ada@example.com', 'bob@example.com']),
    mail(device, paymentId, ['bob@example.com']),
  ]);
  expect(await mailed(account)).toEqual(['bob@example.com', 'ADA@example.com']);
  await minuteIsOver(account);
  await mail(device, paymentId, ['ada@example.com']);
  expect(await mailed(account)).toEqual(['ada@example.com', 'bob@example.com', 'ADA@example.com']);
  expect(await outcome(mail(device, paymentId, ['Ada <ada@example.com>']))).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  expect(await outcome(mail(device, paymentId, []))).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  const unspecified = receipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_UNSPECIFIED);
  expect(await outcome(unspecified)).toBe('INVALID_ARGUMENT ERROR_PARSE_ERROR');
  await finish(device, journeyId);
  // Who asks for his copy at the door gets it all the same.
  expect(texts((await receipt(device, paymentId, ReceiptCopy.RECEIPT_COPY_CUSTOMER)).receipt)).toEqual(customer);
});

test('what took no money has no receipt, and a payment of nobody neither', async () => {
  const { device } = at('tables-ws');
  const { journeyId } = await opened('tables-ws');
  const paymentId = await begun(device, journeyId);
  const copy = ReceiptCopy.RECEIPT_COPY_CUSTOMER;
  expect(await outcome(receipt(device, paymentId, copy))).toBe('FAILED_PRECONDITION');
  expect(await outcome(mail(device, paymentId, ['ada@example.com']))).toBe('FAILED_PRECONDITION');
  expect(await outcome(receipt(device, randomUUID(), copy))).toBe('NOT_FOUND');
  expect(await outcome(receipt(at('rest').device, paymentId, copy))).toBe('NOT_FOUND');
  await cancel(device, paymentId);
  await arrives(device, journeyId, STATE.JOURNEY_PAYMENT_STATE_ENDED);
  expect(await outcome(receipt(device, paymentId, copy))).toBe('FAILED_PRECONDITION');
  await finish(device, journeyId);
});
