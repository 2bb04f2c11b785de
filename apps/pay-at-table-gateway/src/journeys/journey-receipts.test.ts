import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import type { Receipt } from '@pos/core/receipt';
import type { TablePayment } from '@pos/core/table-payment';
import { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import { Refunds } from '@pos/payments/refunds';
import { Reversals } from '@pos/payments/reversals';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/settings';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { refusalOf, TableStage } from './testing.js';

jest.setTimeout(30_000);

const SETTINGS = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };

let stage: TableStage;
let gateway: Tables;
let acquirer: AcquirerClient;
beforeAll(async () => {
  stage = await TableStage.open();
  gateway = await stage.gateway();
  acquirer = new AcquirerClient(stage.parts.address);
});
afterAll(async () => {
  acquirer.close();
  await stage.close();
});
beforeEach(() => stage.door.faults.replace([]));

/** A payment whose card was approved, on its way into the books or back. */
async function approved(): Promise<TablePayment> {
  const begun = await stage.begin(gateway, stage.party());
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  await stage.approve(await stage.paymentOf(paymentId));
  return stage.paymentOf(paymentId);
}

async function recorded(): Promise<TablePayment> {
  const { id } = await approved();
  return stage.arrives(id, 'Recorded');
}

/** Somebody at the payments API orders that so much goes back; the call to the acquirer, still to be made. */
function refunding({ intentId }: TablePayment, amount: number): Promise<string> {
  const order = { amount, reason: null, notes: null, previousTransactionId: null };
  return stage.database.transact(stage.scope, (tx) => new Refunds(SETTINGS).reserve(tx, intentId ?? '', order));
}

function reversing({ intentId }: TablePayment): Promise<string> {
  const reversals = new Reversals(new AccountCache(), SETTINGS);
  return stage.database.transact(stage.scope, (tx) => reversals.reserve(tx, intentId ?? ''));
}

async function made(reference: Promise<string>): Promise<void> {
  const { database, scope } = stage;
  const calls = new AcquirerCalls({ database, acquirer, accounts: new AccountCache(), settings: SETTINGS });
  expect(await calls.pursueCall(scope, await reference)).toBe('over');
}

function copyOf({ id }: TablePayment): Promise<Receipt> {
  return gateway.receipts.copy(stage.scope, id, 'customer');
}

const lastLine = ({ lines }: Receipt): string => required(lines.at(-1), 'a line').text?.value ?? '';

const linesOf = ({ lines }: Receipt): string[] => lines.flatMap(({ text }) => (text === undefined ? [] : [text.value]));

test.each(['customer', 'merchant'] as const)('the %s copy names the table and the machine', async (copy) => {
  const party = { ...stage.party(), tableName: 'Window 4' };
  const begun = await stage.begin(gateway, party);
  const paymentId = randomUUID();
  const { payments } = await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  const tid = required(payments[0]?.tid, 'the machine');
  await stage.approve(await stage.paymentOf(paymentId));
  await stage.arrives(paymentId, 'Recorded');
  const lines = linesOf(await gateway.receipts.copy(stage.scope, paymentId, copy));
  expect(lines).toContain('Table: Window 4');
  // The machines of this place are named after their numbers, which stay masked.
  expect(lines).toContain(`Handset: ****${tid.slice(-4)}`);
});

test('a payment that moved names the machine that took the card', async () => {
  const begun = await stage.begin(gateway, { ...stage.party(), tableName: 'Window 5' });
  const other = stage.freshTid();
  await gateway.desk.move({ scope: stage.scope, keyId: 'key_1' }, begun.journey.id, other);
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  await stage.approve(await stage.paymentOf(paymentId));
  await stage.arrives(paymentId, 'Recorded');
  const lines = linesOf(await copyOf(await stage.paymentOf(paymentId)));
  expect(lines).toEqual(expect.arrayContaining(['Table: Window 5', `Handset: ****${other.slice(-4)}`]));
});

test('a session without a table has a receipt without one', async () => {
  const begun = await stage.begin(gateway, { ...stage.party(), tableName: null });
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  await stage.approve(await stage.paymentOf(paymentId));
  await stage.arrives(paymentId, 'Recorded');
  const lines = linesOf(await copyOf(await stage.paymentOf(paymentId)));
  expect(lines.filter((line) => line.startsWith('Table:'))).toEqual([]);
});

test('a part that was refunded since is said on the receipt, in its last line', async () => {
  const payment = await recorded();
  expect(lastLine(await copyOf(payment))).toBe('Please keep this receipt');
  await made(refunding(payment, 150));
  expect(lastLine(await copyOf(payment))).toBe('Refunded since: 1.50 GBP');
});

test.each<[string, () => Promise<TablePayment>]>([
  [
    'all of it was refunded',
    async () => {
      const payment = await recorded();
      await made(refunding(payment, payment.base.value));
      return payment;
    },
  ],
  [
    'the acquirer has still to refund the rest',
    async () => {
      const payment = await recorded();
      await made(refunding(payment, 150));
      await refunding(payment, payment.base.value - 150);
      return payment;
    },
  ],
  [
    'it was reversed',
    async () => {
      const payment = await recorded();
      await made(reversing(payment));
      return payment;
    },
  ],
  [
    'the acquirer has still to reverse it',
    async () => {
      const payment = await recorded();
      await reversing(payment);
      return payment;
    },
  ],
  [
    'a person has to see whether it was given back',
    async () => {
      stage.door.faults.replace([{ method: 'RecordPayment', effect: 'refuse', code: 'SESSION_NOT_LOCKED' }]);
      const { id } = await approved();
      const payment = await stage.arrives(id, 'NeedsOperator');
      // Its money is kept as long as nobody has begun to give it back.
      expect(lastLine(await copyOf(payment))).toBe('Please keep this receipt');
      await stage.database.dataSource.query('update table_payments set give_back_since = since where id = $1', [id]);
      return payment;
    },
  ],
])('there is no receipt once %s', async (_, happens) => {
  const payment = await happens();
  expect(await refusalOf(copyOf(payment))).toBe('receipt_not_available');
  const sent = gateway.receipts.send(stage.scope, payment.id, ['ada@example.com']);
  expect(await refusalOf(sent)).toBe('receipt_not_available');
});
