import { WALLET_KINDS } from '@pos/core/card';
import { type CardBehaviour, maskedNumber, TEST_CARDS, type TestCard } from '@pos/sandbox/test-cards';
import { walletToken } from '@pos/sandbox/wallet-token';
import type { FormPage, PageContent } from '@pos/service-kit/pages';
import { hashOf, outsidePage } from './outside-page.js';

/** What a simulated wallet says a card will do. */
const SAID = {
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
const NAMES = { APPLE_PAY: 'Apple Pay', GOOGLE_PAY: 'Google Pay' } as const;

/** Hands the token to the page that shows this one, as the script of a wallet would. */
const SCRIPT = `
'use strict';
document.forms[0].addEventListener('submit', (event) => {
  event.preventDefault();
  parent.postMessage({ type: 'wallet', token: event.submitter.value }, '*');
});
`;

/** The simulated wallets, which a payment page shows in a frame: one button for each test card. */
export function walletPage(now: () => Date): FormPage {
  return { path: '/wallet', show: (form) => sheet(form.get('wallet'), now()) };
}

function sheet(asked: string | null, now: Date): PageContent {
  const wallet = WALLET_KINDS.find((kind) => kind === asked);
  const name = wallet === undefined ? 'wallet' : NAMES[wallet];
  const body = `<h1>The simulated ${name}: which card?</h1>
<p>No card is charged in a sandbox.</p>
<form>
${TEST_CARDS.map((card) => button(card, now)).join('\n')}
</form>
<script>${SCRIPT}</script>`;
  return outsidePage(`The simulated ${name}`, body, [`script-src '${hashOf(SCRIPT)}'`, "form-action 'none'"]);
}

function button(card: TestCard, now: Date): string {
  const label = `${maskedNumber(card.number)}: ${SAID[card.behaviour]}`;
  return `<button value="${walletToken(card, now)}">${label}</button>`;
}
