import type { Caller } from '@pos/core/caller';
import { holdsRole } from '@pos/core/permissions';
import { keyed, Refusal } from '@pos/core/refusal';
import { KEY_FORMS } from '@pos/rest-contracts/key-forms';
import { commonRefusals, takesBody, type Operation } from '@pos/rest-contracts/operation';
import { prepareBody, readQuery, type Reading } from '@pos/rest-contracts/reading';
import { LATEST_RELEASE, resolveVersion, type Release } from '@pos/rest-contracts/versions';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { basicCredential } from './basic-credential.js';
import { betweenSteps, isSoundText, readJsonBody } from './body.js';
import { canonicalJson, readIdempotencyKey, type Idempotency } from './idempotency.js';
import type { MemberChecks } from './member-checks.js';
import { RequestFaults } from './request-faults.js';
import type { Warning } from './request-warnings.js';
import { canonicalPath } from './resources.js';

/** Who a key belongs to, and how often a second it may call if not as often as any; the rest of a caller comes with the request. */
export type KeyHolder = Pick<Caller, 'scope' | 'keyId' | 'permissions'> & { readonly ratePerSecond?: number | null };

/** Counts a request, of a key's holder or of somebody without one, and refuses `rate_limited`. */
export type CountRequest = (
  request: FastifyRequest,
  operation: Operation,
  holder: KeyHolder | null,
) => void | Promise<void>;

/** Refuses what a key's holder may not do for reasons that lie beyond the key, where a missing permission is refused. */
export type Permit = (holder: KeyHolder, operation: Operation) => Promise<void>;

/** Finds the holder of a literal API key that came from an address; null for a key that is unknown or deleted. */
export type Authenticate = (keyText: string, address: string) => Promise<KeyHolder | null>;

/** An answer that was given before and is given again, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  /** JSON text; null for 204. */
  readonly body: string | null;
}

/**
 * Looks up what an idempotency key was answered. Null: the key is new, or its operation has to go on.
 * Refuses a key that was used with another body.
 */
export type Recall = (caller: Caller, idempotency: Idempotency) => Promise<StoredAnswer | null>;

/** A request that passed every check an operation asks for. */
export interface Admitted {
  readonly caller: Caller | null;
  readonly release: Release;
  readonly idempotency: Idempotency | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The body's JSON as it came; undefined where there was none. */
  readonly sent: unknown;
}

export type Admission = { readonly admitted: Admitted } | { readonly stored: StoredAnswer; readonly release: Release };

/**
 * Checks a request in the one order all operations share: key, rate, version, permission, partner headers, body, idempotency
 * key, then all members of query and body. The first failing check answers, and with it every later one that is only about
 * the form of the request: all its faults are in one answer. The path and the method were judged before; the body is not
 * read before its sender may call at all.
 */
