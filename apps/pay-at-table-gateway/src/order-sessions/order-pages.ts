import type { EposCursor } from '@pos/rest-contracts/epos-data';

const PAGE_LIMIT = 50;
const PAGES_MAX = 20;

/** A page of a search, as an EPOS answers it. */
interface SearchPage<T> {
  readonly data: readonly T[];
  readonly after?: string | null | undefined;
}

/** The result of a search; `isComplete`: all pages were read. */
export interface SearchResult<T> {
  readonly value: T[];
  readonly isComplete: boolean;
}

/** Reads all pages of a search. Stops at a repeated cursor, and after twenty pages. */
export async function readAllPages<T, End extends { readonly end: unknown }>(
  read: (cursor: EposCursor) => Promise<{ readonly value: SearchPage<T> } | End>,
): Promise<SearchResult<T> | End> {
  const found: T[] = [];
  const seenCursors = new Set<string>();
  let cursor: EposCursor = { limit: PAGE_LIMIT };
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const result = await read(cursor);
    if ('end' in result) return result;
    found.push(...result.value.data);
    const after = result.value.after ?? null;
    if (after === null) return { value: found, isComplete: true };
    if (seenCursors.has(after)) break;
    seenCursors.add(after);
    cursor = { limit: PAGE_LIMIT, after };
  }
  return { value: found, isComplete: false };
}
