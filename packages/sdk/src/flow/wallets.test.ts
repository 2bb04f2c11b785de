import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createIntent, createSimulatedService, INTENT_ID, PATHS, SERVICE } from '../testing/simulated-service.js';
import { PaymentFlow } from './payment-flow.js';
import { PaymentService } from './payment-service.js';
import type { Wallet } from './wallets.js';

type Answers = Parameters<typeof createSimulatedService>[0];

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const TOKEN = {
  wallet: 'GOOGLE_PAY',
  token: 'token of the wallet',
  details: { emailAddress: 'guest@example.com' },
} as const;

/** A payment by these methods, of a merchant that accepts these wallets. */
function createWalletIntent(
  paymentMethods: readonly string[] = ['Card', 'Wallet'],
  wallets: readonly Wallet[] = ['APPLE_PAY', 'GOOGLE_PAY'],
  change: Readonly<Record<string, unknown>> = {},
) {
  const merchantConfig = { supportedPaymentMethods: { cardSchemes: ['VISA'], wallets } };
  return createIntent({ paymentMethods, merchantConfig, ...change });
}

/** An opened flow on a device with these wallets, and the notices that it had. */
async function openFlow(answers: Answers = {}, wallets: readonly Wallet[] = ['APPLE_PAY', 'GOOGLE_PAY']) {
  const service = createSimulatedService({
    [PATHS.read]: [200, createWalletIntent()],
    [PATHS.refresh]: [200, createWalletIntent(undefined, undefined, { clientSessionSecret: 'fresh secret' })],
    ...answers,
  });
  const flow = new PaymentFlow(
    new PaymentService({ ...SERVICE, fetch: service.fetch }),
    { paymentIntentId: INTENT_ID, wallets },
    { showChallenge: () => Promise.resolve('answer of the issuer') },
  );
  const states: string[] = [];
  flow.subscribe((state) => states.push(state.kind === 'ready' && state.notice !== null ? state.notice : state.kind));
  await flow.open();
  return { flow, states, service, listPosted: () => service.listPaths().filter((path) => path === PATHS.wallet) };
}

describe('a wallet is offered', () => {
  const BOTH = ['APPLE_PAY', 'GOOGLE_PAY'] as const;
  test.each<[string, readonly string[], readonly Wallet[], readonly Wallet[], readonly Wallet[]]>([
    // why,                                  methods,            merchant takes, device has,     offered
    ['that all three have', ['Card', 'Wallet'], BOTH, BOTH, BOTH],
    ['that the merchant takes', ['Card', 'Wallet'], ['APPLE_PAY'], BOTH, ['APPLE_PAY']],
    ['that the device has', ['Card', 'Wallet'], BOTH, ['GOOGLE_PAY'], ['GOOGLE_PAY']],
    ['where cards are not accepted', ['Wallet'], BOTH, ['GOOGLE_PAY'], ['GOOGLE_PAY']],
    ['never for a payment by card alone', ['Card'], BOTH, BOTH, []],
    ['never by a merchant without wallets', ['Card', 'Wallet'], [], BOTH, []],
    ['never on a device without wallets', ['Card', 'Wallet'], BOTH, [], []],
    ['never if the device has another one', ['Card', 'Wallet'], ['APPLE_PAY'], ['GOOGLE_PAY'], []],
  ])('%s', async (_, methods, taken, displayable, offered) => {
    const { flow } = await openFlow({ [PATHS.read]: [200, createWalletIntent(methods, taken)] }, displayable);
    expect(flow.state).toMatchObject({ kind: 'ready', offer: { wallets: offered } });
  });
});

test.each<[string, readonly Wallet[], readonly Wallet[]]>([
  ['the device has no wallet', ['APPLE_PAY'], []],
  ['the merchant takes another wallet', ['APPLE_PAY'], ['GOOGLE_PAY']],
])('a payment by wallets alone cannot be opened if %s', async (_, taken, displayable) => {
  const { flow } = await openFlow({ [PATHS.read]: [200, createWalletIntent(['Wallet'], taken)] }, displayable);
  expect([await flow.result, flow.state.kind]).toEqual([400, 'ended']);
});

