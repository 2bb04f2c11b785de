import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import type { Approval } from '@pos/core/cards';
import { money } from '@pos/core/money';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import type { TablePayment } from '@pos/core/tables';
import { createOnlineApproval, getDecline } from '@pos/core/testing';
import { PaymentMethod, RecordPaymentRequest, RequestorType } from '@pos/grpc-contracts/tables';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import type { JourneyView } from '@pos/payments/tables';
import { type AuthorisationRequest, OnlinePayments } from '@pos/payments/online';
import { PaymentIntents } from '@pos/payments/payment-intents';
import type { EposFault } from '@pos/sandbox/epos-simulator';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { findIntent } from '@pos/store/payments';
import { randomUUID } from 'node:crypto';
import type { TableServices } from '../testing/table-services.js';
import { getRefusalCode, TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(30_000);

let environment: TableTestEnvironment;
let gateway: TableServices;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());

const intents = new PaymentIntents(new AccountCache(), DEFAULT_PAYMENT_SETTINGS);

interface LinkPayment {
  readonly diningSession: DiningSession;
  readonly journeyView: JourneyView;
  readonly payment: TablePayment;
}

function startJourney(diningSession: DiningSession, owner: string): Promise<JourneyView> {
  const { id: sessionId, name: sessionName, tableName } = diningSession;
  const requestor = { type: 'consumerDevice' } as const;
  return gateway.journeyService.startJourney(environment.scope, {
    sessionId,
    sessionName,
    tableName,
    isPayable: true,
    owner,
    requestor,
  });
}

/** A payer has been given the link for a part of the bill. */
async function createLinkPayment(value = 700): Promise<LinkPayment> {
  const diningSession = environment.findUnpaidSession();
  const journeyView = await startJourney(diningSession, `key of ${diningSession.id}`);
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, {
    mode: 'CUSTOM',
    amount: money(value, 'GBP'),
    gratuity: 50,
    paymentId,
  });
  return { diningSession, journeyView, payment: await environment.getPayment(paymentId) };
}

