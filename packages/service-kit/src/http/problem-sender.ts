import { Refusal } from '@pos/core/refusals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDeclaredRefusal, readPath } from '../request-checks/request-admission.js';
import { createProblemResponse, type ProblemResponse } from './problem-response.js';
import { type RequestContext, requestContextOf } from './request-context.js';
import type { Log } from '../telemetry/log.js';
import type { OutageCheck } from '../lifecycle/outage.js';
import { observeHttpRequest } from '../metrics/request-metrics.js';
import { endSpan } from '../telemetry/span.js';
import { formatWarnings } from '../request-checks/request-warnings.js';

/** Answers a request with the problem of an error. */
export async function sendProblem(
  reply: FastifyReply,
  error: unknown,
  { log, isOutage }: { log: Log; isOutage?: OutageCheck },
): Promise<void> {
  const context = requestContextOf(reply.request);
  const undeclared = findUndeclaredRefusal(reply.request, error);
  if (undeclared !== null) log.error('http.refusal_undeclared', { error: undeclared });
  // In a test run, a refusal that the document does not list fails the request.
  const reportedError = undeclared !== null && context.contractChecker !== null ? undeclared : error;
  const { operation, traceId } = context;
  const problemContext = { operation, traceId, ...(isOutage !== undefined && { isOutage }) };
  const answer = checkDescribed(context, createProblemResponse(reportedError, problemContext), (contractError) =>
    createProblemResponse(contractError, problemContext),
  );
  context.failure = { refusal: answer.refusal, error: answer.status >= 500 ? reportedError : null };
  context.answer = answer.body;
  if (reply.sent) return;
  await reply.status(answer.status).headers(answer.headers).send(answer.body);
}

/** The problem, or another one where the document forbids it. A method without an operation is in no document. */
function checkDescribed(
  { contractChecker, operation, release }: RequestContext,
  answer: ProblemResponse,
  toProblem: (contractError: unknown) => ProblemResponse,
): ProblemResponse {
  if (contractChecker === null) return answer;
  try {
    const isDescribed = operation !== null && answer.refusal !== 'method_not_allowed';
    if (isDescribed)
      contractChecker.checkResponse({ operation, release }, { status: answer.status, text: answer.body });
    else contractChecker.checkForLeaks(`a request without an operation is answered ${answer.status}`, answer.body);
    return answer;
  } catch (contractError) {
    return toProblem(contractError);
  }
}

/** Logs one line per request, counts it, and ends its span. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { operation, startedAtMs, admitted, release, failure, warnings, trace } = requestContextOf(request);
  observeRequest(request, reply.statusCode, { operation: operation?.id ?? null, trace, startedAtMs });
  const level = (failure?.error ?? null) === null ? 'info' : 'error';
  log[level]('http.answered', {
    operation: operation?.id ?? null,
    method: request.method,
    path: readPath(request),
    status: reply.statusCode,
    took_ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
    version: release,
    account_id: admitted?.caller?.scope.accountId,
    environment: admitted?.caller?.scope.environment,
    key_id: admitted?.caller?.keyId,
    actor: admitted?.caller?.actor,
    software_house_id: admitted?.caller?.softwareHouseId,
    reseller_id: admitted?.caller?.resellerId,
    refusal: failure?.refusal,
    warnings: formatWarnings(warnings) ?? undefined,
    error: failure?.error,
  });
}

function observeRequest(
  { method }: FastifyRequest,
  status: number,
  {
    operation,
    trace,
    startedAtMs,
  }: Pick<RequestContext, 'trace' | 'startedAtMs'> & { readonly operation: string | null },
): void {
  observeHttpRequest(operation, status, (performance.now() - startedAtMs) / 1_000);
  const attributes = { 'http.request.method': method, 'http.response.status_code': status };
  endSpan(
    { name: `HTTP ${operation ?? method}`, kind: 'server' },
    { trace, startedAtMs },
    { attributes, hasFailed: status >= 500 },
  );
}

/**
 * A refusal of the use case that its operation does not list: a gap in the document. The common refusals are always
 * listed.
 */
function findUndeclaredRefusal(request: FastifyRequest, error: unknown): Error | null {
  const { operation, admitted } = requestContextOf(request);
  if (operation === null || admitted === null || !(error instanceof Refusal)) return null;
  if (isDeclaredRefusal(operation, error.code)) return null;
  return new Error(`${operation.id} refuses with ${error.code}, which it does not declare`, { cause: error });
}
