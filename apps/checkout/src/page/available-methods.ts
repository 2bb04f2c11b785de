import type { Intent } from './intent.js';
import type { Scheme, Wallet } from './display-names.js';

/** In which ways an intent may be paid on this page. */
export interface AvailableMethods {
  /** A card that the payer types. */
  readonly card: boolean;
  /** One of the saved cards of the customer, if there are any. */
  readonly savedCard: boolean;
  readonly wallets: readonly Wallet[];
}

type MethodSource = Pick<Intent, 'id' | 'kind' | 'paymentMethods' | 'merchantConfig'>;

/**
 * What the integrator and the account take, as far as this page can do it. The wallets of production need scripts of
 * their makers, which this page does not run; a card for later is always typed.
 */
export function findAvailableMethods(
  { id, kind, paymentMethods, merchantConfig }: MethodSource,
  walletSheet: string | null,
): AvailableMethods {
  const isAccepted = (method: Intent['paymentMethods'][number]): boolean => paymentMethods.includes(method);
  const hasWallets = kind === 'payment' && isAccepted('Wallet') && id.startsWith('pi_sandbox_') && walletSheet !== null;
  return {
    card: isAccepted('Card'),
    savedCard: kind === 'payment' && isAccepted('SavedCard'),
    wallets: hasWallets ? merchantConfig.supportedPaymentMethods.wallets : [],
  };
}

/** Whose cards are taken, where any are. */
export function listSchemes(
  { merchantConfig }: MethodSource,
  { card, savedCard }: AvailableMethods,
): readonly Scheme[] {
  return card || savedCard ? merchantConfig.supportedPaymentMethods.cardSchemes : [];
}
