/** A place in the order of creation. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** How a page is read from its cursor on, in SQL. */
export const DIRECTIONS = {
  older: { sign: '<', order: 'desc' },
  newer: { sign: '>', order: 'asc' },
} as const;
export type Direction = keyof typeof DIRECTIONS;

/** One page of a listing, newest first, and whether there is more on either side. */
export interface Page<T> {
  readonly elements: readonly T[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** The page out of what was read in its direction: one more than the limit, if there is one more. */
export function pageOf<T>(
  read: readonly T[],
  { limit, direction, cursor }: { limit: number; direction: Direction; cursor: Cursor | null },
): Page<T> {
  const isMore = read.length > limit;
  const elements = read.slice(0, limit);
  return direction === 'older'
    ? { elements, hasOlder: isMore, hasNewer: cursor !== null }
    : { elements: elements.reverse(), hasNewer: isMore, hasOlder: cursor !== null };
}
