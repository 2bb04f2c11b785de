import type { Caller } from '@pos/core/accounts';
import { includesRole } from '@pos/core/identity';
import { createViolation, Refusal } from '@pos/core/refusals';
import { KEY_FORMS } from '@pos/rest-contracts/shapes';
import { commonRefusals, takesBody, type Operation } from '@pos/rest-contracts/operation';
import { prepareBody, readQuery, type BodyResult } from '@pos/rest-contracts/parsing';
import { LATEST_RELEASE, resolveVersion, type Release } from '@pos/rest-contracts/versions';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseBasicCredential } from '../auth/basic-credential.js';
import { readPortalToken } from '../portal/portal-token.js';
import { yieldForLargeBody, isStorableText, readJsonBody } from './json-body.js';
import { buildFingerprintInput, readIdempotencyKey, type Idempotency } from './idempotency-key.js';
import type { MemberChecks } from './member-checks.js';
import { RequestViolations } from './request-violations.js';
import { findRepeatedMembers } from './repeated-members.js';
import { type RequestWarning, toShownPath } from './request-warnings.js';
import { canonicalPath } from './resource-index.js';

/** The holder of a key, and its own rate limit per second, if any. The request has the rest of a caller. */
export type ApiKeyHolder = Pick<Caller, 'scope' | 'keyId' | 'permissions' | 'actor'> & {
  readonly ratePerSecond?: number | null;
  /** Unknown members of requests that move money are refused, instead of named in `warnings`. */
  readonly isStrict?: boolean;
  /** Refuses bytes of a body that the credential was not made for. */
  readonly checkBody?: (bytes: Uint8Array) => void;
};

/** An answer that was given before and is given again, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  /** JSON text; null for 204. */
  readonly body: string | null;
}

