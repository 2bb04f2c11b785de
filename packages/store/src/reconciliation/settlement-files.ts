import { type Money, money } from '@pos/core/money';
import { defineStatement } from '@pos/postgres/statements';
import {
  column,
  defineRelation,
  enumKeyColumn,
  findRow,
  insertRow,
  insertRows,
  nullable,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** What a settlement file can name: money that was taken, given back, or taken and undone. */
export type SettledKind = 'Capture' | 'Refund' | 'Reverse';

export const settlementFiles = defineRelation('settlement_files', {
  hash: column.bytesKey,
  acquirer: column.text,
  name: column.text,
  batches: column.textArray,
  line_count: column.integer,
  first_day: column.day,
  last_day: column.day,
  imported_at: column.timestamp,
});

export const settlementLines = defineRelation('settlement_lines', {
  acquirer: column.key,
  batch: column.key,
  reference: column.key,
  kind: enumKeyColumn<SettledKind>(),
  amount: column.bigint,
  currency: column.text,
  fee: nullable(column.bigint),
  booked_on: column.day,
  file_hash: column.bytes,
});

/** One line of an acquirer's settlement file. */
export interface SettlementLine {
  readonly batch: string;
  /** Our reference of the call that moved the money. */
  readonly reference: string;
  readonly kind: SettledKind;
  readonly amount: Money;
  /** What the acquirer keeps, in minor units of the same currency; null where the file does not say. */
  readonly fee: number | null;
  /** `yyyy-mm-dd`, by the acquirer's calendar. */
  readonly bookedOn: string;
}

/** A file that was imported. */
export interface SettlementFile {
  /** SHA-256 of its bytes. */
  readonly hash: Buffer;
  readonly acquirer: string;
  readonly name: string;
  readonly batches: readonly string[];
  readonly lineCount: number;
  readonly firstDay: string;
  readonly lastDay: string;
}

const LINES_PER_STATEMENT = 500;
const LINE_COLUMNS = 'batch, reference, kind, amount, currency, fee, booked_on';

interface LineRow {
  readonly batch: string;
  readonly reference: string;
  readonly kind: SettledKind;
  readonly amount: number;
  readonly currency: string;
  readonly fee: number | null;
  readonly booked_on: string;
}

const LINES_BY_DAY = defineStatement(
  'list_settlement_lines',
  `select ${LINE_COLUMNS} from settlement_lines
   where account_id = $1 and environment = $2 and acquirer = $3 and booked_on >= $4::date and booked_on < $5::date
   order by booked_on, batch, reference, kind`,
);
const LINES_OF_BATCHES = defineStatement(
  'list_batch_lines',
  `select ${LINE_COLUMNS} from settlement_lines
   where account_id = $1 and environment = $2 and acquirer = $3 and batch = any ($4::text[])
   order by batch, reference, kind`,
);
const LINES_BY_REFERENCE = defineStatement(
  'list_lines_by_reference',
  `select l.batch, l.reference, l.kind, l.amount, l.currency, l.fee, l.booked_on, f.imported_at
   from settlement_lines l
   join settlement_files f on f.account_id = $1 and f.environment = $2 and f.hash = l.file_hash
   where l.account_id = $1 and l.environment = $2 and l.acquirer = $3 and l.reference = any ($4::text[])
   order by l.reference, l.booked_on, l.batch, l.kind`,
);
/** A line of another acquirer or kind than our call settles nothing. Of several lines the last day counts, in any order. */
const MARK_SETTLED = defineStatement(
  'insert_settlement_lines',
  `update transactions t set settled_on = greatest(t.settled_on, s.day)
   from (select reference, kind = 'Refund' as is_refund, max(day) as day
     from unnest($3::text[], $4::text[], $5::date[]) as each (reference, kind, day) group by 1, 2) s
   where t.account_id = $1 and t.environment = $2 and t.acquirer_reference = s.reference
     and (t.type = 'Refund') = s.is_refund and t.settled_on is distinct from greatest(t.settled_on, s.day)
     and exists (select from acquirer_calls c where c.account_id = $1 and c.environment = $2
       and c.reference = s.reference and c.acquirer = $6)`,
);

/** Finds a file that was imported by its hash, or null. */
export async function findSettlementFile(reader: Reader, hash: Buffer): Promise<SettlementFile | null> {
  const row = await findRow(reader, settlementFiles, { where: { hash } });
  if (row === null) return null;
  const { acquirer, name, batches, line_count: lineCount, first_day: firstDay, last_day: lastDay } = row;
  return { hash, acquirer, name, batches, lineCount, firstDay, lastDay };
}

const COUNT = defineStatement(
  'count_settlement_files',
  `select count(*)::int as count from settlement_files where account_id = $1 and environment = $2`,
);

/** How many files were imported for the account. */
export async function countSettlementFiles(reader: Reader): Promise<number> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<{ count: number }>(COUNT, [accountId, environment]);
  return row?.count ?? 0;
}

