import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { requireValue } from '@pos/core/refusals';
import { money } from '@pos/core/money';
import type { TablePayment } from '@pos/core/tables';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { buildUnsuccessfulReport, type JourneyView } from '@pos/payments/tables';
import { changeTestSettings, deriveAttemptId } from '@pos/payments/testing';
import type { EposFault } from '@pos/sandbox/epos-simulator';
import type { RecordedPayment } from '@pos/sandbox/epos';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { hasTimer } from '@pos/store/queues';
import { storeDeclaration } from '@pos/store/repositories';
import { randomUUID } from 'node:crypto';
import { defineInLongRun, selectRows } from '@pos/testing';
import type { TableServices } from '../testing/table-services.js';
import { CANCELED, CardMachineTestDriver, CONFIRMED } from '../testing/cards.js';
import { TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

// epos.md 8.7: attempts without money are reported only if the account wants it, and an EPOS books nothing for them.

jest.setTimeout(30_000);

/** A restaurant whose account asks for its unsuccessful attempts, or does not. */
interface TestRestaurant {
  readonly environment: TableTestEnvironment;
  readonly cards: CardMachineTestDriver;
  readonly gateway: TableServices;
  readonly worker: AcquirerCalls;
  readonly acquirer: AcquirerClient;
}

async function createRestaurant(reportUnsuccessful: boolean): Promise<TestRestaurant> {
  const environment = await TableTestEnvironment.create();
  const { database, scope } = environment;
  await changeTestSettings(database, scope, { 'payAtTable.reportUnsuccessful': reportUnsuccessful });
  const acquirer = new AcquirerClient(environment.resources.address);
  const calls = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };
  const worker = new AcquirerCalls({
    database: environment.database,
    acquirers: { find: () => acquirer },
    accounts: new AccountCache(),
    settings: calls,
  });
  return {
    environment,
    cards: new CardMachineTestDriver(environment),
    gateway: await environment.startGateway(),
    worker,
    acquirer,
  };
}

let reportingRestaurant: TestRestaurant;
let silentRestaurant: TestRestaurant;
beforeAll(async () => {
  reportingRestaurant = await createRestaurant(true);
  silentRestaurant = await createRestaurant(false);
});
afterAll(async () => {
  for (const { environment, acquirer } of [reportingRestaurant, silentRestaurant]) {
    acquirer.close();
    await environment.close();
  }
});
beforeEach(() => reportingRestaurant.environment.eposSimulator.faults.replaceFaults([]));

interface AttemptedPayment {
  readonly diningSession: DiningSession;
  readonly journeyView: JourneyView;
  readonly payment: TablePayment;
}

/** A card machine asks for the card of a whole bill, with a tip. */
async function createCardAttempt({ environment, gateway }: TestRestaurant): Promise<AttemptedPayment> {
  const diningSession = environment.findUnpaidSession();
  const journeyView = await environment.startJourney(gateway, diningSession);
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', gratuity: 50, paymentId });
  return { diningSession, journeyView, payment: await environment.getPayment(paymentId) };
}

/** A payer has the link for a part of the bill. */
async function createLinkAttempt({ environment, gateway }: TestRestaurant): Promise<AttemptedPayment> {
  const diningSession = environment.findUnpaidSession();
  const { id: sessionId, name: sessionName, tableName } = diningSession;
  const requestor = { type: 'consumerDevice' } as const;
  const paymentRequest = {
    sessionId,
    sessionName,
    tableName,
    isPayable: true,
    owner: `key of ${diningSession.id}`,
    requestor,
  };
  const journeyView = await gateway.journeyService.startJourney(environment.scope, paymentRequest);
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, {
    mode: 'CUSTOM',
    amount: money(700, 'GBP'),
    gratuity: 50,
    paymentId,
  });
  return { diningSession, journeyView, payment: await environment.getPayment(paymentId) };
}

/** What the EPOS received of it. */
function listReported({ environment }: TestRestaurant, { id }: TablePayment): RecordedPayment[] {
  return environment.eposSimulator.epos
    .listUnsuccessfulAttempts()
    .filter((attempt) => attempt.id === deriveAttemptId(id));
}

