import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PaymentIntentId } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import { createSetupRequest } from '@pos/core/testing';
import { createSubmission } from '../testing/online-attempts.js';
import {
  createIntent,
  createTestAccount,
  createTestEnvironment,
  findDifferences,
  getOutcome,
  listEventTypes,
  moveClock,
  readCall,
  readIntent,
  runDueWork,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';
import { TestCardMachine } from '../testing/card-machine.js';
import { AbandonedChallenges } from '../acquirer-calls/abandoned-challenges.js';
import { CHALLENGE_ABANDONED_MS } from './challenge-end.js';
import { OnlinePayments } from '../online/online-payments.js';

const CHALLENGED_CARD = '4456530000001096';
const APPROVED_CARD = '4456530000091014';

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
let challenges: AbandonedChallenges;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  challenges = new AbandonedChallenges(testEnvironment);
});
beforeEach(async () => {
  testAccount = await createTestAccount(testEnvironment, { hasAmountTriggers: false });
});
afterAll(() => testEnvironment.close());

function refresh(id: PaymentIntentId) {
  return transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.refreshSecretPublic(tx, id));
}

/** As the page of another payer asks for a secret. */
function refreshEndingAbandoned(id: PaymentIntentId) {
  return challenges.runWithoutAbandoned(
    testAccount.scope,
    (tx) => testEnvironment.intents.endChallenge(tx, id, CHALLENGE_ABANDONED_MS),
    () => refresh(id),
  );
}

async function submit(secret: string, number: string) {
  const { acquirer, acquirerServer } = testEnvironment;
  const requested = { reference: '' };
  const submission = { ...createSubmission(secret), isConsentGiven: true };
  const result = await new OnlinePayments(testEnvironment).pay(submission, {
    authorise: async ({ reference, merchantId, amount, isCapturing }) => {
      requested.reference = reference;
      const card = { number, expiryMonth: 12, expiryYear: 2032, cv2: '020', cardholderName: 'A' };
      const instrument = { kind: 'card', card, isRemote: false, hasAddress: false } as const;
      await acquirerServer.authorise({ reference, merchantId, amount, isPurchase: isCapturing, instrument });
      return acquirer.inquire({ reference, deadlineMs: 5_000 });
    },
    storeCard: () => undefined,
  });
  return { ...requested, result };
}

async function pay(id: PaymentIntentId, number = APPROVED_CARD) {
  const secret = requireValue((await refresh(id)).intent.clientSecret, 'the secret');
  return { secret, ...(await submit(secret, number)) };
}

/** The payer's answer at the page of the issuer reaches the acquirer. */
function completeChallenge({ secret, result }: Awaited<ReturnType<typeof pay>>) {
  const { acquirer, acquirerServer } = testEnvironment;
  return new OnlinePayments(testEnvironment).completeChallenge(
    { secret, transactionId: result.transactionId, paRes: 'Y' },
    async ({ reference, md }) => {
      await acquirerServer.completeChallenge(reference, { hasPassed: true, md });
      return acquirer.inquire({ reference, deadlineMs: 5_000 });
    },
  );
}

const startSale = (id: PaymentIntentId) => TestCardMachine.startSale(testEnvironment, testAccount, id);

test('a challenge that is younger than five minutes is its payer’s: nobody with the link ends it', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const challenged = await pay(id, CHALLENGED_CARD);
  expect(challenged.result.statusCode).toBe(3);
  await moveClock(testEnvironment, testAccount.scope, CHALLENGE_ABANDONED_MS - 60_000);
  expect(await getOutcome(refreshEndingAbandoned(id))).toBe('payment_intent_busy');
  expect((await completeChallenge(challenged)).statusCode).toBe(0);
});

test('an abandoned challenge is reversed at the acquirer, and then another payer or a machine pays', async () => {
  for (const next of ['payer', 'machine'] as const) {
    const id = await createIntent(testEnvironment, testAccount);
    const challenged = await pay(id, CHALLENGED_CARD);
    await moveClock(testEnvironment, testAccount.scope, CHALLENGE_ABANDONED_MS);
    await refreshEndingAbandoned(id);
    const call = await readCall(testEnvironment, testAccount, challenged.reference);
    expect([call.state, call.outcome]).toEqual(['Settled', 'Reversed']);
    expect(testEnvironment.acquirerServer.acquirer.books.findCall(challenged.reference)).toMatchObject({
      isReversed: true,
    });
    // A payer who completes the challenge too late is not charged.
    expect(await getOutcome(completeChallenge(challenged).then(({ statusCode }) => expect(statusCode).toBe(30)))).toBe(
      'done',
    );
    if (next === 'payer') expect((await pay(id)).result.statusCode).toBe(0);
    else expect(await getOutcome(startSale(id))).toBe('done');
    expect((await listEventTypes(testEnvironment, testAccount, id)).slice(0, 2)).toEqual(['AuthChallenged', 'Error']);
  }
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});