export async function admit(
  request: FastifyRequest,
  {
    operation,
    traceId,
    authenticate,
    count,
    permit,
    recall,
    memberChecks,
    warnings = [],
  }: {
    operation: Operation;
    traceId: string;
    authenticate: Authenticate;
    count?: CountRequest | undefined;
    permit?: Permit | undefined;
    recall?: Recall | undefined;
    memberChecks?: MemberChecks | undefined;
    /** Receives what is odd about the request and not refused. */
    warnings?: Warning[];
  },
): Promise<Admission> {
  const holder = operation.permission === null ? null : await requireHolder(operation, request, authenticate);
  await count?.(request, operation, holder);
  requireClientSecret(operation, request);
  refuseProduction(operation, holder);
  const faults = new RequestFaults();
  const release = faults.collect(() => requireRelease(operation, request, warnings)) ?? LATEST_RELEASE;
  if (holder !== null) await requirePermitted(operation, holder, { permit, faults });
  const partners = faults.collect(() => requirePartners(operation, request)) ?? NO_PARTNERS;
  const caller: Caller | null =
    holder === null ? null : { ...callerOf(holder), ...partners, traceId, version: release };
  const sent = await readSent(operation, request, faults);
  await betweenSteps(request.raw);
  const key = faults.collect(() => readIdempotencyKey(operation, request.headers));
  const idempotency =
    key === null
      ? null
      : { method: operation.method, path: canonicalPath(pathOf(request)), key, fingerprintInput: canonicalJson(sent) };
  if (faults.areNone && idempotency !== null && caller !== null) {
    const stored = await recall?.(caller, idempotency);
    if (stored !== null && stored !== undefined) return { stored, release };
  }
  await betweenSteps(request.raw);
  const prepared = prepareBody(operation.body ?? NOTHING, sent, release);
  await betweenSteps(request.raw);
  const members = faults.collect(() => readMembers(operation, request, { judgeBody: prepared.judge, warnings }));
  const further = memberChecks?.get(operation.id);
  if (!faults.areNone && caller !== null && further !== undefined) {
    await betweenSteps(request.raw);
    await faults.collectMore(() => further.check(caller, prepared.readable() ?? {}));
  }
  faults.refuse();
  const params = operation.params === undefined ? {} : operation.params.parse(request.params);
  const { query, body } = members ?? { query: {}, body: {} };
  return { admitted: { caller, release, idempotency, params, query, body, sent } };
}

/** A fault that was found before the permission answers first; a permission that is there lets the later checks run. */
async function requirePermitted(
  operation: Operation,
  holder: KeyHolder,
  { permit, faults }: { permit: Permit | undefined; faults: RequestFaults },
): Promise<void> {
  try {
    requirePermission(operation, holder);
    await permit?.(holder, operation);
  } catch (error) {
    if (error instanceof Refusal) faults.refuse();
    throw error;
  }
}

/** The body's JSON. A body that cannot be read answers after the faults that were found before it. */
async function readSent(operation: Operation, request: FastifyRequest, faults: RequestFaults): Promise<unknown> {
  if (!takesBody(operation)) return undefined;
  try {
    return await readJsonBody(request.raw);
  } catch (error) {
    if (error instanceof Refusal) faults.refuse();
    throw error;
  }
}

function callerOf({ scope, keyId, permissions }: KeyHolder): Pick<Caller, 'scope' | 'keyId' | 'permissions'> {
  return { scope, keyId, permissions };
}

/** The release an answer is written in, even when the header asks for none that exists. */
export function releaseOf(request: FastifyRequest): Release {
  const sent = request.headers['version'];
  return (typeof sent === 'string' ? resolveVersion(sent.trim()) : null) ?? LATEST_RELEASE;
}

/** The path of a request without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** Whether the operation says that it refuses so. */
export function isDeclared(operation: Operation, code: Refusal['code']): boolean {
  return operation.refusals.includes(code) || commonRefusals(operation).includes(code);
}

const PARTNER_HEADER_LENGTH_MAX = 100;
const NOTHING = z.object({});
const NO_PARTNERS = { softwareHouseId: null, resellerId: null };

