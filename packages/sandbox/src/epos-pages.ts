import type { EposCursor } from '@pos/rest-contracts/epos-data-shapes';
import { EposDataRefusal } from './epos-data-refusal.js';

const LIMIT_DEFAULT = 50;

/** A part of a list, and the cursors of its neighbours. */
export interface Page<T> {
  readonly data: T[];
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Cuts a page out of a list. A cursor is the id of the element beside the page, and is looked up among all elements: one
 * that has stopped to match meanwhile still shows where the reader was.
 */
export function pageOf<T>(
  all: readonly T[],
  how: {
    readonly idOf: (element: T) => string;
    readonly matches: (element: T) => boolean;
    readonly cursor: EposCursor | undefined;
  },
): Page<T> {
  const { idOf, matches, cursor = {} } = how;
  const { limit = LIMIT_DEFAULT, before, after } = cursor;
  const placeOf = (id: string): number => {
    const place = all.findIndex((element) => idOf(element) === id);
    if (place < 0) throw new EposDataRefusal('InvalidRequest', `cursor: there is no element ${id}`);
    return place;
  };
  const matching = all.flatMap((element, place) => (matches(element) ? [{ element, place }] : []));
  const end = before === undefined ? null : matching.filter(({ place }) => place < placeOf(before)).length;
  const first = after === undefined ? 0 : matching.filter(({ place }) => place <= placeOf(after)).length;
  const from = end === null ? first : Math.max(0, end - limit);
  const to = end ?? Math.min(matching.length, from + limit);
  const data = matching.slice(from, to).map(({ element }) => element);
  const [head] = data;
  const last = data.at(-1);
  return {
    data,
    before: from > 0 && head !== undefined ? idOf(head) : null,
    after: to < matching.length && last !== undefined ? idOf(last) : null,
  };
}
