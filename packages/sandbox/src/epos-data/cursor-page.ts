import type { EposCursor } from '@pos/rest-contracts/epos-data';
import { EposDataRefusal } from './epos-data-refusal.js';

const PAGE_LIMIT_DEFAULT = 50;

/** A part of a list, and the cursors of its neighbours. */
export interface CursorPage<T> {
  readonly data: T[];
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Cuts a page from a list. A cursor is the id of the element next to the page. It is looked up among all elements, so
 * that one that no longer matches still marks the reader's position.
 */
export function buildPage<T>(
  all: readonly T[],
  listing: {
    readonly idOf: (element: T) => string;
    readonly matches: (element: T) => boolean;
    readonly cursor: EposCursor | undefined;
  },
): CursorPage<T> {
  const { idOf, matches, cursor = {} } = listing;
  const { limit = PAGE_LIMIT_DEFAULT, before, after } = cursor;
  const findPosition = (id: string): number => {
    const position = all.findIndex((element) => idOf(element) === id);
    if (position < 0) throw new EposDataRefusal('InvalidRequest', `cursor: there is no element ${id}`);
    return position;
  };
  const matching = all.flatMap((element, position) => (matches(element) ? [{ element, position }] : []));
  const end = before === undefined ? null : matching.filter(({ position }) => position < findPosition(before)).length;
  const first = after === undefined ? 0 : matching.filter(({ position }) => position <= findPosition(after)).length;
  const from = end === null ? first : Math.max(0, end - limit);
  const to = end ?? Math.min(matching.length, from + limit);
  const data = matching.slice(from, to).map(({ element }) => element);
  const [firstElement] = data;
  const last = data.at(-1);
  return {
    data,
    before: from > 0 && firstElement !== undefined ? idOf(firstElement) : null,
    after: to < matching.length && last !== undefined ? idOf(last) : null,
  };
}
