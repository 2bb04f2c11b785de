import { status } from '@grpc/grpc-js';
import type { EposSilence } from '@pos/core/epos-error';
import type { EposRefused } from '@pos/core/ports';
import { GrpcFailure, tablesFailure } from '@pos/service-kit/grpc-errors';

/** Anything an EPOS says, or does not say, in place of an answer. */
export type EposNo = EposRefused | { readonly outcome: EposSilence; readonly reason: string };

/** How that sounds to a device. */
export function failureOf(no: EposNo): GrpcFailure {
  switch (no.outcome) {
    case 'refused':
      return refusalFailure(no);
    case 'notConnected':
      return new GrpcFailure(status.UNAVAILABLE, no.reason);
    case 'noAnswer':
      return new GrpcFailure(status.DEADLINE_EXCEEDED, no.reason);
  }
}

/** How a refusal of the EPOS is sent to a device: a call that the EPOS does not have is UNIMPLEMENTED here too. */
export function refusalFailure({ code, reason, isUnimplemented }: Omit<EposRefused, 'outcome'>): GrpcFailure {
  return isUnimplemented === true
    ? new GrpcFailure(status.UNIMPLEMENTED, reason, { code, reason })
    : tablesFailure(code, reason);
}