async function isTimerDone({ environment }: TestRestaurant, { id: subject }: TablePayment): Promise<boolean> {
  return !(await environment.database.read(environment.scope, (reader) =>
    hasTimer(reader, { kind: 'table-payment', subject }),
  ));
}

/** What the attempt is called in the message. */
async function readAttemptName({ environment }: TestRestaurant, payment: TablePayment): Promise<string> {
  const attempt = await environment.database.read(environment.scope, async (reader) =>
    buildUnsuccessfulReport(reader, payment, new AccountCache()),
  );
  if (!attempt.isReportable) return attempt.reason;
  const details = RecordPaymentRequest.decode(attempt.message).payment?.methodDetails;
  return requireValue(details?.cardPresentPaymentStatus ?? details?.remotePaymentStatus, 'the status of the attempt');
}

/** The acquirer has acknowledged that nothing is held. */
async function completeReversal({ cards, worker, environment }: TestRestaurant, payment: TablePayment): Promise<void> {
  const { reverseReference } = await cards.getMachineCall(payment);
  await worker.pursueCall(environment.scope, requireValue(reverseReference, 'the reversal'));
  await cards.waitForNextCheck(payment);
}

async function expireCardWindow(restaurant: TestRestaurant, payment: TablePayment): Promise<void> {
  await restaurant.cards.applyReports(payment, CONFIRMED);
  await restaurant.cards.expireSessionWindow(payment);
  const open = await restaurant.cards.getMachineCall(payment);
  await restaurant.cards.makeReversalDue(open);
  await restaurant.worker.pursueCall(restaurant.environment.scope, open.reference);
}

const OUTCOMES: readonly [
  string,
  typeof createCardAttempt,
  (restaurant: TestRestaurant, payment: TablePayment) => Promise<void>,
  string,
][] = [
  [
    'a card was declined',
    createCardAttempt,
    ({ environment }, payment) => environment.declinePayment(payment),
    'CARD_PRESENT_PAYMENT_STATUS_DECLINED',
  ],
  [
    'the payer cancelled at the machine',
    createCardAttempt,
    ({ cards }, payment) => cards.applyReports(payment, CONFIRMED, CANCELED),
    'CARD_PRESENT_PAYMENT_STATUS_CANCELLED',
  ],
  [
    'the device cancelled',
    createCardAttempt,
    async ({ cards, gateway, environment }, payment) => {
      await cards.applyReports(payment, CONFIRMED);
      await gateway.journeyService.cancelPayment(environment.scope, payment.id);
      await cards.applyReports(payment, CANCELED);
    },
    'CARD_PRESENT_PAYMENT_STATUS_CANCELLED',
  ],
  [
    'a machine fell silent and its payment was reversed',
    createCardAttempt,
    async (restaurant, payment) => {
      await expireCardWindow(restaurant, payment);
      await completeReversal(restaurant, payment);
    },
    'CARD_PRESENT_PAYMENT_STATUS_UNKNOWN',
  ],
  [
    'a signature was refused and its payment reversed',
    createCardAttempt,
    async (restaurant, payment) => {
      await restaurant.environment.approvePayment(payment, { isSignatureRequired: true });
      await restaurant.gateway.journeyService.decideSignature(restaurant.environment.scope, payment.id, false);
      await completeReversal(restaurant, payment);
    },
    'CARD_PRESENT_PAYMENT_STATUS_DECLINED',
  ],
  [
    'a link was cancelled',
    createLinkAttempt,
    async ({ gateway, environment }, payment) => {
      await gateway.journeyService.cancelPayment(environment.scope, payment.id);
    },
    'REMOTE_PAYMENT_STATUS_CANCELLED',
  ],
];

