import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PaymentIntentId } from '@pos/core/identity';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { DUPLICATE } from '@pos/core/online';
import { requireValue } from '@pos/core/refusals';
import { createSetupRequest } from '@pos/core/testing';
import { randomInt } from 'node:crypto';
import { createSubmission } from '../testing/online-attempts.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  findDifferences,
  FULL_PERMISSIONS,
  getOutcome,
  listEventTypes,
  readIntent,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { OnlinePayments } from './online-payments.js';

const APPROVED_CARD = '4456530000091014';
const DECLINED_CARD = '4456530000001013';
const INVALID = 'client_secret_invalid';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment, { hasAmountTriggers: false });
});
afterAll(() => testEnvironment.close());

/** A secret as the page of a payer gets it. */
async function openPage(id: PaymentIntentId): Promise<string> {
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.refreshSecretPublic(tx, id),
  );
  return requireValue(intent.clientSecret, 'the secret');
}

/** The secret of the intent itself, as its integrator gets it. */
async function refreshByKey(id: PaymentIntentId): Promise<string> {
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.refreshSecret(tx, FULL_PERMISSIONS, id),
  );
  return requireValue(intent.clientSecret, 'the secret');
}

/** A submission, and how often it has asked the acquirer. */
function submit(secret: string, number = APPROVED_CARD, onCall: () => void = () => undefined) {
  const { acquirer, acquirerServer } = testEnvironment;
  return new OnlinePayments(testEnvironment).pay(createSubmission(secret), {
    authorise: async ({ reference, merchantId, amount, isCapturing }) => {
      onCall();
      const cv2 = number === DECLINED_CARD ? '341' : '020';
      const card = { number, expiryMonth: 12, expiryYear: 2032, cv2, cardholderName: 'A' };
      const instrument = { kind: 'card', card, isRemote: false, hasAddress: false } as const;
      await acquirerServer.authorise({ reference, merchantId, amount, isPurchase: isCapturing, instrument });
      return acquirer.inquire({ reference, deadlineMs: 5_000 });
    },
    storeCard: () => undefined,
  });
}

test('a page proves who has paid by a secret that it has used for this intent, and by no other', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const other = await createIntent(testEnvironment, testAccount);
  const [payer, guest, stranger] = [await openPage(id), await openPage(id), await openPage(other)];
  const readProof = async (intentId: PaymentIntentId, secret: string | null) =>
    (
      await testEnvironment.database.read(testAccount.scope, (reader) =>
        testEnvironment.intents.getPublic(reader, intentId, secret),
      )
    ).provenAttempt;
  expect(await readProof(id, payer)).toBeNull();
  expect((await submit(payer)).statusCode).toBe(0);
  expect((await submit(stranger)).statusCode).toBe(0);
  expect(await readProof(id, payer)).toMatchObject({ isApproved: true });
  for (const secret of [guest, stranger, null, 'no secret']) expect(await readProof(id, secret)).toBeNull();
});

test('a page that opens voids no secret: neither that of another page nor that of the integrator', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const ownSecret = await refreshByKey(id);
  const first = await openPage(id);
  for (let round = 0; round < 30; round += 1) await openPage(id);
  expect((await submit(first, DECLINED_CARD)).statusCode).toBe(5);
  // The card of one payer was declined; the others may still pay.
  expect((await submit(ownSecret)).statusCode).toBe(0);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Declined', 'Captured']);
});

test('of several payers who submit at the same time one pays, and the others get a duplicate', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await createIntent(testEnvironment, testAccount);
    const guests = 2 + randomInt(4);
    const secrets = await Promise.all(Array.from({ length: guests }, () => openPage(id)));
    let calls = 0;
    const results = await Promise.all(secrets.map((secret) => submit(secret, APPROVED_CARD, () => (calls += 1))));
    const codes = results.map(({ statusCode }) => statusCode).sort((one, other) => one - other);
    expect([calls, codes]).toEqual([1, [0, ...Array.from({ length: guests - 1 }, () => 20)]]);
    // Nobody but the payer learns of the transaction.
    for (const result of results.filter(({ statusCode }) => statusCode === 20)) expect(result).toEqual(DUPLICATE);
    const { status, captured } = await readIntent(testEnvironment, testAccount, id);
    expect([status, captured.value]).toEqual(['Captured', 2000]);
  }
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});

