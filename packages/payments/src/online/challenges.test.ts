import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { chargeOutcome } from '@pos/core/captures-refunds';
import { requireValue } from '@pos/core/refusals';
import type { PaymentIntentId } from '@pos/core/identity';
import { createSetupRequest } from '@pos/core/testing';
import { concludeAttempt } from './attempt-conclusion.js';
import { OnlinePayments } from './online-payments.js';
import { createSubmission, createUnansweredAttempt } from '../testing/online-attempts.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  findDifferences,
  listEventTypes,
  readCall,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';

const CHALLENGED_CARD = '4456530000001096';
const PLAIN_CARD = '4456530000091014';
const DEFAULT = { environment: 'sandbox', name: 'default' } as const;

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment, { hasAmountTriggers: false });
});
afterEach(() => {
  declareChallenges(true);
});
afterAll(() => testEnvironment.close());

/** What the adapter declares. The acquirer behind it challenges in both cases. */
function declareChallenges(challenge: boolean): void {
  const { declared } = testEnvironment.acquirerServer.capabilities;
  testEnvironment.settings.acquirers.declare(DEFAULT, { ...declared, can: { ...declared.can, challenge } });
}

/** A payment by an adapter that ignores whether a challenge is possible. */
async function pay(id: PaymentIntentId, number: string) {
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.refreshSecretPublic(tx, id),
  );
  const { acquirer, acquirerServer } = testEnvironment;
  const asked = { reference: '', isChallengePossible: false };
  const submission = createSubmission(requireValue(intent.clientSecret, 'the secret'));
  const result = await new OnlinePayments(testEnvironment).pay(submission, {
    authorise: async ({ reference, merchantId, amount, isCapturing, isChallengePossible }) => {
      Object.assign(asked, { reference, isChallengePossible });
      const card = { number, expiryMonth: 12, expiryYear: 2032, cv2: '020', cardholderName: 'A' };
      const instrument = { kind: 'card', card, isRemote: false, hasAddress: false } as const;
      await acquirerServer.authorise({ reference, merchantId, amount, isPurchase: isCapturing, instrument });
      return acquirer.inquire({ reference, deadlineMs: 5_000 });
    },
    storeCard: () => undefined,
  });
  return { ...asked, result };
}

test('a challenge of an acquirer that offers none is a decline, is undone there, and another card may pay', async () => {
  declareChallenges(false);
  const id = await createIntent(testEnvironment, testAccount);
  const { reference, isChallengePossible, result } = await pay(id, CHALLENGED_CARD);
  expect(isChallengePossible).toBe(false);
  expect(result).toMatchObject({ statusCode: 5, message: 'CHALLENGE NOT POSSIBLE', challenge: null });
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Declined']);

  await runDueWork(testEnvironment, testAccount.scope);
  const declined = await readCall(testEnvironment, testAccount, reference);
  const reversal = await readCall(testEnvironment, testAccount, requireValue(declined.reverseReference, 'a reversal'));
  expect([declined.state, declined.outcome, reversal.state, reversal.outcome]).toEqual([
    ...['Settled', 'Declined'],
    ...['Settled', 'Approved'],
  ]);
  expect(testEnvironment.acquirerServer.acquirer.books.findCall(reference)).toMatchObject({ isReversed: true });

  expect((await pay(id, PLAIN_CARD)).result).toMatchObject({ statusCode: 0 });
  expect((await readIntent(testEnvironment, testAccount, id)).status).toBe('Captured');
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});

test('challenges are requested from an acquirer that offers them, and are shown to the payer', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const { isChallengePossible, result } = await pay(id, CHALLENGED_CARD);
  expect([isChallengePossible, result.statusCode]).toEqual([true, 3]);
});

test('a card that was given by letter or telephone is never challenged', async () => {
  const id = await createIntent(testEnvironment, testAccount, { cardHolderNotPresent: true });
  const { isChallengePossible, result } = await pay(id, CHALLENGED_CARD);
  expect([isChallengePossible, result.statusCode, result.message]).toEqual([false, 5, 'CHALLENGE NOT POSSIBLE']);
});

test('a challenge of a charge, which has no payer, is a decline and is undone at the acquirer', async () => {
  const { id, reference } = await createCharge();
  const challenge = { transactionId: 'tx-1', card: null, stepUpUrl: 'https://issuer.example', paReq: 'p', md: 'm' };
  const call = await transactAs(testEnvironment, testAccount, (tx) =>
    concludeAttempt(tx, reference, { outcome: 'challenged', ...challenge }),
  );
  expect(chargeOutcome(call)).toEqual({ status: 'Declined', message: 'CHALLENGE NOT POSSIBLE' });
  const stored = await readCall(testEnvironment, testAccount, reference);
  expect(chargeOutcome(stored)).toEqual({ status: 'Declined', message: 'CHALLENGE NOT POSSIBLE' });
  const reversal = await readCall(testEnvironment, testAccount, requireValue(stored.reverseReference, 'a reversal'));
  expect(reversal.kind).toBe('Reverse');
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['Declined']);
});

/** An attempt as a merchant's charge writes it, without a payer's secret. */
async function createCharge() {
  const attempt = await createUnansweredAttempt(testEnvironment, testAccount);
  const { setup } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.setups.create(tx, { ...createSetupRequest(), savedCard: {} }),
  );
  const { dataSource } = testEnvironment.database;
  await dataSource.query('update payment_intents set setup_intent_id = $2 where id = $1', [attempt.id, setup.id]);
  await dataSource.query(
    'update online_attempts set secret_expire_at = null, secret_hash = null where reference = $1',
    [attempt.reference],
  );
  return attempt;
}
