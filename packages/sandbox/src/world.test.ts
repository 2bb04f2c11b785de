import { credentials, Metadata, Server, ServerCredentials, status, type ServiceError } from '@grpc/grpc-js';
import { AcquirerServiceClient, Outcome, type CaptureRequest } from '@pos/grpc-contracts/acquirer';
import { SessionType, type Start } from '@pos/grpc-contracts/card-machine';
import { RequestorType, TablesError, TablesErrorCode, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { afterEach, expect, test } from '@jest/globals';
import { serveAcquirer } from './acquirer-grpc-server.js';
import { memoryJournal } from './acquirer-books.js';
import { wallClock } from './clock.js';
import { serveTables, TABLES_ERROR_TRAILER } from './epos-grpc-server.js';
import { FakeGateway } from './fake-gateway.js';
import { Seed } from './seed.js';
import { World, type WorldAccount } from './world.js';

const ACCOUNT: WorldAccount = {
  accountId: 'acc_1',
  apiKey: 'sk_sandbox_test',
  merchantId: 'merchant-1',
  tradingName: 'The Oyster Shed',
  currencyCode: 'GBP',
  softwareHouseId: 'house',
  hasMachines: true,
  amountTriggers: true,
  epos: { username: 'shed', password: 'secret:word', dialsIn: true },
};
const DEADLINE_MS = 400;
const GUEST = { requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE, requestor: undefined };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Waits for what has to come true; how long it takes is nobody's promise. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let look = 0; look < 1_000; look += 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came true: ${isTrue.toString()}`);
}

async function worldForTest({ addresses, account = ACCOUNT }: { addresses?: string[]; account?: WorldAccount } = {}) {
  const gateway = new FakeGateway();
  const address = await gateway.listen();
  const world = new World({
    seed: new Seed('test'),
    clock: wallClock({ timeScale: 50, standingAt: new Date('2026-03-02T12:00:00.000Z') }),
    journal: memoryJournal(),
    service: { gatewayAddresses: [...(addresses ?? []), address], gatewayUrls: [], apiUrl: null },
  });
  closers.push(
    () => {
      world.stop();
    },
    () => {
      gateway.close();
    },
  );
  return { gateway, world, place: world.provision(account) };
}

async function serverForTest(world: World) {
  const server = new Server();
  serveAcquirer(server, { door: world.acquirer, clock: world.clock, stepUpUrl: 'http://127.0.0.1/challenge' });
  serveTables(server, (username) => world.findDialledEpos(username));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, opened) => {
      if (error === null) resolve(opened);
      else reject(error);
    });
  });
  const acquirer = new AcquirerServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const tables = new TablesServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  closers.push(() => {
    acquirer.close();
    tables.close();
    server.forceShutdown();
  });
  return { acquirer, tables };
}

function startOf(more: Partial<Start> = {}): Start {
  const total = 1_000n;
  return {
    terminalSessionId: 'ts_1',
    acquirerReference: 'ref-1',
    originalAcquirerReference: undefined,
    sessionType: SessionType.SESSION_TYPE_SALE,
    amount: { baseAmount: total, gratuityAmount: 0n, cashbackAmount: 0n, serviceChargeAmount: 0n, totalAmount: total },
    currency: 'GBP',
    capture: true,
    cardholderNotPresent: false,
    secondsLeft: 90,
    reference: 'Table 4',
    ...more,
  };
}

const told = (gateway: FakeGateway) => gateway.reports.map(({ number, event }) => `${number} ${event?.$case ?? ''}`);

test('nine machines of an account come up by themselves, the busy one says so, the offline one never dials', async () => {
  const { gateway } = await worldForTest();
  await until(() => gateway.hellos.length === 9);
  const tids = gateway.hellos.map(({ tid }) => tid).sort();
  expect(tids).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10].map((number) => String(90_000_000 + number)));
  expect(gateway.hellos.filter(({ inUse }) => inUse).map(({ tid }) => tid)).toEqual(['90000007']);
  await until(() => gateway.heartbeats >= 9);
});

test('a machine pays over a real stream, and masks the card', async () => {
  const { gateway, world } = await worldForTest();
  await until(() => gateway.machines.has('90000001'));
  gateway.tell('90000001', { $case: 'start', value: startOf() });
  await until(() => gateway.reports.some(({ event }) => event?.$case === 'approved'));
  expect(told(gateway)).toEqual(['1 confirmed', '2 notification', '3 notification', '4 notification', '5 approved']);
  const event = gateway.reports.at(-1)?.event;
  const booked = world.acquirer.acquirer.books.find('ref-1');
  expect(event).toMatchObject({
    $case: 'approved',
    value: {
      signatureRequired: false,
      result: {
        acquirerReference: 'ref-1',
        transactionId: booked?.transactionId,
        authCode: booked?.authCode,
        amount: 1_000n,
        currency: 'GBP',
        merchantId: 'merchant-1',
        entryMode: 'CARD_ENTRY_MODE_CONTACTLESS',
        verificationMethod: 'VERIFICATION_METHOD_NONE',
        card: { maskedNumber: '44565300****1014', last4Pan: '1014', scheme: 'SCHEME_VISA' },
      },
    },
  });
});

