import { type ServiceError, status as grpcStatus } from '@grpc/grpc-js';
import {
  ACQUIRER_ERROR_STATUSES,
  type AcquirerErrorStatus,
  type AcquirerMethod,
  meaningOfStatus,
} from '@pos/core/acquirer-status';
import type { AcquirerAnswer } from '@pos/core/ports';
import { answerFromWire, findDigitsFault } from './acquirer-wire.js';
import type { UnreadableCardReport } from './unreadable-cards.js';

export type Done<R> = (error: ServiceError | null, response: R) => void;
type Call<R> = (options: { readonly deadline: Date }, done: Done<R>) => void;
type WireAnswer = { readonly result?: Parameters<typeof answerFromWire>[0] | undefined };

/** How a method of the acquirer is called, and who takes what its answer shows unreadably of a card. */
export interface AcquirerQuestion {
  readonly method: AcquirerMethod;
  readonly deadlineMs: number;
  readonly reportCard: UnreadableCardReport | null;
}

/** Calls a method of the acquirer. An error status is an answer too: the table of the method says what it means. */
export async function answered(
  { method, deadlineMs, reportCard }: AcquirerQuestion,
  call: Call<WireAnswer>,
): Promise<AcquirerAnswer> {
  try {
    const { result } = await called(deadlineMs, call);
    if (result === undefined) return { outcome: 'unknown', reason: 'an answer without a result' };
    const fault = findDigitsFault(result);
    if (fault !== null) reportCard?.(result.reference, fault);
    return answerFromWire(result);
  } catch (error) {
    return answerFromError(method, error);
  }
}

/** Rejects when there is no answer within the time. */
export function called<R>(deadlineMs: number, call: Call<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    call({ deadline: deadlineIn(deadlineMs) }, (error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

function answerFromError(method: AcquirerMethod, error: unknown): AcquirerAnswer {
  const status = statusOf(error);
  const meaning = status === null ? 'unknown' : meaningOfStatus(method, status);
  if (status === null || meaning === 'unknown') {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  }
  switch (meaning) {
    case 'refused':
      return { outcome: 'refused', status };
    case 'accessRefused':
      return { outcome: 'accessRefused', status };
    case 'inquireFirst':
      return { outcome: 'alreadyExists' };
    case 'notFound':
      return { outcome: 'notFound' };
  }
}

/** Null for an error that is no status of the wire, such as an answer that cannot be read. */
function statusOf(error: unknown): AcquirerErrorStatus | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return ACQUIRER_ERROR_STATUSES.find((name) => grpcStatus[name] === error.code) ?? null;
}

/** A deadline of the wire is a moment of this machine's own clock; it decides nothing about money. */
function deadlineIn(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}