/** Stores a file. Its lines follow with `insertSettlementLines`. */
export function insertSettlementFile(tx: Tx, file: SettlementFile): void {
  insertRow(tx, settlementFiles, {
    ...{ hash: file.hash, acquirer: file.acquirer, name: file.name, batches: file.batches },
    ...{ line_count: file.lineCount, first_day: file.firstDay, last_day: file.lastDay, imported_at: tx.databaseNow },
  });
}

/** Stores lines of a file, and the day of settlement in the transactions that they are about. */
export async function insertSettlementLines(
  tx: Tx,
  { acquirer, hash }: Pick<SettlementFile, 'acquirer' | 'hash'>,
  lines: readonly SettlementLine[],
): Promise<void> {
  const { accountId, environment } = tx.scope;
  for (let start = 0; start < lines.length; start += LINES_PER_STATEMENT) {
    const part = lines.slice(start, start + LINES_PER_STATEMENT);
    insertRows(
      tx,
      settlementLines,
      part.map(({ batch, reference, kind, amount, fee, bookedOn }) => ({
        ...{ acquirer, batch, reference, kind, amount: amount.value, currency: amount.currencyCode, fee },
        ...{ booked_on: bookedOn, file_hash: hash },
      })),
    );
    const settled = part.filter(({ kind }) => kind !== 'Reverse');
    await tx.query(MARK_SETTLED, [
      ...[accountId, environment, settled.map(({ reference }) => reference)],
      ...[settled.map(({ kind }) => kind), settled.map(({ bookedOn }) => bookedOn), acquirer],
    ]);
  }
}

/** The lines of those of the batches that were imported before. */
export async function listBatchLines(
  reader: Reader,
  acquirer: string,
  batches: readonly string[],
): Promise<SettlementLine[]> {
  const { accountId, environment } = reader.scope;
  return (await reader.query<LineRow>(LINES_OF_BATCHES, [accountId, environment, acquirer, [...batches]])).map(toLine);
}

/** The lines of an acquirer of a span of days; `to` is exclusive. */
export async function listSettlementLines(
  reader: Reader,
  acquirer: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SettlementLine[]> {
  const { accountId, environment } = reader.scope;
  return (await reader.query<LineRow>(LINES_BY_DAY, [accountId, environment, acquirer, from, to])).map(toLine);
}

/** A line with the time of its import: all lines of a file have the same one. */
export interface ImportedLine extends SettlementLine {
  readonly importedAt: Date;
}

/** Everything that the acquirer has settled under the references, by the day of booking. */
export async function listLinesByReference(
  reader: Reader,
  acquirer: string,
  references: readonly string[],
): Promise<ImportedLine[]> {
  const { accountId, environment } = reader.scope;
  const values = [accountId, environment, acquirer, [...references]];
  const rows = await reader.query<LineRow & { readonly imported_at: Date }>(LINES_BY_REFERENCE, values);
  return rows.map(({ imported_at: importedAt, ...row }) => ({ ...toLine(row), importedAt }));
}

function toLine({ booked_on: bookedOn, currency, amount, ...row }: LineRow): SettlementLine {
  return { ...row, bookedOn, amount: money(amount, currency) };
}
