import { type RefusalCode, requireValue } from '@pos/core/refusals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { ROLES } from '@pos/core/identity';
import { disableAccount } from '@pos/administration/accounts';
import { issueCustomerSecret } from '@pos/payments/customers';
import { findIntent } from '@pos/store/payments';
import type { CardVaultServer } from '../vault-server.js';
import { APPROVED_CARD, type VaultTestEnvironment } from './vault-test-environment.js';
import { type Payable, type VaultRequest } from './card-requests.js';
import { changeTestSettings } from '@pos/payments/testing';

/** A request that its operation accepts, and a body that it refuses. */
export interface AcceptedRequest extends VaultRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly invalid: unknown;
}

/** An operation, a refusal that it declares for itself, and a request that is refused with it. */
export type RefusalCase = readonly [
  operation: string,
  code: RefusalCode,
  () => Promise<Omit<AcceptedRequest, 'invalid'>>,
];

/** A getter, because test tables are written before `beforeAll` opens the environment. */
type EnvironmentGetter = () => VaultTestEnvironment;
/** A vault with a short deadline for the acquirer's answers. */
type ShortDeadlineVaultGetter = () => CardVaultServer;

const CARD_BODY = { cardNumber: APPROVED_CARD, cardName: 'A GUEST', expiryDate: '12/32' };
const CHALLENGED_CARD = '4456530000001096';
const WALLET_TOKEN = Buffer.from(JSON.stringify({ cardNumber: APPROVED_CARD, expiryDate: '12/32', cV2: '020' }));
const NEW_SETUP_BODY = {
  reference: 'Saturday',
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'Who stays away pays.',
};
const ALL_METHODS = { paymentMethods: ['Card', 'Wallet', 'SavedCard'] as const };
const SUBMISSIONS_MAX = 10;

/** An origin that `restoreEnvironment` registers. */
export const SHOP_ORIGIN = 'https://shop.example';

/** A payer's submission to a payment, by operation. */
const SUBMISSIONS = {
  openCardFields: { path: '/client/card-fields', body: {}, headers: { origin: SHOP_ORIGIN } },
  prepareDeviceData: { path: '/client/device-data', body: { cardNumber: APPROVED_CARD } },
  payByCard: { path: '/client/payments', body: { ...CARD_BODY, cV2: '020' } },
  payByWallet: {
    path: '/client/payments/wallet',
    body: { wallet: 'APPLE_PAY', token: WALLET_TOKEN.toString('base64url') },
  },
  payBySavedCard: {
    path: '/client/payments/saved-card',
    body: { paymentMethodId: `pm_${'A'.repeat(22)}`, cV2: '020' },
  },
  completeChallenge: { path: '/client/payments/challenge', body: { paRes: 'Y', transactionId: 'unknown' } },
};
type PayerOperation = keyof typeof SUBMISSIONS;
const PAYER_OPERATIONS = Object.keys(SUBMISSIONS) as readonly PayerOperation[];
const ATTEMPT_OPERATIONS = ['payByCard', 'payByWallet', 'payBySavedCard'] as const;

/** An accepted request for each operation of the vault. */
export function createAcceptedRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  const plain = async (id: PayerOperation, invalid: unknown): Promise<AcceptedRequest> => ({
    ...SUBMISSIONS[id],
    secret: (await testEnvironment().createPayable(ALL_METHODS)).secret,
    invalid,
  });
  return {
    openCardFields: () => plain('openCardFields', {}),
    prepareDeviceData: () => plain('prepareDeviceData', { cardNumber: '1' }),
    payByCard: () => plain('payByCard', { cardNumber: '1' }),
    payByWallet: () => plain('payByWallet', { wallet: 'PURSE' }),
    payBySavedCard: async () => ({
      ...(await createSavedCardRequest(testEnvironment())),
      invalid: { paymentMethodId: '' },
    }),
    completeChallenge: async () => ({ ...(await createChallengedPayable(testEnvironment())), invalid: { paRes: '' } }),
    createSetupIntentWithCard: async () => ({
      ...(await createSetupRequest(testEnvironment())),
      invalid: { card: null },
    }),
  };
}

