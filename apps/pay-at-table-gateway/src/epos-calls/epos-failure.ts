import { status } from '@grpc/grpc-js';
import type { EposRefused, EposUnanswered } from '@pos/core/tables';
import { GrpcFailure, createTablesFailure } from '@pos/service-kit/grpc';

/** A refusal of an EPOS, or a call without an answer. */
export type EposFailure = EposRefused | EposUnanswered;

/** The failure that a device receives. */
export function toGrpcFailure(failure: EposFailure): GrpcFailure {
  switch (failure.outcome) {
    case 'refused':
      return toRefusalFailure(failure);
    case 'notConnected':
      return new GrpcFailure(status.UNAVAILABLE, failure.reason);
    case 'noAnswer':
      return toNoAnswerFailure(failure);
  }
}

/** The failure that a device receives without a usable answer. DEADLINE_EXCEEDED only means that time was over. */
export function toNoAnswerFailure({
  reason,
  isEarly,
}: {
  readonly reason: string;
  readonly isEarly?: true;
}): GrpcFailure {
  return isEarly === true
    ? createTablesFailure('ERROR_INTERNAL_POS_ERROR', reason)
    : new GrpcFailure(status.DEADLINE_EXCEEDED, reason);
}

/** The failure that a device receives for a refusal. A call that the EPOS does not implement is UNIMPLEMENTED. */
export function toRefusalFailure({ code, reason, isUnimplemented }: Omit<EposRefused, 'outcome'>): GrpcFailure {
  return isUnimplemented === true
    ? new GrpcFailure(status.UNIMPLEMENTED, reason, { code, reason })
    : createTablesFailure(code, reason);
}
