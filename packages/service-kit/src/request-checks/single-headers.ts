import { Refusal } from '@pos/core/refusals';

/** The single-value headers, in the documented spelling. */
const SINGLE_HEADERS = [
  'host',
  'authorization',
  'accountName',
  'client-session-secret',
  'customer-secret',
  'version',
  'software-house-id',
  'reseller-id',
  'sandbox-epos',
  'content-type',
  'content-length',
  'idempotencyKey',
  'Idempotency-Key',
  'user-agent',
];

const MESSAGE = 'May be sent once only.';

/**
 * Refuses a request that repeats such a header, with equal values or not, and names each. Node keeps the first of two
 * values or joins both, and a proxy in front may use the other one (RFC 9110, 5.3; RFC 9112, 3.2). In `rawHeaders`
 * names have the even indexes.
 */
export function requireSingleHeaders(rawHeaders: readonly string[]): void {
  const names = rawHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase());
  // Fast path: most requests repeat no header.
  if (new Set(names).size === names.length) return;
  const repeated = SINGLE_HEADERS.filter((header) => {
    const name = header.toLowerCase();
    return names.indexOf(name) !== names.lastIndexOf(name);
  });
  if (repeated.length === 0) return;
  throw new Refusal('body_malformed', `These headers may be sent once only: ${repeated.join(', ')}.`, {
    members: Object.fromEntries(repeated.map((header) => [header, [MESSAGE]])),
  });
}
