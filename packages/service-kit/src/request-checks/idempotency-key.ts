import type { IncomingHttpHeaders } from 'node:http';
import { createViolation } from '@pos/core/refusals/refusal';
import type { Method, Operation } from '@pos/rest-contracts/operation/operation';

/** Two requests are one operation when key, method and path are equal; then the bodies must be equal too. */
export interface Idempotency {
  readonly method: Method;
  /** The concrete path, without a trailing slash and without the query. */
  readonly path: string;
  readonly key: string;
  /** Canonical JSON of the body as it was sent; the store keeps only a keyed hash of it. */
  readonly fingerprintInput: string;
}

/**
 * The idempotency key of a request, or null when there is none and none is required. It is read from the header
 * `idempotencyKey` and from the standard `Idempotency-Key`, whose value may be quoted. If both are sent they must be
 * equal.
 */
export function readIdempotencyKey(operation: Operation, headers: IncomingHttpHeaders): string | null {
  if (operation.idempotency === 'none') return null;
  const sent = [headers['idempotencykey'], unquoteKey(headers['idempotency-key'])].filter((key) => key !== undefined);
  const [key, other = key] = sent;
  if (key === undefined) {
    if (operation.idempotency === 'optional') return null;
    throw createViolation('idempotency_key_invalid', 'idempotencyKey', 'Is required.');
  }
  if (key !== other) {
    throw createViolation('idempotency_key_invalid', 'idempotencyKey', 'Must be equal to the header Idempotency-Key.');
  }
  if (typeof key !== 'string' || !VISIBLE_ASCII.test(key)) {
    throw createViolation('idempotency_key_invalid', 'idempotencyKey', 'Must be 1 to 100 visible ASCII characters.');
  }
  return key;
}

/** The text of a structured header field, as libraries write the standard header: `"key"` is the key in quotes. */
function unquoteKey(sent: string | string[] | undefined): string | string[] | undefined {
  return typeof sent === 'string' ? (/^"([^"\\]*)"$/.exec(sent)?.[1] ?? sent) : sent;
}

/** JSON with members in one order, so that their order in the body has no effect. No body, null and `{}` are equal. */
export function toCanonicalJson(value: unknown): string {
  if (value === undefined || value === null) return '{}';
  return writeCanonical(value);
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,100}$/;

/** Joined as text, because a copy with ordered members would create up to nineteen thousand members. */
function writeCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writeCanonical(members[name])}`)
    .join(',')}}`;
}
