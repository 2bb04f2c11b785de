import type { PublicPaymentIntent } from '@pos/rest-contracts/payment-intents';

type Supported = PublicPaymentIntent['merchantConfig']['supportedPaymentMethods'];
export type Scheme = Supported['cardSchemes'][number];
export type Wallet = Supported['wallets'][number];

export const WALLET_NAMES = {
  APPLE_PAY: 'Apple Pay',
  GOOGLE_PAY: 'Google Pay',
} as const satisfies Record<Wallet, string>;
