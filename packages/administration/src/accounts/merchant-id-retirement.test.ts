import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { Refusal } from '@pos/core/refusals';
import { type AcquirerRule, APPROVED } from '@pos/sandbox/testing';
import { storeDeclaration, verifyAuditChain } from '@pos/store/repositories';
import type { Database } from '@pos/store/database';
import {
  createPaidIntent,
  createTestAccount,
  createTestEnvironment,
  findDifferences,
  MoneyOperations,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '@pos/payments/testing';
import { changeAccountSettings } from '@pos/payments/account-settings';
import { listMerchantIdStates, retireMerchantId } from './merchant-id-retirement.js';

const CHANGE = { actor: 'anna', reason: 'mistyped' };

let testEnvironment: TestEnvironment;
let owner: Database;
let shop: TestAccount;
let mistyped: string;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  const declared = { environment: 'sandbox', name: 'default', capabilities: COMPLETE_CAPABILITIES } as const;
  await storeDeclaration(testEnvironment.database, declared);
  owner = await testEnvironment.testDatabase.open({ url: testEnvironment.testDatabase.ownerUrl });
});
afterAll(() => testEnvironment.close());
beforeEach(async () => {
  shop = await createTestAccount(testEnvironment);
  mistyped = `wrong-${shop.merchantId}`;
  await setNumber(shop, mistyped);
});

const changeNumber = (of: TestAccount, number: string) =>
  transactAs(testEnvironment, of, (tx) =>
    changeAccountSettings(tx, CHANGE, { 'merchantIds.sandbox': { default: number } }),
  );

async function setNumber(of: TestAccount, number: string): Promise<void> {
  await changeNumber(of, number);
  testEnvironment.expireAccounts();
}

const query = <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  owner.dataSource.query(sql, [shop.scope.accountId, ...values]);

/** As if the settings had been changed an hour ago. */
const ageSettings = () =>
  query(`update audit_entries set created_at = created_at - interval '1 hour' where account_id = $1`);

/** As if the daily comparison had passed the payments of now. */
const markCompared = () =>
  query(
    `insert into reconciliations (account_id, environment, reconciled_to, chain_cursor) values ($1, 'sandbox', now() + interval '1 minute', '')
     on conflict (account_id, environment) do update set reconciled_to = excluded.reconciled_to`,
  );

/** The settings have the right number, for long. */
async function correctNumber(): Promise<void> {
  await setNumber(shop, shop.merchantId);
  await ageSettings();
}

async function retire(number = mistyped, acquirer = 'default'): Promise<string> {
  try {
    await transactAs(testEnvironment, shop, (tx) => retireMerchantId(tx, CHANGE, { acquirer, merchantId: number }));
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return JSON.stringify(error.members);
    throw error;
  }
}

const listStates = async () =>
  (await testEnvironment.database.read(shop.scope, listMerchantIdStates)).map(
    ({ merchantId, state }) => `${merchantId} ${state}`,
  );

/** A payment under the mistyped number that is wholly given back. */
async function payAndRefund(): Promise<void> {
  const { intentId } = await createPaidIntent(testEnvironment, shop);
  const money = new MoneyOperations(testEnvironment, shop);
  const [paid] = await query<{ captured: number }>(
    'select captured::int from payment_intents where account_id = $1 and id = $2',
    [intentId],
  );
  expect(await money.refund(intentId, paid?.captured ?? 0)).toBe('done');
}

