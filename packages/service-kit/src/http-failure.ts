import { Refusal } from '@pos/core/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDeclared, pathOf } from './admission.js';
import { problemAnswer, type Outage } from './http-problem.js';
import { visitOf } from './http-visit.js';
import type { Log } from './log.js';

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
  const thrown = undeclared !== null && visit.checksAnswers ? undeclared : error;
  const { operation, traceId } = visit;
  const answer = problemAnswer(thrown, { operation, traceId, ...(isOutage !== undefined && { isOutage }) });
  visit.failure = { refusal: answer.refusal, error: answer.status >= 500 ? thrown : null };
  if (reply.sent) return;
  await reply.status(answer.status).headers(answer.headers).send(answer.body);
}

/** One line per request. */
export function logVisit(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { operation, startedAtMs, admitted, release, failure } = visitOf(request);
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
