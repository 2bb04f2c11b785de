import { credentials, Metadata, Server, ServerCredentials, status, type ServiceError } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { AcquirerServiceClient, Outcome, type CaptureRequest } from '@pos/grpc-contracts/acquirer';
import { SessionType, type Start } from '@pos/grpc-contracts/card-machine';
import { RequestorType, TablesError, TablesErrorCode, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { TABLES_ERROR_TRAILER } from '@pos/grpc-contracts/tables-error';
import { afterEach, expect, test } from '@jest/globals';
import { addAcquirerService } from '../acquirer/acquirer-grpc-server.js';
import { createMemoryJournal } from '../acquirer/acquirer-books.js';
import { createWallClock } from '../clock/simulation-clock.js';
import { addTablesService } from '../epos-transports/epos-grpc-server.js';
import { FakeGateway, PLAINTEXT } from '../testing/fake-gateway.js';
import { Seed } from '../clock/seed.js';
import { SimulatedEnvironment, type SimulatedAccount } from './simulated-environment.js';

const ACCOUNT: SimulatedAccount = {
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
const CONSUMER_REQUESTOR = { requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE, requestor: undefined };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Waits until the condition is true. The jest timeout limits it. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came true: ${isTrue.toString()}`);
}

async function createTestEnvironment({
  addresses,
  account = ACCOUNT,
}: { addresses?: string[]; account?: SimulatedAccount } = {}) {
  const gateway = new FakeGateway();
  const address = await gateway.listen();
  const environment = new SimulatedEnvironment({
    seed: new Seed('test'),
    clock: createWallClock({ timeScale: 50, frozenAt: new Date('2026-03-02T12:00:00.000Z') }),
    journal: createMemoryJournal(),
    service: { gatewayAddresses: [...(addresses ?? []), address], gatewayUrls: [], apiUrl: null, transport: PLAINTEXT },
  });
  closers.push(
    () => {
      environment.stop();
    },
    () => {
      gateway.close();
    },
  );
  return { gateway, environment, simulation: environment.provisionAccount(account) };
}

async function startAcquirerServer(environment: SimulatedEnvironment) {
  const server = new Server();
  addAcquirerService(server, {
    simulator: environment.acquirerSimulator,
    clock: environment.clock,
    stepUpUrl: 'http://127.0.0.1/challenge',
  });
  addTablesService(server, (username) => environment.findDialledEpos(username));
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  const acquirer = new AcquirerServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const tables = new TablesServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  closers.push(() => {
    acquirer.close();
    tables.close();
    server.forceShutdown();
  });
  return { acquirer, tables };
}

function createStart(more: Partial<Start> = {}): Start {
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
    originalCard: undefined,
    refuseOtherCard: false,
    secondsLeft: 90,
    reference: 'Table 4',
    ...more,
  };
}

const listReports = (gateway: FakeGateway) =>
  gateway.receivedReports.map(({ number, event }) => `${number} ${event?.$case ?? ''}`);

test('nine machines of an account connect by themselves, the busy one reports it, the offline one never dials', async () => {
  const { gateway } = await createTestEnvironment();
  await waitUntil(() => gateway.receivedHellos.length === 9);
  const tids = gateway.receivedHellos.map(({ tid }) => tid).sort();
  expect(tids).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10].map((number) => String(90_000_000 + number)));
  expect(gateway.receivedHellos.filter(({ inUse }) => inUse).map(({ tid }) => tid)).toEqual(['90000007']);
  await waitUntil(() => gateway.heartbeats >= 9);
});

test('a machine pays over a real stream, and masks the card', async () => {
  const { gateway, environment } = await createTestEnvironment();
  await waitUntil(() => gateway.machines.has('90000001'));
  gateway.sendToMachine('90000001', { $case: 'start', value: createStart() });
  await waitUntil(() => gateway.receivedReports.some(({ event }) => event?.$case === 'approved'));
  expect(listReports(gateway)).toEqual([
    '1 confirmed',
    '2 notification',
    '3 notification',
    '4 notification',
    '5 approved',
  ]);
  const event = gateway.receivedReports.at(-1)?.event;
  const bookings = environment.acquirerSimulator.acquirer.books.findCall('ref-1');
  expect(event).toMatchObject({
    $case: 'approved',
    value: {
      signatureRequired: false,
      result: {
        acquirerReference: 'ref-1',
        transactionId: bookings?.transactionId,
        authCode: bookings?.authCode,
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

test('unplugged after the approval, the machine reconnects, names its session and repeats unacknowledged reports', async () => {
  const { gateway, simulation } = await createTestEnvironment();
  await waitUntil(() => gateway.machines.has('90000001'));
  simulation.machines[0]?.setFaults({ unplug: { when: 'after-approval', forMs: 100 } });
  gateway.sendToMachine('90000001', { $case: 'start', value: createStart() });
  await waitUntil(() => gateway.receivedReports.some(({ event }) => event?.$case === 'approved'));
  const repeated = gateway.receivedHellos.filter(({ tid }) => tid === '90000001').at(-1);
  expect(repeated?.unfinishedSession).toEqual({ terminalSessionId: 'ts_1', lastReportNumber: 5 });
  // An acknowledgement that was on its way when the machine was unplugged is lost, and its report comes again.
  expect([...new Set(listReports(gateway))]).toEqual([
    '1 confirmed',
    '2 notification',
    '3 notification',
    '4 notification',
    '5 approved',
  ]);
});

test('a gateway that stops loses nothing: the machine connects to the next and repeats all its reports', async () => {
  const first = new FakeGateway();
  first.isAcknowledging = false;
  const { gateway: second } = await createTestEnvironment({ addresses: [await first.listen()] });
  await waitUntil(() => first.machines.has('90000002'));
  first.sendToMachine('90000002', { $case: 'start', value: createStart() });
  await waitUntil(() => first.receivedReports.length >= 2);
  first.close();
  await waitUntil(() => second.receivedReports.some(({ event }) => event?.$case === 'approved'));
  expect(listReports(second)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => `${number} ${REPORT_KINDS[number - 1] ?? ''}`),
  );
});

const REPORT_KINDS = ['confirmed', ...Array.from({ length: 5 }, () => 'notification'), 'approved'];

test('a machine with a wrong key is not admitted, and keeps trying', async () => {
  const { gateway, simulation } = await createTestEnvironment({
    account: { ...ACCOUNT, apiKey: 'sk_sandbox_deleted' },
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(gateway.receivedHellos).toEqual([]);
  expect(simulation.machines.every((machine) => !machine.isConnected())).toBe(true);
});

test('the EPOS dials in and answers the calls on its stream', async () => {
  const { gateway, simulation } = await createTestEnvironment();
  await waitUntil(() => gateway.epos !== null);
  const session = simulation.epos?.epos.listBills([])[0]?.sessionId ?? '';
  gateway.callEpos('1', { $case: 'lockSession', value: { sessionId: session, requestorInfo: CONSUMER_REQUESTOR } });
  gateway.callEpos('2', { $case: 'lockSession', value: { sessionId: session, requestorInfo: CONSUMER_REQUESTOR } });
  gateway.callEpos('3', { $case: 'getFullBill', value: { sessionId: session, requestorInfo: CONSUMER_REQUESTOR } });
  gateway.callEpos('4', { $case: 'recordPayment', value: { payment: undefined, requestorInfo: CONSUMER_REQUESTOR } });
  gateway.callEpos('5', { $case: 'listSessions', value: { tableNames: [], requestorInfo: undefined } });
  gateway.callEpos('6', undefined);
  await waitUntil(() => gateway.receivedResults.length === 6);
  const answers = new Map(gateway.receivedResults.map(({ callId, response }) => [callId, response]));
  expect(answers.get('1')).toMatchObject({ $case: 'lockSession', value: { billItems: { sessionId: session } } });
  expect(answers.get('2')).toMatchObject({
    $case: 'error',
    value: { errorCode: TablesErrorCode.SESSION_ALREADY_LOCKED },
  });
  expect(answers.get('3')).toMatchObject({
    $case: 'getFullBill',
    value: { fullBill: { billItems: { currency: 'GBP' } } },
  });
  for (const unreadable of ['4', '5', '6']) {
    expect(answers.get(unreadable)).toMatchObject({ value: { errorCode: TablesErrorCode.ERROR_PARSE_ERROR } });
  }
});

test('the EPOS doubles an answer, loses one, and drops its stream and reconnects, as its faults demand', async () => {
  const { gateway, simulation } = await createTestEnvironment();
  await waitUntil(() => gateway.epos !== null);
  simulation.epos?.faults.replaceFaults([
    { effect: 'duplicate-answer', method: 'ListTables', times: 1 },
    { effect: 'answer-lost', method: 'ListSessions', times: 1 },
    { effect: 'drop-stream', method: 'ListBillItems', times: 1 },
  ]);
  gateway.callEpos('lost', { $case: 'listSessions', value: { tableNames: [], requestorInfo: CONSUMER_REQUESTOR } });
  gateway.callEpos('twice', { $case: 'listTables', value: { statuses: [], requestorInfo: CONSUMER_REQUESTOR } });
  await waitUntil(() => gateway.receivedResults.length === 2);
  expect(gateway.receivedResults.map(({ callId }) => callId)).toEqual(['twice', 'twice']);
  gateway.callEpos('broken', { $case: 'listBillItems', value: { sessionIds: [], requestorInfo: CONSUMER_REQUESTOR } });
  await waitUntil(() => gateway.eposWelcomes === 2);
  gateway.callEpos('again', { $case: 'listBillItems', value: { sessionIds: [], requestorInfo: CONSUMER_REQUESTOR } });
  await waitUntil(() => gateway.receivedResults.length === 3);
  expect(gateway.receivedResults.at(-1)?.callId).toBe('again');
});

function createBasicMetadata(text: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${Buffer.from(text).toString('base64')}`);
  return metadata;
}