describe('a number is not retired', () => {
  test('while new payments use it', async () => {
    await ageSettings();
    expect(await retire()).toContain('is used for new payments');
  });

  test('while processes may still use it', async () => {
    await payAndRefund();
    await setNumber(shop, shop.merchantId);
    expect(await retire()).toContain('settings were changed less than a minute ago');
  });

  test('if the account does not have it, or has it at another acquirer', async () => {
    await correctNumber();
    expect(await retire('another')).toContain('is not a number of the account at default');
    expect(await retire(mistyped, 'north')).toContain('is not a number of the account at north');
    const other = await createTestAccount(testEnvironment);
    await changeNumber(other, other.merchantId);
    expect(await retire(other.merchantId)).toContain('is not a number of the account at default');
  });

  test('while a payment under it keeps money', async () => {
    const { intentId } = await createPaidIntent(testEnvironment, shop);
    await correctNumber();
    await markCompared();
    expect(await retire()).toContain('1 payments whose money is not wholly given back');
    expect(await new MoneyOperations(testEnvironment, shop).refund(intentId, 500)).toBe('done');
    expect(await retire()).toContain('1 payments whose money is not wholly given back');
  });

  test('while a payment under it is only authorised', async () => {
    await createPaidIntent(testEnvironment, shop, { captureMode: 'Manual' });
    await correctNumber();
    await markCompared();
    expect(await retire()).toContain('1 payments whose money is not wholly given back');
  });

  test('while a call under it has no outcome', async () => {
    const down: AcquirerRule = { match: { kind: 'Refund' }, effect: 'down' };
    const { intentId } = await createPaidIntent(testEnvironment, shop);
    testEnvironment.acquirerServer.rules.replaceRules([down, { match: { kind: 'Inquire' }, effect: 'down' }]);
    expect(await new MoneyOperations(testEnvironment, shop).refund(intentId, 500)).toBe('acquirer_unanswered');
    testEnvironment.acquirerServer.rules.replaceRules([]);
    await correctNumber();
    await markCompared();
    expect(await retire()).toContain('1 calls without an outcome');
  });

  test('while its bookings are not compared, wholly or for a day', async () => {
    await payAndRefund();
    await correctNumber();
    expect(await retire()).toContain('days that are not compared');
    await markCompared();
    await query(
      `insert into uncompared_days (account_id, environment, acquirer, day, reason, since)
       values ($1, 'sandbox', 'default', current_date, 'WaitingForSettlement', now())`,
    );
    expect(await retire()).toContain('days that are not compared');
  });

  test('while a difference at its acquirer is open', async () => {
    await payAndRefund();
    await correctNumber();
    await markCompared();
    await query(
      `insert into reconciliation_differences (account_id, environment, id, kind, reference, says, happened_at, state,
         first_seen_at, last_seen_at, acquirer)
       values ($1, 'sandbox', 'd1', 'NotAskedFor', 'x', 's', now(), 'Open', now(), now(), 'default')`,
    );
    expect(await retire()).toContain('1 open differences');
    expect(await listStates()).toEqual([`${shop.merchantId} Used`, `${mistyped} Kept`]);
  });
});

test('a retired number is free for another account, and history and the audit log keep it', async () => {
  await payAndRefund();
  await correctNumber();
  await markCompared();
  const other = await createTestAccount(testEnvironment);
  await expect(changeNumber(other, mistyped)).rejects.toMatchObject({
    members: { 'merchantIds.sandbox': [expect.stringContaining(shop.scope.accountId)] },
  });
  expect(await retire()).toBe('done');
  expect(await retire()).toContain('is not a number of the account');
  expect(await listStates()).toEqual([`${shop.merchantId} Used`, `${mistyped} Retired`]);
  await setNumber(other, mistyped);
  const rows = await query('select distinct merchant_id from acquirer_calls where account_id = $1');
  expect(rows).toEqual([{ merchant_id: mistyped }]);
  const audit = await query(
    `select subject, actor, reason from audit_entries where account_id = $1 and action = 'RetireMerchantId'`,
  );
  expect(audit).toEqual([{ subject: `default/${mistyped}`, ...CHANGE }]);

  // What the other account books is no difference of this one, and its own refunded payment is none either.
  await testEnvironment.acquirerServer.authorise({
    reference: `stray ${mistyped}`,
    merchantId: mistyped,
    amount: { value: 700, currencyCode: 'GBP' },
    isPurchase: true,
    instrument: {
      kind: 'present',
      terminalId: '90000001',
      card: { number: '4456530000091014', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A' },
      verdict: APPROVED,
    },
  });
  expect(await findDifferences(testEnvironment, shop)).toEqual([]);
  expect((await findDifferences(testEnvironment, other)).map(({ reference }) => reference)).toContain(
    `stray ${mistyped}`,
  );
});

test('of retirements and a return of the number at the same moment the books stay those of one account', async () => {
  await payAndRefund();
  await correctNumber();
  await markCompared();
  const outcomes = await Promise.all([retire(), retire(), retire()]);
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
  await changeNumber(shop, mistyped);
  expect(await listStates()).toContain(`${mistyped} Used`);
  expect(await listStates()).not.toContain(`${mistyped} Retired`);
  const chain = await testEnvironment.database.readSnapshot(shop.scope, (snapshot) => verifyAuditChain(snapshot));
  expect(chain.end.length).toBeGreaterThan(2);
});
