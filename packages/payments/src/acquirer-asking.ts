import { type ServiceError, status as grpcStatus } from '@grpc/grpc-js';
import {
  ACQUIRER_ERROR_STATUSES,
  type AcquirerErrorStatus,
  type AcquirerMethod,
  meaningOfStatus,
} from '@pos/core/acquirer-status';
import type { DigitsFault } from '@pos/core/card-number';
import type { AcquirerAnswer } from '@pos/core/ports';
import { answerFromWire, findDigitsFault } from './acquirer-wire.js';
import type { UnreadableCardReport } from './unreadable-cards.js';

export type Done<R> = (error: ServiceError | null, response: R) => void;
type Call<R> = (options: { readonly deadline: Date }, done: Done<R>) => void;
type WireAnswer = { readonly result?: Parameters<typeof answerFromWire>[0] | undefined };

/** A method of the acquirer and the call of ours that it is about, and who takes what its answer shows unreadably of a card. */
export interface AcquirerQuestion {
  readonly method: AcquirerMethod;
  readonly reference: string;
  readonly deadlineMs: number;
  readonly reportCard: UnreadableCardReport | null;
}

/** Calls a method of the acquirer. An error status is an answer too: the table of the method says what it means. */
export async function answered(question: AcquirerQuestion, call: Call<WireAnswer>): Promise<AcquirerAnswer> {
  try {
    const { result } = await called(question.deadlineMs, call);
    if (result === undefined) return { outcome: 'unknown', reason: 'an answer without a result' };
    const answer = answerFromWire(result);
    reportUnreadable(question, findDigitsFault(result));
    return answer;
  } catch (error) {
    return answerFromError(question.method, error);
  }
}

/** Reports under our own reference: what an acquirer sends as one may be a card number. A report that fails changes no answer. */
function reportUnreadable({ reference, reportCard }: AcquirerQuestion, fault: DigitsFault | null): void {
  if (fault === null) return;
  try {
    reportCard?.(reference, fault);
  } catch {
    // The answer has decided about money; that it is not told of a card is the lesser harm.
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
