import type { PublicPaymentIntent } from '../gen/schemas.js';

export const WALLETS = ['APPLE_PAY', 'GOOGLE_PAY'] as const;
export type Wallet = (typeof WALLETS)[number];

/**
 * Displays a wallet with the script of its maker, for the amount of this payment. Resolves with the token of the wallet, or
 * with null if the payer closes it.
 */
export type RequestWalletToken = (intent: PublicPaymentIntent) => Promise<string | null>;

/** The wallets that a page or an app can display. */
export type WalletRequests = Readonly<Partial<Record<Wallet, RequestWalletToken>>>;

/** A token of a wallet, and what else the payer was asked for: members of `POST /client/payments/wallet`. */
export interface WalletPayment {
  readonly wallet: Wallet;
  readonly token: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Those of the displayable wallets that the payment and the merchant accept. */
export function findAcceptedWallets(
  { paymentMethods, merchantConfig }: PublicPaymentIntent,
  displayable: readonly Wallet[],
): readonly Wallet[] {
  if (!paymentMethods.includes('Wallet')) return [];
  return merchantConfig.supportedPaymentMethods.wallets.filter((wallet) => displayable.includes(wallet));
}
