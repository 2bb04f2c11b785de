import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import type { TablePayment } from '@pos/core/tables';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { type JourneyView, listPendingPayments } from '@pos/payments/tables';
import { randomUUID } from 'node:crypto';
import type { TableServices } from '../testing/table-services.js';
import { CardMachineTestDriver, CONFIRMED } from '../testing/cards.js';
import { getRefusalCode, TableTestEnvironment } from '../testing/table-world.js';

// A card machine that sends nothing any more may still be at the acquirer: epos.md 11.4, "meanwhile no second payment".

jest.setTimeout(30_000);

let environment: TableTestEnvironment;
let cards: CardMachineTestDriver;
let gateway: TableServices;
let acquirer: AcquirerClient;
let worker: AcquirerCalls;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  cards = new CardMachineTestDriver(environment);
  gateway = await environment.startGateway();
  acquirer = new AcquirerClient(environment.resources.address);
  const settings = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };
  worker = new AcquirerCalls({
    database: environment.database,
    acquirers: { find: () => acquirer },
    accounts: new AccountCache(),
    settings,
  });
});
afterAll(async () => {
  acquirer.close();
  await environment.close();
});

interface SilentPayment {
  readonly journeyView: JourneyView;
  readonly payment: TablePayment;
}

/** A payment that is cancelled on a machine which has fallen silent; its reversal is ordered and waits for its worker. */
async function createCanceledPayment(): Promise<SilentPayment> {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  const payment = await environment.getPayment(paymentId);
  await cards.applyReports(payment, CONFIRMED);
  await gateway.journeyService.cancelPayment(environment.scope, paymentId);
  await cards.expireSessionWindow(payment);
  const open = await cards.getMachineCall(payment);
  await cards.makeReversalDue(open);
  expect(await worker.pursueCall(environment.scope, open.reference)).toBe('over');
  return { journeyView, payment };
}

function retakePayment({ journeyView }: SilentPayment, services = gateway): Promise<string> {
  return getRefusalCode(
    environment.takePayment(services, journeyView, { mode: 'FULL', tid: environment.takeUnusedTid() }),
  );
}

async function pushReversal(payment: TablePayment): Promise<void> {
  const { reverseReference } = await cards.getMachineCall(payment);
  expect(await worker.pursueCall(environment.scope, requireValue(reverseReference, 'the reversal'))).toBe('over');
}

test('no second card is requested before the money of a silent machine is certainly returned', async () => {
  const silent = await createCanceledPayment();
  const { payment, journeyView } = silent;
  // Cut off from us, the machine still reaches the acquirer: the payer's money is held once.
  await environment.authoriseCard(payment);
  await cards.waitForNextCheck(payment);
  expect((await environment.getPayment(payment.id)).state).toBe('Started');
  expect(await retakePayment(silent)).toBe('journey_busy');
  expect(await getRefusalCode(gateway.journeyService.finishJourney(environment.scope, journeyView.journey.id))).toBe(
    'journey_money_open',
  );

  await pushReversal(payment);
  const ended = await environment.waitForState(payment.id, 'Ended');
  expect(ended.lastError).toBe('expired');
  expect(await cards.getMachineCall(payment)).toMatchObject({ state: 'Settled', outcome: 'Reversed' });
  expect(await retakePayment(silent)).toBe('done');
});

test('a table is on the pending list after a minute while its acquirer does not reverse the money', async () => {
  const { payment } = await createCanceledPayment();
  const pending = async () => {
    const lines = await environment.database.read(environment.scope, async (reader) =>
      listPendingPayments(reader, new Date()),
    );
    return lines.find((line) => line.payment.id === payment.id) ?? null;
  };
  await cards.waitForNextCheck(payment);
  expect(await pending()).toBeNull();
  await cards.ageReversal(payment);
  await cards.waitForNextCheck(payment);
  expect(await pending()).toMatchObject({ isAlarming: true, payment: { state: 'Started' } });
  await pushReversal(payment);
  await environment.waitForState(payment.id, 'Ended');
  expect(await pending()).toBeNull();
});

test('a restarted gateway waits for the same reversal', async () => {
  const silent = await createCanceledPayment();
  const other = await environment.startGateway();
  await cards.waitForNextCheck(silent.payment);
  expect(await retakePayment(silent, other)).toBe('journey_busy');
  await pushReversal(silent.payment);
  await environment.waitForState(silent.payment.id, 'Ended');
  expect(await retakePayment(silent, other)).toBe('done');
});

test('a refused signature frees the table when the money is returned, not when the reversal is ordered', async () => {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  const payment = await environment.getPayment(paymentId);
  await environment.approvePayment(payment, { isSignatureRequired: true });
  await gateway.journeyService.decideSignature(environment.scope, paymentId, false);
  await cards.waitForNextCheck(payment);
  expect(await retakePayment({ journeyView, payment })).toBe('journey_busy');
  await pushReversal(payment);
  await environment.waitForState(paymentId, 'Ended');
  expect(await retakePayment({ journeyView, payment })).toBe('done');
});
