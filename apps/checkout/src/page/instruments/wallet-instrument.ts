import { createElement } from '../elements/element.js';
import { createWalletMark } from '../elements/icons.js';
import { showFrameDialog } from './frame-dialog.js';
import type { AttemptOutcome, PaymentAttempt } from '../service/payment-attempt.js';
import type { PaymentInstrument } from './payment-instrument.js';
import { type Wallet, WALLET_NAMES } from '../texts/display-names.js';
import type { PaymentClient } from '../service/payment-client.js';
import { getText } from '../texts/texts.js';

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
    const name = WALLET_NAMES[wallet];
    const [maker = name, product = ''] = name.split(' ');
    const button = createElement('button', { type: 'button', class: `wallet wallet-${wallet}` }, [
      createElement('span', {}, [`${getText('payWith')} `]),
      createWalletMark(wallet, maker),
      // Both wallets have the same word after their mark.
      createElement('span', { class: 'wallet-name' }, [` ${product}`]),
    ]);
    button.addEventListener('click', () => onPress(wallet));
    return button;
  });
}

/** Shows the wallet until the payer has chosen a card; null if the payer closes it. */
export function showWallet(
  wallet: Wallet,
  { sheet, payment }: { readonly sheet: string; readonly payment: string },
): Promise<string | null> {
  const name = WALLET_NAMES[wallet];
  const dialogOptions = {
    title: name,
    heading: name,
    payment,
    address: sheet,
    members: { wallet },
    closing: getText('dialogClose'),
  };
  return showFrameDialog(dialogOptions, readWalletToken);
}

function readWalletToken(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'wallet') return null;
  return 'token' in data && typeof data.token === 'string' && data.token !== '' ? data.token : null;
}