test('a secret of a page begins one attempt, also when it is submitted many times at once', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const secret = await openPage(id);
  let calls = 0;
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => getOutcome(submit(secret, DECLINED_CARD, () => (calls += 1)))),
  );
  expect([calls, outcomes.filter((outcome) => outcome === 'done' || outcome === INVALID)]).toEqual([1, outcomes]);
  expect(await getOutcome(submit(secret))).toBe(INVALID);
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Created');
});

test('a refresh with the key voids the secrets of all pages', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const secrets = [await openPage(id), await openPage(id)];
  await refreshByKey(id);
  for (const secret of secrets) expect(await getOutcome(submit(secret))).toBe(INVALID);
});

test('a secret of a page pays only the total that the page showed', async () => {
  const config = { ...DEFAULT_INTENT_CONFIG, payment: { tipsAllowed: true, customAmountAllowed: true } };
  const id = await createIntent(testEnvironment, testAccount, { details: { config, itemLines: [], taxLines: [] } });
  const before = await openPage(id);
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.amounts.changeTipsByPayer(tx, id, { value: 100, currencyCode: 'GBP' }),
  );
  expect(await getOutcome(submit(before))).toBe(INVALID);
  // The total differs although the secrets of pages were not deleted.
  const page = await openPage(id);
  const { dataSource } = testEnvironment.database;
  await dataSource.query('update payment_intents set tips_amount = 50 where id = $1', [id]);
  expect(await getOutcome(submit(page))).toBe(INVALID);
  expect((await submit(await openPage(id))).statusCode).toBe(0);
});

test('a secret of a page expires, and pays no other intent', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const secret = await openPage(id);
  const { dataSource } = testEnvironment.database;
  await dataSource.query('update page_secrets set expire_at = created_at where intent_id = $1', [id]);
  expect(await getOutcome(submit(secret))).toBe(INVALID);
  const other = await openPage(await createIntent(testEnvironment, testAccount));
  await dataSource.query('update page_secrets set intent_id = $1 where account_id = $2', [
    ...[id, testAccount.scope.accountId],
  ]);
  expect(await getOutcome(submit(other))).toBe(INVALID);
});

test('secrets that are not needed any more are deleted; the used one stays, which proves the payer', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const expired = await openPage(id);
  const { dataSource } = testEnvironment.database;
  await dataSource.query('update page_secrets set expire_at = created_at where intent_id = $1', [id]);
  const secrets = [await openPage(id), await openPage(id)];
  const count = 'select count(*)::int as count from page_secrets where intent_id = $1';
  expect(await dataSource.query(count, [id])).toEqual([{ count: 2 }]);
  expect((await submit(secrets[0] ?? '')).statusCode).toBe(0);
  expect(await dataSource.query(count, [id])).toEqual([{ count: 1 }]);
  expect(await submit(expired)).toEqual(DUPLICATE);
});

test('pages of a setup intent have secrets of their own, too', async () => {
  const { setup } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.setups.create(tx, { ...createSetupRequest(), savedCard: {} }),
  );
  const refresh = () =>
    transactAs(testEnvironment, testAccount, (tx) => testEnvironment.setups.refreshSecretPublic(tx, setup.id));
  const first = (await refresh()).setup.clientSecret ?? '';
  const second = (await refresh()).setup.clientSecret ?? '';
  const authorise = (secret: string) =>
    new OnlinePayments(testEnvironment).pay(
      { ...createSubmission(secret), isConsentGiven: true },
      {
        authorise: async ({ reference, merchantId, amount }) => {
          const card = { number: APPROVED_CARD, expiryMonth: 12, expiryYear: 2032, cv2: '020', cardholderName: 'A' };
          const instrument = { kind: 'card', card, isRemote: false, hasAddress: false } as const;
          await testEnvironment.acquirerServer.authorise({
            ...{ reference, merchantId, amount, isPurchase: false, instrument },
          });
          return testEnvironment.acquirer.inquire({ reference, deadlineMs: 5_000 });
        },
        storeCard: () => undefined,
      },
    );
  expect((await authorise(first)).statusCode).toBe(0);
  expect((await authorise(second)).statusCode).toBe(20);
});
