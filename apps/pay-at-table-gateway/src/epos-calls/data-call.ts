import type { EposCallHeaders, EposDataCallName, EposError } from '@pos/rest-contracts/epos-data';
import type { CallFailure } from './call-failure.js';
import type { TablesCallRequest } from './tables-call.js';
import type { DataTransportKind } from './transport-kinds.js';

/** A requested call of the EPOS Data API. */
export interface DataCallRequest extends Omit<TablesCallRequest, 'call'> {
  readonly name: EposDataCallName;
  /** The members of path and body together. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: EposCallHeaders;
}

/**
 * The outcome of a call of the EPOS Data API. The answer is the received JSON. After an `UnexpectedError` to a write the
 * EPOS may have executed it. The status is 0 where the transport has none.
 */
export type DataOutcome = DataReply | CallFailure;

/** An outcome with an answer of the EPOS. */
export type DataReply =
  | { readonly outcome: 'answered'; readonly json: unknown; readonly httpStatus: number }
  | { readonly outcome: 'refused'; readonly error: EposError; readonly httpStatus: number };

/** An outcome, and the transport that was used; null when there was none. */
export interface DataResult {
  readonly outcome: DataOutcome;
  readonly transport: DataTransportKind | null;
  readonly connectionId: string;
}
