import { Inject, Injectable } from '@nestjs/common';
import { includesRole, type Permission } from '@pos/core/identity/permissions';
import { Refusal } from '@pos/core/refusals/refusal';
import type { Method, Operation } from '@pos/rest-contracts/operation/operation';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { PORTAL_API_PATH } from '@pos/rest-contracts/portal/portal-events';
import type { RawRoute } from '@pos/service-kit/http/raw-routes';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { formatPortalToken } from '@pos/service-kit/portal/portal-token';
import { indexResources } from '@pos/service-kit/request-checks/resource-index';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { isReauthenticated, PortalSessions, type WorkingSession } from '../sessions/portal-sessions.js';
import { GUARDED_OPERATIONS } from './guarded-operations.js';

/** The headers of a page's request that the API receives, and those of its answer that the page receives. */
const FORWARDED = ['version', 'content-type', 'idempotencykey', 'accept'] as const;
const RETURNED = ['content-type', 'version', 'trace-id', 'idempotent-replayed', 'retry-after', 'warnings'] as const;
/** Marks a request that the reference sends to try an operation. */
const TRIAL_HEADER = 'portal-trial';
/** The portal is the software of these requests, and nobody resells it. */
const PARTNERS = { 'software-house-id': 'portal', 'reseller-id': 'portal' };

/**
 * Forwards the operations of the public API for the user of a session: it signs each request with what the role of the
 * user permits, and the API decides and records it (ADR 0094).
 */
@Injectable()
export class ApiForwarder implements RawRoute {
  readonly path = `${PORTAL_API_PATH}/*`;
  readonly methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  readonly #findResource = indexResources(API_OPERATIONS.filter(({ permission }) => permission !== null));

  constructor(
    private readonly sessions: PortalSessions,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<void> {
    const working = await this.sessions.requireWorkingSession(request.headers);
    const path = request.url.slice(PORTAL_API_PATH.length);
    const method = request.method as Method;
    const operation = this.#requireOperation(method, path.split('?', 1)[0] ?? '');
    requirePermission(operation, working.permissions);
    requireTrialSandbox(request, working);
    if (GUARDED_OPERATIONS.has(operation.id) && !isReauthenticated(working.session)) {
      throw new Refusal('reauthentication_needed', 'Enter your password again to do this.');
    }
    const answer = await this.#send({ method, path, body, request, working });
    const text = Buffer.from(await answer.arrayBuffer());
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

  async #send(sending: {
    readonly method: Method;
    readonly path: string;
    readonly body: Buffer;
    readonly request: FastifyRequest;
    readonly working: WorkingSession;
  }): Promise<Response> {
    const { method, path, body, request, working } = sending;
    const { session, scope, permissions } = working;
    const { API_URL, API_DEADLINE_MS, PORTAL_KEY } = this.config;
    const subject = { scope, permissions, method, path, body, actor: session.user.id };
    const headers = {
      ...pickHeaders(FORWARDED, (name) => readHeader(request, name)),
      ...PARTNERS,
      authorization: formatPortalToken(subject, PORTAL_KEY, Date.now()),
    };
    try {
      return await fetch(`${API_URL.replace(/\/$/, '')}${path}`, {
        method,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(API_DEADLINE_MS),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
    } catch (error) {
      this.log.warn('portal.api_unreachable', { path, error });
      const detail = 'The API has not answered. Read what happened, or repeat the action with the same key.';
      throw new Refusal('service_unavailable', detail);
    }
  }
}

/** As the API checks it, so that a role without a permission is refused before anything is signed. */
function requirePermission({ permission }: Operation, permissions: readonly Permission[]): void {
  if (permission === null || permission === 'any') return;
  const held = new Set(permissions);
  if (permission === 'full' ? includesRole(held, 'full') : held.has(permission)) return;
  throw new Refusal('permission_missing', `Your role lacks the permission ${permission}.`);
}

/**
 * Refuses what the reference sends as a trial outside of a sandbox. The page checks it too, but another page of the
 * session may have changed the account since.
 */
function requireTrialSandbox(request: FastifyRequest, { scope }: WorkingSession): void {
  if (readHeader(request, TRIAL_HEADER) === null || scope.environment === 'sandbox') return;
  throw new Refusal('permission_missing', 'Trials of the reference are sent in sandboxes only.');
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
