import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import { column, defineRelation, nullable } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const settlementDays = defineRelation('settlement_days', {
  acquirer: column.key,
  day: column.dayKey,
  file_hash: nullable(column.bytes),
  stated_at: column.timestamp,
});

/** Days of one acquirer whose settlement files are all imported. */
export interface CoveredDays {
  readonly acquirer: string;
  /** `yyyy-mm-dd`, by the acquirer's calendar. */
  readonly days: readonly string[];
  /** The file that covers them; null where the acquirer stated that it settled nothing. */
  readonly fileHash: Buffer | null;
}

/** The first file of a day stays named. */
const COVER = defineChange(
  'insert_covered_days',
  sql.insertInto('settlement_days')`(account_id, environment, acquirer, day, file_hash, stated_at)
   select ${1}, ${2}, ${3}, each.day, ${5}, ${6} from unnest(${4}::date[]) as each (day)
   on conflict (account_id, environment, acquirer, day) do nothing`,
);

const LIST = defineStatement(
  'list_covered_days',
  `select day from settlement_days
   where account_id = $1 and environment = $2 and acquirer = $3 and day between $4::date and $5::date order by day`,
);

/** Stores that the days are covered. Safe to repeat. */
export function insertCoveredDays(tx: Tx, { acquirer, days, fileHash }: CoveredDays): void {
  const { accountId, environment } = tx.scope;
  tx.enqueue(COVER, [accountId, environment, acquirer, [...days], fileHash, tx.databaseNow]);
}

/** The covered days of a span, `yyyy-mm-dd`; both ends are inclusive. */
export async function listCoveredDays(
  reader: Reader,
  acquirer: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReadonlySet<string>> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ day: string }>(LIST, [accountId, environment, acquirer, from, to]);
  return new Set(rows.map(({ day }) => day));
}