/** The payer submits a card on the hosted page; the acquirer answers like this. Returns what the acquirer was asked. */
async function submitCard(
  { intentId }: TablePayment,
  answer: (approval: Approval) => AcquirerAnswer,
  { hasCv2 = true } = {},
): Promise<AuthorisationRequest> {
  const { database, scope } = environment;
  const id = requireValue(intentId, 'the intent');
  const { intent } = await database.transact(scope, (tx) => intents.refreshSecretPublic(tx, id));
  const online = new OnlinePayments({ database, accounts: new AccountCache(), settings: DEFAULT_PAYMENT_SETTINGS });
  const description = { maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const;
  const requests: AuthorisationRequest[] = [];
  await online.pay(
    {
      ...{
        secret: intent.clientSecret ?? '',
        wallet: null,
        hasCv2,
        isSavingAllowed: false,
        isConsentGiven: false,
      },
      ...{ card: { ...description, expiryMonth: 12, expiryYear: 2032 }, contacts: { metadata: {} } },
      device: { userAgent: '', ipAddress: '' },
    },
    {
      authorise: (request) => {
        requests.push(request);
        const { reference, amount } = request;
        const approval = createOnlineApproval(amount, { reference, transactionId: randomUUID() });
        return Promise.resolve(answer(approval));
      },
      storeCard: () => undefined,
    },
  );
  return requireValue(requests[0], 'the request to the acquirer');
}

const buildApproval = (approval: Approval): AcquirerAnswer => ({ outcome: 'approved', approval });
const buildDecline = ({ reference }: Approval): AcquirerAnswer => ({
  outcome: 'declined',
  decline: { ...getDecline(), reference },
});

async function getIntentStatus({ intentId }: TablePayment): Promise<string> {
  const intent = await environment.database.read(environment.scope, (reader) => findIntent(reader, intentId ?? ''));
  return requireValue(intent, 'the intent').status;
}

test('a payer pays on their own device, and the bill shows it as a remote payment', async () => {
  const { diningSession, journeyView, payment } = await createLinkPayment();
  expect([payment.terminalSessionId, environment.isLocked(diningSession)]).toEqual([null, true]);
  await submitCard(payment, buildDecline);
  expect((await environment.getPayment(payment.id)).state).toBe('Started');
  await submitCard(payment, buildApproval);
  const { message } = await environment.waitForState(payment.id, 'Recorded');
  const { lines } = await gateway.receipts.getCopy(environment.scope, payment.id, 'customer');
  const printed = lines.flatMap(({ text }) => (text === undefined ? [] : [text.value]));
  expect(printed.filter((line) => /^(Table|Handset):/.test(line))).toEqual([`Table: ${diningSession.tableName}`]);
  const toldPayment = RecordPaymentRequest.decode(requireValue(message, 'the message'));
  expect(toldPayment.requestorInfo?.requestorType).toBe(RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE);
  expect(toldPayment.payment).toMatchObject({ baseAmount: 700n, gratuityAmount: 50n, waiterId: undefined });
  expect(toldPayment.payment?.methodDetails?.method).toBe(PaymentMethod.PAYMENT_METHOD_REMOTE);
  expect([environment.listRecordedAmounts(payment.id), environment.getPaidAmount(diningSession)]).toEqual([[700], 700]);
  // A second part, by the same payer, on the same journey.
  await environment.takePayment(gateway, journeyView, { mode: 'EQUAL', people: 2 });
});

test('a payer with the link pays online: the security code is needed and the issuer may challenge', async () => {
  const { payment } = await createLinkPayment();
  await expect(submitCard(payment, buildApproval, { hasCv2: false })).rejects.toMatchObject({
    members: { cV2: ['Is required.'] },
  });
  const request = await submitCard(payment, buildApproval);
  expect([request.isCardholderAbsent, request.isChallengePossible]).toEqual([false, true]);
  await environment.waitForState(payment.id, 'Recorded');
});

test('while a payer has the link no machine takes the table, and no second link is made', async () => {
  const { diningSession, journeyView, payment } = await createLinkPayment();
  expect(await getRefusalCode(environment.startJourney(gateway, diningSession))).toBe('SESSION_ALREADY_LOCKED');
  expect(await getRefusalCode(startJourney(diningSession, 'another key'))).toBe('SESSION_ALREADY_LOCKED');
  expect(await getRefusalCode(environment.takePayment(gateway, journeyView, { mode: 'FULL' }))).toBe('journey_busy');
  expect(await getRefusalCode(gateway.journeyService.finishJourney(environment.scope, journeyView.journey.id))).toBe(
    'journey_money_open',
  );
  const keyId = 'key_1' as const;
  const move = gateway.journeyService.moveJourney(
    { scope: environment.scope, keyId },
    journeyView.journey.id,
    environment.takeUnusedTid(),
  );
  expect(await getRefusalCode(move)).toBe('journey_not_movable');
  await gateway.journeyService.cancelPayment(environment.scope, payment.id);
  await environment.waitForState(payment.id, 'Ended');
  await gateway.journeyService.finishJourney(environment.scope, journeyView.journey.id);
  expect(environment.isLocked(diningSession)).toBe(false);
});

test('a link that was cancelled, or that nobody used in time, takes no money any more', async () => {
  const { payment } = await createLinkPayment();
  await gateway.journeyService.cancelPayment(environment.scope, payment.id);
  await environment.waitForState(payment.id, 'Ended');
  expect(await getIntentStatus(payment)).toBe('Canceled');
  await expect(submitCard(payment, buildApproval)).rejects.toThrow();
  expect((await environment.getPayment(payment.id)).state).toBe('Ended');
});

const RECORD = { method: 'RecordPayment', times: 1 } as const;
test.each<[string, EposFault, 'Recorded' | 'GivenBack', string]>([
  ['loses the answer to a link', { ...RECORD, effect: 'answer-lost', afterDoing: true }, 'Recorded', 'Captured'],
  ['refuses a link', { ...RECORD, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 'GivenBack', 'Reversed'],
])('when an EPOS %s that was paid, the money is recorded or given back', async (_, fault, then, status) => {
  const { diningSession, payment } = await createLinkPayment();
  environment.eposSimulator.faults.replaceFaults([fault]);
  await submitCard(payment, buildApproval);
  await waitUntil(async () => {
    const { state } = await environment.getPayment(payment.id);
    if (state === 'RecordUnknown') await environment.shiftPaymentTimes(payment.id, 5_000);
    return state === then;
  });
  environment.eposSimulator.faults.replaceFaults([]);
  expect([await getIntentStatus(payment), environment.getPaidAmount(diningSession)]).toEqual([
    status,
    then === 'Recorded' ? 700 : 0,
  ]);
});

test('another gateway continues when one is killed while a payer pays', async () => {
  const { payment } = await createLinkPayment();
  await gateway.stop();
  await submitCard(payment, buildApproval);
  gateway = await environment.startGateway();
  await environment.shiftPaymentTimes(payment.id, 6_000);
  await environment.waitForState(payment.id, 'Recorded');
  expect(environment.listRecordedAmounts(payment.id)).toEqual([700]);
});