test('unplugged after the approval, the machine comes back, names its session and repeats what was not acknowledged', async () => {
  const { gateway, place } = await worldForTest();
  await until(() => gateway.machines.has('90000001'));
  place.machines[0]?.setFaults({ unplug: { when: 'after-approval', forMs: 100 } });
  gateway.tell('90000001', { $case: 'start', value: startOf() });
  await until(() => gateway.reports.some(({ event }) => event?.$case === 'approved'));
  const again = gateway.hellos.filter(({ tid }) => tid === '90000001').at(-1);
  expect(again?.unfinishedSession).toEqual({ terminalSessionId: 'ts_1', lastReportNumber: 5 });
  expect(told(gateway)).toEqual(['1 confirmed', '2 notification', '3 notification', '4 notification', '5 approved']);
});

test('a gateway that dies takes nothing with it: the machine goes to the next and says everything again', async () => {
  const first = new FakeGateway();
  first.acknowledges = false;
  const { gateway: second } = await worldForTest({ addresses: [await first.listen()] });
  await until(() => first.machines.has('90000002'));
  first.tell('90000002', { $case: 'start', value: startOf() });
  await until(() => first.reports.length >= 2);
  first.close();
  await until(() => second.reports.some(({ event }) => event?.$case === 'approved'));
  expect(told(second)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `${number} ${KINDS[number - 1] ?? ''}`));
});

const KINDS = ['confirmed', ...Array.from({ length: 5 }, () => 'notification'), 'approved'];

