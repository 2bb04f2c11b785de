import type { ActivityDetails, ActivityOutcome } from '@pos/core/activities';
import type { Reader } from '../database/transaction.js';
import { buildPage, type Cursor, type Direction, DIRECTIONS, type Page, startValues } from '../database/page.js';
import { defineStatement } from '@pos/postgres/statements';
import type { ActivityRow } from './activity-relation.js';

/** A request in the log. */
export interface RequestActivity {
  readonly id: string;
  readonly traceId: string;
  readonly name: string;
  readonly subjectId: string | null;
  readonly outcome: ActivityOutcome;
  readonly status: number | null;
  readonly reason: string | null;
  readonly keyId: string | null;
  readonly tookMs: number;
  readonly details: ActivityDetails;
  readonly createdAt: Date;
}

/** Which requests are listed; null: any. `from` is inclusive, `to` is exclusive. */
export interface RequestSearch {
  readonly name: string | null;
  readonly outcome: ActivityOutcome | null;
  readonly status: number | null;
  readonly keyId: string | null;
  readonly traceId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly limit: number;
  readonly cursor: Cursor | null;
  readonly direction: Direction;
}

/** How many entries one page looks through: a rare one may be behind a million others. */
export const SCANNED_MAX = 10_000;
/** How many are looked through first, which have a page for most filters, and at most. */
const SCANNED = { first: 500, most: SCANNED_MAX } as const;
type Scan = keyof typeof SCANNED;

/** Where the entries of a page are looked for: each source has an index in the order of the page. */
const SOURCES = {
  all: '',
  unsuccessful: `and outcome <> 'Succeeded'`,
  trace: 'and trace_id = $11',
} as const;
type Source = keyof typeof SOURCES;

/**
 * A page of requests, newest first. A page ends after 10,000 entries that do not match, so it may have fewer elements
 * than its limit, or none, and still a cursor of the next page.
 */
export async function searchRequests(reader: Reader, search: RequestSearch): Promise<Page<RequestActivity>> {
  const { page, isCutShort } = await scanRequests(reader, search, 'first');
  return isCutShort ? (await scanRequests(reader, search, 'most')).page : page;
}

/** The page among so many entries. It is cut short if there are more entries and it may have more elements. */
async function scanRequests(
  reader: Reader,
  search: RequestSearch,
  scan: Scan,
): Promise<{ readonly page: Page<RequestActivity>; readonly isCutShort: boolean }> {
  const { name, outcome, status, keyId, traceId, from, to, limit, cursor, direction } = search;
  const source = findSource(search);
  const end = direction === 'older' ? (from ?? '-infinity') : (to ?? 'infinity');
  const found = await reader.query<FoundRow>(STATEMENTS[source][scan][direction], [
    ...[reader.scope.accountId, reader.scope.environment, end],
    ...[name, outcome, status, keyId, ...startValues(search, { from, to }), limit + 1],
    ...(source === 'trace' ? [traceId] : []),
  ]);
  const [head] = found;
  const rows = found.filter(isRequest).map(toRequest);
  const page = buildPage(rows, { limit, direction, cursor });
  const isCutShort = (head?.scanned ?? 0) >= SCANNED[scan] && rows.length <= limit;
  const { last_at: lastAt = null, last_id: lastId = null } = head ?? {};
  if (!isCutShort || lastAt === null || lastId === null) return { page, isCutShort: false };
  const continued = { createdAt: lastAt, id: lastId, seen: null };
  return { page: { ...page, [direction]: continued }, isCutShort };
}

/** A page without elements has one row, which only has the end of what was looked through. */
type FoundRow = (ActivityRow | Readonly<Record<keyof ActivityRow, null>>) & {
  readonly scanned: number;
  readonly last_at: Date | null;
  readonly last_id: string | null;
};

function isRequest(row: FoundRow): row is FoundRow & ActivityRow {
  return row.id !== null;
}

function findSource({ traceId, outcome, status }: RequestSearch): Source {
  if (traceId !== null) return 'trace';
  const isUnsuccessful = outcome === null ? status !== null && status >= 400 : outcome !== 'Succeeded';
  return isUnsuccessful ? 'unsuccessful' : 'all';
}

const STATEMENTS = {
  all: defineSearches('all'),
  unsuccessful: defineSearches('unsuccessful'),
  trace: defineSearches('trace'),
};

function defineSearches(source: Source) {
  const define = (scan: Scan) => ({
    older: defineSearch(source, scan, 'older'),
    newer: defineSearch(source, scan, 'newer'),
  });
  return { first: define('first'), most: define('most') };
}

/**
 * Rows are found again by their place: without statistics, a plan may choose an index that reads the account for each.
 * The scan has one bound at each end: of two, the server begins at the wider one and skips up to the other.
 */
function defineSearch(source: Source, scan: Scan, direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  return defineStatement(
    `search_requests_${source}_${scan}_${direction}`,
    `with scanned as materialized (
       select ctid as place, id, kind, name, outcome, status, key_id, created_at from activities
       where account_id = $1 and environment = $2 ${SOURCES[source]}
         and created_at ${direction === 'older' ? '>=' : '<'} $3::timestamptz
         and (created_at, id) ${sign} ($8::timestamptz, $9::text)
       order by created_at ${order}, id ${order} limit ${SCANNED[scan]}
     ), head as (
       select count(*)::int as scanned, (array_agg(created_at order by created_at ${order}, id ${order}))[count(*)] as last_at,
         (array_agg(id order by created_at ${order}, id ${order}))[count(*)] as last_id
       from scanned
     ), matching as (
       select place, created_at, id from scanned
       where kind = 'ApiRequest' and ($4::text is null or name = $4) and ($5::text is null or outcome = $5)
         and ($6::integer is null or status = $6) and ($7::text is null or key_id = $7)
       order by created_at ${order}, id ${order} limit $10
     )
     select head.*, a.* from head left join (
       select activities.* from matching join activities on activities.account_id = $1 and activities.environment = $2
         and activities.ctid = matching.place
     ) a on true
     order by a.created_at ${order}, a.id ${order}`,
  );
}

function toRequest(row: ActivityRow): RequestActivity {
  const { id, name, outcome, status, reason, details } = row;
  return {
    ...{ id, name, outcome, status, reason, details },
    traceId: row.trace_id,
    subjectId: row.subject_id,
    keyId: row.key_id,
    tookMs: row.took_ms,
    createdAt: row.created_at,
  };
}
