import { type ServiceError, status as grpcStatus } from '@grpc/grpc-js';
import {
  ACQUIRER_ERROR_STATUSES,
  type AcquirerErrorStatus,
  type AcquirerMethod,
  findStatusMeaning,
} from '@pos/core/acquirer-calls';
import type { DigitsViolation } from '@pos/core/cards';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { answerFromWire, findDigitsProblem } from './acquirer-wire.js';
import type { UnreadableCardReporter } from './unreadable-cards.js';

export type RpcCallback<R> = (error: ServiceError | null, response: R) => void;
type RpcCall<R> = (options: { readonly deadline: Date }, callback: RpcCallback<R>) => void;
type WireResponse = { readonly result?: Parameters<typeof answerFromWire>[0] | undefined };

/** Observes each call of a client: it runs the call once and returns its answer. */
export type AcquirerCallObserver = (
  method: AcquirerMethod,
  call: () => Promise<AcquirerAnswer>,
) => Promise<AcquirerAnswer>;

/** A method of the acquirer and the call of ours that it is about, and who takes what its answer shows unreadably of a card. */
export interface AcquirerRpc {
  readonly method: AcquirerMethod;
  readonly reference: string;
  readonly deadlineMs: number;
  readonly reportCard: UnreadableCardReporter | null;
}

/** Calls a method of the acquirer. An error status is an answer too: the table of the method says what it means. */
export async function callAcquirer(rpc: AcquirerRpc, call: RpcCall<WireResponse>): Promise<AcquirerAnswer> {
  try {
    const { result } = await callMethod(rpc.deadlineMs, call);
    if (result === undefined) return { outcome: 'unknown', reason: 'an answer without a result' };
    const answer = answerFromWire(result);
    reportUnreadableCard(rpc, findDigitsProblem(result));
    return answer;
  } catch (error) {
    return toAnswer(rpc.method, error);
  }
}

/** Reports under our own reference: what an acquirer sends as one may be a card number. A report that fails changes no answer. */
function reportUnreadableCard({ reference, reportCard }: AcquirerRpc, reason: DigitsViolation | null): void {
  if (reason === null) return;
  try {
    reportCard?.(reference, reason);
  } catch {
    // The answer has decided about money; losing the card data is the lesser harm.
  }
}

/** Rejects when there is no answer within the time. */
export function callMethod<R>(deadlineMs: number, call: RpcCall<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    call({ deadline: createDeadline(deadlineMs) }, (error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

function toAnswer(method: AcquirerMethod, error: unknown): AcquirerAnswer {
  const status = findStatus(error);
  const meaning = status === null ? 'unknown' : findStatusMeaning(method, status);
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
function findStatus(error: unknown): AcquirerErrorStatus | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return ACQUIRER_ERROR_STATUSES.find((name) => grpcStatus[name] === error.code) ?? null;
}

/** A deadline of the wire is a moment of this machine's own clock; it decides nothing about money. */
function createDeadline(ms: number): Date {
  return new Date(performance.timeOrigin + performance.now() + ms);
}
