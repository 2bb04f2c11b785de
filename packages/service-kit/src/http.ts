import 'reflect-metadata';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { keyed, Refusal } from '@pos/core/refusal';
import { HEALTH_OPERATIONS, readLive, readReady } from '@pos/rest-contracts/health';
import { openApiDocument, type ApiTitle } from '@pos/rest-contracts/openapi';
import type { Operation } from '@pos/rest-contracts/operation';
import type { Release } from '@pos/rest-contracts/versions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  admit,
  pathOf,
  releaseOf,
  type Authenticate,
  type CountRequest,
  type Permit,
  type Recall,
} from './admission.js';
import { isTooMuchToDiscard } from './body.js';
import { type ConnectionLimits, endConnection, limitConnections } from './connection-limit.js';
import { ContractCheck } from './contract-check.js';
import { answerPreflight, crossOriginHeaders } from './cross-origin.js';
import { askReadiness, type ReadyCheck } from './health.js';
import { CATALOGUE } from './error-pages.js';
import { failVisit, logVisit } from './http-failure.js';
import { beginVisit, sendAnswer, visitOf } from './http-visit.js';
import type { MemberChecks } from './member-checks.js';
import { bareHost } from './listen-address.js';
import type { Outage } from './outage.js';
import type { Log } from './log.js';
import { type FormPage, isPage, OF_PAGE, type Page, serveForms, servePages } from './pages.js';
import { formatWarnings } from './request-warnings.js';
import { indexResources, type Resources } from './resources.js';
import { requireSingleHeaders } from './single-headers.js';
import { continueTrace, inTrace, traceparentOf } from './trace.js';
import { unreadableAnswer } from './unreadable.js';

/** What an HTTP app is made of. */
export interface HttpApp {
  /** The root module: its controllers serve the operations. */
  readonly module: new (...parts: never[]) => object;
  readonly port: number;
  readonly host: string;
  /** Every operation of the app, each served exactly once; the start fails otherwise. Health is added by itself. */
  readonly operations: readonly Operation[];
  readonly authenticate: Authenticate;
  /** Counts requests against the limits of who sends them; without it there are none. */
  readonly count?: CountRequest;
  /** What a holder needs beside the permission; without it that is all. */
  readonly permit?: Permit;
  readonly connections?: ConnectionLimits;
  /** Addresses or networks of proxies whose `x-forwarded-for` is believed. */
  readonly trustedProxies?: readonly string[];
  /** Answers a repeated idempotency key before the request is judged again. */
  readonly recall?: Recall;
  /** What is refused of a body beyond its form, said together with the faults of the form. */
  readonly memberChecks?: MemberChecks;
  /** What must be up for `/health/ready` to say so. */
  readonly ready: readonly ReadyCheck[];
  readonly log: Log;
  readonly openapi: ApiTitle;
  /** Fixed texts for browsers, beside the operations: a page with its script and style. */
  readonly pages?: readonly Page[];
  /** Pages that answer a form. */
  readonly forms?: readonly FormPage[];
  /** Which errors mean that a dependency is down (503); the usual signs when left out. */
  readonly isOutage?: Outage;
  /** Every run but production: what the document does not describe fails the request. */
  readonly checksContract?: boolean;
}

/** A running HTTP app. Closing it lets running requests finish. */
export interface RunningHttpApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A request must have arrived completely after this time. */
const REQUEST_MS_MAX = 30_000;
/** An idle connection is kept this long; longer than the minute that load balancers keep theirs. */
const KEEP_ALIVE_MS = 65_000;
/** A longer path member is no id of ours. */
/** Room for a list of ids that is longer than an operation takes, so that it can say so; headers end at 16 KB anyway. */
const PATH_MEMBER_LENGTH_MAX = 8_000;

/** Starts an HTTP app: every operation behind the same checks in the same order, every failure a problem body. */
export async function bootHttp(parts: HttpApp): Promise<RunningHttpApp> {
  const operations = [...HEALTH_OPERATIONS, ...parts.operations];
  const contract = parts.checksContract === true ? new ContractCheck(operations, parts.openapi) : null;
  const adapter = new FastifyAdapter({
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: REQUEST_MS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    skipMiddie: true,
    trustProxy:
      parts.trustedProxies === undefined || parts.trustedProxies.length === 0 ? false : [...parts.trustedProxies],
    multipart: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_MEMBER_LENGTH_MAX },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      enter(request, reply, contract);
      void failVisit(reply, new Refusal('path_unknown', 'There is no such path.'), parts);
      parts.log.debug('http.path_unreadable', { error });
    },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) endConnection(socket, unreadableAnswer(error, parts.log));
    },
  });
  const server = adapter.getInstance<FastifyInstance>();
  const served = watchRoutes(server);
  limitConnections(server.server, { log: parts.log, ...parts.connections });
  // Node would answer these itself with an empty 417.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  receive(server, { parts, contract, resources: indexResources(operations) });
  serveOwn(server, { parts, operations });
  const app = await NestFactory.create<NestFastifyApplication>(parts.module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new ProblemFilter(parts));
  await app.init();
  requireServed(operations, served);
  await app.listen(parts.port, bareHost(parts.host));
  return { app, url: await app.getUrl(), close: () => app.close() };
}

/** Whatever a controller throws leaves as a problem. */
@Catch()
class ProblemFilter implements ExceptionFilter {
  constructor(private readonly parts: HttpApp) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    await failVisit(host.switchToHttp().getResponse<FastifyReply>(), error, this.parts);
  }
}

