import type { Operation } from '@pos/rest-contracts/operation';
import { asWritten, LATEST_RELEASE, type Release, VERSION_CHANGES } from '@pos/rest-contracts/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted, StoredAnswer } from './admission.js';
import { requireDeclaredShape } from './answer-check.js';
import { PROBLEM_MEDIA_TYPE } from './http-problem.js';

/** What is known of a request on its way through the app. */
export interface Visit {
  readonly startedAtMs: number;
  /** W3C trace parent text of this request. */
  readonly traceId: string;
  /** Null until a path and method are found. */
  operation: Operation | null;
  release: Release;
  /** Null until every check is passed. */
  admitted: Admitted | null;
  /** Answers are compared with what the operation declares. */
  readonly checksAnswers: boolean;
  /** What went wrong, for the line in the log. */
  failure: { readonly refusal: string | null; readonly error: unknown } | null;
}

/** Remembers a visit for as long as its request lives. */
export function beginVisit(request: FastifyRequest, visit: Visit): void {
  visits.set(request.raw, visit);
}

/** The visit of a request that came in through `bootHttp`. */
export function visitOf(request: FastifyRequest): Visit {
  const visit = visits.get(request.raw);
  if (visit === undefined) throw new Error('the request did not come in through bootHttp');
  return visit;
}

/** Sends an answer: a shape in the release the caller asked for, or bytes that were stored. */
export async function sendAnswer(
  reply: FastifyReply,
  answer: StoredAnswer | { readonly status: number; readonly shape: unknown },
  { isReplayed = false }: { isReplayed?: boolean } = {},
): Promise<void> {
  const visit = visitOf(reply.request);
  const { status } = answer;
  const text = 'shape' in answer ? shapeText(answer.shape, visit) : storedText(answer.body, status, visit);
  void reply.status(status);
  if (isReplayed) void reply.header('idempotent-replayed', 'true');
  if (text !== null && status !== 204) {
    void reply.header('content-type', status >= 400 ? PROBLEM_MEDIA_TYPE : 'application/json; charset=utf-8');
  }
  await reply.send(status === 204 ? undefined : (text ?? undefined));
}

const visits = new WeakMap<object, Visit>();

function shapeText(shape: unknown, { operation, release, checksAnswers }: Visit): string | null {
  if (operation === null || operation.returns === null) return null;
  if (checksAnswers) requireDeclaredShape(operation, shape);
  return JSON.stringify(asWritten(shape, { operationId: operation.id, release }));
}

/** Stored bytes are of the newest shape and are sent as they are, unless the caller's release is older than a change. */
function storedText(body: string | null, status: number, { operation, release, checksAnswers }: Visit): string | null {
  if (body === null || operation === null || status !== 200) return body;
  if (checksAnswers) requireDeclaredShape(operation, JSON.parse(body));
  if (release === LATEST_RELEASE || VERSION_CHANGES.length === 0) return body;
  return JSON.stringify(asWritten(JSON.parse(body), { operationId: operation.id, release }));
}
