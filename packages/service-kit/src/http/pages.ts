import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Refusal } from '@pos/core/refusals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The text and headers of a page; the headers contain its restrictions for browsers. */
export interface PageContent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Encodings of a content, best first. */
const ENCODINGS = ['br', 'gzip'] as const;

/** A fixed text: a page, its script or its style. */
export interface Page extends Omit<PageContent, 'text'> {
  readonly text: string | Buffer;
  /** In the router's spelling: `/checkout/:id` is one page for all ids. */
  readonly path: string;
  /** The text in the encodings that browsers ask for. */
  readonly encodings?: Readonly<Record<(typeof ENCODINGS)[number], Buffer>>;
}

/**
 * A text for a page, in all encodings. It is compressed when a browser first requests an encoding: a start would compress
 * hundreds of files, most of which are never requested.
 */
export function compressText(text: string | Buffer): Required<Pick<Page, 'text' | 'encodings'>> {
  let [br, gzip]: [Buffer | null, Buffer | null] = [null, null];
  const encodings = {
    get br() {
      return (br ??= brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    },
    get gzip() {
      return (gzip ??= gzipSync(text, { level: 9 }));
    },
  };
  return { text, encodings };
}

/** A page that answers a form. The form is untrusted input; a missing one is empty. */
export interface FormPage {
  readonly path: string;
  readonly renderForm: (form: URLSearchParams) => PageContent;
}

export type ProblemSender = (reply: FastifyReply, error: unknown) => Promise<void>;

const FORM_BYTES_MAX = 64 * 1024;
/** Marks a route for browsers: the checks of operations do not apply. */
export const PAGE_ROUTE = { config: { isPage: true } } as const;

export function isPageRequest({ routeOptions }: FastifyRequest): boolean {
  // An unknown path has no settings, contrary to the type.
  const config: unknown = routeOptions.config;
  return typeof config === 'object' && config !== null && 'isPage' in config;
}

export function registerPages(server: FastifyInstance, pages: readonly Page[]): void {
  for (const { path, text, headers, encodings } of pages) {
    server.get(path, PAGE_ROUTE, async (request, reply) => {
      void reply.headers(headers);
      if (encodings === undefined) return reply.send(text);
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      void reply.header('vary', 'accept-encoding');
      if (encoding === null) return reply.send(text);
      return reply.header('content-encoding', encoding).send(encodings[encoding]);
    });
  }
}

/** The best encoding that the header accepts; null for none. `gzip;q=0` refuses one. */
function chooseEncoding(accepted = ''): (typeof ENCODINGS)[number] | null {
  const names = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || !/^q=0(\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return ENCODINGS.find((encoding) => names.has(encoding)) ?? null;
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
