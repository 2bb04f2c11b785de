import { status } from '@grpc/grpc-js';
import type { EposSilence } from '@pos/core/tables/epos-error';
import type { EposRefused } from '@pos/core/acquirer/ports';
import { GrpcFailure, createTablesFailure } from '@pos/service-kit/grpc/grpc-errors';

/** Anything an EPOS says, or does not say, in place of an answer. */
export type EposFailure = EposRefused | { readonly outcome: EposSilence; readonly reason: string };

/** How that sounds to a device. */
export function toGrpcFailure(failure: EposFailure): GrpcFailure {
  switch (failure.outcome) {
    case 'refused':
      return toRefusalFailure(failure);
    case 'notConnected':
      return new GrpcFailure(status.UNAVAILABLE, failure.reason);
    case 'noAnswer':
      return new GrpcFailure(status.DEADLINE_EXCEEDED, failure.reason);
  }
}

/** How a refusal of the EPOS is sent to a device: a call that the EPOS does not have is UNIMPLEMENTED here too. */
export function toRefusalFailure({ code, reason, isUnimplemented }: Omit<EposRefused, 'outcome'>): GrpcFailure {
  return isUnimplemented === true
    ? new GrpcFailure(status.UNIMPLEMENTED, reason, { code, reason })
    : createTablesFailure(code, reason);
}
