import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Receipt } from '@pos/core/receipts';
import { DAY_MS, formatZonedTime } from '@pos/core/time';
import { listLocations, updateLocation } from '@pos/store/repositories';
import { createPaidIntent } from '../testing/card-machine.js';
import { MoneyOperations } from '../testing/money-operations.js';
import {
  createTestAccount,
  createTestEnvironment,
  moveClock,
  readIntent,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { AccountCache } from '../accounts/account-cache.js';
import { Receipts } from './receipts.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(async () => {
  await testEnvironment.close();
});

const SHOWN = /^(SALE|PRE-AUTHORISATION|COMPLETION|REFUND|Amount|Gratuity|Total|Refunded)/;

function listTexts({ lines }: Receipt): string[] {
  return lines.flatMap(({ text }) => (text === undefined ? [] : [text.value]));
}

async function createPayment(captureMode: 'Auto' | 'Manual') {
  const account = await createTestAccount(testEnvironment);
  const { intentId: id } = await createPaidIntent(testEnvironment, account, { captureMode });
  const { database } = testEnvironment;
  const receipts = new Receipts(new AccountCache());
  return {
    ...{ id, account, money: new MoneyOperations(testEnvironment, account) },
    print: async () => listTexts(await database.read(account.scope, (reader) => receipts.copy(reader, id, 'customer'))),
  };
}

test('a receipt of a card machine says sale or hold, and that of a captured part what was taken', async () => {
  const sale = await createPayment('Auto');
  const hold = await createPayment('Manual');
  expect((await sale.print()).filter((text) => SHOWN.test(text))).toEqual([
    ...['SALE', 'Amount: 20.00 GBP', 'Total: 20.00 GBP'],
  ]);
  expect((await hold.print()).filter((text) => SHOWN.test(text))).toEqual([
    ...['PRE-AUTHORISATION', 'Amount: 20.00 GBP', 'Total: 20.00 GBP'],
  ]);
  const held = await hold.print();
  expect(await hold.money.capture(hold.id, 500)).toBe('done');
  const taken = await hold.print();
  expect(taken.filter((text) => SHOWN.test(text))).toEqual(['COMPLETION', 'Amount: 5.00 GBP', 'Total: 5.00 GBP']);
  // The card and the machine are those of the hold.
  const isCardLine = (text: string): boolean => /^(AID|PAN SEQ|Terminal|Auth code|\*{12})/.test(text);
  expect(taken.filter(isCardLine)).toEqual(held.filter(isCardLine));
  expect(await hold.money.refund(hold.id, 200)).toBe('done');
  expect((await hold.print()).filter((text) => SHOWN.test(text)).slice(-1)).toEqual(['Refunded since: 2.00 GBP']);
});

test('a receipt has the time of the location', async () => {
  const { account, id, money, print } = await createPayment('Manual');
  await testEnvironment.database.transact(account.scope, async (tx) => {
    const [first] = await listLocations(tx);
    if (first === undefined) throw new Error('the account has no location');
    await updateLocation(tx, first.id, { timeZone: 'Asia/Kathmandu' });
  });
  await money.capture(id, 500);
  expect((await print()).filter((text) => text.includes('UTC'))).toEqual([
    expect.stringMatching(/^[\d-]+ [\d:]+ UTC\+05:45$/),
  ]);
});

test('after the clock of the sandbox was advanced, a payment and its receipt are not older than the intent', async () => {
  const account = await createTestAccount(testEnvironment);
  await moveClock(testEnvironment, account.scope, 10 * DAY_MS);
  const { intentId } = await createPaidIntent(testEnvironment, account);
  const { createdAt, updatedAt, paymentDetails } = await readIntent(testEnvironment, account, intentId);
  const takenAt = new Date(paymentDetails?.transactionDateTime ?? 0);
  expect(takenAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
  expect(takenAt.getTime()).toBeLessThanOrEqual(updatedAt.getTime());
  const receipts = new Receipts(new AccountCache());
  const copy = await testEnvironment.database.read(account.scope, (reader) =>
    receipts.copy(reader, intentId, 'merchant'),
  );
  expect(listTexts(copy)).toContain(formatZonedTime(takenAt, 'UTC'));
});