/** What the token of the portal is checked against. */
export interface PortalTokenRequest {
  readonly token: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

/** What an app checks of its requests beside their form. */
export interface RequestChecks {
  /** Finds the holder of an API key that came from an address; null for a key that is unknown or deleted. */
  authenticate(keyText: string, address: string): Promise<ApiKeyHolder | null>;
  /**
   * Finds whom a request of the portal is made for, by the token in its header `authorization`; null for a token that
   * proves nobody. Without it, such a token is no credential.
   */
  authenticatePortal?(request: PortalTokenRequest): Promise<ApiKeyHolder | null>;
  /** Counts a request, of the holder of a key or of a caller without one, and refuses `rate_limited`. */
  countRequest?(request: FastifyRequest, operation: Operation, holder: ApiKeyHolder | null): void | Promise<void>;
  /**
   * Refuses a sender of an operation without an API key who may not call it: by a session, for example. Like a key, it is
   * checked before anything of the request is read.
   */
  checkSender?(request: FastifyRequest, operation: Operation): Promise<void>;
  /** Refuses what the holder may not do for reasons that lie beyond the permissions of the key. */
  checkPermission?(holder: ApiKeyHolder, operation: Operation): Promise<void>;
  /**
   * Refuses a request for the partners that it names: asked after the stored answer, so that a repeat of a request is
   * answered as before.
   */
  checkPartners?(caller: Caller, operation: Operation, idempotency: Idempotency | null): Promise<void>;
  /**
   * Looks up what an idempotency key was answered. Null: the key is new, or its operation has not ended.
   * Refuses a key that was used with another body.
   */
  findStoredAnswer?(caller: Caller, idempotency: Idempotency): Promise<StoredAnswer | null>;
  /** What is refused of a body beyond its form, reported together with the violations of the form. */
  readonly memberChecks?: MemberChecks;
}

/** A request that passed every check of its operation. */
export interface AdmittedRequest {
  readonly caller: Caller | null;
  readonly release: Release;
  readonly idempotency: Idempotency | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The body's JSON as it was sent; undefined without one. */
  readonly receivedBody: unknown;
}

export type AdmissionResult =
  | { readonly admitted: AdmittedRequest }
  | { readonly stored: StoredAnswer; readonly release: Release };

/**
 * Checks a request in the order that all operations share: key, rate, version, permission, partner headers, body,
 * idempotency key, registered partners, then all members of query and body. The first failing check refuses, together with the violations of
 * later checks of the request's shape: one answer names them all. Path and method were checked before. The body is not
 * read before its sender may call.
 */
export async function admitRequest(
  request: FastifyRequest,
  {
    operation,
    traceId,
    checks,
    warnings = [],
    onHolder,
    onBody,
  }: {
    operation: Operation;
    traceId: string;
    checks: RequestChecks;
    /** Receives what is odd about the request and not refused. */
    warnings?: RequestWarning[];
    /** Receives the holder of the key once it is known, also of a request that is refused afterwards. */
    onHolder?: (holder: ApiKeyHolder) => void;
    /** Receives the JSON of the body once it is read. */
    onBody?: (body: unknown) => void;
  },
): Promise<AdmissionResult> {
  const holder = operation.permission === null ? null : await authenticateHolder(operation, request, checks);
  if (holder !== null) onHolder?.(holder);
  await checks.countRequest?.(request, operation, holder);
  await checks.checkSender?.(request, operation);
  requireClientSecret(operation, request);
  requireSandbox(operation, holder);
  const violations = new RequestViolations();
  const release = violations.collect(() => requireRelease(operation, request, warnings)) ?? LATEST_RELEASE;
  if (holder !== null) await checkPermitted(operation, holder, { checks, violations });
  const partners = violations.collect(() => readPartners(operation, request)) ?? NO_PARTNERS;
  const caller: Caller | null =
    holder === null ? null : { ...toCaller(holder), ...partners, traceId, version: release };
  const { sent, repeated } = await readRequestBody(operation, request, { violations, checkBody: holder?.checkBody });
  onBody?.(sent);
  await yieldForLargeBody(request.raw);
  const key = violations.collect(() => readIdempotencyKey(operation, request.headers));
  const idempotency =
    key === null
      ? null
      : {
          method: operation.method,
          path: canonicalPath(readPath(request)),
          key,
          fingerprintInput: buildFingerprintInput(sent, parseQuery(request)),
        };
  if (violations.isEmpty && idempotency !== null && caller !== null) {
    const stored = await checks.findStoredAnswer?.(caller, idempotency);
    if (stored !== null && stored !== undefined) return { stored, release };
  }
  if (violations.isEmpty && caller !== null) await checks.checkPartners?.(caller, operation, idempotency);
  await yieldForLargeBody(request.raw);
  const preparedBody = prepareBody(operation.body ?? EMPTY_SCHEMA, sent, release);
  await yieldForLargeBody(request.raw);
  const members = violations.collect(() =>
    readMembers(operation, request, {
      ...{ validateBody: preparedBody.check, warnings, repeated },
      isStrict: operation.movesMoney === true && holder?.isStrict === true,
    }),
  );
  const memberCheck = checks.memberChecks?.get(operation.id);
  if (!violations.isEmpty && caller !== null && memberCheck !== undefined) {
    await yieldForLargeBody(request.raw);
    await violations.collectMore(() => memberCheck.check(caller, preparedBody.readable() ?? {}));
  }
  violations.throwIfAny();
  const params = operation.params === undefined ? {} : operation.params.parse(request.params);
  const { query, body } = members ?? { query: {}, body: {} };
  return { admitted: { caller, release, idempotency, params, query, body, receivedBody: sent } };
}

/** Earlier violations are answered before a missing permission. With the permission, the later checks run. */
async function checkPermitted(
  operation: Operation,
  holder: ApiKeyHolder,
  { checks, violations }: { readonly checks: RequestChecks; readonly violations: RequestViolations },
): Promise<void> {
  try {
    requirePermission(operation, holder);
    await checks.checkPermission?.(holder, operation);
  } catch (error) {
    if (error instanceof Refusal) violations.throwIfAny();
    throw error;
  }
}

/**
 * The body's JSON, and the members that a request that moves money has twice with different values. Earlier violations
 * are answered before an unreadable body.
 */
async function readRequestBody(
  operation: Operation,
  request: FastifyRequest,
  { violations, checkBody }: { readonly violations: RequestViolations; readonly checkBody: ApiKeyHolder['checkBody'] },
): Promise<{ readonly sent: unknown; readonly repeated: readonly string[] }> {
  if (!takesBody(operation)) return { sent: undefined, repeated: [] };
  let bytes: Uint8Array = new Uint8Array();
  try {
    const sent = await readJsonBody(request.raw, (received) => {
      checkBody?.(received);
      bytes = received;
    });
    return { sent, repeated: operation.movesMoney === true ? findRepeatedMembers(bytes, sent) : [] };
  } catch (error) {
    if (error instanceof Refusal) violations.throwIfAny();
    throw error;
  }
}

function toCaller({ scope, keyId, permissions, actor }: ApiKeyHolder) {
  return { scope, keyId, permissions, ...(actor !== undefined && { actor }) };
}

/** The release of the answer, also when the header names an unknown one. */
export function readRequestVersion(request: FastifyRequest): Release {
  const sent = request.headers['version'];
  return (typeof sent === 'string' ? resolveVersion(sent.trim()) : null) ?? LATEST_RELEASE;
}

/** The path of a request without its query. */
export function readPath(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** Whether the operation declares this refusal. */
export function isDeclaredRefusal(operation: Operation, code: Refusal['code']): boolean {
  return operation.refusals.includes(code) || commonRefusals(operation).includes(code);
}

const PARTNER_HEADER_LENGTH_MAX = 100;
const EMPTY_SCHEMA = z.object({});
const NO_PARTNERS = { softwareHouseId: null, resellerId: null };

async function authenticateHolder(
  { keyInAccountName }: Operation,
  request: FastifyRequest,
  checks: RequestChecks,
): Promise<ApiKeyHolder> {
  const { authorization, accountname: accountName } = request.headers;
  const portalToken = authorization === undefined ? null : readPortalToken(authorization);
  if (portalToken !== null && checks.authenticatePortal !== undefined) {
    const found = await checks.authenticatePortal({ token: portalToken, method: request.method, path: request.url });
    if (found === null) throw new Refusal('unauthenticated', 'The token of the portal is not valid for this request.');
    return found;
  }
  const isKeyInAccountName =
    keyInAccountName === true && authorization === undefined && typeof accountName === 'string';
  const keyText = parseBasicCredential(isKeyInAccountName ? `Basic ${accountName}` : authorization);
  const holder = keyText === null ? null : await checks.authenticate(keyText, request.ip);
  if (holder === null) {
    throw new Refusal('unauthenticated', `A valid API key is needed: ${KEY_FORMS}.`);
  }
  return holder;
}

function requireClientSecret({ clientSecret }: Operation, { headers }: FastifyRequest): void {
  if (clientSecret !== true || typeof headers['client-session-secret'] === 'string') return;
  throw new Refusal('client_secret_missing', 'The header client-session-secret is needed.');
}

function requireSandbox({ sandboxOnly }: Operation, holder: ApiKeyHolder | null): void {
  // For production this path does not exist, so it is refused like an unknown path, before a 403.
  if (sandboxOnly === 'path_unknown' && holder?.scope.environment === 'production') {
    throw new Refusal('path_unknown', 'There is no such path.');
  }
}

function requireRelease({ version }: Operation, request: FastifyRequest, warnings: RequestWarning[]): Release {
  const sent = request.headers['version'];
  if (version === 'none') return LATEST_RELEASE;
  if (sent === undefined) {
    if (version === 'optional') return LATEST_RELEASE;
    throw createViolation('version_invalid', 'version', 'Is required: a date as yyyy-mm-dd.');
  }
  const release = typeof sent === 'string' ? resolveVersion(sent.trim()) : null;
  if (release === null) {
    throw createViolation('version_invalid', 'version', 'Must be a date as yyyy-mm-dd, not before the first release.');
  }
  const date = String(sent).trim();
  // Dates in this form order as text.
  if (date > LATEST_RELEASE) warnings.push({ kind: 'version_not_released', date });
  return release;
}

function requirePermission({ permission, sandboxOnly }: Operation, { permissions, scope }: ApiKeyHolder): void {
  if (sandboxOnly === 'permission_missing' && scope.environment === 'production') {
    throw new Refusal('permission_missing', 'Only a sandbox key may do this.');
  }
  if (permission === null || permission === 'any') return;
  if (permission === 'full') {
    if (includesRole(permissions, 'full')) return;
    throw new Refusal('permission_missing', 'This key lacks permissions of the role full.');
  }
  if (permissions.has(permission)) return;
  throw new Refusal('permission_missing', `This key lacks the permission ${permission}.`);
}

function readPartners(
  { partnerHeaders }: Operation,
  request: FastifyRequest,
): { softwareHouseId: string | null; resellerId: string | null } {
  const softwareHouseId = readHeader(request, 'software-house-id');
  const resellerId = readHeader(request, 'reseller-id');
  if (partnerHeaders !== true)
    return { softwareHouseId: toValidPartner(softwareHouseId), resellerId: toValidPartner(resellerId) };
  const members = Object.fromEntries(
    Object.entries({ 'software-house-id': softwareHouseId, 'reseller-id': resellerId })
      .filter(([, value]) => toValidPartner(value) === null)
      .map(([name, value]) => [name, [value === null ? 'Is required.' : 'Must be 1 to 100 characters.']]),
  );
  if (Object.keys(members).length === 0) return { softwareHouseId, resellerId };
  throw new Refusal('partner_header_invalid', 'Both partner headers are needed here.', { members });
}

function readHeader(request: FastifyRequest, name: string): string | null {
  const sent = request.headers[name];
  return typeof sent === 'string' ? sent.trim() : null;
}

function toValidPartner(value: string | null): string | null {
  return value !== null && value.length >= 1 && value.length <= PARTNER_HEADER_LENGTH_MAX ? value : null;
}

/** One answer names all violations of query and body. */
function readMembers(
  operation: Operation,
  request: FastifyRequest,
  {
    validateBody,
    warnings,
    repeated,
    isStrict,
  }: {
    readonly validateBody: () => BodyResult<unknown>;
    readonly warnings: RequestWarning[];
    /** Members of the body that were sent twice with different values. */
    readonly repeated: readonly string[];
    readonly isStrict: boolean;
  },
): { query: unknown; body: unknown } {
  const query = readQuery(operation.query ?? EMPTY_SCHEMA, parseQuery(request));
  const body = validateBody();
  if (!isStrict) {
    for (const path of query.unknown ?? []) warnings.push({ kind: 'unknown_query_member', path });
    for (const path of body.unknown ?? []) warnings.push({ kind: 'unknown_member', path });
  }
  const unknown = isStrict ? { ...describeUnknown(query), ...describeUnknown(body) } : {};
  if (query.ok && body.ok && Object.keys(unknown).length === 0 && repeated.length === 0) {
    for (const path of operation.listIgnored?.(body.value) ?? []) warnings.push({ kind: 'ignored_member', path });
    return { query: query.value, body: body.value };
  }
  throw new Refusal('validation_failed', 'The request cannot be accepted as it is; see `errors`.', {
    members: { ...unknown, ...getErrors(query), ...getErrors(body), ...describeRepeated(repeated) },
  });
}

/** What is refused of unknown members. Their names may be anything, so an unusual one is not repeated. */
function describeUnknown({ unknown = [], suggestions }: BodyResult<unknown>): Record<string, readonly string[]> {
  return Object.fromEntries(
    unknown.map((path) => {
      const meant = suggestions?.get(path);
      const text = meant === undefined ? '' : ` Is \`${meant}\` meant?`;
      return [toShownPath(path), [`Is not a member of this request.${text}`]];
    }),
  );
}

/** A repeated member is refused, because the intended value is not known. */
function describeRepeated(paths: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(paths.map((path) => [toShownPath(path), ['Is sent twice with different values.']]));
}

function getErrors(reading: BodyResult<unknown>): Readonly<Record<string, readonly string[]>> {
  return reading.ok ? {} : reading.errors;
}

function parseQuery(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1));
  for (const [name, value] of query) {
    if (!isStorableText(name) || !isStorableText(value)) {
      throw new Refusal('validation_failed', 'The query holds a NUL character.', {
        members: { [name]: ['Is not text.'] },
      });
    }
  }
  return query;
}
