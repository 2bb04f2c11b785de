import { expect, test } from '@jest/globals';
import { schemesOf, waysOf } from './ways.js';

const SHEET = 'https://wallets.example/sheet';
const BOTH = ['APPLE_PAY', 'GOOGLE_PAY'] as const;
const ALL = ['Card', 'Wallet', 'SavedCard'] as const;

// prettier-ignore
test.each([
  // id              methods             wallets taken  sheet   card   saved  wallets
  ['pi_sandbox_a',   ['Card'],           BOTH,          SHEET,  true,  false, []],
  ['pi_sandbox_a',   ['SavedCard'],      BOTH,          SHEET,  false, true,  []],
  ['pi_sandbox_a',   ['Wallet'],         BOTH,          SHEET,  false, false, BOTH],
  ['pi_sandbox_a',   ALL,                BOTH,          SHEET,  true,  true,  BOTH],
  // Only what the account takes.
  ['pi_sandbox_a',   ALL,                ['APPLE_PAY'], SHEET,  true,  true,  ['APPLE_PAY']],
  ['pi_sandbox_a',   ['Wallet'],         [],            SHEET,  false, false, []],
  // Nobody simulates wallets, or the money is real.
  ['pi_sandbox_a',   ['Wallet'],         BOTH,          null,   false, false, []],
  ['pi_a',           ALL,                BOTH,          SHEET,  true,  true,  []],
  ['pi_a',           ['Wallet'],         BOTH,          SHEET,  false, false, []],
  // A card for later is typed, or is not.
  ['si_sandbox_a',   ALL,                BOTH,          SHEET,  true,  false, []],
  ['si_sandbox_a',   ['Wallet'],         BOTH,          SHEET,  false, false, []],
  ['si_sandbox_a',   ['SavedCard'],      BOTH,          SHEET,  false, false, []],
] as const)('%s by %p, where %p are taken and the sheet is %p: card %p, saved cards %p, wallets %p', (id, methods, taken, sheet, card, savedCard, wallets) => {
  const kind = id.startsWith('pi_') ? ('payment' as const) : ('setup' as const);
  const supported = { cardSchemes: ['VISA' as const], wallets: [...taken] };
  const intent = { id, kind, paymentMethods: [...methods], merchantConfig: { supportedPaymentMethods: supported } };
  const ways = waysOf(intent, sheet);
  expect(ways).toEqual({ card, savedCard, wallets });
  expect(schemesOf(intent, ways)).toEqual(card || savedCard ? ['VISA'] : []);
});
