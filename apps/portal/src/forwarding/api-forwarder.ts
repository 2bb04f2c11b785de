import { Injectable } from '@nestjs/common';
import { includesRole, type Permission } from '@pos/core/identity';
import { FOUR_EYES_KEY_PREFIX } from '@pos/core/administration';
import { createViolation, Refusal } from '@pos/core/refusals';
import { takesBody, type Method, type Operation } from '@pos/rest-contracts/operation';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import { PORTAL_API_PATH, PORTAL_TRIAL_HEADER } from '@pos/rest-contracts/portal';
import type { RawRoute } from '@pos/service-kit/http';
import { indexResources, readJsonBody, readRequestVersion } from '@pos/service-kit/request-checks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PortalSessions, requireReauthentication, type WorkingSession } from '../sessions/portal-sessions.js';
import { ApiSender } from './api-sender.js';
import { SecondPersonRequests } from './second-person-requests.js';
import { isGuarded } from './guarded-operations.js';

/** The headers of a page's request that the API receives, and those of its answer that the page receives. */
const FORWARDED = ['version', 'content-type', 'idempotencykey', 'accept'] as const;
const RETURNED = ['content-type', 'version', 'trace-id', 'idempotent-replayed', 'retry-after', 'warnings'] as const;
/** What the EPOS tester serves; no path is also one of the API. */
const OF_TESTER: ReadonlySet<string> = new Set(TESTER_OPERATIONS.map(({ id }) => id));

/**
 * Forwards the operations of the public API for the user of a session: it signs each request with what the role of the
 * user permits, and the API decides and records it (ADR 0094).
 */
@Injectable()
export class ApiForwarder implements RawRoute {
  readonly path = `${PORTAL_API_PATH}/*`;
  readonly methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  readonly #findResource: ReturnType<typeof indexResources>;

  constructor(
    private readonly sessions: PortalSessions,
    private readonly sender: ApiSender,
    private readonly secondPerson: SecondPersonRequests,
  ) {
    const operations = sender.hasTester ? [...API_OPERATIONS, ...TESTER_OPERATIONS] : API_OPERATIONS;
    this.#findResource = indexResources(operations.filter(({ permission }) => permission !== null));
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const working = await this.sessions.requireWorkingSession(request.headers);
    const path = readNormalized(request.url.slice(PORTAL_API_PATH.length));
    const method = request.method as Method;
    const operation = this.#requireOperation(method, path.split('?', 1)[0] ?? '');
    const { session, scope, permissions } = working;
    requirePermission(operation, permissions);
    requireTrialSandbox(request, working);
    const body = await readForwardedBody(operation, request);
    const guardedRequest = { body: body.value, release: readRequestVersion(request), environment: scope.environment };
    if (isGuarded(operation, guardedRequest)) requireReauthentication(session);
    const headers = pickHeaders(FORWARDED, (name) => readHeader(request, name));
    const idempotencyKey = requireOwnKey(headers['idempotencykey'] ?? null);
    const app = OF_TESTER.has(operation.id) ? 'epos-tester' : 'api';
    const subject = { method, path, body: body.bytes, scope, permissions, actor: session.user.id };
    const answer = await this.sender.send({ app, headers, ...subject });
    const text = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 403 && readProblemReason(text) === 'second_person_needed') {
      const version = guardedRequest.release;
      await this.secondPerson.refuseAndStore(working, { operation, method, path, version, body, idempotencyKey });
    }
    void reply.status(answer.status).headers(pickHeaders(RETURNED, (name) => answer.headers.get(name)));
    await reply.send(text.length === 0 ? undefined : text);
  }

  #requireOperation(method: Method, path: string): Operation {
    const resource = this.#findResource(path);
    if (resource === null) throw new Refusal('path_unknown', 'There is no such path.');
    const operation = resource.operations.get(method);
    if (operation !== undefined) return operation;
    const { allow } = resource;
    throw new Refusal('method_not_allowed', 'This path does not know the method.', { data: { allow } });
  }
}

/**
 * The path as it is signed and sent. Refuses one that is sent in another spelling: with dot segments, a fragment or
 * characters that a browser encodes. The API would refuse its token. An empty query is left out, as in every address.
 */
function readNormalized(sent: string): string {
  const path = sent.replace(/\?$/, '');
  const url = URL.canParse(path, 'http://api') ? new URL(path, 'http://api') : null;
  if (url !== null && `${url.pathname}${url.search}` === path) return path;
  throw new Refusal('path_unknown', 'The path is not in the form in which browsers send it.');
}

/**
 * The bytes that the API receives, and their parsed value. The parser is that of the API and refuses what the API
 * refuses, so the portal checks the same value that the API executes.
 */
async function readForwardedBody(
  operation: Operation,
  { raw }: FastifyRequest,
): Promise<{ readonly bytes: Uint8Array; readonly value: unknown }> {
  let bytes: Uint8Array = new Uint8Array();
  if (!takesBody(operation)) return { bytes, value: undefined };
  const value = await readJsonBody(raw, (received) => {
    bytes = received;
  });
  return { bytes, value };
}

/**
 * As the API checks it, so that a role without a permission is refused before anything is signed. A role that only reads
 * may also not do what any key may.
 */
function requirePermission({ permission, method }: Operation, permissions: readonly Permission[]): void {
  if (permission === null) return;
  if (permission === 'any') {
    if (method === 'GET' || permissions.some((each) => !each.endsWith('.read'))) return;
    throw new Refusal('permission_missing', 'Your role may only read.');
  }
  const held = new Set(permissions);
  if (permission === 'full' ? includesRole(held, 'full') : held.has(permission)) return;
  throw new Refusal('permission_missing', `Your role lacks the permission ${permission}.`);
}

/**
 * Refuses what the reference sends as a trial outside of a sandbox. The page checks it too, but another page of the
 * session may have changed the account since.
 */
function requireTrialSandbox(request: FastifyRequest, { scope }: WorkingSession): void {
  if (readHeader(request, PORTAL_TRIAL_HEADER) === null || scope.environment === 'sandbox') return;
  throw new Refusal('permission_missing', 'Trials of the reference are sent in sandboxes only.');
}

/** Keys of approved actions are the portal's own: with one, a page could take the place of the approved action. */
function requireOwnKey(key: string | null): string | null {
  if (key?.startsWith(FOUR_EYES_KEY_PREFIX) !== true) return key;
  throw createViolation('validation_failed', 'idempotencyKey', `must not begin with ${FOUR_EYES_KEY_PREFIX}`);
}

function readProblemReason(text: Buffer): unknown {
  try {
    const problem: unknown = JSON.parse(text.toString('utf8'));
    return typeof problem === 'object' && problem !== null && 'reason' in problem ? problem.reason : null;
  } catch {
    return null;
  }
}

function readHeader({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function pickHeaders(names: readonly string[], read: (name: string) => string | null): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = read(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
