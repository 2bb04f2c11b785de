import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { money } from '@pos/core/money/money';
import { requireValue } from '@pos/core/refusals/assert';
import { findIntent } from '@pos/store/payments/payment-intents';
import { insertProvedTransaction } from '@pos/store/tables/proved-transactions';
import { createPaidIntent } from '../testing/card-machine.js';
import {
  createTestAccount,
  createTestEnvironment,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { requirePaidDeposit } from './deposits.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(() => testEnvironment.close());

test('a deposit is no money that has paid a bill', async () => {
  const shop = await createTestAccount(testEnvironment);
  const { intentId } = await createPaidIntent(testEnvironment, shop);
  const deposit = { totalAmount: money(100, 'GBP'), paymentIntentIds: [intentId] };
  await transactAs(testEnvironment, shop, (tx) => requirePaidDeposit(tx, deposit));
  await transactAs(testEnvironment, shop, async (tx) => {
    const intent = requireValue(await findIntent(tx, intentId), 'the payment');
    const { transactionId } = requireValue(intent.paymentDetails, 'its card transaction');
    insertProvedTransaction(tx, { transactionId, paymentId: 'payment-1' });
  });
  await expect(transactAs(testEnvironment, shop, (tx) => requirePaidDeposit(tx, deposit))).rejects.toMatchObject({
    members: { 'deposit.paymentIntentIds': ['Has paid for a bill or an order.'] },
  });
});