function callUntilSettled<A>(
  startCall: (done: (error: ServiceError | null, answer: A) => void) => unknown,
): Promise<ServiceError | A> {
  return new Promise((resolve) => {
    startCall((error, answer) => {
      resolve(error ?? answer);
    });
  });
}

test.each([
  ['no credentials', new Metadata()],
  ['a wrong password', createBasicMetadata('shed:secret')],
  ['an unknown user', createBasicMetadata('other:secret:word')],
  [
    'a bare key',
    (() => {
      const metadata = new Metadata();
      metadata.set('authorization', 'secret:word');
      return metadata;
    })(),
  ],
])('the dialled EPOS refuses a caller with %s', async (_, metadata) => {
  const { tables } = await startAcquirerServer((await createTestEnvironment()).environment);
  const answer = await callUntilSettled((done) =>
    tables.listTables({ statuses: [], requestorInfo: CONSUMER_REQUESTOR }, metadata, done),
  );
  expect(answer).toMatchObject({ code: status.UNAUTHENTICATED });
});

test('the dialled EPOS answers, and names its refusals in the trailer', async () => {
  const { environment } = await createTestEnvironment();
  const { tables } = await startAcquirerServer(environment);
  const mine = createBasicMetadata('shed:secret:word');
  const list = await callUntilSettled((done) =>
    tables.listTables({ statuses: [], requestorInfo: CONSUMER_REQUESTOR }, mine, done),
  );
  expect(list).toMatchObject({
    tables: expect.arrayContaining([{ name: '1', maxCovers: 4, status: 'TABLE_STATUS_OCCUPIED' }]),
  });

  const unknown = { sessionId: 'nobody', requestorInfo: CONSUMER_REQUESTOR };
  const refused = await callUntilSettled((done) => tables.getBillItems(unknown, mine, done));
  expect(refused).toMatchObject({ code: status.NOT_FOUND });
  const [trailer] = (refused as ServiceError).metadata.get(TABLES_ERROR_TRAILER);
  expect(TablesError.decode(trailer as Buffer).errorCode).toBe(TablesErrorCode.SESSION_NO_SUCH_SESSION);

  environment.findAccount('acc_1')?.epos?.faults.replaceFaults([{ effect: 'no-answer' }]);
  const deadline = { deadline: Date.now() + DEADLINE_MS };
  const silent = await callUntilSettled((done) => tables.getBillItems(unknown, mine, deadline, done));
  expect(silent).toMatchObject({ code: status.DEADLINE_EXCEEDED });
});

