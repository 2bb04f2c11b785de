import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config/secret.js';
import { type InternalApp, SERVICE_APPS, type ServiceApp } from './internal-callers.js';
import type { NonceCache } from './nonce-cache.js';

/** The metadata that carries the signature of a request, beside the token in `authorization`. */
export const SIGNATURE_METADATA = 'request-signature';

/** What a signature is valid for: one request, once. */
export interface SignedRequest {
  readonly caller: ServiceApp;
  readonly audience: InternalApp;
  /** The path of the rpc, `/package.Service/Method`. */
  readonly path: string;
  /** The bytes of the message as they are sent. */
  readonly message: Uint8Array;
  /** When it was signed, in milliseconds since 1970. */
  readonly issuedAtMs: number;
  readonly nonce: string;
}

/** How long a signature is accepted after it was made. It is made for one call, right before it. */
export const SIGNATURE_AGE_MS_MAX = 60_000;
/** How far the clock of the caller may be ahead. */
export const SIGNATURE_AHEAD_MS_MAX = 30_000;

const NONCE_BYTES = 16;

/** A new nonce, which no other request has. */
export function createNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

/** The text of the metadata `request-signature`. */
export function formatSignature(request: SignedRequest, key: Secret): string {
  const { caller, issuedAtMs, nonce } = request;
  return `v1.${caller}.${issuedAtMs}.${nonce}.${sign(request, key).toString('base64url')}`;
}

/** A caller that a signature has proved, and the nonce that must not be used again until the signature has ended. */
export interface VerifiedSignature {
  readonly caller: ServiceApp;
  readonly nonce: string;
  readonly issuedAtMs: number;
}

/**
 * Verifies the signature of a request to this app, and remembers it as used by this process. Returns the caller, or why
 * the signature proves none.
 */
export function verifySignature(
  text: string,
  received: Pick<SignedRequest, 'audience' | 'path' | 'message'> & {
    readonly keys: readonly Secret[];
    readonly nowMs: number;
    readonly nonces: NonceCache;
  },
): VerifiedSignature | { readonly problem: string } {
  const [, name = '', time = '', nonce = '', signature = ''] = SIGNATURE.exec(text) ?? [];
  const caller = SERVICE_APPS.find((each) => each === name);
  if (caller === undefined) return { problem: `metadata ${SIGNATURE_METADATA} is no signature of an app` };
  const { audience, path, message, keys, nowMs, nonces } = received;
  const issuedAtMs = Number(time);
  const given = Buffer.from(signature, 'base64url');
  const isSigned = keys.some((key) => {
    const signed = sign({ caller, audience, path, message, issuedAtMs, nonce }, key);
    return signed.length === given.length && timingSafeEqual(signed, given);
  });
  if (!isSigned) {
    return {
      problem: `metadata ${SIGNATURE_METADATA} is made with another key, or for another app, rpc or message`,
    };
  }
  if (issuedAtMs < nowMs - SIGNATURE_AGE_MS_MAX) {
    return { problem: `metadata ${SIGNATURE_METADATA} has ended: the call took too long, or the clocks differ` };
  }
  if (issuedAtMs > nowMs + SIGNATURE_AHEAD_MS_MAX) {
    return { problem: `metadata ${SIGNATURE_METADATA} is from the future: the clocks differ` };
  }
  // Only signed nonces are stored, so nobody without the key can fill the cache.
  const known = { caller, nonce: `${caller}.${nonce}`, issuedAtMs };
  return nonces.add(known.nonce, { issuedAtMs, nowMs }) ? known : { problem: REPLAY_PROBLEM };
}

/** Why a signature that was used before proves no caller. */
export const REPLAY_PROBLEM = `metadata ${SIGNATURE_METADATA} was used before: the call is a replay`;

const SIGNATURE = /^v1\.([a-z-]{1,40})\.(\d{1,15})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** Each caller has a key of its own, another one than that of its tokens. No member contains a line break. */
function sign({ caller, audience, path, message, issuedAtMs, nonce }: SignedRequest, key: Secret): Buffer {
  const callerKey = createHmac('sha256', key.reveal()).update(`internal request of ${caller}`).digest();
  const messageHash = createHash('sha256').update(message).digest('base64url');
  return createHmac('sha256', callerKey)
    .update(['v1', caller, audience, path, issuedAtMs, nonce, messageHash].join('\n'))
    .digest();
}
