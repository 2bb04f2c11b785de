import { Refusal } from '@pos/core/refusals/refusal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The text and headers of a page; the headers contain its restrictions for browsers. */
export interface PageContent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A fixed text: a page, its script or its style. */
export interface Page extends PageContent {
  /** In the router's spelling: `/checkout/:id` is one page for all ids. */
  readonly path: string;
}

/** A page that answers a form. The form is untrusted input; a missing one is empty. */
export interface FormPage {
  readonly path: string;
  readonly renderForm: (form: URLSearchParams) => PageContent;
}

type ProblemSender = (reply: FastifyReply, error: unknown) => Promise<void>;

const FORM_BYTES_MAX = 64 * 1024;
/** Marks a route for browsers: the checks of operations do not apply. */
export const PAGE_ROUTE = { config: { isPage: true } } as const;

export function isPageRequest({ routeOptions }: FastifyRequest): boolean {
  // An unknown path has no settings, contrary to the type.
  const config: unknown = routeOptions.config;
  return typeof config === 'object' && config !== null && 'isPage' in config;
}

export function registerPages(server: FastifyInstance, pages: readonly Page[]): void {
  for (const { path, text, headers } of pages) {
    server.get(path, PAGE_ROUTE, async (_, reply) => {
      await reply.headers(headers).send(text);
    });
  }
}

/** In their own scope, because operations accept JSON only. */
export function registerForms(server: FastifyInstance, forms: readonly FormPage[], fail: ProblemSender): void {
  if (forms.length === 0) return;
  void server.register((scope, _, done) => {
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, onParsed) => {
        onParsed(null, new URLSearchParams(body));
      },
    );
    scope.setErrorHandler(async (error, _request, reply) => {
      const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
      await fail(reply, isTooLarge ? new Refusal('body_too_large', `At most ${FORM_BYTES_MAX} bytes.`) : error);
    });
    for (const { path, renderForm } of forms) {
      scope.post(path, PAGE_ROUTE, async ({ body }, reply) => {
        const { text, headers } = renderForm(body instanceof URLSearchParams ? body : new URLSearchParams());
        await reply.headers(headers).send(text);
      });
    }
    done();
  });
}