test('the token is sent once, with a fresh secret and what the payer was asked for', async () => {
  const { flow, service } = await openFlow();
  await flow.payByWallet(TOKEN);
  expect(await flow.result).toBe(0);
  expect(service.listPaths()).toEqual([PATHS.read, PATHS.open, PATHS.refresh, PATHS.wallet]);
  const { details, ...token } = TOKEN;
  expect(service.sent.at(-1)).toMatchObject({
    headers: { 'client-session-secret': 'fresh secret' },
    body: { ...token, ...details },
  });
});

test('details of the page cannot replace the token', async () => {
  const { flow, service } = await openFlow();
  await flow.payByWallet({ ...TOKEN, details: { token: 'another', wallet: 'APPLE_PAY' } });
  expect(service.sent.at(-1)?.body).toEqual({ wallet: TOKEN.wallet, token: TOKEN.token });
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['declined', { statusCode: 5 }, 'declined'],
  ['referred', { statusCode: 4 }, 'referred'],
  ['that the acquirer cannot decrypt', { statusCode: 30 }, 'failed'],
  ['with a token that is refused', { statusCode: 400, errors: { token: ['Is no token.'] } }, 'walletRefused'],
  ['of a kind that is refused', { statusCode: 400, errors: { wallet: ['Not accepted.'] } }, 'walletRefused'],
  ['with a wrong address', { statusCode: 400, errors: { 'billingAddress.postcode': ['Missing.'] } }, 'checkFields'],
  ['after too many tries', { statusCode: 429 }, 'exhausted'],
])('a wallet %s charges nothing, and the payer may choose again', async (_, answer, notice) => {
  const paid = { statusCode: 0, message: 'DEPOSITED' };
  const { flow, states, listPosted } = await openFlow({
    [PATHS.wallet]: [
      [200, answer],
      [200, paid],
    ],
  });
  await flow.payByWallet(TOKEN);
  expect([states.at(-1), listPosted().length]).toEqual([notice, 1]);
  await flow.payByWallet(TOKEN);
  expect([await flow.result, listPosted().length]).toEqual([0, 2]);
});

test('the bank may challenge the card of a wallet', async () => {
  const challenge = { statusCode: 3, stepUpUrl: 'https://issuer.example/', paReq: 'p', md: 'm', transactionId: 't' };
  const { flow, states } = await openFlow({ [PATHS.wallet]: [200, challenge] });
  await flow.payByWallet(TOKEN);
  expect([await flow.result, states]).toEqual([
    0,
    ['opening', 'ready', 'submitting', 'challenging', 'submitting', 'ended'],
  ]);
});

test('a token without an answer is never sent again: the payment itself has the outcome', async () => {
  const paid = createWalletIntent(undefined, undefined, { status: 'Captured' });
  const { flow, states, listPosted } = await openFlow({
    [PATHS.read]: [
      [200, createWalletIntent()],
      [200, paid],
    ],
    [PATHS.wallet]: null,
  });
  await flow.payByWallet(TOKEN);
  expect([await flow.result, states.slice(-2), listPosted().length]).toEqual([0, ['checking', 'ended'], 1]);
});

test('a token for an amount that has changed is not sent', async () => {
  const change = { totalAmount: { value: 9900, currencyCode: 'GBP' }, clientSessionSecret: 'fresh secret' };
  const { flow, states, listPosted } = await openFlow({
    [PATHS.refresh]: [200, createWalletIntent(undefined, undefined, change)],
  });
  await flow.payByWallet(TOKEN);
  expect([states.at(-1), listPosted()]).toEqual(['amountChanged', []]);
  expect(flow.state).toMatchObject({ offer: { intent: { totalAmount: { value: 9900 } } } });
});

test('a token that comes after the payer has closed the flow is not sent', async () => {
  const { flow, listPosted } = await openFlow();
  flow.close();
  await flow.payByWallet(TOKEN);
  expect([await flow.result, listPosted()]).toEqual([7780, []]);
});
