import type { Operation } from '@pos/rest-contracts/operation';
import { asWritten } from '@pos/rest-contracts/older-shapes';
import { LATEST_RELEASE, type Release } from '@pos/rest-contracts/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted, StoredAnswer } from './admission.js';
import type { ContractCheck } from './contract-check.js';
import { PROBLEM_MEDIA_TYPE } from './http-problem.js';
import type { Warning } from './request-warnings.js';

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
  /** Compares what is sent and understood with the document; null in production. */
  readonly contract: ContractCheck | null;
  /** What went wrong, for the line in the log. */
  failure: { readonly refusal: string | null; readonly error: unknown } | null;
  /** What was odd about the request and not refused. */
  readonly warnings: Warning[];
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
  const isPassedOn = status >= 400 && visit.operation?.passedOn !== undefined;
  requireContract(visit, { status, text: status === 204 ? null : text, isPassedOn });
  void reply.status(status);
  if (isReplayed) void reply.header('idempotent-replayed', 'true');
  if (text !== null && status !== 204) {
    void reply.header(
      'content-type',
      status >= 400 && !isPassedOn ? PROBLEM_MEDIA_TYPE : 'application/json; charset=utf-8',
    );
  }
  await reply.send(status === 204 ? undefined : (text ?? undefined));
}

const visits = new WeakMap<object, Visit>();

function shapeText(shape: unknown, { operation, release }: Visit): string | null {
  if (operation === null || operation.returns === null) return null;
  return JSON.stringify(asWritten(operation.returns, shape, release));
}

/**
 * Stored bytes are of the newest shape and are sent as they are, unless the caller's release is older than a change.
 */
function storedText(body: string | null, status: number, { operation, release }: Visit): string | null {
  const schema = operation?.returns ?? null;
  if (body === null || schema === null || status !== 200 || release === LATEST_RELEASE) return body;
  return JSON.stringify(asWritten(schema, JSON.parse(body), release));
}

function requireContract(
  { contract, operation, release, admitted }: Visit,
  answer: { readonly status: number; readonly text: string | null; readonly isPassedOn: boolean },
): void {
  if (contract === null || operation === null) return;
  contract.answered({ operation, release }, answer);
  if (answer.status < 300 && admitted !== null) contract.asked({ operation, release }, admitted.sent);
}
