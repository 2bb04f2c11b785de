import { Refusal } from '@pos/core/refusals/refusal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a browser is shown, and what it is told to forbid. */
export interface PageContent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A text that is the same for everybody: a page, its script, its style. */
export interface Page extends PageContent {
  /** As the router reads it: `/checkout/:id` is one page for all ids. */
  readonly path: string;
}

/** A page that answers a form; the form is untrusted input, and an absent one is empty. */
export interface FormPage {
  readonly path: string;
  readonly renderForm: (form: URLSearchParams) => PageContent;
}

type ProblemSender = (reply: FastifyReply, error: unknown) => Promise<void>;

const FORM_BYTES_MAX = 64 * 1024;
/** Marks a route as one for browsers: no operation's checks apply to it. */
export const PAGE_ROUTE = { config: { isPage: true } } as const;

export function isPageRequest({ routeOptions }: FastifyRequest): boolean {
  // A path that nobody serves has no such settings, whatever the type says.
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

/** In a scope of their own: operations read JSON and nothing else. */
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