async function requireHolder(
  { keyInAccountName }: Operation,
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<KeyHolder> {
  const { authorization, accountname: accountName } = request.headers;
  const isNamed = keyInAccountName === true && authorization === undefined && typeof accountName === 'string';
  const keyText = basicCredential(isNamed ? `Basic ${accountName}` : authorization);
  const holder = keyText === null ? null : await authenticate(keyText, request.ip);
  if (holder === null) {
    throw new Refusal('unauthenticated', `A valid API key is needed: ${KEY_FORMS}.`);
  }
  return holder;
}

function requireClientSecret({ clientSecret }: Operation, { headers }: FastifyRequest): void {
  if (clientSecret !== true || typeof headers['client-session-secret'] === 'string') return;
  throw new Refusal('client_secret_missing', 'The header client-session-secret is needed.');
}

function refuseProduction({ sandboxOnly }: Operation, holder: KeyHolder | null): void {
  // Production has no such path at all, so this comes where an unknown path would; 403 waits for its turn.
  if (sandboxOnly === 'path_unknown' && holder?.scope.environment === 'production') {
    throw new Refusal('path_unknown', 'There is no such path.');
  }
}

function requireRelease({ version }: Operation, request: FastifyRequest, warnings: Warning[]): Release {
  const sent = request.headers['version'];
  if (version === 'none') return LATEST_RELEASE;
  if (sent === undefined) {
    if (version === 'optional') return LATEST_RELEASE;
    throw keyed('version_invalid', 'version', 'Is required: a date as yyyy-mm-dd.');
  }
  const release = typeof sent === 'string' ? resolveVersion(sent.trim()) : null;
  if (release === null) {
    throw keyed('version_invalid', 'version', 'Must be a date as yyyy-mm-dd, not before the first release.');
  }
  const date = String(sent).trim();
  // Dates in this form order as text.
  if (date > LATEST_RELEASE) warnings.push({ kind: 'version_not_released', date });
  return release;
}

function requirePermission({ permission, sandboxOnly }: Operation, { permissions, scope }: KeyHolder): void {
  if (sandboxOnly === 'permission_missing' && scope.environment === 'production') {
    throw new Refusal('permission_missing', 'Only a sandbox key may do this.');
  }
  if (permission === null || permission === 'any') return;
  if (permission === 'full') {
    if (holdsRole(permissions, 'full')) return;
    throw new Refusal('permission_missing', 'This key lacks permissions of the role full.');
  }
  if (permissions.has(permission)) return;
  throw new Refusal('permission_missing', `This key lacks the permission ${permission}.`);
}

function requirePartners(
  { partnerHeaders }: Operation,
  request: FastifyRequest,
): { softwareHouseId: string | null; resellerId: string | null } {
  const softwareHouseId = headerText(request, 'software-house-id');
  const resellerId = headerText(request, 'reseller-id');
  if (partnerHeaders !== true)
    return { softwareHouseId: tolerated(softwareHouseId), resellerId: tolerated(resellerId) };
  const members = Object.fromEntries(
    Object.entries({ 'software-house-id': softwareHouseId, 'reseller-id': resellerId })
      .filter(([, value]) => tolerated(value) === null)
      .map(([name, value]) => [name, [value === null ? 'Is required.' : 'Must be 1 to 100 characters.']]),
  );
  if (Object.keys(members).length === 0) return { softwareHouseId, resellerId };
  throw new Refusal('partner_header_invalid', 'Both partner headers are needed here.', { members });
}

function headerText(request: FastifyRequest, name: string): string | null {
  const sent = request.headers[name];
  return typeof sent === 'string' ? sent.trim() : null;
}

function tolerated(value: string | null): string | null {
  return value !== null && value.length >= 1 && value.length <= PARTNER_HEADER_LENGTH_MAX ? value : null;
}

/** Everything that is wrong with query and body is said at once. */
function readMembers(
  operation: Operation,
  request: FastifyRequest,
  { judgeBody, warnings }: { readonly judgeBody: () => Reading<unknown>; readonly warnings: Warning[] },
): { query: unknown; body: unknown } {
  const query = readQuery(operation.query ?? NOTHING, queryOf(request));
  const body = judgeBody();
  for (const path of query.unknown ?? []) warnings.push({ kind: 'unknown_query_member', path });
  for (const path of body.unknown ?? []) warnings.push({ kind: 'unknown_member', path });
  if (query.ok && body.ok) return { query: query.value, body: body.value };
  throw new Refusal('validation_failed', 'The request cannot be accepted as it is; see `errors`.', {
    members: { ...errorsOf(query), ...errorsOf(body) },
  });
}

function errorsOf(reading: Reading<unknown>): Readonly<Record<string, readonly string[]>> {
  return reading.ok ? {} : reading.errors;
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1));
  for (const [name, value] of query) {
    if (!isSoundText(name) || !isSoundText(value)) {
      throw new Refusal('validation_failed', 'The query holds a NUL character.', {
        members: { [name]: ['Is not text.'] },
      });
    }
  }
  return query;
}
