import type { IncomingHttpHeaders } from 'node:http';
import { keyed } from '@pos/core/refusal';
import type { Method, Operation } from '@pos/rest-contracts/operation';

/** What makes two requests one operation: the same key on the same method and path; the body must then be the same too. */
export interface Idempotency {
  readonly method: Method;
  /** The concrete path, without a trailing slash and without the query. */
  readonly path: string;
  readonly key: string;
  /** Canonical JSON of the body as it was sent; the store keeps only a keyed hash of it. */
  readonly fingerprintInput: string;
}

/** The idempotency key of a request, or null when there is none and none is needed. */
export function readIdempotencyKey(operation: Operation, headers: IncomingHttpHeaders): string | null {
  if (operation.idempotency === 'none') return null;
  const sent = [...new Set([headers['idempotencykey'], headers['idempotency-key']].filter((key) => key !== undefined))];
  if (sent.length === 0) {
    if (operation.idempotency === 'optional') return null;
    throw keyed('idempotency_key_invalid', 'idempotencyKey', 'Is required.');
  }
  const [key] = sent;
  if (sent.length > 1 || typeof key !== 'string' || !VISIBLE_ASCII.test(key)) {
    throw keyed('idempotency_key_invalid', 'idempotencyKey', 'Must be 1 to 100 visible ASCII characters.');
  }
  return key;
}

/** JSON with members in one order, so that their order as sent does not matter. No body, null and `{}` are the same. */
export function canonicalJson(value: unknown): string {
  if (value === undefined || value === null) return '{}';
  return JSON.stringify(ordered(value));
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,100}$/;

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}
