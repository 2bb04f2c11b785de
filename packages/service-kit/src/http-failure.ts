import { Refusal } from '@pos/core/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDeclared, pathOf } from './admission.js';
import { problemAnswer, type Outage, type ProblemAnswer } from './http-problem.js';
import { type Visit, visitOf } from './http-visit.js';
import type { Log } from './log.js';
import { formatWarnings } from './request-warnings.js';

/** Answers a request with the problem that an error is. */
export async function failVisit(
  reply: FastifyReply,
  error: unknown,
  { log, isOutage }: { log: Log; isOutage?: Outage },
): Promise<void> {
  const visit = visitOf(reply.request);
  const undeclared = undeclaredRefusal(reply.request, error);
  if (undeclared !== null) log.error('http.refusal_undeclared', { error: undeclared });
  // In a test run a refusal that the document does not know must not look like an answer.
  const thrown = undeclared !== null && visit.contract !== null ? undeclared : error;
  const { operation, traceId } = visit;
  const around = { operation, traceId, ...(isOutage !== undefined && { isOutage }) };
  const answer = requireDescribed(visit, problemAnswer(thrown, around), (fault) => problemAnswer(fault, around));
  visit.failure = { refusal: answer.refusal, error: answer.status >= 500 ? thrown : null };
  if (reply.sent) return;
  await reply.status(answer.status).headers(answer.headers).send(answer.body);
}

/** The problem, or what it becomes where it must not be told so. A method without an operation is in no document. */
function requireDescribed(
  { contract, operation, release }: Visit,
  answer: ProblemAnswer,
  otherwise: (fault: unknown) => ProblemAnswer,
): ProblemAnswer {
  if (contract === null) return answer;
  try {
    const isDescribed = operation !== null && answer.refusal !== 'method_not_allowed';
    if (isDescribed) contract.answered({ operation, release }, { status: answer.status, text: answer.body });
    else contract.shown(`a request without an operation is answered ${answer.status}`, answer.body);
    return answer;
  } catch (fault) {
    return otherwise(fault);
  }
}

/** One line per request. */
export function logVisit(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { operation, startedAtMs, admitted, release, failure, warnings } = visitOf(request);
  const level = (failure?.error ?? null) === null ? 'info' : 'error';
  log[level]('http.answered', {
    operation: operation?.id ?? null,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    took_ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
    version: release,
    account_id: admitted?.caller?.scope.accountId,
    environment: admitted?.caller?.scope.environment,
    key_id: admitted?.caller?.keyId,
    software_house_id: admitted?.caller?.softwareHouseId,
    reseller_id: admitted?.caller?.resellerId,
    refusal: failure?.refusal,
    warnings: formatWarnings(warnings) ?? undefined,
    error: failure?.error,
  });
}

/** A refusal by the use case that its operation does not list: a hole in the document. The edge's own are always right. */
function undeclaredRefusal(request: FastifyRequest, error: unknown): Error | null {
  const { operation, admitted } = visitOf(request);
  if (operation === null || admitted === null || !(error instanceof Refusal)) return null;
  if (isDeclared(operation, error.code)) return null;
  return new Error(`${operation.id} refuses with ${error.code}, which it does not declare`, { cause: error });
}
