import type { CallOptions } from '../http/sender.js';
import { iteratePages, type Page } from '../http/pages.js';

type CursorBody = { readonly cursor?: object | undefined };
type Cursor = { readonly after?: string | undefined; readonly before?: string | undefined };

/** Reads a search by POST from page to page. */
export function iterateSearch<Body extends CursorBody, T>(
  search: (body: Body, options?: CallOptions) => Promise<Page<T>>,
): (body: Body, options?: CallOptions) => AsyncGenerator<T, void, undefined> {
  return (body, options) =>
    iteratePages((after) =>
      search(after === undefined ? body : { ...body, cursor: { ...body.cursor, after, before: undefined } }, options),
    );
}

/** Reads a listing from page to page. */
export function iterateList<Query extends Cursor, T>(
  list: (query: Query, options?: CallOptions) => Promise<Page<T>>,
): (query?: Query, options?: CallOptions) => AsyncGenerator<T, void, undefined> {
  return (query, options) =>
    iteratePages((after) => {
      const first = query ?? ({} as Query);
      return list(after === undefined ? first : { ...first, after, before: undefined }, options);
    });
}
