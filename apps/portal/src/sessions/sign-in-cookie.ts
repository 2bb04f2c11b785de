import type { IncomingHttpHeaders } from 'node:http';
import { SIGN_IN_AGE_MS } from '@pos/administration/portal';
import { readCookie } from './session-cookie.js';

/** The cookie of a sign-in. Its name differs from the session cookie's, so that no path confuses them. */
const NAME = '__Host-pos-portal-step';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The header `set-cookie` of a sign-in that waits for a second factor. The id is of no use once it has ended. */
export function formatStepCookie(id: string): string {
  return `${NAME}=${id}; Max-Age=${SIGN_IN_AGE_MS / 1_000}; ${ATTRIBUTES}`;
}

/** The id in the cookie of a request; null without one. */
export function readStepCookie(headers: Pick<IncomingHttpHeaders, 'cookie'>): string | null {
  return readCookie(headers, NAME);
}
