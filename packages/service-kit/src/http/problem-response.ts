import { LACKING } from '@pos/core/acquirer';
import { Refusal, type RefusalCode } from '@pos/core/refusals';
import type { Operation } from '@pos/rest-contracts/operation';
import { PROBLEMS_BY_REASON, presentProblem, problemCode, type ProblemReason } from '@pos/rest-contracts/problems';
import { isOutageError, type OutageCheck } from '../lifecycle/outage.js';

/** A failure in the form in which it is sent. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null for a defect or an unavailable dependency. */
  readonly refusal: RefusalCode | null;
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/**
 * Converts any thrown error into a problem. A refusal states its reason; a lost database is 503; any other error is
 * ours: 500 with the trace id only.
 */
export function createProblemResponse(
  error: unknown,
  {
    operation,
    traceId,
    isOutage = isOutageError,
  }: { operation: Operation | null; traceId: string; isOutage?: OutageCheck },
): ProblemResponse {
  const refusal = toRefusal(error, isOutage);
  const reason: ProblemReason = refusal?.code ?? 'internal_error';
  const { status } = PROBLEMS_BY_REASON[reason];
  const problem = presentProblem(reason, {
    detail: refusal?.detail ?? 'The request failed on our side; the trace id finds it in our log.',
    traceId,
    errors: refusal?.members ?? {},
    isResult: operation?.clientSecret === true,
    capability: LACKING.find((name) => name === refusal?.data?.['capability']),
    ...(operation?.problemsCarryCode === true && { code: problemCode(status, refusal?.code ?? null) }),
  });
  return {
    status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE, ...(refusal === null ? {} : buildProblemHeaders(refusal)) },
    body: JSON.stringify(problem),
    refusal: refusal?.code ?? null,
  };
}

/** Errors of the framework that are refusals, by their status. */
const FRAMEWORK_REFUSALS: Readonly<Record<number, RefusalCode>> = {
  400: 'body_malformed',
  404: 'path_unknown',
  405: 'method_not_allowed',
  413: 'body_too_large',
  414: 'path_unknown',
  415: 'media_type_unsupported',
};

function toRefusal(error: unknown, isOutage: OutageCheck): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && error.name === 'CommitUnknown') {
    return new Refusal('commit_unknown', 'Whether this was done is not known; read it, or repeat with the same key.');
  }
  if (isOutage(error))
    return new Refusal('service_unavailable', 'The service cannot answer just now; try again later.');
  const code = FRAMEWORK_REFUSALS[readFrameworkStatus(error)];
  return code === undefined ? null : new Refusal(code, 'The request cannot be read.');
}

function readFrameworkStatus(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ('getStatus' in error && typeof error.getStatus === 'function') {
    return Number(Reflect.apply(error.getStatus, error, []));
  }
  const isFastifyError = 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_ERR_');
  return isFastifyError && 'statusCode' in error ? Number(error.statusCode) : 0;
}

function buildProblemHeaders({ code, data }: Refusal): Record<string, string> {
  const { allow, retryAfterSeconds } = data ?? {};
  const retryAfter = retryAfterSeconds ?? RETRY_AFTER_SECONDS[code];
  return {
    // With this header a browser would ask for a password when a payer's secret has expired.
    ...(code === 'unauthenticated' && { 'www-authenticate': 'Basic' }),
    ...(allow !== undefined && { allow: String(allow) }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
}

const RETRY_AFTER_SECONDS: Partial<Record<RefusalCode, number>> = {
  idempotency_in_progress: 1,
  rate_limited: 1,
  service_unavailable: 1,
};
