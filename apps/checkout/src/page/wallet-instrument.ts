import { createElement } from './element.js';
import { showFrameDialog } from './frame-dialog.js';
import type { PaymentInstrument, PaymentAttempt, AttemptOutcome } from './payment-instrument.js';
import { type Wallet, WALLET_NAMES } from './display-names.js';
import type { PaymentClient } from './payment-client.js';

/** A wallet's card token for one payment. */
export class WalletInstrument implements PaymentInstrument {
  constructor(
    private readonly service: PaymentClient,
    private readonly walletToken: { readonly wallet: Wallet; readonly token: string },
  ) {}

  submitAttempt({ secret, details }: PaymentAttempt): Promise<AttemptOutcome> {
    return this.service.payByWallet(secret, { ...details, ...this.walletToken });
  }
}

/** One button for each wallet. */
export function createWalletButtons(
  wallets: readonly Wallet[],
  onPress: (wallet: Wallet) => void,
): HTMLButtonElement[] {
  return wallets.map((wallet) => {
    const button = createElement('button', { type: 'button' }, [`Pay with ${WALLET_NAMES[wallet]}`]);
    button.addEventListener('click', () => onPress(wallet));
    return button;
  });
}

/** Shows the wallet until the payer has chosen a card; null if the payer closes it. */
export function showWallet(wallet: Wallet, sheet: string): Promise<string | null> {
  const name = WALLET_NAMES[wallet];
  const dialogOptions = {
    title: name,
    label: name,
    address: sheet,
    members: { wallet },
    closing: 'Close and do not pay',
  };
  return showFrameDialog(dialogOptions, readWalletToken);
}

function readWalletToken(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'wallet') return null;
  return 'token' in data && typeof data.token === 'string' && data.token !== '' ? data.token : null;
}
