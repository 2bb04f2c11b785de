import type { EposCursor } from '@pos/rest-contracts/epos-data-shapes';

const PAGE_LIMIT = 50;
const PAGES_MAX = 20;

/** A page of a search, as an EPOS answers it. */
interface Page<T> {
  readonly data: readonly T[];
  readonly after?: string | null | undefined;
}

/** What a search has found; `isWhole`: nothing was left unread. */
export interface Found<T> {
  readonly value: T[];
  readonly isWhole: boolean;
}

/** All elements of a search, page by page; an EPOS that leads in circles, or has more than twenty pages, is not followed. */
export async function allPages<T, End extends { readonly end: unknown }>(
  read: (cursor: EposCursor) => Promise<{ readonly value: Page<T> } | End>,
): Promise<Found<T> | End> {
  const found: T[] = [];
  const seen = new Set<string>();
  let cursor: EposCursor = { limit: PAGE_LIMIT };
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = await read(cursor);
    if ('end' in got) return got;
    found.push(...got.value.data);
    const after = got.value.after ?? null;
    if (after === null) return { value: found, isWhole: true };
    if (seen.has(after)) break;
    seen.add(after);
    cursor = { limit: PAGE_LIMIT, after };
  }
  return { value: found, isWhole: false };
}
