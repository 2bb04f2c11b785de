import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '@pos/core/refusals';

/**
 * Refuses a request that a browser sends for a page of another origin. Browsers write the header themselves, so a page
 * cannot choose it; a request without it comes from a browser that is too old, or from no browser.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders): void {
  if (headers['sec-fetch-site'] === 'same-origin') return;
  throw new Refusal('cross_site_request', 'The portal accepts requests of its own pages only.');
}
