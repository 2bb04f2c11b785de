import { Refusal } from '@pos/core/refusals';
import { fastify, type FastifyReply } from 'fastify';
import { PROCESS_SHUTDOWN } from '../lifecycle/process-shutdown.js';
import { type ConnectionLimits, limitConnections } from '../network/connection-limit.js';
import { registerErrorPages } from './error-pages.js';
import { createProblemResponse } from './problem-response.js';
import { stripBrackets } from '../network/listen-address.js';
import { requireSingleHeaders } from '../request-checks/single-headers.js';
import { METRICS_MEDIA_TYPE } from '../metrics/metric-registry.js';
import { readProductVersion } from '../telemetry/release.js';
import { continueTrace, formatTraceparent } from '../telemetry/trace.js';

/** A dependency that an app needs to serve; `check` rejects while it is unavailable. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
}

/** The result of the readiness checks: the names of what is missing. The reasons are only logged. */
export interface Readiness {
  readonly isReady: boolean;
  readonly missing: readonly string[];
}

const CHECK_TIMEOUT_MS = 2_000;
const HEALTH_BODY_BYTES_MAX = 1_024;
const HEALTH_REQUEST_TIMEOUT_MS = 10_000;

/** The missing item of a process that is shutting down. */
const STOPPING = 'the process is stopping';

/**
 * Runs all checks at once; one without an answer within two seconds counts as missing. A process that is shutting down
 * is not ready.
 */
export async function checkReadiness(
  checks: readonly ReadinessCheck[],
  shutdown: AbortSignal = PROCESS_SHUTDOWN,
): Promise<Readiness> {
  if (shutdown.aborted) return { isReady: false, missing: [STOPPING] };
  const results = await Promise.all(checks.map(isMissing));
  const missing = checks.filter((_, index) => results[index] === true).map(({ name }) => name);
  return { isReady: missing.length === 0, missing };
}

/** A port for orchestrators and monitoring. */
export interface HealthPortOptions {
  readonly port: number;
  readonly host: string;
  readonly checks: readonly ReadinessCheck[];
  readonly connections?: ConnectionLimits;
  /** The release that runs; the version of this package when left out. */
  readonly release?: string;
  /** Returns the text of `/metrics`; the path does not exist when left out. */
  readonly metrics?: () => Promise<string>;
  /** Aborted before the process ends; the process's own when left out. */
  readonly shutdown?: AbortSignal;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` beside the other ports of an app, or for an app without an
 * HTTP API. Live means that the process answers; ready means that every check passed just now (200, else 503).
 */
export async function serveHealth({
  port,
  host,
  checks,
  connections,
  release = readProductVersion(),
  metrics,
  shutdown = PROCESS_SHUTDOWN,
}: HealthPortOptions): Promise<{ url: string; close: () => Promise<void> }> {
  const server = fastify({
    bodyLimit: HEALTH_BODY_BYTES_MAX,
    forceCloseConnections: true,
    requestTimeout: HEALTH_REQUEST_TIMEOUT_MS,
  });
  limitConnections(server.server, connections);
  server.addHook('onRequest', (request, _, done) => {
    requireSingleHeaders(request.raw.rawHeaders);
    done();
  });
  registerErrorPages(server, { operations: [], sendProblem: sendHealthProblem });
  server.get('/health/live', () => ({ status: 'ok', release }));
  if (metrics !== undefined) {
    server.get('/metrics', async (_, reply) => reply.header('content-type', METRICS_MEDIA_TYPE).send(await metrics()));
  }
  server.get('/health/ready', async (_, reply) => {
    const { isReady, missing } = await checkReadiness(checks, shutdown);
    if (isReady) {
      await reply.send({ status: 'ok', release });
      return;
    }
    await sendHealthProblem(reply, new Refusal('service_unavailable', `Not ready: ${missing.join(', ')}.`));
  });
  server.setNotFoundHandler((_, reply) =>
    sendHealthProblem(reply, new Refusal('path_unknown', 'There is no such path.')),
  );
  server.setErrorHandler((error, _, reply) => sendHealthProblem(reply, error));
  const url = await server.listen({ port, host: stripBrackets(host) });
  return { url, close: () => server.close() };
}

async function sendHealthProblem(reply: FastifyReply, error: unknown): Promise<void> {
  const traceId = formatTraceparent(continueTrace());
  const { status, headers, body } = createProblemResponse(error, { operation: null, traceId });
  await reply
    .status(status)
    .headers({ ...headers, 'trace-id': traceId })
    .send(body);
}

async function isMissing(readiness: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(true);
    }, CHECK_TIMEOUT_MS);
  });
  const checked = Promise.resolve()
    .then(() => readiness.check())
    .then(
      () => false,
      () => true,
    );
  try {
    return await Promise.race([checked, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
