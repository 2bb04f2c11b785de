import type { IncomingHttpHeaders } from 'node:http';
import { escapeControls } from '@pos/core/refusals';

const LENGTH_MAX = 300;

/** The browser of a request as its header `user-agent` says, on one line; null without one. */
export function readBrowser(headers: IncomingHttpHeaders): string | null {
  const sent = headers['user-agent'];
  return sent === undefined || sent === '' ? null : escapeControls(sent).slice(0, LENGTH_MAX);
}
