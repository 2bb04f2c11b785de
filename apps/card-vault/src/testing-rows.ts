import { required } from '@pos/core/assert';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { ROLES } from '@pos/core/permissions';
import type { RefusalCode } from '@pos/core/refusal';
import { issueCustomerSecret } from '@pos/payments/customers';
import { findIntent } from '@pos/store/payment-intents';
import type { RunningVault } from './boot.js';
import { APPROVED_CARD, type Payable, type Sent, type VaultWorld } from './testing.js';

/** A request that its operation accepts, and a body that it does not. */
export interface Accepted extends Sent {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly wrong: unknown;
}

/** An operation, a refusal that it declares for itself, and a request that is refused so. */
export type Own = readonly [operation: string, code: RefusalCode, () => Promise<Omit<Accepted, 'wrong'>>];

/** Opened before the tests, and so not there yet when their tables are written. */
type World = () => VaultWorld;
/** A process that soon gives the acquirer up. */
type Hasty = () => RunningVault;

const CARD = { cardNumber: APPROVED_CARD, cardName: 'A GUEST', expiryDate: '12/32' };
const CHALLENGED_CARD = '4456530000001096';
const TOKEN = Buffer.from(JSON.stringify({ cardNumber: APPROVED_CARD, expiryDate: '12/32', cV2: '020' }));
const NEW_SETUP = { reference: 'Saturday', merchantInitiatedTransactionType: 'NoShow', terms: 'Who stays away pays.' };
const WAYS = { paymentMethods: ['Card', 'Wallet', 'SavedCard'] as const };
const SUBMISSIONS_MAX = 10;

/** What a payer submits about a payment, by operation. */
const SUBMITTED = {
  prepareDeviceData: { path: '/client/device-data', body: { cardNumber: APPROVED_CARD } },
  payByCard: { path: '/client/payments', body: { ...CARD, cV2: '020' } },
  payByWallet: { path: '/client/payments/wallet', body: { wallet: 'APPLE_PAY', token: TOKEN.toString('base64url') } },
  payBySavedCard: {
    path: '/client/payments/saved-card',
    body: { paymentMethodId: `pm_${'A'.repeat(22)}`, cV2: '020' },
  },
  completeChallenge: { path: '/client/payments/challenge', body: { paRes: 'Y', transactionId: 'of nobody' } },
};
type PayersCall = keyof typeof SUBMITTED;
const PAYERS_CALLS = Object.keys(SUBMITTED) as readonly PayersCall[];
const ATTEMPTS = ['payByCard', 'payByWallet', 'payBySavedCard'] as const;

/** A request of each operation of the vault, which it accepts. */
export function acceptedRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  const plain = async (id: PayersCall, wrong: unknown): Promise<Accepted> => ({
    ...SUBMITTED[id],
    secret: (await world().payable(WAYS)).secret,
    wrong,
  });
  return {
    prepareDeviceData: () => plain('prepareDeviceData', { cardNumber: '1' }),
    payByCard: () => plain('payByCard', { cardNumber: '1' }),
    payByWallet: () => plain('payByWallet', { wallet: 'PURSE' }),
    payBySavedCard: async () => ({ ...(await bySavedCard(world())), wrong: { paymentMethodId: '' } }),
    completeChallenge: async () => ({ ...(await challenged(world())), wrong: { paRes: '' } }),
    createSetupIntentWithCard: async () => ({ ...(await withCard(world())), wrong: { card: null } }),
  };
}

