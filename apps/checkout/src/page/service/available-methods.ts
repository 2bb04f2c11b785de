import type { Intent } from './intent.js';
import type { Scheme, Wallet } from '../texts/display-names.js';

/** The ways in which an intent may be paid on this page. */
export interface AvailableMethods {
  /** A card that the payer types. */
  readonly card: boolean;
  /** One of the saved cards of the customer, if there are any. */
  readonly savedCard: boolean;
  readonly wallets: readonly Wallet[];
}

type MethodSource = Pick<Intent, 'id' | 'kind' | 'paymentMethods' | 'merchantConfig'>;

/**
 * The methods that the integrator and the account accept and this page supports. Production wallets need their makers'
 * scripts, which this page does not run. The card of a setup intent is always typed.
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

/** The accepted card schemes; none where no card is accepted. */
export function listSchemes(
  { merchantConfig }: MethodSource,
  { card, savedCard }: AvailableMethods,
): readonly Scheme[] {
  return card || savedCard ? merchantConfig.supportedPaymentMethods.cardSchemes : [];
}
