import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@pos/rest-contracts/operation';
import type { FastifyRequest } from 'fastify';
import { type ApiKeyHolder, readPath } from '../request-checks/request-admission.js';
import { requestContextOf } from './request-context.js';

/** A request that was answered, with secrets: a recorder decides what may be stored. */
export interface AnsweredRequest {
  /** Null for a path or a method that no operation has. */
  readonly operation: Operation | null;
  /** The holder of a valid key, also where the request was refused. */
  readonly holder: Pick<ApiKeyHolder, 'scope' | 'keyId'> | null;
  readonly method: string;
  readonly path: string;
  readonly params: unknown;
  readonly query: URLSearchParams;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The JSON of the body; undefined without one, and where it was refused unread. */
  readonly body: unknown;
  readonly status: number;
  /** A shape, or JSON text. */
  readonly answer: unknown;
  readonly refusal: string | null;
  readonly traceId: string;
  /** On the monotonic clock of the process. */
  readonly startedAtMs: number;
  readonly tookMs: number;
}

/** Takes requests after their answers were sent. It must return at once, and may not throw. */
export interface RequestRecorder {
  recordRequest(request: AnsweredRequest): void;
}

export function describeRequest(request: FastifyRequest, status: number): AnsweredRequest {
  const context = requestContextOf(request);
  const { operation, holder, body, startedAtMs, trace, failure, answer } = context;
  const start = request.url.indexOf('?');
  return {
    ...{ operation, holder, body, status, answer, startedAtMs },
    method: request.method,
    path: readPath(request),
    params: request.params,
    query: new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1)),
    headers: request.headers,
    refusal: failure?.refusal ?? null,
    traceId: trace.traceId,
    tookMs: performance.now() - startedAtMs,
  };
}
