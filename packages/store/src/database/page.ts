/** A place in the order of creation. */
export interface PagePosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Where a reader stopped: a position, and the snapshot at that time. */
export interface Cursor extends PagePosition {
  /** The snapshot in PostgreSQL's format; null in a listing that is not continued, and in older cursors. */
  readonly seen: string | null;
  /**
   * The progress within a page of newer rows that ended among late rows. Reading cannot continue from that page's
   * end. It is the last returned position among the rows that were visible then; rows that came later are returned
   * after them. Null everywhere else.
   */
  readonly lateRows?: (PagePosition & { readonly seen: string }) | null;
}

/** The SQL of a page in each direction from its cursor. */
export const DIRECTIONS = {
  older: { sign: '<', order: 'desc' },
  newer: { sign: '>', order: 'asc' },
} as const;
export type Direction = keyof typeof DIRECTIONS;

/** One page of a listing, newest first, and the cursors of its neighbours; null where there is none. */
export interface Page<T> {
  readonly elements: readonly T[];
  readonly newer: Cursor | null;
  readonly older: Cursor | null;
}

/** The positions of a cursor's members among the parameters of a statement. */
interface CursorParameters {
  readonly createdAt: number;
  readonly id: number;
  /** The parameter of the snapshot; the three parameters of the late rows follow. */
  readonly seen: number;
}

/** A cursor's place as parameters of a statement. */
export function positionValues(cursor: Cursor | null): unknown[] {
  return [cursor?.createdAt ?? null, cursor?.id ?? null];
}

/** A cursor's snapshot and late rows, as parameters of a statement. */
export function snapshotValues(cursor: Cursor | null): unknown[] {
  const late = cursor?.lateRows ?? null;
  return [cursor?.seen ?? null, late?.createdAt ?? null, late?.id ?? null, late?.seen ?? null];
}

/**
 * Selects the rows after a cursor. Rows are dated when their transaction begins and visible when it commits. So rows
 * that were still being written when the cursor was made count as newer, at any position.
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

/** A page's statement with its snapshot. An empty page returns the snapshot too, in one row without an id. */
export function selectWithSnapshot(direction: Direction, sql: string): string {
  const { order } = DIRECTIONS[direction];
  return `select s.seen, page.* from (select pg_current_snapshot()::text as seen) s left join (${sql}) page on true
    order by page.created_at ${order}, page.id ${order}`;
}

/** The rows of such a statement, and its snapshot. */
export function splitSnapshot<Row extends { readonly id: string }>(
  foundRows: readonly (Row & { readonly seen: string })[],
): { readonly rows: readonly Row[]; readonly seen: string | null } {
  const isRow = ({ id }: { readonly id: string | null }): boolean => id !== null;
  return { rows: foundRows.filter(isRow), seen: foundRows[0]?.seen ?? null };
}

/** Rows of one page hold at most this many bytes of JSON together, or the page is one row. */
const PAGE_BYTES_MAX = 512 * 1024;

/**
 * Limits a page whose rows may each have a megabyte: drops the last rows that are too much for one page, and returns
 * the number of rows before. `bytes` is the size of a row in SQL.
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
 * Builds the page from the rows that were read in its direction: one more than the limit, if there is one more.
 * `found`: the number of rows, if not all of them were read. A page without rows keeps its cursor for a later read.
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

/** The cursor after a page that may have ended among late rows. */
function advancePastLateRows(
  { lateRows: _, ...from }: Cursor,
  { newest, isMore, seen }: { newest: PagePosition | undefined; isMore: boolean; seen: string },
): Cursor {
  const end = newest === undefined ? null : { createdAt: newest.createdAt, id: newest.id, seen };
  if (end !== null && isNewerPosition(end, from)) return end;
  // All rows that were visible then are returned, so the position also covers later rows.
  return isMore && end !== null ? { ...from, lateRows: end } : { ...from, seen };
}

function isNewerPosition(one: PagePosition, other: PagePosition): boolean {
  const [cursorAt, from] = [one.createdAt.getTime(), other.createdAt.getTime()];
  return cursorAt > from || (cursorAt === from && one.id > other.id);
}
