import type { Scope } from '@pos/core/identity';
import type { EposCallHeaders, EposDataCallName, EposError } from '@pos/rest-contracts/epos-data';

/** A call of the EPOS Data API at the EPOS of an account. */
export interface EposDataCall {
  readonly scope: Scope;
  readonly name: EposDataCallName;
  /** The members of path and body together. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: EposCallHeaders;
  /** How long the caller waits at most. */
  readonly waitMs: number;
}

/** How it ended. `notSent`: the EPOS has received nothing. `noAnswer`: the EPOS may have executed it. */
export type EposDataReply =
  | { readonly outcome: 'answered'; readonly json: unknown }
  | { readonly outcome: 'refused'; readonly error: Pick<EposError, 'errorType' | 'debugMessage'> }
  | { readonly outcome: 'notSent' | 'noAnswer'; readonly reason: string };

/** Makes calls of the EPOS Data API. Never rejects. */
export interface EposDataCaller {
  callEpos(call: EposDataCall): Promise<EposDataReply>;
}
