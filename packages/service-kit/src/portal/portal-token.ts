import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type AccountId,
  ENVIRONMENTS,
  isId,
  parsePermissions,
  type Permission,
  type PortalUserId,
  type Scope,
} from '@pos/core/identity';
import { z } from 'zod';
import type { Secret } from '../config/secret.js';

/** One request that the portal makes of the API for a user. */
export interface PortalTokenSubject {
  readonly scope: Scope;
  readonly actor: PortalUserId;
  readonly permissions: readonly Permission[];
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The bytes of the body; none without one. */
  readonly body: Uint8Array;
}

/** What a token proves; the body is compared once it has arrived. */
export interface PortalTokenClaims extends Omit<PortalTokenSubject, 'body' | 'method' | 'path'> {
  /** Differs in each token: one that arrives twice was copied. */
  readonly nonce: string;
  readonly isBody: (bytes: Uint8Array) => boolean;
}

/** A token is made for one request, right before it. */
const TOKEN_AGE_MS_MAX = 30_000;
const CLOCK_AHEAD_MS_MAX = 30_000;
const NONCE_BYTES = 16;
const TOKEN_LENGTH_MAX = 8_000;
const SCHEME = 'Portal ';

const Claims = z.object({
  account: z.string().refine((text): text is AccountId => isId('account', text)),
  environment: z.enum(ENVIRONMENTS),
  actor: z.string().refine((text): text is PortalUserId => isId('portalUser', text)),
  permissions: z.array(z.string()),
  method: z.string(),
  path: z.string(),
  bodyHash: z.string(),
  nonce: z.string().regex(/^[\w-]{22}$/),
  issuedAtMs: z.int(),
});

/** The header `authorization` of a request of the portal. It does not reveal the key. */
export function formatPortalToken(subject: PortalTokenSubject, key: Secret, nowMs: number): string {
  const { scope, actor, permissions, method, path, body } = subject;
  const claims: z.output<typeof Claims> = {
    ...{ account: scope.accountId, environment: scope.environment, actor, permissions: [...permissions], method, path },
    bodyHash: hashBody(body),
    nonce: randomBytes(NONCE_BYTES).toString('base64url'),
    issuedAtMs: nowMs,
  };
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${SCHEME}${text}.${sign(text, key)}`;
}

/** The token of a header `authorization`; null for another kind of credential. */
export function readPortalToken(authorization: string): string | null {
  return authorization.startsWith(SCHEME) ? authorization.slice(SCHEME.length) : null;
}

/** What the token proves about this request; null if it proves nothing. */
export function verifyPortalToken(
  token: string,
  expected: {
    readonly method: string;
    readonly path: string;
    readonly keys: readonly Secret[];
    readonly nowMs: number;
  },
): PortalTokenClaims | null {
  const [text = '', signature = '', ...more] = token.split('.');
  if (token.length > TOKEN_LENGTH_MAX || more.length > 0) return null;
  if (!expected.keys.some((key) => isSame(sign(text, key), signature))) return null;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (!claims.success) return null;
  const { account, environment, actor, permissions, method, path, bodyHash, nonce, issuedAtMs } = claims.data;
  const { nowMs } = expected;
  if (issuedAtMs < nowMs - TOKEN_AGE_MS_MAX || issuedAtMs > nowMs + CLOCK_AHEAD_MS_MAX) return null;
  if (method !== expected.method || path !== expected.path) return null;
  return {
    scope: { accountId: account, environment },
    actor,
    permissions: [...parsePermissions(permissions)],
    nonce,
    isBody: (bytes) => isSame(hashBody(bytes), bodyHash),
  };
}

function hashBody(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function sign(text: string, key: Secret): string {
  const tokenKey = createHmac('sha256', key.reveal()).update('requests of the portal').digest();
  return createHmac('sha256', tokenKey).update(text).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
