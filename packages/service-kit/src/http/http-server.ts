import 'reflect-metadata';
import { Catch, type ArgumentsHost, type DynamicModule, type ExceptionFilter, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createViolation, Refusal } from '@pos/core/refusals';
import { HEALTH_OPERATIONS, readLive, readReady } from '@pos/rest-contracts/operators';
import { openApiDocument, type ApiTitle } from '@pos/rest-contracts/openapi';
import type { Operation } from '@pos/rest-contracts/operation';
import type { Release } from '@pos/rest-contracts/versions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admitRequest, readPath, readRequestVersion, type RequestChecks } from '../request-checks/request-admission.js';
import { exceedsDiscardLimit } from '../request-checks/json-body.js';
import { type ConnectionLimits, endConnection, limitConnections } from '../network/connection-limit.js';
import { ContractChecker } from './contract-checker.js';
import { answerPreflight, buildCrossOriginHeaders } from './cross-origin.js';
import { checkReadiness, type ReadinessCheck } from './health.js';
import { registerErrorPages } from './error-pages.js';
import { sendProblem, logRequest } from './problem-sender.js';
import { describeRequest, type RequestRecorder } from './answered-request.js';
import { beginRequest, hasRequestContext, sendAnswer, requestContextOf } from './request-context.js';
import { createHttpsOptions, followCertificate, isTlsError } from './https.js';
import { stripBrackets } from '../network/listen-address.js';
import { findAdmittedNetworks, type PortEncryption } from '../network/port-encryption.js';
import type { OutageCheck } from '../lifecycle/outage.js';
import { PROCESS_SHUTDOWN } from '../lifecycle/process-shutdown.js';
import type { Log } from '../telemetry/log.js';
import { requireOwnHost, requireOwnPage } from '../network/own-pages.js';
import { type FormPage, isPageRequest, PAGE_ROUTE, type Page, registerForms, registerPages } from './pages.js';
import { type RawRoute, registerRawRoutes } from './raw-routes.js';
import { formatWarnings } from '../request-checks/request-warnings.js';
import { indexResources, type ResourceIndex } from '../request-checks/resource-index.js';
import { requireSingleHeaders } from '../request-checks/single-headers.js';
import { readProductVersion } from '../telemetry/release.js';
import { continueOrBeginTrace } from '../telemetry/span.js';
import { runInTrace, formatTraceparent } from '../telemetry/trace.js';
import { formatUnreadableAnswer } from './unreadable-request.js';

/** The parts of an HTTP app. */
export interface HttpServerOptions {
  /** The root module: its controllers serve the operations. */
  readonly module: Type | DynamicModule;
  readonly port: number;
  readonly host: string;
  /**
   * Every operation of the app. Each must have exactly one controller, or the start fails. Health is added
   * automatically.
   */
  readonly operations: readonly Operation[];
  /** What is checked of a request beside its form: a provider of the module, or an object. Without it there are no keys. */
  readonly checks?: Type<RequestChecks> | RequestChecks;
  /** Takes each answered request of an operation: a provider of the module, or an object. */
  readonly recorder?: Type<RequestRecorder> | RequestRecorder;
  readonly connections?: ConnectionLimits;
  /** How the port is encrypted. The `x-forwarded-for` of its proxies is trusted. Without it only loopback is opened. */
  readonly encryption?: PortEncryption;
  /**
   * For a port that asks for no key: it is served by these names, by addresses and by `localhost` only, and its
   * operations only to its own pages and to programs. Without it every name and every origin is served.
   */
  readonly ownHosts?: readonly string[];
  /** What must be up for `/health/ready` to say so: providers of the module, or objects. */
  readonly ready: readonly (Type<ReadinessCheck> | ReadinessCheck)[];
  readonly log: Log;
  /** The release that `/health` names; the version of this package when left out. */
  readonly release?: string;
  readonly openapi: ApiTitle;
  /** Opens the other ports of the app, after its providers have started and before this port is open. */
  readonly beforeListen?: (app: NestFastifyApplication) => Promise<void>;
  /** Fixed texts for browsers, beside the operations: a page with its script and style. */
  readonly pages?: readonly Page[];
  /** Pages that answer a form. */
  readonly forms?: readonly FormPage[];
  /** Routes that read and write bytes themselves: providers of the module, or objects. */
  readonly rawRoutes?: readonly (Type<RawRoute> | RawRoute)[];
  /** Which errors mean that a dependency is unavailable (503); by default `isOutageError`. */
  readonly isOutage?: OutageCheck;
  /** Outside production: an answer that the document does not describe fails its request. */
  readonly checksContract?: boolean;
  /** Aborted before the process ends: answers close their connections from then on. The process's own when left out. */
  readonly shutdown?: AbortSignal;
}

