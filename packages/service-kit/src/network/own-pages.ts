import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Refusal } from '@pos/core/refusals';
import { stripBrackets } from './listen-address.js';

/**
 * Refuses a request by a name that is not one of this server's. The owner of a name can let it lead to the server of
 * somebody else (DNS rebinding); browsers then treat the server as part of the owner's site. Addresses and `localhost`
 * have no such owner.
 */
export function requireOwnHost({ host }: IncomingHttpHeaders, ownHosts: readonly string[]): void {
  const name = host === undefined ? null : readHostName(host);
  if (name !== null && (isIP(stripBrackets(name)) !== 0 || isLoopbackName(name) || ownHosts.includes(name))) return;
  throw new Refusal('cross_site_request', 'This server does not have the name in the header `host`.');
}

/** Refuses a request that a browser sends for a page of another origin. Programs send neither header. */
export function requireOwnPage(headers: IncomingHttpHeaders): void {
  const { host, origin, 'sec-fetch-site': site = 'none' } = headers;
  const isOwnSite = site === 'same-origin' || site === 'none';
  const isOwnOrigin = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwnSite && isOwnOrigin) return;
  throw new Refusal('cross_site_request', 'This server accepts requests of its own pages and of programs only.');
}

/** The name in lower case, without port and final dot; null for what is no host. */
function readHostName(host: string): string | null {
  if (!HOST_FORM.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}

const HOST_FORM = /^[\w.:[\]-]+$/;

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}