test.each(selectRows(OUTCOMES))(
  'an EPOS that wants it is notified that %s, and its books stay as they were',
  async (_, createAttempt, ends, said) => {
    const { environment, gateway } = reportingRestaurant;
    const { diningSession, journeyView, payment } = await createAttempt(reportingRestaurant);
    const had = environment.eposSimulator.epos.listPayments();
    await ends(reportingRestaurant, payment);
    const ended = await environment.waitForState(payment.id, 'Ended');
    await waitUntil(
      async () => listReported(reportingRestaurant, payment).length === 1 && isTimerDone(reportingRestaurant, payment),
    );
    const { base, gratuity, cashback } = payment;
    expect(listReported(reportingRestaurant, payment)).toMatchObject([
      { isSuccessful: false, sessionId: diningSession.id, base, gratuity, cashback, acquirerTransactionId: '' },
    ]);
    expect(await readAttemptName(reportingRestaurant, ended)).toBe(said);
    expect([environment.getPaidAmount(diningSession), environment.eposSimulator.epos.listPayments()]).toEqual([0, had]);
    expect(await environment.getPayment(payment.id)).toEqual(ended);

    // The session is still the journey's, which continues.
    expect(environment.isLocked(diningSession)).toBe(true);
    await gateway.journeyService.finishJourney(environment.scope, journeyView.journey.id);
    expect(environment.isLocked(diningSession)).toBe(false);
  },
);

test.each(selectRows(OUTCOMES))(
  'an EPOS that does not want it receives nothing when %s',
  async (_, createAttempt, ends) => {
    const { payment } = await createAttempt(silentRestaurant);
    await ends(silentRestaurant, payment);
    await silentRestaurant.environment.waitForState(payment.id, 'Ended');
    await waitUntil(() => isTimerDone(silentRestaurant, payment));
    expect(silentRestaurant.environment.eposSimulator.epos.listUnsuccessfulAttempts()).toEqual([]);
  },
);

test('neither a payment that may still be approved nor an approved one is reported as an attempt', async () => {
  const { environment, cards } = reportingRestaurant;
  const silent = await createCardAttempt(reportingRestaurant);
  await expireCardWindow(reportingRestaurant, silent.payment);
  await cards.waitForNextCheck(silent.payment);
  expect((await environment.getPayment(silent.payment.id)).state).toBe('Started');
  const ended: TablePayment = { ...silent.payment, state: 'Ended' };
  expect(await readAttemptName(reportingRestaurant, ended)).toBe('it may still be approved');
  await environment.approvePayment((await createCardAttempt(reportingRestaurant)).payment);
  const paid = await createCardAttempt(reportingRestaurant);
  await environment.approvePayment(paid.payment);
  await environment.waitForState(paid.payment.id, 'Recorded');
  expect([listReported(reportingRestaurant, silent.payment), listReported(reportingRestaurant, paid.payment)]).toEqual([
    [],
    [],
  ]);
});

const RECORD = { method: 'RecordPayment' } as const;

test('an attempt whose answer was lost is reported again as the same one', async () => {
  const { environment } = reportingRestaurant;
  const { payment } = await createCardAttempt(reportingRestaurant);
  environment.eposSimulator.faults.replaceFaults([{ ...RECORD, effect: 'answer-lost', times: 1 }]);
  await environment.declinePayment(payment);
  await waitUntil(
    async () => listReported(reportingRestaurant, payment).length === 2 && isTimerDone(reportingRestaurant, payment),
  );
  const [first, second] = listReported(reportingRestaurant, payment).map(({ recordedAt: _, ...attempt }) => attempt);
  expect(second).toEqual(first);
});

testLong('an attempt of a card has the same bytes after its account has got another merchant number', async () => {
  const { environment, gateway } = reportingRestaurant;
  const { database, scope } = environment;
  const { payment, journeyView } = await createCardAttempt(reportingRestaurant);
  await environment.declinePayment(payment);
  const ended = await environment.waitForState(payment.id, 'Ended');
  const readReport = () => database.read(scope, (reader) => buildUnsuccessfulReport(reader, ended, new AccountCache()));
  const before = await readReport();
  await storeDeclaration(database, { environment: 'sandbox', name: 'default', capabilities: COMPLETE_CAPABILITIES });
  await changeTestSettings(database, scope, { 'merchantIds.sandbox': { default: 'M-2' } });
  expect(before.isReportable).toBe(true);
  expect(await readReport()).toEqual(before);
  await changeTestSettings(database, scope, { 'merchantIds.sandbox': {} });
  await gateway.journeyService.finishJourney(scope, journeyView.journey.id);
});