/** The hooks every request goes through before a controller sees it. */
function receive(
  server: FastifyInstance,
  { parts, contract, resources }: { parts: HttpApp; contract: ContractCheck | null; resources: Resources },
): void {
  server.removeAllContentTypeParsers();
  // The body was read, or refused, by the time the framework asks for it.
  server.addContentTypeParser('*', (_, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
  server.addHook('onRequest', (request, reply, done) => {
    const trace = enter(request, reply, contract);
    inTrace(trace, done);
  });
  server.addHook('onRequest', async (request, reply) => {
    try {
      await judge(request, reply, { parts, resources });
    } catch (error) {
      if (isTooMuchToDiscard(request.raw)) void reply.header('connection', 'close');
      await failVisit(reply, error, parts);
    }
  });
  server.addHook('onResponse', async (request, reply) => {
    logVisit(request, reply, parts.log);
  });
}

/** Begins a visit: from here on every answer carries its trace. */
function enter(request: FastifyRequest, reply: FastifyReply, contract: ContractCheck | null) {
  const sent = request.headers['traceparent'];
  const trace = continueTrace(typeof sent === 'string' ? sent : null);
  const traceId = traceparentOf(trace);
  const release = releaseOf(request);
  beginVisit(request, {
    startedAtMs: performance.now(),
    traceId,
    operation: null,
    release,
    admitted: null,
    contract,
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

/** Path, method, then everything the operation asks for. Answers by itself what no controller has to see. */
async function judge(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, resources }: { parts: HttpApp; resources: Resources },
): Promise<void> {
  requireSingleHeaders(request.raw.rawHeaders);
  if (isPage(request)) return;
  requireKnownExpectation(request);
  const visit = visitOf(request);
  const resource = resources(pathOf(request));
  if (resource === null) throw new Refusal('path_unknown', 'There is no such path.');
  if (request.method === 'OPTIONS') return answerPreflight(reply, resource);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const operation = [...resource.operations.values()].find((each) => each.method === method);
  if (operation === undefined) {
    // The refused method has no operation of its own; its neighbours say whether problems carry a code here.
    visit.operation = [...resource.operations.values()][0] ?? null;
    throw new Refusal('method_not_allowed', 'This path does not know the method.', { data: { allow: resource.allow } });
  }
  visit.operation = operation;
  void reply.headers(crossOriginHeaders(operation));
  const { authenticate, count, permit, recall, memberChecks } = parts;
  const who = { authenticate, count, permit, recall, memberChecks };
  const { warnings } = visit;
  const admission = await admit(request, { operation, traceId: visit.traceId, warnings, ...who }).finally(() => {
    const text = formatWarnings(warnings);
    if (text !== null) void reply.header('warnings', text);
  });
  const { release } = 'stored' in admission ? admission : admission.admitted;
  visit.release = release;
  void reply.header('version', release);
  if ('stored' in admission) await sendAnswer(reply, admission.stored, { isReplayed: true });
  else visit.admitted = admission.admitted;
}

function requireKnownExpectation({ headers: { expect = '100-continue' } }: FastifyRequest): void {
  if (expect.toLowerCase() !== '100-continue') throw keyed('body_malformed', 'expect', 'May only be 100-continue.');
}

const DOCUMENT_PATH = '/openapi.json';

/** What every app answers without a controller: health, and the document of its own operations. */
function serveOwn(
  server: FastifyInstance,
  { parts, operations }: { parts: HttpApp; operations: readonly Operation[] },
): void {
  const documents = new Map<Release, string>();
  server.get(DOCUMENT_PATH, OF_PAGE, async (request, reply) => {
    const { release } = visitOf(request);
    const document = documents.get(release) ?? JSON.stringify(openApiDocument(operations, parts.openapi, release));
    documents.set(release, document);
    await reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  servePages(server, [CATALOGUE, ...(parts.pages ?? [])]);
  serveForms(server, parts.forms ?? [], (reply, error) => failVisit(reply, error, parts));
  server.get(readLive.path, { config: { operation: readLive } }, async (_, reply) => {
    await sendAnswer(reply, { status: 200, shape: { status: 'ok' } });
  });
  server.get(readReady.path, { config: { operation: readReady } }, async (_, reply) => {
    const { isReady, missing } = await askReadiness(parts.ready);
    if (isReady) await sendAnswer(reply, { status: 200, shape: { status: 'ok' } });
    else await failVisit(reply, new Refusal('service_unavailable', `Not ready: ${missing.join(', ')}.`), parts);
  });
}

/** Which operations got a route, so that none is promised in the document and answered with 404. */
function watchRoutes(server: FastifyInstance): Set<unknown> {
  const served = new Set<unknown>();
  server.addHook('onRoute', ({ config }) => {
    if (config !== undefined && 'operation' in config) served.add(config.operation);
  });
  return served;
}

function requireServed(operations: readonly Operation[], served: ReadonlySet<unknown>): void {
  const promised = new Set<unknown>(operations);
  const missing = operations.filter((operation) => !served.has(operation)).map(({ id }) => id);
  if (missing.length > 0) throw new Error(`no controller serves ${missing.join(', ')}`);
  if ([...served].some((operation) => !promised.has(operation))) {
    throw new Error('a controller serves an operation that the app does not list');
  }
}
