import { createHash } from 'node:crypto';
import { Refusal } from '@pos/core/refusals';
import type { Operation } from '@pos/rest-contracts/operation';
import { CATALOGUE_PATH, ERROR_PAGE_STYLE, renderCatalogue, renderReason } from '@pos/rest-contracts/problems';
import type { FastifyInstance } from 'fastify';
import { type Page, PAGE_ROUTE, type ProblemSender, registerPages } from './pages.js';

const STYLE_HASH = createHash('sha256').update(ERROR_PAGE_STYLE).digest('hex').slice(0, 16);
/** The hash is in the name, so browsers may keep the style until it changes. */
const STYLE_PATH = `${CATALOGUE_PATH}/style.${STYLE_HASH}.css`;

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const STYLE: Page = {
  path: STYLE_PATH,
  text: ERROR_PAGE_STYLE,
  headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
};

/** What the pages of a server list, and how it answers an unknown reason. */
export interface ErrorPagesOptions {
  readonly operations: readonly Operation[];
  readonly sendProblem: ProblemSender;
}

/**
 * Serves the error catalogue, which the member `documentation` of every problem links to, and a page for each reason.
 * A reason that does not exist is answered as an unknown path.
 */
export function registerErrorPages(server: FastifyInstance, { operations, sendProblem }: ErrorPagesOptions): void {
  const catalogue: Page = {
    path: CATALOGUE_PATH,
    text: renderCatalogue({ stylePath: STYLE_PATH }),
    headers: HTML_HEADERS,
  };
  registerPages(server, [catalogue, STYLE]);
  server.get<{ Params: { reason: string } }>(`${CATALOGUE_PATH}/:reason`, PAGE_ROUTE, async ({ params }, reply) => {
    const text = renderReason(params.reason, { stylePath: STYLE_PATH, operations });
    if (text === null) await sendProblem(reply, new Refusal('path_unknown', 'There is no such error code.'));
    else await reply.headers(HTML_HEADERS).send(text);
  });
}