test('an attempt is reported to an EPOS that has reconnected, by any gateway', async () => {
  const restaurant = await createRestaurant(true);
  const { payment } = await createCardAttempt(restaurant);
  restaurant.environment.eposSimulator.faults.replaceFaults([{ ...RECORD, effect: 'no-answer' }]);
  await restaurant.environment.declinePayment(payment);
  await waitUntil(() => restaurant.environment.eposSimulator.faults.listFaults().some(({ used }) => used > 0));
  await restaurant.gateway.stop();
  restaurant.environment.eposSimulator.faults.replaceFaults([]);
  await restaurant.environment.startGateway();
  await waitUntil(async () => listReported(restaurant, payment).length === 1 && isTimerDone(restaurant, payment));
  restaurant.acquirer.close();
  await restaurant.environment.close();
});

test.each(
  selectRows<[string, EposFault, number]>(
    [
      // what the EPOS does to every call              how often it is reported
      ['refuses it', { ...RECORD, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 1],
      ['wants a lock that it gave', { ...RECORD, effect: 'refuse', code: 'SESSION_NOT_LOCKED' }, 1],
      ['does not answer', { ...RECORD, effect: 'no-answer' }, 5],
      ['stumbles', { ...RECORD, effect: 'internal-error' }, 5],
    ],
    ([, , reports]) => reports,
  ),
)('an attempt is dropped when the EPOS %s, and the next part is paid all the same', async (_, fault, tries) => {
  const { environment, gateway } = reportingRestaurant;
  const { diningSession, journeyView, payment } = await createCardAttempt(reportingRestaurant);
  environment.eposSimulator.faults.replaceFaults([fault]);
  await environment.declinePayment(payment);
  await environment.waitForState(payment.id, 'Ended');
  await waitUntil(async () => {
    await environment.shiftPaymentTimes(payment.id, 0);
    return isTimerDone(reportingRestaurant, payment);
  });
  expect(environment.eposSimulator.faults.listFaults()).toMatchObject([{ used: tries }]);
  expect(listReported(reportingRestaurant, payment)).toEqual([]);
  environment.eposSimulator.faults.replaceFaults([]);
  const next = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId: next });
  const second = await environment.getPayment(next);
  await environment.approvePayment(second);
  await environment.waitForState(next, 'Recorded');
  expect([environment.getPaidAmount(diningSession), environment.isLocked(diningSession)]).toEqual([
    second.base.value,
    expect.any(Boolean),
  ]);
});

test('an attempt that was not reported in time is not reported any more once the session was released', async () => {
  const { environment, gateway } = reportingRestaurant;
  const { diningSession, journeyView, payment } = await createCardAttempt(reportingRestaurant);
  environment.eposSimulator.faults.replaceFaults([{ ...RECORD, effect: 'internal-error' }]);
  await environment.declinePayment(payment);
  await waitUntil(() => environment.eposSimulator.faults.listFaults().some(({ used }) => used > 0));
  // Nothing waits for the tries: the next card may be asked for, and the journey may end, meanwhile.
  await gateway.journeyService.finishJourney(environment.scope, journeyView.journey.id);
  environment.eposSimulator.faults.replaceFaults([]);
  // Another device has locked since: the EPOS would take the attempt for one of its own.
  await environment.startJourney(gateway, diningSession);
  await waitUntil(async () => {
    await environment.shiftPaymentTimes(payment.id, 0);
    return isTimerDone(reportingRestaurant, payment);
  });
  expect([listReported(reportingRestaurant, payment), environment.isLocked(diningSession)]).toEqual([[], true]);
});

test('a bill is paid while its EPOS is silent about an attempt on it', async () => {
  const { environment, gateway } = reportingRestaurant;
  const { diningSession, journeyView, payment } = await createCardAttempt(reportingRestaurant);
  environment.eposSimulator.faults.replaceFaults([{ ...RECORD, effect: 'internal-error', times: 1 }]);
  await environment.declinePayment(payment);
  await environment.waitForState(payment.id, 'Ended');
  await waitUntil(() => environment.eposSimulator.faults.listFaults().some(({ used }) => used > 0));
  const next = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId: next });
  await environment.approvePayment(await environment.getPayment(next));
  await environment.waitForState(next, 'Recorded');
  expect(environment.getPaidAmount(diningSession)).toBe((await environment.getPayment(next)).base.value);
});
