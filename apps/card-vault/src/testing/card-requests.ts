import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { money } from '@pos/core/money';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import type { SetupIntentRequest } from '@pos/payments/testing';
import type { CardVaultServer } from '../vault-server.js';

/** An answer as it arrived over the socket. */
export interface VaultResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}
/** The secret, headers and target of a submission. */
export interface VaultRequest {
  readonly secret?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: CardVaultServer;
}
export type CompletionRequest = VaultRequest & { readonly paRes?: string };
/** A payment intent that can be paid, or a setup intent that waits for a card. */
export interface Payable<Id extends string = PaymentIntentId> {
  readonly id: Id;
  readonly secret: string;
  readonly scope: Scope;
}

/** The setup intent of a card that is charged if nobody comes. */
export const SETUP_REQUEST: SetupIntentRequest = {
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'A no-show pays.',
  intendedAmount: money(2_500, 'GBP'),
  reference: 'Saturday, table 7',
  description: null,
  paymentMethods: ['Card'],
  paymentSource: 'api',
  expireAt: null,
  metadata: {},
  savedCard: {},
  details: { config: DEFAULT_INTENT_CONFIG },
};

/** A master key for tests. */
export function createMasterKey(id: string, fill: number): string {
  return `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
}
