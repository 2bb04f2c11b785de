import { status } from '@grpc/grpc-js';
import type { EposSilence } from '@pos/core/tables/epos-error';
import type { EposRefused } from '@pos/core/acquirer/ports';
import { GrpcFailure, createTablesFailure } from '@pos/service-kit/grpc/grpc-errors';

/** A refusal of an EPOS, or a call without an answer. */
export type EposFailure = EposRefused | { readonly outcome: EposSilence; readonly reason: string };

/** The failure that a device receives. */
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

/** The failure that a device receives for a refusal. A call that the EPOS does not implement is UNIMPLEMENTED. */
export function toRefusalFailure({ code, reason, isUnimplemented }: Omit<EposRefused, 'outcome'>): GrpcFailure {
  return isUnimplemented === true
    ? new GrpcFailure(status.UNIMPLEMENTED, reason, { code, reason })
    : createTablesFailure(code, reason);
}
