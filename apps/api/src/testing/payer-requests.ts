import type { RefusalCode } from '@pos/core/refusals';
import type { ApiTestEnvironment } from './api-test-environment.js';
import { type AcceptedRequest, createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';

type EnvironmentGetter = () => ApiTestEnvironment;

const GBP_25 = { value: 2500, currencyCode: 'GBP' };
const EMAIL_BODY = { email: 'guest@example.com' };
/** A payment whose payer may choose the amount and the tip. */
export const OPEN_CONFIG = { config: { payment: { customAmountAllowed: true, tipsAllowed: true } } };

const PUBLIC_CHANGES = {
  amount: { id: 'changePublicAmount', body: { amount: GBP_25 } },
  'tips-amount': { id: 'changePublicTips', body: { tipsAmount: GBP_25 } },
} as const;

/** A valid body for each operation of payers that has one. */
export const PAYER_BODIES: Readonly<Record<string, object>> = {
  ...Object.fromEntries(Object.values(PUBLIC_CHANGES).map(({ id, body }) => [id, body])),
  sendPublicReceipt: EMAIL_BODY,
};

/** An accepted request for each operation that a payer uses beside the payment itself. */
export function createPayerRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  const open = async (): Promise<string> => (await testEnvironment().createIntent(OPEN_CONFIG)).id;
  return {
    readPaymentLink: async () => ({ path: `/payment-links/${await open()}` }),
    changePublicTips: async () => ({
      path: `/payment-intents/public/${await open()}/tips-amount`,
      body: PUBLIC_CHANGES['tips-amount'].body,
      invalid: { body: { tipsAmount: 1 } },
    }),
    changePublicAmount: async () => ({
      path: `/payment-intents/public/${await open()}/amount`,
      body: PUBLIC_CHANGES.amount.body,
      invalid: { body: { amount: { value: 0, currencyCode: 'GBP' } } },
    }),
    sendPublicReceipt: async () => ({
      path: `/payment-intents/public/${await testEnvironment().createIntentIn('Captured')}/receipt`,
      body: EMAIL_BODY,
      invalid: { body: { email: 'nobody' } },
    }),
  };
}

/** The refusals that these operations declare for themselves. */
// oxfmt-ignore
export function createPayerRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const receipt = (id: string) => createRequest(`/payment-intents/public/${id}/receipt`, EMAIL_BODY);
  return [
    ...createChangeRefusals(testEnvironment, 'amount', ['amount_change_not_enabled', 'amount_not_changeable']),
    ...createChangeRefusals(testEnvironment, 'tips-amount', ['tips_change_not_enabled', 'tips_not_changeable']),
    ['changePublicAmount', 'amount_change_not_enabled', [], async () => {
      const itemLines = [{ caption: 'Soup', amountTotal: GBP_25 }];
      const { id } = await testEnvironment().createIntent({ ...OPEN_CONFIG, itemLines });
      return createRequest(`/payment-intents/public/${id}/amount`, PUBLIC_CHANGES.amount.body);
    }],
    ['changePublicAmount', 'amount_change_not_enabled', [], async () => {
      const taxLines = [{ caption: 'VAT', amountTotal: GBP_25 }];
      const { id } = await testEnvironment().createIntent({ ...OPEN_CONFIG, taxLines });
      return createRequest(`/payment-intents/public/${id}/amount`, PUBLIC_CHANGES.amount.body);
    }],
    ['changePublicAmount', 'amount_not_changeable', [], async () => {
      // The integrator may raise a held amount; its payer may not.
      const id = await testEnvironment().createIntentIn('Authorized', OPEN_CONFIG);
      return createRequest(`/payment-intents/public/${id}/amount`, PUBLIC_CHANGES.amount.body);
    }],
    ['changePublicAmount', 'validation_failed', ['amount.currencyCode'], async () => {
      const { id } = await testEnvironment().createIntent(OPEN_CONFIG);
      return createRequest(`/payment-intents/public/${id}/amount`, { amount: { value: 1, currencyCode: 'EUR' } });
    }],
    ['sendPublicReceipt', 'payment_intent_not_found', [], () => receipt(UNKNOWN_INTENT)],
    ['sendPublicReceipt', 'payment_intent_not_found', [], async () => receipt(await testEnvironment().createIntentIn('Canceled'))],
    ['sendPublicReceipt', 'receipt_not_available', [], async () => receipt(await testEnvironment().createIntentIn('Created'))],
    ['sendPublicReceipt', 'receipts_exhausted', [], async () => {
      const id = await testEnvironment().createIntentIn('Captured');
      const body = { emails: ['a@example.com', 'b@example.com', 'c@example.com'] };
      await testEnvironment().sendRequest('POST', `/payment-intents/${id}/receipt`, { body });
      return receipt(id);
    }],
    ['readPaymentLink', 'payment_intent_not_found', [], () => createRequest(`/payment-links/${UNKNOWN_INTENT}`)],
    ['readPaymentLink', 'payment_intent_not_found', [], () => createRequest('/payment-links/x')],
    ['readPaymentLink', 'payment_intent_not_found', [], async () => createRequest(`/payment-links/${(await testEnvironment().createIntent({}, testEnvironment().keys.offline)).id}`)],
    ['readPaymentLink', 'setup_intent_not_found', [], () => createRequest(`/payment-links/si_sandbox_${'A'.repeat(22)}`)],
  ];
}

function createChangeRefusals(
  testEnvironment: EnvironmentGetter,
  what: keyof typeof PUBLIC_CHANGES,
  [off, no]: readonly [RefusalCode, RefusalCode],
): readonly RefusalCase[] {
  const { id: operation, body } = PUBLIC_CHANGES[what];
  const change = (id: string) => createRequest(`/payment-intents/public/${id}/${what}`, body);
  return [
    [operation, 'payment_intent_not_found', [], () => change(UNKNOWN_INTENT)],
    [
      operation,
      'payment_intent_not_found',
      [],
      async () => change(await testEnvironment().createIntentIn('Canceled', OPEN_CONFIG)),
    ],
    [
      operation,
      'payment_intent_not_found',
      [],
      async () => change((await testEnvironment().createIntent(OPEN_CONFIG, testEnvironment().keys.offline)).id),
    ],
    [
      operation,
      'payment_intent_busy',
      [],
      async () => {
        const { id } = await testEnvironment().createIntent(OPEN_CONFIG);
        await testEnvironment().startSale(id);
        return change(id);
      },
    ],
    [operation, off, [], async () => change(await testEnvironment().createIntentIn('Created'))],
    [operation, no, [], async () => change(await testEnvironment().createIntentIn('Captured', OPEN_CONFIG))],
  ];
}
