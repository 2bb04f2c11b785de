import type { Operation } from '@pos/rest-contracts/operation/operation';
import type { FastifyReply } from 'fastify';
import type { Resource } from '../request-checks/resource-index.js';

const PREFLIGHT_SECONDS = 600;
/** What a page may send along; credentials of the browser are never among it. */
const ALLOWED_HEADERS =
  'content-type, version, authorization, client-session-secret, customer-secret, idempotencykey, idempotency-key, traceparent';

/** What lets a page of any origin read the answer of an operation that is meant for browsers. */
export function buildCrossOriginHeaders({ crossOrigin }: Operation): Record<string, string> {
  if (crossOrigin !== true) return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'version, trace-id, retry-after, warnings',
  };
}

/** Answers OPTIONS: which methods there are, and which of them a page of another origin may call. */
export async function answerPreflight(reply: FastifyReply, { operations, allow }: Resource): Promise<void> {
  const crossOriginOperations = [...operations.values()].filter(({ crossOrigin }) => crossOrigin === true);
  void reply.header('allow', allow);
  if (crossOriginOperations.length > 0) {
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': crossOriginOperations.map(({ method }) => method).join(', '),
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    });
  }
  await reply.status(204).send();
}
