import type { Operation } from '@pos/rest-contracts/operation';
import { LATEST_RELEASE, type Release, toOlderShape } from '@pos/rest-contracts/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedRequest, ApiKeyHolder, StoredAnswer } from '../request-checks/request-admission.js';
import type { ContractChecker } from './contract-checker.js';
import { PROBLEM_MEDIA_TYPE } from './problem-response.js';
import type { Trace } from '../telemetry/trace.js';
import type { RequestWarning } from '../request-checks/request-warnings.js';

/** The facts about a request that its checks collect. */
export interface RequestContext {
  readonly startedAtMs: number;
  readonly trace: Trace;
  /** W3C trace parent text of this request. */
  readonly traceId: string;
  /** Null until path and method are matched. */
  operation: Operation | null;
  release: Release;
  /** Null until the key was checked, and without one. */
  holder: ApiKeyHolder | null;
  /** The JSON of the body; undefined without one, and until it was read. */
  body: unknown;
  /** The answer that was sent: its shape, or its text. Null for none, and for the answers of a page. */
  answer: unknown;
  /** Null until every check has passed. */
  admitted: AdmittedRequest | null;
  /** Compares request and answer with the document; null in production. */
  readonly contractChecker: ContractChecker | null;
  /** The failure, for the log line. */
  failure: { readonly refusal: string | null; readonly error: unknown } | null;
  /** Oddities of the request that were not refused. */
  readonly warnings: RequestWarning[];
}

/** Stores the context of a request until the request ends. */
export function beginRequest(request: FastifyRequest, context: RequestContext): void {
  contexts.set(request.raw, context);
}

/** False for a request that the framework refuses before any hook of the server. */
export function hasRequestContext(request: FastifyRequest): boolean {
  return contexts.has(request.raw);
}

/** The context of a request that the HTTP server received. */
export function requestContextOf(request: FastifyRequest): RequestContext {
  const context = contexts.get(request.raw);
  if (context === undefined) throw new Error('the request did not come in through bootHttp');
  return context;
}

/** Sends an answer: a shape in the caller's release, or stored bytes. */
export async function sendAnswer(
  reply: FastifyReply,
  answer: StoredAnswer | { readonly status: number; readonly shape: unknown },
  { isReplayed = false }: { isReplayed?: boolean } = {},
): Promise<void> {
  const context = requestContextOf(reply.request);
  const { status } = answer;
  context.answer = 'shape' in answer ? answer.shape : answer.body;
  const text =
    'shape' in answer ? formatShape(answer.shape, context) : formatStoredAnswer(answer.body, status, context);
  const isForwardedError = status >= 400 && context.operation?.passedOn !== undefined;
  checkContract(context, { status, text: status === 204 ? null : text, isPassedOn: isForwardedError });
  void reply.status(status);
  if (isReplayed) void reply.header('idempotent-replayed', 'true');
  if (text !== null && status !== 204) {
    void reply.header(
      'content-type',
      status >= 400 && !isForwardedError ? PROBLEM_MEDIA_TYPE : 'application/json; charset=utf-8',
    );
  }
  await reply.send(status === 204 ? undefined : (text ?? undefined));
}

const contexts = new WeakMap<object, RequestContext>();

function formatShape(shape: unknown, { operation, release }: RequestContext): string | null {
  if (operation === null || operation.returns === null) return null;
  return JSON.stringify(toOlderShape(operation.returns, shape, release));
}

/**
 * Stored bytes have the newest shape and are sent unchanged, unless the caller's release is older than a change.
 */
function formatStoredAnswer(
  body: string | null,
  status: number,
  { operation, release }: RequestContext,
): string | null {
  const schema = operation?.returns ?? null;
  if (body === null || schema === null || status !== 200 || release === LATEST_RELEASE) return body;
  return JSON.stringify(toOlderShape(schema, JSON.parse(body), release));
}

function checkContract(
  { contractChecker, operation, release, admitted }: RequestContext,
  answer: { readonly status: number; readonly text: string | null; readonly isPassedOn: boolean },
): void {
  if (contractChecker === null || operation === null) return;
  contractChecker.checkResponse({ operation, release }, answer);
  if (answer.status < 300 && admitted !== null)
    contractChecker.checkRequestBody({ operation, release }, admitted.receivedBody);
}
