/** A place in the order of creation. */
export interface PagePosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Where somebody stopped reading: a place, and what could be seen from there. */
export interface Cursor extends PagePosition {
  /** The snapshot in PostgreSQL's words; null in a listing that is not read on from, and in cursors made without. */
  readonly seen: string | null;
  /**
   * Where a page of newer rows ended among some that were written late: its end is no place to read on from. How far they
   * have been told, of those that could be seen then; what came after that is told behind them. Null everywhere else.
   */
  readonly lateRows?: (PagePosition & { readonly seen: string }) | null;
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
  /** Of what was seen; the three of what was told follow. */
  readonly seen: number;
}

/** A cursor's place as parameters of a statement. */
export function positionValues(cursor: Cursor | null): unknown[] {
  return [cursor?.createdAt ?? null, cursor?.id ?? null];
}

/** What a cursor saw and was told, as parameters of a statement. */
export function snapshotValues(cursor: Cursor | null): unknown[] {
  const told = cursor?.lateRows ?? null;
  return [cursor?.seen ?? null, told?.createdAt ?? null, told?.id ?? null, told?.seen ?? null];
}

/**
 * What lies beyond a cursor. Rows are dated when their transaction begins and seen when it commits, so of the newer ones
 * are also those that were still being written when the cursor was made, wherever they stand.
 */
export function buildCursorCondition(direction: Direction, { createdAt, id, seen }: CursorParameters): string {
  const isFirst = `$${createdAt}::timestamptz is null`;
  const isThere = `(created_at, id) ${DIRECTIONS[direction].sign} ($${createdAt}, $${id}::text)`;
  const [lateAt, lateId, lateSnapshot] = [`$${seen + 1}::timestamptz`, `$${seen + 2}::text`, `$${seen + 3}`] as const;
  if (direction === 'older') {
    const given = [`$${seen}::pg_snapshot`, lateAt, lateId, `${lateSnapshot}::pg_snapshot`];
    return `(${isFirst} or ${isThere} or (coalesce(${given.map((each) => `${each}::text`).join(', ')}) is null and false))`;
  }
  const isUnread = `(${lateAt} is null or
    ((created_at, id) > (${lateAt}, ${lateId}) and pg_visible_in_snapshot(written_in, ${lateSnapshot}::pg_snapshot)))`;
  return `(${isFirst} or ((${isThere} or ${buildLateRowCondition(`$${seen}`)}) and ${isUnread}))`;
}

/** Committed since that snapshot. */
function buildLateRowCondition(seen: string): string {
  return `(written_in >= pg_snapshot_xmin(${seen}::pg_snapshot)
    and not pg_visible_in_snapshot(written_in, ${seen}::pg_snapshot)
    and pg_visible_in_snapshot(written_in, pg_current_snapshot()))`;
}

/** A page's statement with what it sees, which an empty page tells too: its one row then has no id. */
export function selectWithSnapshot(direction: Direction, sql: string): string {
  const { order } = DIRECTIONS[direction];
  return `select s.seen, page.* from (select pg_current_snapshot()::text as seen) s left join (${sql}) page on true
    order by page.created_at ${order}, page.id ${order}`;
}

/** The rows of such a statement, and what was seen. */
export function splitSnapshot<Row extends { readonly id: string }>(
  foundRows: readonly (Row & { readonly seen: string })[],
): { readonly rows: readonly Row[]; readonly seen: string | null } {
  const isRow = ({ id }: { readonly id: string | null }): boolean => id !== null;
  return { rows: foundRows.filter(isRow), seen: foundRows[0]?.seen ?? null };
}

/** Rows of one page hold at most this many bytes of JSON together, or the page is one row. */
const PAGE_BYTES_MAX = 512 * 1024;

/**
 * A page's rows of which each may hold a megabyte: the same without those at the end that are too much for one page, and
 * with the number that there were. `bytes` is the size of a row in SQL.
 */
export function limitPageBytes(direction: Direction, sql: string, bytes: string): string {
  const { order } = DIRECTIONS[direction];
  return `select * from (
    select found.*, count(*) over ()::int as found,
      row_number() over placed as number, sum(${bytes}) over placed as bytes
    from (${sql}) found window placed as (order by created_at ${order}, id ${order})
  ) sized where number = 1 or bytes <= ${PAGE_BYTES_MAX}`;
}

/**
 * The page out of what was read in its direction: one more than the limit, if there is one more. `found`: how many there
 * were, if not all of them were read. A page on which there is nothing yet is the place to come back to.
 */
export function buildPage<T extends PagePosition>(
  foundRows: readonly T[],
  {
    limit,
    direction,
    cursor,
    seen = null,
    found = foundRows.length,
  }: { limit: number; direction: Direction; cursor: Cursor | null; seen?: string | null; found?: number },
): Page<T> {
  const isMore = found > Math.min(limit, foundRows.length);
  const isOlder = direction === 'older';
  const elements = isOlder ? foundRows.slice(0, limit) : foundRows.slice(0, limit).reverse();
  const cursorAt = (element: T | undefined): Cursor | null => {
    const position = element ?? cursor;
    return position === null ? null : { createdAt: position.createdAt, id: position.id, seen };
  };
  const hasOlder = isOlder ? isMore : cursor !== null;
  const older = hasOlder ? cursorAt(elements.at(-1)) : null;
  if (isOlder) return { elements, newer: cursor === null ? null : cursorAt(elements[0]), older };
  const newest = elements.at(0);
  if (cursor !== null && seen !== null && (isMore || cursor.lateRows)) {
    return {
      elements,
      newer: advancePastLateRows(cursor, { newest, isMore, seen: cursor.lateRows?.seen ?? seen }),
      older,
    };
  }
  return { elements, newer: isMore || newest === undefined ? cursorAt(newest) : null, older };
}

/** Where to read on from behind a page that may have ended among rows that were written late. */
function advancePastLateRows(
  { lateRows: _, ...from }: Cursor,
  { newest, isMore, seen }: { newest: PagePosition | undefined; isMore: boolean; seen: string },
): Cursor {
  const end = newest === undefined ? null : { createdAt: newest.createdAt, id: newest.id, seen };
  if (end !== null && isNewerPosition(end, from)) return end;
  // All that could be seen then is told, so the place is good for what came since.
  return isMore && end !== null ? { ...from, lateRows: end } : { ...from, seen };
}

function isNewerPosition(one: PagePosition, other: PagePosition): boolean {
  const [cursorAt, from] = [one.createdAt.getTime(), other.createdAt.getTime()];
  return cursorAt > from || (cursorAt === from && one.id > other.id);
}
