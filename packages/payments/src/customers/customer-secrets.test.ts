import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '@pos/core/identity';
import { createCustomerSecret, readCustomerSecret } from '@pos/core/ids';
import { testId } from '@pos/core/testing';
import { defineStatement } from '@pos/postgres/statements';
import { authenticateCustomer, findValidSecret } from './customer-secrets.js';
import { Customers, issueCustomerSecret } from './customers.js';
import {
  transactAs,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  testAccount = await createTestAccount(testEnvironment);
  stranger = await createTestAccount(testEnvironment);
});
afterAll(() => testEnvironment.close());

const customers = new Customers();
const newCustomer = async (at = testAccount): Promise<CustomerId> =>
  (await transactAs(testEnvironment, at, (tx) => customers.create(tx, { name: 'Ada' }))).id;
const issue = (customerId: string, at = testAccount) =>
  transactAs(testEnvironment, at, (tx) => issueCustomerSecret(tx, customerId));
const authenticate = (text: string | null, customerId: string) =>
  authenticateCustomer(testEnvironment.database, { text, customerId });
const MINUTE_MS = 60_000;

test('the bearer of a secret may act for its customer any number of times, for 15 minutes of account time', async () => {
  const customerId = await newCustomer();
  const { text, createdAt, expireAt } = await issue(customerId);
  expect(expireAt.getTime() - createdAt.getTime()).toBe(15 * MINUTE_MS);
  for (let time = 0; time < 3; time += 1) {
    expect(await authenticate(text, customerId)).toMatchObject({
      scope: testAccount.scope,
      secret: { customerId, expireAt },
    });
  }
  await moveClock(testEnvironment, testAccount.scope, 14 * MINUTE_MS);
  expect((await authenticate(text, customerId)).scope).toEqual(testAccount.scope);
  await moveClock(testEnvironment, testAccount.scope, MINUTE_MS);
  expect(await getOutcome(authenticate(text, customerId))).toBe('unauthenticated');
});

describe('a secret is refused', () => {
  test('with the same message for every reason', async () => {
    const customerId = await newCustomer();
    const [other, foreign] = [await newCustomer(), await newCustomer(stranger)];
    const { text } = await issue(customerId);
    const claim = readCustomerSecret(text)!;
    const forged = createCustomerSecret({ ...claim, random: new Uint8Array(32) });
    const moved = createCustomerSecret({ ...claim, accountId: stranger.scope.accountId, random: new Uint8Array(32) });
    const never = createCustomerSecret({ ...claim, secretId: testId('customerSecret'), random: new Uint8Array(32) });
    const attempts: [string | null, string][] = [
      [null, customerId],
      ['', customerId],
      ['cs', customerId],
      [claim.secretId, customerId],
      ['x'.repeat(100_000), customerId],
      [forged, customerId],
      [moved, customerId],
      [never, customerId],
      [`${text.slice(0, -1)}${text.endsWith('A') ? 'E' : 'A'}`, customerId],
      [text, other],
      [text, foreign],
      [text, 'cust_sandbox_x'],
      [(await issue(foreign, stranger)).text, customerId],
    ];
    const messages = new Set<string>();
    for (const [displayed, of] of attempts) {
      const refused = await authenticate(displayed, of).then(
        () => 'let in',
        (error: unknown) => String(error),
      );
      messages.add(refused);
    }
    expect([...messages]).toEqual([expect.stringMatching(/^Refusal: unauthenticated: A secret of this customer/)]);
    expect((await authenticate(text, customerId)).scope).toEqual(testAccount.scope);
  });

  test('once its customer is deleted; and no new one is issued', async () => {
    const customerId = await newCustomer();
    const { text } = await issue(customerId);
    await transactAs(testEnvironment, testAccount, (tx) => customers.remove(tx, customerId));
    expect(await getOutcome(authenticate(text, customerId))).toBe('unauthenticated');
    expect(await getOutcome(issue(customerId))).toBe('customer_not_found');
  });

  test('of another account in a lookup of the own account', async () => {
    const customerId = await newCustomer();
    const { text } = await issue(customerId);
    const look = (at: TestAccount) =>
      testEnvironment.database.read(at.scope, (reader) => findValidSecret(reader, { text, customerId }));
    expect([(await look(testAccount))?.customerId, await look(stranger)]).toEqual([customerId, null]);
  });
});

test('secrets are stored nowhere as text, and expired ones are deleted with the next', async () => {
  const customerId = await newCustomer();
  const first = await issue(customerId);
  await moveClock(testEnvironment, testAccount.scope, 15 * MINUTE_MS);
  const second = await issue(customerId);
  const rows = await testEnvironment.database.read(testAccount.scope, (reader) =>
    reader.query<{ row: string }>(SECRETS, [testAccount.scope.accountId, customerId]),
  );
  expect(rows).toHaveLength(1);
  const [dump] = rows.map(({ row }) => row);
  const tails = [first, second].flatMap(({ text }) => [text.slice(-64), Buffer.from(text).toString('hex')]);
  expect(tails.filter((tail) => dump?.includes(tail))).toEqual([]);
});

const SECRETS = defineStatement(
  'test_customer_secrets',
  'select row_to_json(s)::text as row from customer_secrets s where account_id = $1 and customer_id = $2',
);

test('two concurrent changes of a customer are made one after the other', async () => {
  const customerId = await newCustomer();
  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      transactAs(testEnvironment, testAccount, (tx) => customers.change(tx, customerId, { name: `${at}` })),
    ),
  );
  const [customer] = await testEnvironment.database.read(testAccount.scope, (reader) =>
    customers.read(reader, [customerId]),
  );
  expect(customer?.version).toBe(9);
});
