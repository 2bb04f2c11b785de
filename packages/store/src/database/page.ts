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

/**
 * Where a page begins, as two parameters of a statement: behind this position in its direction. Without a cursor that
 * is infinity, so that no condition has an alternative for a missing cursor (ADR 0108). Of a range of time, its end on
 * the side where the page begins is given too.
 */
export function startValues(
  { cursor, direction }: Pick<PageRange, 'cursor' | 'direction'>,
  { from, to }: { readonly from: Date | null; readonly to: Date | null } = { from: null, to: null },
): readonly [Date | string, string] {
  return direction === 'older' ? findOlderStart(cursor, to) : findNewerStart(cursor, from);
}

/** What the pages of a search list. Their conditions use the parameters from $1 to the one before `firstParameter`. */
export interface PageSource {
  readonly relation: string;
  readonly columns: readonly string[];
  /** Holds for every row, together with the scope. */
  readonly condition: string;
  /** The values of `status` among which the parameter selects, or null for rows of any status. */
  readonly statuses: { readonly values: readonly string[]; readonly parameter: number } | null;
  readonly firstParameter: number;
}

/** The requested page; `from` is inclusive, `to` is exclusive. */
export interface PageRange {
  readonly limit: number;
  readonly cursor: Cursor | null;
  readonly direction: Direction;
  readonly from?: Date | null;
  readonly to?: Date | null;
}

/** The parameters of `buildPageSql` from its first one on. */
export function pageValues({ limit, cursor, direction, from = null, to = null }: PageRange): unknown[] {
  if (direction === 'older') return [...findOlderStart(cursor, to), from ?? '-infinity', limit + 1];
  const late = cursor?.lateRows ?? null;
  return [
    ...findNewerStart(cursor, from),
    ...[to ?? 'infinity', limit + 1, from ?? '-infinity', cursor?.createdAt ?? null, cursor?.id ?? null],
    ...[cursor?.seen ?? null, late?.createdAt ?? null, late?.id ?? null, late?.seen ?? null],
  ];
}

/**
 * One position bounds the index scan. Of two bounds on the same column, the server may begin at the wider one and skip
 * every row up to the other.
 */
function findOlderStart(cursor: Cursor | null, to: Date | null): readonly [Date | string, string] {
  if (cursor === null) return [to ?? 'infinity', ''];
  return to !== null && to <= cursor.createdAt ? [to, ''] : [cursor.createdAt, cursor.id];
}

function findNewerStart(cursor: Cursor | null, from: Date | null): readonly [Date | string, string] {
  if (cursor === null) return [from ?? '-infinity', ''];
  return from !== null && from > cursor.createdAt ? [from, ''] : [cursor.createdAt, cursor.id];
}

/**
 * Selects the rows of a page and one more. Each wanted status is a branch in the order of an index; the server merges
 * the branches and reads no more of them than the page needs (ADR 0108). The conditions contain no alternative for a
 * missing cursor, so a plan for any parameters begins at the position too.
 */
export function buildPageSql(direction: Direction, source: PageSource): string {
  const { sign, order } = DIRECTIONS[direction];
  const { relation, columns, condition, statuses, firstParameter: first } = source;
  const selected = columns.join(', ');
  const scoped = `account_id = $1 and environment = $2 ${condition === '' ? '' : `and ${condition}`}`;
  const wanted = statuses === null ? '' : `$${statuses.parameter}::text[]`;
  const branches =
    statuses === null ? [''] : statuses.values.map((each) => `and status = '${each}' and '${each}' = any (${wanted})`);
  const late = buildLateRows(first + 4);
  const end = direction === 'older' ? '>=' : '<';
  const inOrder = `order by created_at ${order}, id ${order} limit $${first + 3}`;
  // Each has an order and a limit of its own: without them, the server may read and sort all rows of the branch.
  const scans = branches.map(
    (branch) => `(select ${selected} from ${relation} where ${scoped} ${branch}
      and (created_at, id) ${sign} ($${first}::timestamptz, $${first + 1}::text)
      and created_at ${end} $${first + 2}::timestamptz ${direction === 'older' ? '' : `and ${late.unreadCondition}`} ${inOrder})`,
  );
  const merge = (arms: readonly string[]): string =>
    `select ${selected} from (${arms.join(' union all ')}) merged ${inOrder}`;
  if (direction === 'older') return merge(scans);
  // What was written since the cursor is read by the index of transactions. The offset keeps the other conditions out of
  // this scan, so that no plan reads the older rows that fulfil those; and no row is stored that they drop.
  const written = `select * from ${relation} where account_id = $1 and environment = $2
    and written_in >= pg_snapshot_xmin($${first + 7}::pg_snapshot) offset 0`;
  const lateRows = `(select ${selected} from (${written}) written where ${condition === '' ? 'true' : condition}
    ${statuses === null ? '' : `and status = any (${wanted})`}
    and created_at >= $${first + 4}::timestamptz and created_at < $${first + 2}::timestamptz and ${late.lateCondition})`;
  return merge([...scans, lateRows]);
}

/** Conditions of a page of newer rows. The parameters: the range's start, the cursor, its snapshot, its late rows. */
function buildLateRows(first: number): { readonly lateCondition: string; readonly unreadCondition: string } {
  const [at, id, seen] = [`$${first + 1}::timestamptz`, `$${first + 2}::text`, `$${first + 3}::pg_snapshot`];
  const [lateAt, lateId, lateSeen] = [
    `$${first + 4}::timestamptz`,
    `$${first + 5}::text`,
    `$${first + 6}::pg_snapshot`,
  ];
  const unreadCondition = `(${lateAt} is null or
    ((created_at, id) > (${lateAt}, ${lateId}) and pg_visible_in_snapshot(written_in, ${lateSeen})))`;
  return {
    unreadCondition,
    lateCondition: `(created_at, id) <= (${at}, ${id}) and ${buildLateRowCondition(seen)} and ${unreadCondition}`,
  };
}

/** Committed since that snapshot. */
function buildLateRowCondition(seen: string): string {
  return `(not pg_visible_in_snapshot(written_in, ${seen})
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
