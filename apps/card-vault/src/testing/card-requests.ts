import type { PaymentIntentId, Scope } from '@pos/core/identity/identity';
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
