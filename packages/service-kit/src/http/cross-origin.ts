import type { Operation } from '@pos/rest-contracts/operation';
import type { FastifyReply } from 'fastify';
import type { Resource } from '../request-checks/resource-index.js';

const PREFLIGHT_SECONDS = 600;
/** The headers that a page may send; the browser's credentials are never allowed. */
const ALLOWED_HEADERS =
  'content-type, version, authorization, client-session-secret, customer-secret, idempotencykey, idempotency-key, traceparent';

/** The headers that let a page of any origin read the answer of a browser operation. */
export function buildCrossOriginHeaders({ crossOrigin }: Operation): Record<string, string> {
  if (crossOrigin !== true) return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'version, trace-id, retry-after, warnings',
  };
}

/** Answers OPTIONS with the methods, and with those that a page of another origin may call. */
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
