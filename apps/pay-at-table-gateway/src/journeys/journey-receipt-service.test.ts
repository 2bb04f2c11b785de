import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import type { Receipt } from '@pos/core/receipts';
import type { TablePayment } from '@pos/core/tables';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { prepareReversal } from '@pos/payments/captures-refunds';
import { prepareRefund } from '@pos/payments/testing';
import { randomUUID } from 'node:crypto';
import type { TableServices } from '../testing/table-services.js';
import { getRefusalCode, TableTestEnvironment } from '../testing/table-world.js';

jest.setTimeout(30_000);

const SETTINGS = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };

let environment: TableTestEnvironment;
let gateway: TableServices;
let acquirer: AcquirerClient;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  gateway = await environment.startGateway();
  acquirer = new AcquirerClient(environment.resources.address);
});
afterAll(async () => {
  acquirer.close();
  await environment.close();
});
beforeEach(() => environment.eposSimulator.faults.replaceFaults([]));

/** A payment whose card was approved, on its way into the books or back. */
async function approvePayment(): Promise<TablePayment> {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  await environment.approvePayment(await environment.getPayment(paymentId));
  return environment.getPayment(paymentId);
}

async function createRecordedPayment(): Promise<TablePayment> {
  const { id } = await approvePayment();
  return environment.waitForState(id, 'Recorded');
}

/** Somebody at the payments API orders that so much goes back; the call to the acquirer, still to be made. */
function requestRefund({ intentId }: TablePayment, amount: number): Promise<string> {
  const refundRequest = { amount, reason: null, notes: null, previousTransactionId: null };
  return environment.database.transact(environment.scope, (tx) =>
    prepareRefund(tx, SETTINGS, { intentId: intentId ?? '', request: refundRequest }),
  );
}

function requestReversal({ intentId }: TablePayment): Promise<string> {
  const accounts = new AccountCache();
  return environment.database.transact(environment.scope, (tx) =>
    prepareReversal(tx, SETTINGS, { intentId: intentId ?? '', accounts }),
  );
}

async function completeCall(reference: Promise<string>): Promise<void> {
  const { database, scope } = environment;
  const calls = new AcquirerCalls({
    database,
    acquirers: { find: () => acquirer },
    accounts: new AccountCache(),
    settings: SETTINGS,
  });
  expect(await calls.pursueCall(scope, await reference)).toBe('over');
}

function getCopy({ id }: TablePayment): Promise<Receipt> {
  return gateway.receipts.getCopy(environment.scope, id, 'customer');
}

const getLastLine = ({ lines }: Receipt): string => requireValue(lines.at(-1), 'a line').text?.value ?? '';

const listLines = ({ lines }: Receipt): string[] =>
  lines.flatMap(({ text }) => (text === undefined ? [] : [text.value]));

test.each(['customer', 'merchant'] as const)('the %s copy names the table and the machine', async (copy) => {
  const diningSession = { ...environment.findUnpaidSession(), tableName: 'Window 4' };
  const journeyView = await environment.startJourney(gateway, diningSession);
  const paymentId = randomUUID();
  const { payments } = await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  const tid = requireValue(payments[0]?.tid, 'the machine');
  await environment.approvePayment(await environment.getPayment(paymentId));
  await environment.waitForState(paymentId, 'Recorded');
  const lines = listLines(await gateway.receipts.getCopy(environment.scope, paymentId, copy));
  expect(lines).toContain('Table: Window 4');
  // The machines of this place are named after their numbers, which stay masked.
  expect(lines).toContain(`Handset: ****${tid.slice(-4)}`);
});

test('a receipt of a moved payment names the machine that read the card', async () => {
  const journeyView = await environment.startJourney(gateway, {
    ...environment.findUnpaidSession(),
    tableName: 'Window 5',
  });
  const other = environment.takeUnusedTid();
  await gateway.journeyService.moveJourney({ scope: environment.scope, keyId: 'key_1' }, journeyView.journey.id, other);
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  await environment.approvePayment(await environment.getPayment(paymentId));
  await environment.waitForState(paymentId, 'Recorded');
  const lines = listLines(await getCopy(await environment.getPayment(paymentId)));
  expect(lines).toEqual(expect.arrayContaining(['Table: Window 5', `Handset: ****${other.slice(-4)}`]));
});

test('a session without a table has a receipt without one', async () => {
  const journeyView = await environment.startJourney(gateway, { ...environment.findUnpaidSession(), tableName: null });
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  await environment.approvePayment(await environment.getPayment(paymentId));
  await environment.waitForState(paymentId, 'Recorded');
  const lines = listLines(await getCopy(await environment.getPayment(paymentId)));
  expect(lines.filter((line) => line.startsWith('Table:'))).toEqual([]);
});

test('the last line of a receipt states a later refund of the part', async () => {
  const payment = await createRecordedPayment();
  expect(getLastLine(await getCopy(payment))).toBe('Please keep this receipt');
  await completeCall(requestRefund(payment, 150));
  expect(getLastLine(await getCopy(payment))).toBe('Refunded since: 1.50 GBP');
});

test.each<[string, () => Promise<TablePayment>]>([
  [
    'all of it was refunded',
    async () => {
      const payment = await createRecordedPayment();
      await completeCall(requestRefund(payment, payment.base.value));
      return payment;
    },
  ],
  [
    'the acquirer has still to refund the rest',
    async () => {
      const payment = await createRecordedPayment();
      await completeCall(requestRefund(payment, 150));
      await requestRefund(payment, payment.base.value - 150);
      return payment;
    },
  ],
  [
    'it was reversed',
    async () => {
      const payment = await createRecordedPayment();
      await completeCall(requestReversal(payment));
      return payment;
    },
  ],
  [
    'the acquirer has still to reverse it',
    async () => {
      const payment = await createRecordedPayment();
      await requestReversal(payment);
      return payment;
    },
  ],
  [
    'a person has to see whether it was given back',
    async () => {
      environment.eposSimulator.faults.replaceFaults([
        { method: 'RecordPayment', effect: 'refuse', code: 'SESSION_NOT_LOCKED' },
      ]);
      const { id } = await approvePayment();
      const payment = await environment.waitForState(id, 'NeedsOperator');
      // Its money is kept as long as nobody has begun to give it back.
      expect(getLastLine(await getCopy(payment))).toBe('Please keep this receipt');
      await environment.database.dataSource.query('update table_payments set give_back_since = since where id = $1', [
        id,
      ]);
      return payment;
    },
  ],
])('there is no receipt once %s', async (_, happens) => {
  const payment = await happens();
  expect(await getRefusalCode(getCopy(payment))).toBe('receipt_not_available');
  const sent = gateway.receipts.sendCopy(environment.scope, payment.id, ['ada@example.com']);
  expect(await getRefusalCode(sent)).toBe('receipt_not_available');
});
