import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PaymentIntentId } from '@pos/core/identity';
import { DAY_MS } from '@pos/core/time';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  elapseTime,
  listTimers,
  readIntent,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { TestCardMachine } from '../testing/card-machine.js';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment);
});
afterAll(() => testEnvironment.close());

const ENDS: Readonly<Record<string, (id: PaymentIntentId) => Promise<unknown>>> = {
  Canceled: (id) => transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, id)),
  'Canceled by its expiry': () => elapseTime(testEnvironment, testAccount.scope, 30 * DAY_MS),
  Captured: async (id) => {
    await (await TestCardMachine.startSale(testEnvironment, testAccount, id)).approvePayment();
  },
};

test.each(Object.keys(ENDS))(
  'a payment that is %s keeps no expiry, and wakes the payment at the table',
  async (end) => {
    const id = await createIntent(testEnvironment, testAccount, { paymentSource: 'pay-at-table' });
    expect(await listTimers(testEnvironment, testAccount)).toEqual([`intent-expiry ${id}`]);
    let wake = (): void => undefined;
    const waking = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stopListening = await testEnvironment.database.listen('journeys', (subject) => {
      if (subject === id) wake();
    });
    await ENDS[end]?.(id);
    expect((await readIntent(testEnvironment, testAccount, id)).status).toBe(end.split(' ')[0]);
    expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
    await waking;
    await stopListening();
  },
);
