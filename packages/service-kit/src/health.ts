import { Refusal } from '@pos/core/refusal';
import { fastify, type FastifyReply } from 'fastify';
import { type ConnectionLimits, limitConnections } from './connection-limit.js';
import { CATALOGUE } from './error-pages.js';
import { problemAnswer } from './http-problem.js';
import { bareHost } from './listen-address.js';
import { servePages } from './pages.js';
import { requireSingleHeaders } from './single-headers.js';
import { continueTrace, traceparentOf } from './trace.js';

/** Something an app needs before it can serve; rejects when it is not there. */
export interface ReadyCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
}

/** What a readiness question found: the names of what is missing, and never why (that is for the log). */
export interface Readiness {
  readonly isReady: boolean;
  readonly missing: readonly string[];
}

const CHECK_DEADLINE_MS = 2_000;
const HEALTH_BODY_MAX = 1_024;
const REQUEST_MS_MAX = 10_000;

/** Asks all checks at once; one that does not answer within two seconds counts as missing. */
export async function askReadiness(checks: readonly ReadyCheck[]): Promise<Readiness> {
  const found = await Promise.all(checks.map(isMissing));
  const missing = checks.filter((_, place) => found[place] === true).map(({ name }) => name);
  return { isReady: missing.length === 0, missing };
}

/**
 * Serves `/health/live` and `/health/ready` for an app whose work is elsewhere (a worker, a gRPC server).
 * Live means the process answers at all; ready means every check passed just now (200, else 503).
 */
export async function serveHealth({
  port,
  host,
  checks,
  connections,
}: {
  port: number;
  host: string;
  checks: readonly ReadyCheck[];
  connections?: ConnectionLimits;
}): Promise<{ url: string; close: () => Promise<void> }> {
  const server = fastify({ bodyLimit: HEALTH_BODY_MAX, forceCloseConnections: true, requestTimeout: REQUEST_MS_MAX });
  limitConnections(server.server, connections);
  server.addHook('onRequest', (request, _, done) => {
    requireSingleHeaders(request.raw.rawHeaders);
    done();
  });
  servePages(server, [CATALOGUE]);
  server.get('/health/live', () => ({ status: 'ok' }));
  server.get('/health/ready', async (_, reply) => {
    const { isReady, missing } = await askReadiness(checks);
    if (isReady) {
      await reply.send({ status: 'ok' });
      return;
    }
    await fail(reply, new Refusal('service_unavailable', `Not ready: ${missing.join(', ')}.`));
  });
  server.setNotFoundHandler((_, reply) => fail(reply, new Refusal('path_unknown', 'There is no such path.')));
  server.setErrorHandler((error, _, reply) => fail(reply, error));
  const url = await server.listen({ port, host: bareHost(host) });
  return { url, close: () => server.close() };
}

async function fail(reply: FastifyReply, error: unknown): Promise<void> {
  const traceId = traceparentOf(continueTrace());
  const { status, headers, body } = problemAnswer(error, { operation: null, traceId });
  await reply
    .status(status)
    .headers({ ...headers, 'trace-id': traceId })
    .send(body);
}

async function isMissing({ check }: ReadyCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(true);
    }, CHECK_DEADLINE_MS);
  });
  const asked = Promise.resolve()
    .then(check)
    .then(
      () => false,
      () => true,
    );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