/** The refusals that each operation of the vault declares for itself. */
// oxfmt-ignore
export function createOwnRefusals(testEnvironment: EnvironmentGetter, shortDeadlineVault: ShortDeadlineVaultGetter): readonly RefusalCase[] {
  const setup = 'createSetupIntentWithCard';
  return [
  ...PAYER_OPERATIONS.flatMap((id): RefusalCase[] => [
    [id, 'client_secret_missing', () => Promise.resolve({ ...SUBMISSIONS[id], secret: null })],
    [id, 'client_secret_invalid', () => Promise.resolve({ ...SUBMISSIONS[id], secret: 'unknown' })],
    [id, 'client_secret_invalid', async () => {
      const payable = await testEnvironment().createPayable(ALL_METHODS);
      await testEnvironment().replaceSecret(payable);
      return { ...SUBMISSIONS[id], secret: payable.secret };
    }],
  ]),
  ...ATTEMPT_OPERATIONS.flatMap((id): RefusalCase[] => [
    [id, 'submissions_exhausted', async () => ({ ...SUBMISSIONS[id], secret: await createExhaustedPayable(testEnvironment()) })],
    [id, 'acquirer_not_configured', async () => ({ ...SUBMISSIONS[id], secret: (await testEnvironment().createPayable({ ...ALL_METHODS, environment: 'production' })).secret })],
  ]),
  ...(['openCardFields', 'prepareDeviceData', ...ATTEMPT_OPERATIONS] as const).map((id): RefusalCase => [id, 'account_disabled', async () => {
    const { secret } = await testEnvironment().createPayable(ALL_METHODS);
    return { ...SUBMISSIONS[id], secret, at: await startWithDisabledAccount(testEnvironment()) };
  }]),
  ...['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null', SHOP_ORIGIN.toUpperCase()].map((origin): RefusalCase => ['openCardFields', 'page_origin_not_registered', async () => {
    const { secret } = await testEnvironment().createPayable(ALL_METHODS);
    return { ...SUBMISSIONS.openCardFields, secret, headers: { origin } };
  }]),
  ['openCardFields', 'page_origin_not_registered', async () => ({ path: '/client/card-fields', body: {}, secret: (await testEnvironment().createPayable(ALL_METHODS)).secret })],
  [setup, 'account_disabled', async () => {
    const request = await createSetupRequest(testEnvironment());
    return { ...request, at: await startWithDisabledAccount(testEnvironment(), request) };
  }],
  ['payByCard', 'acquirer_lacks_capability', async () => ({ ...SUBMISSIONS.payByCard, secret: (await testEnvironment().createPayable(ALL_METHODS)).secret, at: await testEnvironment().startWithLimits({ lacks: [], cardSchemes: ['MASTERCARD'] }) })],
  ['payByCard', 'acquirer_lacks_capability', async () => ({ ...SUBMISSIONS.payByCard, secret: (await testEnvironment().createPayable({ ...ALL_METHODS, captureMode: 'Manual' })).secret, at: await testEnvironment().startWithLimits({ lacks: ['separate_capture'] }) })],
  ['payByWallet', 'acquirer_lacks_capability', async () => ({ ...SUBMISSIONS.payByWallet, secret: (await testEnvironment().createPayable(ALL_METHODS)).secret, at: await testEnvironment().startWithLimits({ lacks: [], wallets: ['GOOGLE_PAY'] }) })],
  ['payBySavedCard', 'acquirer_lacks_capability', async () => ({ ...(await createSavedCardRequest(testEnvironment())), at: await testEnvironment().startWithLimits({ lacks: [], currencies: ['EUR'] }) })],
  [setup, 'acquirer_lacks_capability', async () => ({ ...(await createSetupRequest(testEnvironment())), at: await testEnvironment().startWithLimits({ lacks: ['card_verification'] }) })],
  ['payByCard', 'payment_outcome_unknown', async () => dropNextAnswer(testEnvironment(), shortDeadlineVault(), { ...SUBMISSIONS.payByCard, secret: (await testEnvironment().createPayable(ALL_METHODS)).secret })],
  ['payByWallet', 'payment_outcome_unknown', async () => dropNextAnswer(testEnvironment(), shortDeadlineVault(), { ...SUBMISSIONS.payByWallet, secret: (await testEnvironment().createPayable(ALL_METHODS)).secret })],
  ['payBySavedCard', 'payment_outcome_unknown', async () => dropNextAnswer(testEnvironment(), shortDeadlineVault(), await createSavedCardRequest(testEnvironment()))],
  ['completeChallenge', 'payment_outcome_unknown', async () => dropNextAnswer(testEnvironment(), shortDeadlineVault(), await createChallengedPayable(testEnvironment()))],
  [setup, 'attestation_missing', async () => {
    await changeTestSettings(testEnvironment().database, testEnvironment().sandbox, { cardAttestationUntil: null });
    return createSetupRequest(testEnvironment());
  }],
  [setup, 'acquirer_not_configured', async () => createSetupRequest(testEnvironment(), await testEnvironment().createKey(ROLES.pci, testEnvironment().production))],
  [setup, 'acquirer_unanswered', async () => dropNextAnswer(testEnvironment(), shortDeadlineVault(), await createSetupRequest(testEnvironment()))],
  ];
}

