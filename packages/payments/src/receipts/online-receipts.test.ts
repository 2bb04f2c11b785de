import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOnlineApproval, gbp } from '@pos/core/testing';
import { listLocations, updateLocation } from '@pos/store/repositories';
import { AccountCache } from '../accounts/account-cache.js';
import { concludeAttempt } from '../online/attempt-conclusion.js';
import { createUnansweredAttempt } from '../testing/online-attempts.js';
import {
  createTestAccount,
  createTestEnvironment,
  transactAs,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { Receipts } from './receipts.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(() => testEnvironment.close());

test('the receipt of a payment on a page has the time of the first location', async () => {
  const account = await createTestAccount(testEnvironment);
  const { id, reference } = await createUnansweredAttempt(testEnvironment, account);
  await transactAs(testEnvironment, account, (tx) =>
    concludeAttempt(tx, reference, { outcome: 'approved', approval: createOnlineApproval(gbp(2_000), { reference }) }),
  );
  await testEnvironment.database.transact(account.scope, async (tx) => {
    const [first] = await listLocations(tx);
    if (first === undefined) throw new Error('the account has no location');
    await updateLocation(tx, first.id, { timeZone: 'Asia/Kathmandu' });
  });
  const receipts = new Receipts(new AccountCache());
  const { lines } = await testEnvironment.database.read(account.scope, (reader) =>
    receipts.copy(reader, id, 'customer'),
  );
  expect(lines.flatMap(({ text }) => (text?.value.includes('UTC') === true ? [text.value] : []))).toEqual([
    expect.stringMatching(/^[\d-]+ [\d:]+ UTC\+05:45$/),
  ]);
});
