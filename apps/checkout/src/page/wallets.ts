import { element } from './elements.js';
import { askInFrame } from './frame-dialog.js';
import type { Means, Try, TryResult } from './means.js';
import { type Wallet, WALLETS } from './names.js';
import type { Service } from './service.js';

/** A card that a wallet has given for one payment. */
export class WalletCard implements Means {
  constructor(
    private readonly service: Service,
    private readonly given: { readonly wallet: Wallet; readonly token: string },
  ) {}

  submit({ secret, details }: Try): Promise<TryResult> {
    return this.service.payByWallet(secret, { ...details, ...this.given });
  }
}

/** One button for each wallet. */
export function walletButtons(wallets: readonly Wallet[], onPress: (wallet: Wallet) => void): HTMLButtonElement[] {
  return wallets.map((wallet) => {
    const button = element('button', { type: 'button' }, [`Pay with ${WALLETS[wallet]}`]);
    button.addEventListener('click', () => onPress(wallet));
    return button;
  });
}

/** Shows the wallet until the payer has chosen a card in it, or has closed it: null. */
export function askWallet(wallet: Wallet, sheet: string): Promise<string | null> {
  const name = WALLETS[wallet];
  const asked = { title: name, label: name, address: sheet, members: { wallet }, closing: 'Close and do not pay' };
  return askInFrame(asked, tokenIn);
}

function tokenIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'wallet') return null;
  return 'token' in data && typeof data.token === 'string' && data.token !== '' ? data.token : null;
}