/**
 * Starts a vault that has never read the account, and disables it. The vault trusts the key of the request for a moment
 * longer.
 */
async function startWithDisabledAccount(
  testEnvironment: VaultTestEnvironment,
  byKey: Awaited<ReturnType<typeof createSetupRequest>> | null = null,
): Promise<CardVaultServer> {
  const vault = await testEnvironment.startAnother();
  if (byKey !== null) {
    const headers = { ...byKey.headers, 'content-type': 'text/plain' };
    await testEnvironment.postJson(byKey.path, byKey.body, { at: vault, headers });
  }
  await testEnvironment.database.transact(testEnvironment.sandbox, (tx) =>
    disableAccount(tx, { actor: 'anna', reason: 'contract ended' }),
  );
  return vault;
}

/** Restores the account, its attestation and the acquirer's normal answers. */
export async function restoreEnvironment(testEnvironment: VaultTestEnvironment): Promise<void> {
  testEnvironment.setRules();
  await testEnvironment.queryRows(`update accounts set status = 'Active' returning account_id`);
  const cardAttestationUntil = new Date('2999-01-01');
  const embeddingOrigins = [SHOP_ORIGIN, 'http://localhost:3000'];
  await changeTestSettings(testEnvironment.database, testEnvironment.sandbox, {
    ...{ cardAttestationUntil, 'embeddingOrigins.sandbox': embeddingOrigins },
  });
}

/** A merchant's request with a card number. */
async function createSetupRequest(testEnvironment: VaultTestEnvironment, key?: string) {
  const by = key ?? (await testEnvironment.createKey(ROLES.pci));
  const headers = { version: '2026-02-27', authorization: `Basic ${by}` };
  return { path: '/setup-intents', body: { ...NEW_SETUP_BODY, card: { ...CARD_BODY, cv2: '020' } }, headers };
}

/** A payment of a customer with a saved card. */
async function createSavedCardRequest(testEnvironment: VaultTestEnvironment) {
  const first = await testEnvironment.createCustomerPayable();
  await testEnvironment.payByCard(first, { savePaymentMethod: true });
  const paymentMethodId = await testEnvironment.findCard(first);
  const { customer, customerSecret } = await testEnvironment.database.transact(first.scope, async (tx) => {
    const named = requireValue((await findIntent(tx, first.id))?.details.customer, 'the customer of the payment');
    const { text } = await issueCustomerSecret(tx, requireValue(named.customerId, 'the id of the customer'));
    return { customer: named, customerSecret: text };
  });
  const details = { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [], customer };
  const { secret } = await testEnvironment.createPayable({ ...ALL_METHODS, details });
  const headers = { 'customer-secret': customerSecret };
  return { ...SUBMISSIONS.payBySavedCard, body: { paymentMethodId, cV2: '020' }, secret, headers };
}

/** The request of a payer who returns from the issuer's page. */
async function createChallengedPayable(testEnvironment: VaultTestEnvironment) {
  const payable = await testEnvironment.createPayable(ALL_METHODS);
  const { body } = await testEnvironment.payByCard(payable, { cardNumber: CHALLENGED_CARD });
  const { transactionId } = body;
  return { ...SUBMISSIONS.completeChallenge, body: { paRes: 'Y', transactionId }, secret: payable.secret };
}

/** The acquirer executes the next call and drops its answer. */
function dropNextAnswer<T extends object>(
  testEnvironment: VaultTestEnvironment,
  at: CardVaultServer,
  request: T,
): T & { readonly at: CardVaultServer } {
  testEnvironment.setRules({ match: {}, effect: 'drop-answer', times: 1 });
  return { ...request, at };
}

/** A valid secret of a payment with the maximum number of submissions. */
async function createExhaustedPayable(testEnvironment: VaultTestEnvironment): Promise<string> {
  const payable: Payable = await testEnvironment.createPayable(ALL_METHODS);
  let { secret } = payable;
  for (let attempt = 0; attempt < SUBMISSIONS_MAX; attempt += 1) {
    await testEnvironment.payByCard({ secret }, { cV2: '999' });
    secret = await testEnvironment.refreshSecret(payable);
  }
  return secret;
}
