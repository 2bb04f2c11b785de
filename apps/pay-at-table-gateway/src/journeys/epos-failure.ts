import { status } from '@grpc/grpc-js';
import type { EposErrorCode, EposSilence } from '@pos/core/epos-error';
import { GrpcFailure, tablesFailure } from '@pos/service-kit/grpc-errors';

/** Anything an EPOS says, or does not say, in place of an answer. */
export type EposNo =
  | { readonly outcome: 'refused'; readonly code: EposErrorCode; readonly reason: string }
  | { readonly outcome: EposSilence; readonly reason: string };

/** How that sounds to a device. */
export function failureOf(no: EposNo): GrpcFailure {
  switch (no.outcome) {
    case 'refused':
      return tablesFailure(no.code, no.reason);
    case 'notConnected':
      return new GrpcFailure(status.UNAVAILABLE, no.reason);
    case 'noAnswer':
      return new GrpcFailure(status.DEADLINE_EXCEEDED, no.reason);
  }
}