test('a machine with a wrong key is not let in, and goes on trying', async () => {
  const { gateway, place } = await worldForTest({ account: { ...ACCOUNT, apiKey: 'sk_sandbox_deleted' } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(gateway.hellos).toEqual([]);
  expect(place.machines.every((machine) => !machine.isServing())).toBe(true);
});

test('the EPOS dials in and answers the calls that come down its stream', async () => {
  const { gateway, place } = await worldForTest();
  await until(() => gateway.epos !== null);
  const session = place.epos?.epos.listBills([])[0]?.sessionId ?? '';
  gateway.call('1', { $case: 'lockSession', value: { sessionId: session, requestorInfo: GUEST } });
  gateway.call('2', { $case: 'lockSession', value: { sessionId: session, requestorInfo: GUEST } });
  gateway.call('3', { $case: 'getFullBill', value: { sessionId: session, requestorInfo: GUEST } });
  gateway.call('4', { $case: 'recordPayment', value: { payment: undefined, requestorInfo: GUEST } });
  gateway.call('5', { $case: 'listSessions', value: { tableNames: [], requestorInfo: undefined } });
  gateway.call('6', undefined);
  await until(() => gateway.results.length === 6);
  const answers = new Map(gateway.results.map(({ callId, response }) => [callId, response]));
  expect(answers.get('1')).toMatchObject({ $case: 'lockSession', value: { billItems: { sessionId: session } } });
  expect(answers.get('2')).toMatchObject({
    $case: 'error',
    value: { errorCode: TablesErrorCode.SESSION_ALREADY_LOCKED },
  });
  expect(answers.get('3')).toMatchObject({
    $case: 'getFullBill',
    value: { fullBill: { billItems: { currency: 'GBP' } } },
  });
  for (const unread of ['4', '5', '6']) {
    expect(answers.get(unread)).toMatchObject({ value: { errorCode: TablesErrorCode.ERROR_PARSE_ERROR } });
  }
});

test('the EPOS doubles an answer, loses one, and drops its stream and comes back, as it is told', async () => {
  const { gateway, place } = await worldForTest();
  await until(() => gateway.epos !== null);
  place.epos?.faults.replace([
    { effect: 'duplicate-answer', method: 'ListTables', times: 1 },
    { effect: 'answer-lost', method: 'ListSessions', times: 1 },
    { effect: 'drop-stream', method: 'ListBillItems', times: 1 },
  ]);
  gateway.call('lost', { $case: 'listSessions', value: { tableNames: [], requestorInfo: GUEST } });
  gateway.call('twice', { $case: 'listTables', value: { statuses: [], requestorInfo: GUEST } });
  await until(() => gateway.results.length === 2);
  expect(gateway.results.map(({ callId }) => callId)).toEqual(['twice', 'twice']);
  gateway.call('broken', { $case: 'listBillItems', value: { sessionIds: [], requestorInfo: GUEST } });
  await until(() => gateway.eposWelcomes === 2);
  gateway.call('again', { $case: 'listBillItems', value: { sessionIds: [], requestorInfo: GUEST } });
  await until(() => gateway.results.length === 3);
  expect(gateway.results.at(-1)?.callId).toBe('again');
});

function basic(text: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`);
  return metadata;
}

function settled<A>(
  ask: (done: (error: ServiceError | null, answer: A) => void) => unknown,
): Promise<ServiceError | A> {
  return new Promise((resolve) => {
    ask((error, answer) => {
      resolve(error ?? answer);
    });
  });
}

test.each([
  ['no credentials', new Metadata()],
  ['a wrong password', basic('shed:secret')],
  ['an unknown user', basic('other:secret:word')],
  [
    'a bare key',
    (() => {
      const metadata = new Metadata();
      metadata.set('authorization', 'secret:word');
      return metadata;
    })(),
  ],
])('the dialled EPOS lets nobody in with %s', async (_, metadata) => {
  const { tables } = await serverForTest((await worldForTest()).world);
  const answer = await settled((done) => tables.listTables({ statuses: [], requestorInfo: GUEST }, metadata, done));
  expect(answer).toMatchObject({ code: status.UNAUTHENTICATED });
});

test('the dialled EPOS answers, and names its refusals in the trailer', async () => {
  const { world } = await worldForTest();
  const { tables } = await serverForTest(world);
  const mine = basic('shed:secret:word');
  const list = await settled((done) => tables.listTables({ statuses: [], requestorInfo: GUEST }, mine, done));
  expect(list).toMatchObject({
    tables: expect.arrayContaining([{ name: '1', maxCovers: 4, status: 'TABLE_STATUS_OCCUPIED' }]),
  });

  const unknown = { sessionId: 'nobody', requestorInfo: GUEST };
  const refused = await settled((done) => tables.getBillItems(unknown, mine, done));
  expect(refused).toMatchObject({ code: status.NOT_FOUND });
  const [trailer] = (refused as ServiceError).metadata.get(TABLES_ERROR_TRAILER);
  expect(TablesError.decode(trailer as Buffer).errorCode).toBe(TablesErrorCode.SESSION_NO_SUCH_SESSION);

  world.find('acc_1')?.epos?.faults.replace([{ effect: 'no-answer' }]);
  const deadline = { deadline: Date.now() + DEADLINE_MS };
  const silent = await settled((done) => tables.getBillItems(unknown, mine, deadline, done));
  expect(silent).toMatchObject({ code: status.DEADLINE_EXCEEDED });
});

test('the acquirer is reached by its client, and its rules spoil the answers', async () => {
  const { world } = await worldForTest();
  const { acquirer } = await serverForTest(world);
  const card = { number: '5200000000000056', expiryMonth: 12, expiryYear: 2032, cv2: '341', cardholderName: 'A' };
  const asked = {
    ...{ reference: 'a', merchantId: 'merchant-1', amount: 1_000n, currency: 'GBP', capture: false },
    instrument: { $case: 'card', value: card } as const,
    ...{ customerInitiated: true, cardholderNotPresent: false, billingAddressLine: '', billingPostcode: '' },
    ...{ userAgent: '', ipAddress: '' },
  };
  const approved = await settled((done) => acquirer.authorise(asked, done));
  expect(approved).toMatchObject({
    result: { outcome: Outcome.OUTCOME_APPROVED, amount: 1_000n, card: { scheme: 'MASTERCARD' } },
  });

  const capture = (reference: string): CaptureRequest => ({
    reference,
    originalReference: 'a',
    amount: 400n,
    currency: 'GBP',
  });
  world.acquirer.rules.replace([
    { match: { kind: 'Capture' }, effect: 'down', times: 1 },
    { match: { kind: 'Capture', reference: 'dropped' }, effect: 'drop-answer' },
    { match: { kind: 'Inquire', reference: 'dropped' }, effect: 'contradict', times: 1 },
  ]);
  const deadline = () => ({ deadline: Date.now() + DEADLINE_MS });
  const down = await settled((done) => acquirer.capture(capture('down'), new Metadata(), deadline(), done));
  const dropped = await settled((done) => acquirer.capture(capture('dropped'), new Metadata(), deadline(), done));
  expect([down, dropped]).toMatchObject([{ code: status.UNAVAILABLE }, { code: status.DEADLINE_EXCEEDED }]);
  const inquire = (reference: string) => settled((done) => acquirer.inquire({ reference }, done));
  expect(await inquire('down')).toMatchObject({ result: { outcome: Outcome.OUTCOME_NOT_FOUND } });
  expect(await inquire('dropped')).toMatchObject({ result: { outcome: Outcome.OUTCOME_DECLINED } });
  expect(await inquire('dropped')).toMatchObject({ result: { outcome: Outcome.OUTCOME_APPROVED } });

  const listed = await settled((done) =>
    acquirer.listBooked({ merchantId: 'merchant-1', from: undefined, to: undefined, pageSize: 1, pageToken: '' }, done),
  );
  expect(listed).toMatchObject({
    bookings: [{ reference: 'a', amount: 1_000n }],
    nextPageToken: expect.stringMatching(/^\d+$/),
  });
});