/** The options, once the providers that they name are there. */
interface ServerParts extends Omit<HttpServerOptions, 'checks' | 'ready' | 'recorder'> {
  checks: RequestChecks;
  recorder: RequestRecorder | null;
  ready: readonly ReadinessCheck[];
}

const NO_ENCRYPTION: PortEncryption = { tls: null, trustedProxies: [] };
const NO_KEYS: RequestChecks = { authenticate: () => Promise.resolve(null) };

/** A running HTTP app. Closing it lets running requests finish. */
export interface HttpServer {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A request must have arrived completely after this time. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How long an idle connection stays open: longer than the minute of load balancers. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Room for a list of ids that exceeds an operation's limit, so that the operation refuses it; headers end at 16 KB. */
const PATH_MEMBER_LENGTH_MAX = 8_000;

/** Starts an HTTP app: every operation has the same checks in the same order, and every failure is a problem body. */
export async function startHttpServer(serverOptions: HttpServerOptions): Promise<HttpServer> {
  // No request arrives before the port is open, and by then the providers are there.
  const parts: ServerParts = { ...serverOptions, checks: NO_KEYS, recorder: null, ready: [] };
  const operations = [...HEALTH_OPERATIONS, ...serverOptions.operations];
  const contract =
    serverOptions.checksContract === true ? new ContractChecker(operations, serverOptions.openapi) : null;
  const { encryption: { tls, trustedProxies } = NO_ENCRYPTION } = serverOptions;
  const admitted = findAdmittedNetworks(
    { host: serverOptions.host, certSetting: 'HTTP_TLS_CERT' },
    { tls, trustedProxies },
  );
  const adapter = new FastifyAdapter({
    ...(tls === null ? {} : { https: createHttpsOptions(tls) }),
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    skipMiddie: true,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    multipart: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_MEMBER_LENGTH_MAX },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      startRequest(request, reply, contract);
      void sendProblem(reply, new Refusal('path_unknown', 'There is no such path.'), serverOptions);
      serverOptions.log.debug('http.path_unreadable', { error });
    },
    clientErrorHandler: (error, socket) => {
      if (isTlsError(error)) socket.destroy();
      else if (socket.writable) endConnection(socket, formatUnreadableAnswer(error, serverOptions.log));
    },
  });
  const server = adapter.getInstance<FastifyInstance>();
  const servedOperations = recordRoutes(server);
  limitConnections(server.server, { log: serverOptions.log, admitted, ...serverOptions.connections });
  if (tls !== null) followCertificate(server.server, tls);
  // Node would answer these itself with an empty 417.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  closeConnectionsAfterAnswers(server, serverOptions.shutdown ?? PROCESS_SHUTDOWN);
  addRequestHooks(server, { parts, contract, resources: indexResources(operations) });
  serveBuiltInRoutes(server, { parts, operations });
  const app = await NestFactory.create<NestFastifyApplication>(serverOptions.module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const close = async (): Promise<void> => {
    await app.close();
    tls?.close();
  };
  const { checks = NO_KEYS, recorder, ready, port, host } = serverOptions;
  parts.checks = resolveProvider(app, checks);
  parts.recorder = recorder === undefined ? null : resolveProvider(app, recorder);
  parts.ready = ready.map((each) => resolveProvider(app, each));
  const rawRoutes = (serverOptions.rawRoutes ?? []).map((each) => resolveProvider(app, each));
  registerRawRoutes(server, rawRoutes, (reply, error) => sendProblem(reply, error, serverOptions));
  app.useGlobalFilters(new ProblemFilter(serverOptions, contract));
  try {
    await app.init();
    requireAllServed(operations, servedOperations);
    await serverOptions.beforeListen?.(app);
    await app.listen(port, stripBrackets(host));
    const url = tls === null ? await app.getUrl() : (await app.getUrl()).replace(/^http:/, 'https:');
    return { app, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function resolveProvider<T extends object>(app: NestFastifyApplication, provider: Type<T> | T): T {
  return typeof provider === 'function' ? app.get<T>(provider, { strict: false }) : provider;
}

/** Sends every error of a controller as a problem. */
@Catch()
class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly serverOptions: HttpServerOptions,
    private readonly contract: ContractChecker | null,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    // The framework refuses a target that is no path (`GET *orders`) before the hooks of this file run.
    if (!hasRequestContext(reply.request)) startRequest(reply.request, reply, this.contract);
    await sendProblem(reply, error, this.serverOptions);
  }
}

/** Once the process is to end, each client learns with its next answer to open a new connection, elsewhere. */
function closeConnectionsAfterAnswers(server: FastifyInstance, shutdown: AbortSignal): void {
  server.addHook('onRequest', (_, reply, done) => {
    if (shutdown.aborted) void reply.header('connection', 'close');
    done();
  });
}

/** The hooks that every request passes before a controller. */
function addRequestHooks(
  server: FastifyInstance,
  { parts, contract, resources }: { parts: ServerParts; contract: ContractChecker | null; resources: ResourceIndex },
): void {
  server.removeAllContentTypeParsers();
  // The body is read or refused before the framework asks for it.
  server.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
  server.addHook('onRequest', (request, reply, done) => {
    const trace = startRequest(request, reply, contract);
    runInTrace(trace, done);
  });
  server.addHook('onRequest', async (request, reply) => {
    try {
      await checkRequest(request, reply, { parts, resources });
    } catch (error) {
      if (exceedsDiscardLimit(request.raw)) void reply.header('connection', 'close');
      await sendProblem(reply, error, parts);
    }
  });
  server.addHook('onResponse', async (request, reply) => {
    logRequest(request, reply, parts.log);
    parts.recorder?.recordRequest(describeRequest(request, reply.statusCode));
  });
}

/** Begins a request: every response after this has its trace. */
function startRequest(request: FastifyRequest, reply: FastifyReply, contract: ContractChecker | null) {
  const sent = request.headers['traceparent'];
  const trace = continueOrBeginTrace(typeof sent === 'string' ? sent : null);
  const traceId = formatTraceparent(trace);
  const release = readRequestVersion(request);
  beginRequest(request, {
    startedAtMs: performance.now(),
    trace,
    traceId,
    operation: null,
    release,
    holder: null,
    body: undefined,
    answer: null,
    admitted: null,
    contractChecker: contract,
    failure: null,
    warnings: [],
  });
  void reply.headers({
    version: release,
    'trace-id': traceId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  return trace;
}

/** Checks path, method and the operation's requirements. Answers requests that need no controller. */
async function checkRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, resources }: { parts: ServerParts; resources: ResourceIndex },
): Promise<void> {
  requireSingleHeaders(request.raw.rawHeaders);
  const { ownHosts } = parts;
  if (ownHosts !== undefined) requireOwnHost(request.headers, ownHosts);
  if (isPageRequest(request)) return;
  if (ownHosts !== undefined) requireOwnPage(request.headers);
  requireKnownExpectation(request);
  const context = requestContextOf(request);
  const resource = resources(readPath(request));
  if (resource === null) throw new Refusal('path_unknown', 'There is no such path.');
  if (request.method === 'OPTIONS') return answerPreflight(reply, resource);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const operation = [...resource.operations.values()].find((each) => each.method === method);
  if (operation === undefined) {
    // The refused method has no operation. Another operation of the path decides whether problems have a code.
    context.operation = [...resource.operations.values()][0] ?? null;
    throw new Refusal('method_not_allowed', 'This path does not know the method.', { data: { allow: resource.allow } });
  }
  context.operation = operation;
  void reply.headers(buildCrossOriginHeaders(operation));
  const { warnings } = context;
  const admission = await admitRequest(request, {
    operation,
    traceId: context.traceId,
    warnings,
    checks: parts.checks,
    onHolder: (holder) => {
      context.holder = holder;
    },
    onBody: (body) => {
      context.body = body;
    },
  }).finally(() => {
    const text = formatWarnings(warnings);
    if (text !== null) void reply.header('warnings', text);
  });
  const { release } = 'stored' in admission ? admission : admission.admitted;
  context.release = release;
  void reply.header('version', release);
  if ('stored' in admission) await sendAnswer(reply, admission.stored, { isReplayed: true });
  else context.admitted = admission.admitted;
}

function requireKnownExpectation({ headers: { expect = '100-continue' } }: FastifyRequest): void {
  if (expect.toLowerCase() !== '100-continue')
    throw createViolation('body_malformed', 'expect', 'May only be 100-continue.');
}

const OPENAPI_PATH = '/openapi.json';

/** Serves what every app has without a controller: health, and the document of its operations. */
function serveBuiltInRoutes(
  server: FastifyInstance,
  { parts, operations }: { parts: ServerParts; operations: readonly Operation[] },
): void {
  const documents = new Map<Release, string>();
  server.get(OPENAPI_PATH, PAGE_ROUTE, async (request, reply) => {
    const { release } = requestContextOf(request);
    const document = documents.get(release) ?? JSON.stringify(openApiDocument(operations, parts.openapi, release));
    documents.set(release, document);
    await reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  const sendAsProblem = (reply: FastifyReply, error: unknown) => sendProblem(reply, error, parts);
  registerErrorPages(server, { operations, sendProblem: sendAsProblem });
  registerPages(server, parts.pages ?? []);
  registerForms(server, parts.forms ?? [], sendAsProblem);
  const health = { status: 200, shape: { status: 'ok', release: parts.release ?? readProductVersion() } };
  server.get(readLive.path, { config: { operation: readLive } }, async (_, reply) => {
    await sendAnswer(reply, health);
  });
  server.get(readReady.path, { config: { operation: readReady } }, async (_, reply) => {
    const { isReady, missing } = await checkReadiness(parts.ready, parts.shutdown);
    if (isReady) await sendAnswer(reply, health);
    else await sendProblem(reply, new Refusal('service_unavailable', `Not ready: ${missing.join(', ')}.`), parts);
  });
}

/** Records the operations with a route, so that the start fails for a listed operation without one. */
function recordRoutes(server: FastifyInstance): Set<unknown> {
  const servedOperations = new Set<unknown>();
  server.addHook('onRoute', ({ config }) => {
    if (config !== undefined && 'operation' in config) servedOperations.add(config.operation);
  });
  return servedOperations;
}

function requireAllServed(operations: readonly Operation[], servedOperations: ReadonlySet<unknown>): void {
  const promised = new Set<unknown>(operations);
  const missing = operations.filter((operation) => !servedOperations.has(operation)).map(({ id }) => id);
  if (missing.length > 0) throw new Error(`no controller serves ${missing.join(', ')}`);
  if ([...servedOperations].some((operation) => !promised.has(operation))) {
    throw new Error('a controller serves an operation that the app does not list');
  }
}
