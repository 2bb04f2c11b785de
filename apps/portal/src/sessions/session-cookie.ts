import type { IncomingHttpHeaders } from 'node:http';

/** Bound to this origin by its name: browsers accept it only with `Secure`, `Path=/` and without a domain. */
const NAME = '__Host-pos-portal';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The header `set-cookie` of a new session. Without an age: the browser forgets it when it closes. */
export function formatSessionCookie(id: string): string {
  return `${NAME}=${id}; ${ATTRIBUTES}`;
}

/** The header `set-cookie` that deletes the cookie. */
export function formatEndedCookie(): string {
  return `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
}

/** The id in the cookie of a request; null without one, and where two cookies have the name. */
export function readSessionCookie(headers: Pick<IncomingHttpHeaders, 'cookie'>): string | null {
  return readCookie(headers, NAME);
}

/** The value of the cookie of a name; null without one, and where two cookies have the name. */
export function readCookie({ cookie = '' }: Pick<IncomingHttpHeaders, 'cookie'>, name: string): string | null {
  const values = cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}
