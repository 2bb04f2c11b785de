import { Refusal, type RefusalCode } from '@pos/core/refusal';
import type { Operation } from '@pos/rest-contracts/operation';
import { PROBLEMS_BY_REASON, presentProblem, problemCode, type ProblemReason } from '@pos/rest-contracts/problems';

/** A failure ready to be sent. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null: we are wrong, or something we need is down. */
  readonly refusal: RefusalCode | null;
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/**
 * Turns whatever was thrown into the words of the API. A refusal says what it is; a lost database says 503;
 * anything else is ours and says 500 and nothing but the trace id.
 */
export function problemAnswer(
  error: unknown,
  { operation, traceId, isOutage = isUnavailable }: { operation: Operation | null; traceId: string; isOutage?: Outage },
): ProblemAnswer {
  const refusal = asRefusal(error, isOutage);
  const reason: ProblemReason = refusal?.code ?? 'internal_error';
  const { status } = PROBLEMS_BY_REASON[reason];
  const problem = presentProblem(reason, {
    detail: refusal?.detail ?? 'The request failed on our side; the trace id finds it in our log.',
    traceId,
    errors: refusal?.members ?? {},
    isResult: operation?.clientSecret === true,
    ...(operation?.problemsCarryCode === true && { code: problemCode(status, refusal?.code ?? null) }),
  });
  return {
    status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE, ...(refusal === null ? {} : headersOf(refusal)) },
    body: JSON.stringify(problem),
    refusal: refusal?.code ?? null,
  };
}

/** Whether an error means that something we depend on is down, so that trying again later may help. */
export type Outage = (error: unknown) => boolean;

/**
 * The usual signs: a commit whose answer was lost, an unreachable or restarting database, no free connection.
 * Matched by name and code, because this package does not know the store.
 */
function isUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; cause = cause.cause, depth += 1) {
    if (OUTAGE_NAMES.has(cause.name)) return true;
    if ('code' in cause && typeof cause.code === 'string' && OUTAGE_CODES.test(cause.code)) return true;
  }
  return false;
}

const CAUSES_MAX = 5;
const OUTAGE_NAMES: ReadonlySet<string> = new Set(['CommitUnknown', 'DatabaseUnavailable']);
// Network errors of node; SQLSTATE classes 08 (connection), 53 (no resources), 57P (shutting down) and a cancelled statement.
const OUTAGE_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57P0\d|57014)$/;

/** Errors of the framework that are really refusals, by the status they carry. */
const FRAMEWORK_REFUSALS: Readonly<Record<number, RefusalCode>> = {
  400: 'body_malformed',
  404: 'path_unknown',
  405: 'method_not_allowed',
  413: 'body_too_large',
  414: 'path_unknown',
  415: 'media_type_unsupported',
};

function asRefusal(error: unknown, isOutage: Outage): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && error.name === 'CommitUnknown') {
    return new Refusal('commit_unknown', 'Whether this was done is not known; read it, or repeat with the same key.');
  }
  if (isOutage(error))
    return new Refusal('service_unavailable', 'The service cannot answer just now; try again later.');
  const code = FRAMEWORK_REFUSALS[frameworkStatus(error)];
  return code === undefined ? null : new Refusal(code, 'The request cannot be read.');
}

function frameworkStatus(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ('getStatus' in error && typeof error.getStatus === 'function') {
    return Number(Reflect.apply(error.getStatus, error, []));
  }
  const isFastifys = 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_ERR_');
  return isFastifys && 'statusCode' in error ? Number(error.statusCode) : 0;
}

function headersOf({ code, data }: Refusal): Record<string, string> {
  const { allow, retryAfterSeconds } = data ?? {};
  const waits = retryAfterSeconds ?? RETRY_AFTER_SECONDS[code];
  return {
    // A browser would ask its user for a password where a payer's secret is over.
    ...(code === 'unauthenticated' && { 'www-authenticate': 'Basic' }),
    ...(allow !== undefined && { allow: String(allow) }),
    ...(waits !== undefined && { 'retry-after': String(waits) }),
  };
}

const RETRY_AFTER_SECONDS: Partial<Record<RefusalCode, number>> = {
  idempotency_in_progress: 1,
  rate_limited: 1,
  service_unavailable: 1,
};
