import type { IncomingHttpHeaders } from 'node:http';
import { SIGN_IN_AGE_MS } from '@pos/payments/portal/sign-in-steps';
import { readCookie } from './session-cookie.js';

/** Of another name than the cookie of a session, so that no path takes one for the other. */
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