test('the acquirer is reached by its client, and its rules spoil the answers', async () => {
  const { environment } = await createTestEnvironment();
  const { acquirer } = await startAcquirerServer(environment);
  const card = { number: '5200000000000056', expiryMonth: 12, expiryYear: 2032, cv2: '341', cardholderName: 'A' };
  const request = {
    ...{ reference: 'a', merchantId: 'merchant-1', amount: 1_000n, currency: 'GBP', capture: false },
    instrument: { $case: 'card', value: card } as const,
    ...{
      customerInitiated: true,
      cardholderNotPresent: false,
      noChallenge: false,
      billingAddressLine: '',
      billingPostcode: '',
    },
    ...{ userAgent: '', ipAddress: '' },
  };
  const approved = await callUntilSettled((done) => acquirer.authorise(request, done));
  expect(approved).toMatchObject({
    result: { outcome: Outcome.OUTCOME_APPROVED, amount: 1_000n, card: { scheme: 'MASTERCARD' } },
  });

  const capture = (reference: string): CaptureRequest => ({
    reference,
    originalReference: 'a',
    amount: 400n,
    currency: 'GBP',
  });
  environment.acquirerSimulator.rules.replaceRules([
    { match: { kind: 'Capture' }, effect: 'down', times: 1 },
    { match: { kind: 'Capture', reference: 'dropped' }, effect: 'drop-answer' },
    { match: { kind: 'Inquire', reference: 'dropped' }, effect: 'contradict', times: 1 },
  ]);
  const deadline = () => ({ deadline: Date.now() + DEADLINE_MS });
  const down = await callUntilSettled((done) => acquirer.capture(capture('down'), new Metadata(), deadline(), done));
  const dropped = await callUntilSettled((done) =>
    acquirer.capture(capture('dropped'), new Metadata(), deadline(), done),
  );
  expect([down, dropped]).toMatchObject([{ code: status.UNAVAILABLE }, { code: status.DEADLINE_EXCEEDED }]);
  const inquire = (reference: string) => callUntilSettled((done) => acquirer.inquire({ reference }, done));
  expect(await inquire('down')).toMatchObject({ result: { outcome: Outcome.OUTCOME_NOT_FOUND } });
  expect(await inquire('dropped')).toMatchObject({ result: { outcome: Outcome.OUTCOME_DECLINED } });
  expect(await inquire('dropped')).toMatchObject({ result: { outcome: Outcome.OUTCOME_APPROVED } });

  const listed = await callUntilSettled((done) =>
    acquirer.listBooked({ merchantId: 'merchant-1', from: undefined, to: undefined, pageSize: 1, pageToken: '' }, done),
  );
  expect(listed).toMatchObject({
    bookings: [{ reference: 'a', amount: 1_000n }],
    nextPageToken: expect.stringMatching(/^\d+$/),
  });
});
