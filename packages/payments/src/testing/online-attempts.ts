import type { PaymentIntentId } from '@pos/core/identity';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import type { CardSubmission } from '../online/card-submission.js';
import { OnlinePayments } from '../online/online-payments.js';
import { transactAs, createIntent, getOutcome, type TestAccount, type TestEnvironment } from './test-environment.js';

/** A card attempt of £20 on a new payment intent, requested and not answered. */
export async function createUnansweredAttempt(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
): Promise<{ readonly id: PaymentIntentId; readonly reference: string }> {
  const id = await createIntent(testEnvironment, testAccount);
  const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.intents.refreshSecretPublic(tx, id),
  );
  let reference = '';
  const silence: AcquirerAnswer = { outcome: 'unknown', reason: 'silence' };
  const paying = new OnlinePayments(testEnvironment).pay(createSubmission(intent.clientSecret ?? ''), {
    authorise: (request) => {
      reference = request.reference;
      return Promise.resolve(silence);
    },
    storeCard: () => undefined,
  });
  await getOutcome(paying);
  return { id, reference };
}

/** A submission of a typed Visa with this secret. */
export function createSubmission(secret: string): CardSubmission {
  const description = { maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const;
  return {
    secret,
    wallet: null,
    card: { ...description, expiryMonth: 12, expiryYear: 2032 },
    hasCv2: true,
    isSavingAllowed: false,
    isConsentGiven: false,
    contacts: { metadata: {} },
    device: { userAgent: '', ipAddress: '' },
  };
}
