import type { IncomingHttpHeaders } from 'node:http';
import { createViolation } from '@pos/core/refusals';
import type { Method, Operation } from '@pos/rest-contracts/operation';

/** Two requests are one operation when key, method and path are equal; then the bodies must be equal too. */
export interface Idempotency {
  readonly method: Method;
  /** The concrete path, without a trailing slash and without the query. */
  readonly path: string;
  readonly key: string;
  /** The body and the query as they were sent, in a canonical form; the store keeps only a keyed hash of it. */
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

/** What a repeat of the key must send again. A request without a query has the fingerprint of its body alone. */
export function buildFingerprintInput(body: unknown, query: URLSearchParams): string {
  const members = [...query].map(([name, value]) => [name.toLowerCase(), value] as const);
  members.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  const json = toCanonicalJson(body);
  return members.length === 0 ? json : `${json}${QUERY_MARK}${JSON.stringify(members)}`;
}

/** The parts of a fingerprint: the canonical JSON of the body, and the rest. */
export function splitFingerprintInput(input: string): { readonly body: unknown; readonly rest: string } {
  const [json = '', ...query] = input.split(QUERY_MARK);
  return { body: JSON.parse(json) as unknown, rest: query.map((part) => `${QUERY_MARK}${part}`).join('') };
}

/** JSON escapes it, so it is in no body. */
const QUERY_MARK = '\n?';

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
