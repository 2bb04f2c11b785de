/** A place in the order of creation. */
export interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

/** Where somebody stopped reading: a place, and what could be seen from there. */
export interface Cursor extends Place {
  /** The snapshot in PostgreSQL's words; null in a listing that is not read on from, and in cursors made without. */
  readonly seen: string | null;
}

/** How a page is read from its cursor on, in SQL. */
export const DIRECTIONS = {
  older: { sign: '<', order: 'desc' },
  newer: { sign: '>', order: 'asc' },
} as const;
export type Direction = keyof typeof DIRECTIONS;

/** One page of a listing, newest first, and where the pages beside it begin; null where there is none. */
export interface Page<T> {
  readonly elements: readonly T[];
  readonly newer: Cursor | null;
  readonly older: Cursor | null;
}

/** Where a cursor's members stand among the parameters of a statement. */
interface CursorParameters {
  readonly createdAt: number;
  readonly id: number;
  readonly seen: number;
}

/**
 * What lies beyond a cursor. Rows are dated when their transaction begins and seen when it commits, so of the newer ones
 * are also those that were still being written when the cursor was made, wherever they stand.
 */
export function beyond(direction: Direction, { createdAt, id, seen }: CursorParameters): string {
  const { sign } = DIRECTIONS[direction];
  const late = `written_in >= pg_snapshot_xmin($${seen}::pg_snapshot)
    and not pg_visible_in_snapshot(written_in, $${seen}::pg_snapshot)
    and pg_visible_in_snapshot(written_in, pg_current_snapshot())`;
  const isLate = direction === 'newer' ? `(${late})` : `($${seen}::pg_snapshot is null and false)`;
  return `($${createdAt}::timestamptz is null or (created_at, id) ${sign} ($${createdAt}, $${id}::text) or ${isLate})`;
}

/** A page's statement with what it sees, which an empty page tells too: its one row then has no id. */
export function withSeen(direction: Direction, sql: string): string {
  const { order } = DIRECTIONS[direction];
  return `select s.seen, page.* from (select pg_current_snapshot()::text as seen) s left join (${sql}) page on true
    order by page.created_at ${order}, page.id ${order}`;
}

/** The rows of such a statement, and what was seen. */
export function splitSeen<Row extends { readonly id: string }>(
  read: readonly (Row & { readonly seen: string })[],
): { readonly rows: readonly Row[]; readonly seen: string | null } {
  const isRow = ({ id }: { readonly id: string | null }): boolean => id !== null;
  return { rows: read.filter(isRow), seen: read[0]?.seen ?? null };
}

/**
 * The page out of what was read in its direction: one more than the limit, if there is one more. A page on which there is
 * nothing yet is the place to come back to.
 */
export function pageOf<T extends Place>(
  read: readonly T[],
  {
    limit,
    direction,
    cursor,
    seen = null,
  }: { limit: number; direction: Direction; cursor: Cursor | null; seen?: string | null },
): Page<T> {
  const isMore = read.length > limit;
  const isOlder = direction === 'older';
  const elements = isOlder ? read.slice(0, limit) : read.slice(0, limit).reverse();
  const at = (element: T | undefined): Cursor | null => {
    const place = element ?? cursor;
    return place === null ? null : { createdAt: place.createdAt, id: place.id, seen };
  };
  const hasNewer = isOlder ? cursor !== null : isMore || elements.length === 0;
  const hasOlder = isOlder ? isMore : cursor !== null;
  return { elements, newer: hasNewer ? at(elements[0]) : null, older: hasOlder ? at(elements.at(-1)) : null };
}
