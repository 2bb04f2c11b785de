import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { requireValue } from '@pos/core/refusals';
import type { PaymentIntentId } from '@pos/core/identity';
import { APPROVED } from '@pos/sandbox/testing';
import { storeDeclaration } from '@pos/store/repositories';
import { createAccount } from './account-administration.js';
import { changeAccountSettings } from '@pos/payments/account-settings';
import { OnlinePayments } from '@pos/payments/online';
import {
  createIntent,
  createSubmission,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  findDifferences,
  MoneyOperations,
  readCall,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '@pos/payments/testing';

const CARD = { number: '4456530000091014', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A' };
const INSTRUMENT = { kind: 'present', terminalId: '90000001', card: CARD, verdict: APPROVED } as const;

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  testAccount = await createTestAccount(testEnvironment, { hasAmountTriggers: false });
  const declared = { environment: 'sandbox', name: 'default', capabilities: COMPLETE_CAPABILITIES } as const;
  await storeDeclaration(testEnvironment.database, declared);
});
afterAll(() => testEnvironment.close());

async function setNumber(number: string): Promise<void> {
  const change = { actor: 'anna', reason: 'a new contract' };
  await transactAs(testEnvironment, testAccount, (tx) =>
    changeAccountSettings(tx, change, { 'merchantIds.sandbox': { default: number } }),
  );
  testEnvironment.expireAccounts();
}

interface OnlinePayment {
  readonly id: PaymentIntentId;
  readonly reference: string;
  /** The number that the acquirer was asked for. */
  readonly merchantId: string;
}

/** A payment with a typed card, which the acquirer answers; or which never reaches it. */
async function payOnline({ isLost = false } = {}): Promise<OnlinePayment> {
  const id = await createIntent(testEnvironment, testAccount);
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.refreshSecretPublic(tx, id),
  );
  const { acquirer, acquirerServer } = testEnvironment;
  let asked = { reference: '', merchantId: '' };
  const paying = new OnlinePayments(testEnvironment).pay(
    createSubmission(requireValue(intent.clientSecret, 'the secret')),
    {
      authorise: async ({ reference, merchantId, amount, isCapturing }) => {
        asked = { reference, merchantId };
        if (isLost) return { outcome: 'unknown', reason: 'lost' };
        await acquirerServer.authorise({
          reference,
          merchantId,
          amount,
          isPurchase: isCapturing,
          instrument: INSTRUMENT,
        });
        return acquirer.inquire({ reference, deadlineMs: 5_000 });
      },
      storeCard: () => undefined,
    },
  );
  await paying.catch(() => null);
  return { id, ...asked };
}

const readBookedMerchant = (reference: string | null): string | undefined =>
  testEnvironment.acquirerServer.acquirer.books.findCall(reference ?? '')?.merchantId;

test('what follows an authorisation, and the comparison of books, use the number under which it was made', async () => {
  const own = [await payOnline(), await payOnline({ isLost: true })] as const;
  await setNumber('M-1');
  const first = [await payOnline(), await payOnline({ isLost: true })] as const;
  await setNumber('M-2');
  const second = [await payOnline(), await payOnline({ isLost: true })] as const;
  const attempts = [own, first, second];
  expect(attempts.map(([{ merchantId }]) => merchantId)).toEqual([testAccount.merchantId, 'M-1', 'M-2']);

  const money = new MoneyOperations(testEnvironment, testAccount);
  for (const [paid] of attempts) expect(await money.refund(paid.id, 500)).toBe('done');
  await elapseTime(testEnvironment, testAccount.scope, 180_000);
  for (const [paid, lost] of attempts) {
    // The acquirer has never received the authorisation, so the reversal brings its number.
    const { reverseReference } = await readCall(testEnvironment, testAccount, lost.reference);
    expect(readBookedMerchant(reverseReference)).toBe(paid.merchantId);
  }
  const numbers = await listCallNumbers();
  const ownNumber = testAccount.merchantId;
  expect(numbers).toEqual([ownNumber, 'M-1', 'M-2'].flatMap((each) => [each, each, each, each]).sort());

  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
  // A booking that no call has asked for is found under each of the numbers.
  for (const merchantId of ['M-1', 'M-2', testAccount.merchantId]) {
    const amount = { value: 700, currencyCode: 'GBP' };
    const reference = `stray ${merchantId}`;
    await testEnvironment.acquirerServer.authorise({
      reference,
      merchantId,
      amount,
      isPurchase: true,
      instrument: INSTRUMENT,
    });
  }
  const strays = await findDifferences(testEnvironment, testAccount);
  expect([...new Set(strays.map(({ reference }) => reference))].sort()).toEqual([
    'stray M-1',
    'stray M-2',
    `stray ${testAccount.merchantId}`,
  ]);
}, 60_000);

test('a number under which calls were made stays with its account', async () => {
  const change = { actor: 'anna', reason: 'a new contract' };
  const request = { name: 'b', tradingName: 'B', currencies: ['GBP'] };
  for (const merchantId of ['M-1', testAccount.merchantId]) {
    await expect(createAccount(testEnvironment.database, change, { ...request, merchantId })).rejects.toMatchObject({
      members: { merchantId: [`is the number of account ${testAccount.scope.accountId}`] },
    });
  }
});

async function listCallNumbers(): Promise<string[]> {
  const rows: { merchant_id: string }[] = await testEnvironment.database.dataSource.query(
    `select merchant_id from acquirer_calls where account_id = $1 order by merchant_id collate "C"`,
    [testAccount.scope.accountId],
  );
  return rows.map(({ merchant_id: number }) => number);
}