/** How each operation of the vault is refused by its own rules. */
// prettier-ignore
export function ownRefusals(world: World, hasty: Hasty): readonly Own[] {
  const setup = 'createSetupIntentWithCard';
  return [
  ...PAYERS_CALLS.flatMap((id): Own[] => [
    [id, 'client_secret_missing', () => Promise.resolve({ ...SUBMITTED[id], secret: null })],
    [id, 'client_secret_invalid', () => Promise.resolve({ ...SUBMITTED[id], secret: 'of nobody' })],
    [id, 'client_secret_invalid', async () => {
      const payable = await world().payable(WAYS);
      await world().refresh(payable);
      return { ...SUBMITTED[id], secret: payable.secret };
    }],
  ]),
  ...ATTEMPTS.flatMap((id): Own[] => [
    [id, 'submissions_exhausted', async () => ({ ...SUBMITTED[id], secret: await exhausted(world()) })],
    [id, 'acquirer_not_configured', async () => ({ ...SUBMITTED[id], secret: (await world().payable({ ...WAYS, environment: 'production' })).secret })],
  ]),
  ['payByCard', 'payment_outcome_unknown', async () => silent(world(), hasty(), { ...SUBMITTED.payByCard, secret: (await world().payable(WAYS)).secret })],
  ['payByWallet', 'payment_outcome_unknown', async () => silent(world(), hasty(), { ...SUBMITTED.payByWallet, secret: (await world().payable(WAYS)).secret })],
  ['payBySavedCard', 'payment_outcome_unknown', async () => silent(world(), hasty(), await bySavedCard(world()))],
  ['completeChallenge', 'payment_outcome_unknown', async () => silent(world(), hasty(), await challenged(world()))],
  [setup, 'attestation_missing', async () => {
    await world().look('update accounts set saq_d_valid_until = null where account_id = $1 returning account_id', [world().sandbox.accountId]);
    return withCard(world());
  }],
  [setup, 'acquirer_not_configured', async () => withCard(world(), await world().key(ROLES.pci, world().production))],
  [setup, 'acquirer_unanswered', async () => silent(world(), hasty(), await withCard(world()))],
  ];
}

/** The account may handle card numbers again, and its acquirer answers. */
export async function restore(world: VaultWorld): Promise<void> {
  world.rule();
  await world.look(`update accounts set saq_d_valid_until = '2999-01-01' where account_id = $1 returning account_id`, [
    world.sandbox.accountId,
  ]);
}

/** A request of a merchant with the card in hand. */
async function withCard(world: VaultWorld, key?: string) {
  const by = key ?? (await world.key(ROLES.pci));
  const headers = { version: '2026-02-27', authorization: `Basic ${by}` };
  return { path: '/setup-intents', body: { ...NEW_SETUP, card: { ...CARD, cv2: '020' } }, headers };
}

/** A payer who has a saved card, and pays with it. */
async function bySavedCard(world: VaultWorld) {
  const first = await world.payableByCustomer();
  await world.pay(first, { savePaymentMethod: true });
  const paymentMethodId = await world.cardOf(first);
  const { customer, customerSecret } = await world.database.transact(first.scope, async (tx) => {
    const named = required((await findIntent(tx, first.id))?.details.customer, 'the customer of the payment');
    const { text } = await issueCustomerSecret(tx, required(named.customerId, 'his id'));
    return { customer: named, customerSecret: text };
  });
  const details = { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [], customer };
  const { secret } = await world.payable({ ...WAYS, details });
  const headers = { 'customer-secret': customerSecret };
  return { ...SUBMITTED.payBySavedCard, body: { paymentMethodId, cV2: '020' }, secret, headers };
}

/** A payer who comes back from his issuer's page. */
async function challenged(world: VaultWorld) {
  const payable = await world.payable(WAYS);
  const { body } = await world.pay(payable, { cardNumber: CHALLENGED_CARD });
  const { transactionId } = body;
  return { ...SUBMITTED.completeChallenge, body: { paRes: 'Y', transactionId }, secret: payable.secret };
}

/** The acquirer does the next thing and nobody hears of it. */
function silent<T extends object>(world: VaultWorld, at: RunningVault, request: T): T & { readonly at: RunningVault } {
  world.rule({ match: {}, effect: 'drop-answer', times: 1 });
  return { ...request, at };
}

/** A good secret of a payment that was tried as often as it may be. */
async function exhausted(world: VaultWorld): Promise<string> {
  const payable: Payable = await world.payable(WAYS);
  let { secret } = payable;
  for (let attempt = 0; attempt < SUBMISSIONS_MAX; attempt += 1) {
    await world.pay({ secret }, { cV2: '999' });
    secret = await world.refresh(payable);
  }
  return secret;
}