test('nothing else is authorised before the acquirer has acknowledged the reversal of an ended challenge', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const { reference } = await pay(id, CHALLENGED_CARD);
  await moveClock(testEnvironment, testAccount.scope, CHALLENGE_ABANDONED_MS);
  const unreachable = new AbandonedChallenges({ ...testEnvironment, calls: { pursueCall: async () => 'open' } });
  const refreshing = unreachable.runWithoutAbandoned(
    testAccount.scope,
    (tx) => testEnvironment.intents.endChallenge(tx, id, CHALLENGE_ABANDONED_MS),
    () => refresh(id),
  );
  expect(await getOutcome(refreshing)).toBe('payment_intent_busy');
  expect(await getOutcome(refresh(id))).toBe('payment_intent_busy');
  expect(await getOutcome(startSale(id))).toBe('payment_intent_busy');
  expect((await readCall(testEnvironment, testAccount, reference)).state).toBe('Challenged');
  // The worker repeats the reversal; so does the next payer who asks.
  await refreshEndingAbandoned(id);
  expect((await pay(id)).result.statusCode).toBe(0);
});

test('the merchant may cancel a payment whose payer is at a challenge; the payer is not charged', async () => {
  const id = await createIntent(testEnvironment, testAccount);
  const challenged = await pay(id, CHALLENGED_CARD);
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, id));
  expect(intent.status).toBe('Canceled');
  expect(await getOutcome(completeChallenge(challenged))).toBe('client_secret_invalid');
  await runDueWork(testEnvironment, testAccount.scope);
  const call = await readCall(testEnvironment, testAccount, challenged.reference);
  expect([call.state, call.outcome]).toEqual(['Settled', 'Reversed']);
  expect(await listEventTypes(testEnvironment, testAccount, id)).toEqual(['AuthChallenged', 'Error', 'Canceled']);
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});

test('the payer’s answer and the end of the challenge at the same time: one of them wins, never both', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 10; round += 1) {
    const id = await createIntent(testEnvironment, testAccount);
    const challenged = await pay(id, CHALLENGED_CARD);
    const [answered, canceled] = await Promise.all([
      getOutcome(completeChallenge(challenged)),
      getOutcome(transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, id))),
    ]);
    await runDueWork(testEnvironment, testAccount.scope);
    const { status } = await readIntent(testEnvironment, testAccount, id);
    const { outcome } = await readCall(testEnvironment, testAccount, challenged.reference);
    outcomes.add(`${status} ${outcome ?? ''}`);
    expect(['Captured Approved', 'Canceled Reversed']).toContain(`${status} ${outcome ?? ''}`);
    expect([answered, canceled].filter((each) => each === 'done')).toHaveLength(1);
  }
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
});

test('a setup intent whose payer is at a challenge can be given up, and another payer may end an abandoned one', async () => {
  for (const end of ['by the merchant', 'by another payer'] as const) {
    const { setup } = await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.setups.create(tx, { ...createSetupRequest(), savedCard: {} }),
    );
    const refreshSetup = () =>
      transactAs(testEnvironment, testAccount, (tx) => testEnvironment.setups.refreshSecretPublic(tx, setup.id));
    const secret = requireValue((await refreshSetup()).setup.clientSecret, 'the secret');
    const { reference, result } = await submit(secret, CHALLENGED_CARD);
    expect(result.statusCode).toBe(3);
    expect(await getOutcome(refreshSetup())).toBe('setup_intent_busy');
    if (end === 'by the merchant') {
      await transactAs(testEnvironment, testAccount, (tx) =>
        testEnvironment.setups.cancel(tx, setup.id, { includeAuthorized: false }),
      );
    } else {
      await moveClock(testEnvironment, testAccount.scope, CHALLENGE_ABANDONED_MS);
      await challenges.runWithoutAbandoned(
        testAccount.scope,
        (tx) => testEnvironment.setups.endChallenge(tx, setup.id, CHALLENGE_ABANDONED_MS),
        refreshSetup,
      );
    }
    await runDueWork(testEnvironment, testAccount.scope);
    expect((await readCall(testEnvironment, testAccount, reference)).outcome).toBe('Reversed');
  }
});
