import { expect, test } from '@jest/globals';
import { listSchemes, findAvailableMethods } from './available-methods.js';

const SHEET = 'https://wallets.example/sheet';
const BOTH_WALLETS = ['APPLE_PAY', 'GOOGLE_PAY'] as const;
const ALL_METHODS = ['Card', 'Wallet', 'SavedCard'] as const;

// oxfmt-ignore
test.each([
  // id              methods             wallets taken  sheet   card   saved  wallets
  ['pi_sandbox_a',   ['Card'],           BOTH_WALLETS,          SHEET,  true,  false, []],
  ['pi_sandbox_a',   ['SavedCard'],      BOTH_WALLETS,          SHEET,  false, true,  []],
  ['pi_sandbox_a',   ['Wallet'],         BOTH_WALLETS,          SHEET,  false, false, BOTH_WALLETS],
  ['pi_sandbox_a',   ALL_METHODS,                BOTH_WALLETS,          SHEET,  true,  true,  BOTH_WALLETS],
  // Only wallets that the account accepts.
  ['pi_sandbox_a',   ALL_METHODS,                ['APPLE_PAY'], SHEET,  true,  true,  ['APPLE_PAY']],
  ['pi_sandbox_a',   ['Wallet'],         [],            SHEET,  false, false, []],
  // No simulated wallet is configured, or the intent is in production.
  ['pi_sandbox_a',   ['Wallet'],         BOTH_WALLETS,          null,   false, false, []],
  ['pi_a',           ALL_METHODS,                BOTH_WALLETS,          SHEET,  true,  true,  []],
  ['pi_a',           ['Wallet'],         BOTH_WALLETS,          SHEET,  false, false, []],
  // A setup intent accepts only a typed card.
  ['si_sandbox_a',   ALL_METHODS,                BOTH_WALLETS,          SHEET,  true,  false, []],
  ['si_sandbox_a',   ['Wallet'],         BOTH_WALLETS,          SHEET,  false, false, []],
  ['si_sandbox_a',   ['SavedCard'],      BOTH_WALLETS,          SHEET,  false, false, []],
] as const)('%s by %p, where %p are taken and the sheet is %p: card %p, saved cards %p, wallets %p', (id, methods, taken, sheet, card, savedCard, wallets) => {
  const kind = id.startsWith('pi_') ? ('payment' as const) : ('setup' as const);
  const supported = { cardSchemes: ['VISA' as const], wallets: [...taken] };
  const intent = { id, kind, paymentMethods: [...methods], merchantConfig: { supportedPaymentMethods: supported } };
  const ways = findAvailableMethods(intent, sheet);
  expect(ways).toEqual({ card, savedCard, wallets });
  expect(listSchemes(intent, ways)).toEqual(card || savedCard ? ['VISA'] : []);
});
