import { money } from '@pos/core/money';
import {
  type Difference,
  type DifferenceKind,
  type DifferenceReview,
  type DifferenceState,
  type Finding,
  reviewDifferences,
} from '@pos/core/ledger';
import { type Cursor, type Direction, type Page, buildPage } from '../database/page.js';
import { defineStatement } from '@pos/postgres/statements';
import { column, insertRows, nullable, type RowOf, defineRelation, enumColumn } from '../relations/relation.js';
import { lockRow, selectPage, selectRows, updateScopedRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

export const reconciliationDifferences = defineRelation('reconciliation_differences', {
  id: column.key,
  kind: enumColumn<DifferenceKind>(),
  reference: column.text,
  intent_id: nullable(column.text),
  acquirer: nullable(column.text),
  amount: nullable(column.bigint),
  currency: nullable(column.text),
  ours: nullable(column.text),
  theirs: nullable(column.text),
  says: column.text,
  happened_at: column.timestamp,
  state: enumColumn<DifferenceState>(),
  first_seen_at: column.timestamp,
  last_seen_at: column.timestamp,
});
type DifferenceRow = RowOf<typeof reconciliationDifferences>;

const COLUMNS = reconciliationDifferences.columns.join(', ');
const INSERT_BATCH_MAX = 500;

/** The coverage of a check: it would have found every difference of these kinds in the span, or of these subjects. */
export interface CheckedScope {
  readonly kinds: readonly DifferenceKind[];
  readonly span?: { readonly from: Date; readonly to: Date };
  readonly references?: readonly string[];
  /** The acquirers whose books were read; all of them when absent. Differences of the others stay as they are. */
  readonly acquirers?: readonly string[];
}

const KNOWN = defineStatement(
  'record_findings',
  `select ${COLUMNS} from reconciliation_differences
   where account_id = $1 and environment = $2 and state <> 'Closed' and kind = any ($3::text[])
     and (reference = any ($4::text[]) or (happened_at >= $5 and happened_at < $6))
   order by id
   for no key update`,
);

/**
 * Writes what a check found, and closes what it does not find any more. A finding of a kind that the check does not cover
 * is written too, and closes nothing. Times are database time.
 */
export async function recordFindings(
  tx: Tx,
  { kinds, span, references = [], acquirers }: CheckedScope,
  findings: readonly Finding[],
): Promise<DifferenceReview> {
  const { accountId, environment } = tx.scope;
  const knownKinds = [...new Set([...kinds, ...findings.map(({ kind }) => kind)])];
  const names = [...new Set([...references, ...findings.map(({ reference }) => reference)])];
  const rows = await tx.query<DifferenceRow>(KNOWN, [
    ...[accountId, environment, knownKinds, names],
    ...[span?.from ?? null, span?.to ?? null],
  ]);
  const covered = new Set(references);
  // A difference without an acquirer is one of our own books.
  const isRead = ({ acquirer = null }: Difference): boolean =>
    acquirers === undefined || acquirer === null || acquirers.includes(acquirer);
  const isInSpan = ({ happenedAt }: Difference): boolean =>
    span !== undefined && happenedAt >= span.from && happenedAt < span.to;
  const review = reviewDifferences(rows.map(toDifference), findings, {
    now: tx.databaseNow,
    isCovered: (difference) =>
      kinds.includes(difference.kind) &&
      isRead(difference) &&
      (covered.has(difference.reference) || isInSpan(difference)),
  });
  for (let start = 0; start < review.inserted.length; start += INSERT_BATCH_MAX) {
    const ids = await Promise.all(
      review.inserted
        .slice(start, start + INSERT_BATCH_MAX)
        .map(async (finding) => toRow(tx, await tx.newUuid(), finding)),
    );
    insertRows(tx, reconciliationDifferences, ids);
  }
  for (const difference of [...review.reopened, ...review.seen, ...review.closed])
    await updateDifference(tx, difference);
  return review;
}

/** Writes the state of a stored difference and the last finding. */
export async function updateDifference(tx: Tx, difference: Difference): Promise<void> {
  const { id, state, ours, theirs, says, amount, acquirer = null, lastSeenAt } = difference;
  await updateScopedRows(tx, reconciliationDifferences, {
    where: { id },
    set: {
      ...{ state, ours, theirs, says, acquirer },
      ...{ amount: amount?.value ?? null, currency: amount?.currencyCode ?? null, last_seen_at: lastSeenAt },
    },
  });
}

/** Reads the difference for changing it, or null. */
export async function lockDifference(tx: Tx, id: string): Promise<Difference | null> {
  const row = await lockRow(tx, reconciliationDifferences, { id });
  return row === null ? null : toDifference(row);
}

/** The difference of an id, or null. */
export async function findDifference(reader: Reader, id: string): Promise<Difference | null> {
  const [row] = await selectRows(reader, reconciliationDifferences, (select) =>
    select.andWhere('row.id = :id', { id }),
  );
  return row === undefined ? null : toDifference(row);
}

/** The open difference of a kind under a reference, or null. */
export async function findOpenDifference(
  reader: Reader,
  kind: DifferenceKind,
  reference: string,
): Promise<Difference | null> {
  const [row] = await selectRows(reader, reconciliationDifferences, (select) =>
    select
      .andWhere(`row.state = 'Open'`)
      .andWhere('row.kind = :kind', { kind })
      .andWhere('row.reference = :reference', { reference }),
  );
  return row === undefined ? null : toDifference(row);
}

/** A page of differences, newest first; a null state is all of them. */
export async function listDifferences(
  reader: Reader,
  query: {
    readonly state: DifferenceState | null;
    readonly limit: number;
    readonly cursor: Cursor | null;
    readonly direction: Direction;
  },
): Promise<Page<Difference>> {
  const { state } = query;
  const rows = await selectRows(reader, reconciliationDifferences, (select) => {
    if (state !== null) select.andWhere('row.state = :state', { state });
    return selectPage(select, query, 'first_seen_at');
  });
  const elements = rows.map((row) => ({ ...toDifference(row), createdAt: row.first_seen_at }));
  return buildPage(elements, query);
}

const PENDING_MAX = 200;

/** The oldest open differences, for the list of work for an operator. */
export async function listOpenDifferences(reader: Reader): Promise<Difference[]> {
  const rows = await selectRows(reader, reconciliationDifferences, (select) =>
    select.andWhere(`row.state = 'Open'`).orderBy('row.first_seen_at').addOrderBy('row.id').limit(PENDING_MAX),
  );
  return rows.map(toDifference);
}

function toRow(tx: Tx, id: string, finding: Finding): DifferenceRow {
  return {
    id,
    kind: finding.kind,
    reference: finding.reference,
    intent_id: finding.paymentIntentId,
    acquirer: finding.acquirer ?? null,
    amount: finding.amount?.value ?? null,
    currency: finding.amount?.currencyCode ?? null,
    ours: finding.ours,
    theirs: finding.theirs,
    says: finding.says,
    happened_at: finding.happenedAt,
    state: 'Open',
    first_seen_at: tx.databaseNow,
    last_seen_at: tx.databaseNow,
  };
}

function toDifference(row: DifferenceRow): Difference {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    paymentIntentId: row.intent_id,
    acquirer: row.acquirer,
    amount: row.amount === null || row.currency === null ? null : money(row.amount, row.currency),
    ours: row.ours,
    theirs: row.theirs,
    says: row.says,
    happenedAt: row.happened_at,
    state: row.state,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}
