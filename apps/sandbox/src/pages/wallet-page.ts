import { WALLET_KINDS } from '@pos/core/cards';
import { type CardBehaviour, createWalletToken, TEST_CARDS, type TestCard } from '@pos/sandbox/cards';
import type { FormPage, PageContent } from '@pos/service-kit/http';
import { computePolicyHash, createExternalPage } from './external-page.js';

/** Descriptions of how the test cards of a simulated wallet behave. */
const BEHAVIOUR_TEXTS = {
  Approve: 'approved',
  Challenge: 'the bank asks',
  ChallengeAlwaysFails: 'the bank asks, and says no',
  Decline: 'declined',
  Refer: 'referred',
  Fail: 'fails',
  ApproveLate: 'approved late',
  ApproveAddressMismatch: 'approved, another address',
  ApproveSetupOnly: 'approved once',
  ApproveNoRefund: 'approved, no refund',
  ApproveSecondAttempt: 'approved at the second try',
} as const satisfies Record<CardBehaviour, string>;
const WALLET_NAMES = { APPLE_PAY: 'Apple Pay', GOOGLE_PAY: 'Google Pay' } as const;

/** Posts the token to the parent page, like the script of a wallet. */
const SCRIPT = `
'use strict';
document.forms[0].addEventListener('submit', (event) => {
  event.preventDefault();
  parent.postMessage({ type: 'wallet', token: event.submitter.value }, '*');
});
`;

/** The simulated wallets, which a payment page shows in a frame: one button for each test card. */
export function createWalletPage(now: () => Date): FormPage {
  return { path: '/wallet', renderForm: (form) => createWalletSheet(form.get('wallet'), now()) };
}

function createWalletSheet(requestedWallet: string | null, now: Date): PageContent {
  const wallet = WALLET_KINDS.find((kind) => kind === requestedWallet);
  const name = wallet === undefined ? 'wallet' : WALLET_NAMES[wallet];
  const body = `<h1>The simulated ${name}: which card?</h1>
<p>No card is charged in a sandbox.</p>
<form>
${TEST_CARDS.map((card) => createCardButton(card, now)).join('\n')}
</form>
<script>${SCRIPT}</script>`;
  return createExternalPage(`The simulated ${name}`, body, [
    `script-src '${computePolicyHash(SCRIPT)}'`,
    "form-action 'none'",
  ]);
}

function createCardButton(card: TestCard, now: Date): string {
  const name = `${card.product} •••• ${card.number.slice(-4)}`;
  const token = createWalletToken(card, now);
  return `<button class="card" value="${token}">${name} <span>${BEHAVIOUR_TEXTS[card.behaviour]}</span></button>`;
}
