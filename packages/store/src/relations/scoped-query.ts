import { assert, requireValue } from '@pos/core/refusals';
import type { Environment } from '@pos/core/identity';
import {
  type EntityManager,
  type FindOperator,
  type InsertQueryBuilder,
  IsNull,
  type ObjectLiteral,
  type SelectQueryBuilder,
} from 'typeorm';
import { type Cursor, type Direction, DIRECTIONS } from '../database/page.js';
import type { Reader, Tx } from '../database/transaction.js';
import type { Relation } from './relation.js';

/** A query of TypeORM over one relation, which is called `row` in it. */
export type RowSelect<Row extends object> = SelectQueryBuilder<Row>;

/** Values of columns, each of which must be equal, or match by an operator of TypeORM. A null matches only null. */
export type RowConditions<Row> = { readonly [Key in keyof Row]?: Row[Key] | FindOperator<Row[Key]> };

/** A row to insert. One that names an environment is stored there, and not in that of the transaction. */
export type NewRow<Row> = Row & { readonly environment?: Environment };

/**
 * The rows of the reader's scope that the refined query selects, with values as the relation's schema maps them, and
 * with what the query maps to other members. Conditions are added with `andWhere`: `where` would replace the limit to
 * the scope.
 */
export async function selectRows<Row extends object, Joined extends object = object>(
  reader: Reader,
  from: Relation<Row>,
  refine: (select: RowSelect<Row>) => RowSelect<Row>,
): Promise<(Row & Joined)[]> {
  return reader.runWithManager(
    formatLabel('select', from),
    (manager) => refine(selectScope(manager, reader, from)).getMany() as Promise<(Row & Joined)[]>,
  );
}

/** The one row of the scope that matches, or null. */
export async function selectRow<Row extends object>(
  reader: Reader,
  from: Relation<Row>,
  where: RowConditions<Row>,
): Promise<Row | null> {
  const [row = null] = await selectRows(reader, from, (select) => select.andWhere(matchColumns(from, where)));
  return row;
}

/** The same, locked for changing it. */
export async function lockRow<Row extends object>(
  tx: Tx,
  from: Relation<Row>,
  where: RowConditions<Row>,
): Promise<Row | null> {
  const [row = null] = await selectRows(tx, from, (select) =>
    select.andWhere(matchColumns(from, where)).setLock(ROW_LOCK),
  );
  return row;
}

/** `for no key update`, for `setLock`: rows that refer to a locked one can still be inserted. */
export const ROW_LOCK = 'for_no_key_update';

/** The number of the scope's rows that match. */
export function countScopedRows<Row extends object>(
  reader: Reader,
  from: Relation<Row>,
  where: RowConditions<Row>,
): Promise<number> {
  return reader.runWithManager(formatLabel('count', from), (manager) =>
    selectScope(manager, reader, from).andWhere(matchColumns(from, where)).getCount(),
  );
}

function selectScope<Row extends object>(
  manager: EntityManager,
  { scope }: Reader,
  from: Relation<Row>,
): RowSelect<Row> {
  return manager
    .getRepository<Row>(from.schema)
    .createQueryBuilder('row')
    .select(listSelections(from))
    .where('row.account_id = :accountId and row.environment = :environment', scope);
}

/** The columns that a query selects of its rows. A query that joins may select others beside them. */
export function listSelections<Row extends object>(from: Relation<Row>): string[] {
  return ['account_id', 'environment', ...from.columns].map((name) => `row.${name}`);
}

/** The condition of a join with a relation under its alias, which is limited to the scope of `row` too. */
export function joinInScope(alias: string, condition: string): string {
  return `${alias}.account_id = row.account_id and ${alias}.environment = row.environment and ${condition}`;
}

/** Inserts a row; a rule that it breaks fails this call. */
export async function insertScopedRow<Row extends object>(
  tx: Tx,
  into: Relation<Row>,
  row: NewRow<Row>,
): Promise<void> {
  await insertScopedRows(tx, into, [row]);
}

/** Inserts rows with one statement. */
export async function insertScopedRows<Row extends object>(
  tx: Tx,
  into: Relation<Row>,
  rows: readonly NewRow<Row>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.runWithManager(formatLabel('insert', into), (manager) => buildInsert(manager, tx, { into, rows }).execute());
}

/** Inserts a row, or replaces the columns of the row that has its key. */
export async function upsertScopedRow<Row extends object>(
  tx: Tx,
  into: Relation<Row>,
  { row, replaces }: { readonly row: Row; readonly replaces: readonly (keyof Row & string)[] },
): Promise<void> {
  await tx.runWithManager(formatLabel('upsert', into), (manager) => {
    const { primaryColumns } = manager.getRepository(into.schema).metadata;
    const key = primaryColumns.map(({ databaseName }) => databaseName);
    return buildInsert(manager, tx, { into, rows: [row] })
      .orUpdate([...replaces], key)
      .execute();
  });
}

function buildInsert<Row extends object>(
  manager: EntityManager,
  { scope, partners }: Tx,
  { into, rows }: { readonly into: Relation<Row>; readonly rows: readonly NewRow<Row>[] },
): InsertQueryBuilder<ObjectLiteral> {
  const { softwareHouseId, resellerId } = partners;
  const shared = {
    ...{ account_id: scope.accountId, environment: scope.environment },
    ...(into.storesPartners && { software_house_id: softwareHouseId, reseller_id: resellerId }),
  };
  return manager
    .createQueryBuilder()
    .insert()
    .into<ObjectLiteral>(into.schema)
    .values(rows.map((row) => ({ ...shared, ...row })))
    .updateEntity(false);
}

/** Changes the rows of the transaction's scope that match, and returns their number. */
export function updateScopedRows<Row extends object>(
  tx: Tx,
  target: Relation<Row>,
  { where, set }: { readonly where: RowConditions<Row>; readonly set: Partial<Row> },
): Promise<number> {
  return tx.runWithManager(formatLabel('update', target), async (manager) => {
    const { affected } = await manager
      .createQueryBuilder()
      .update<ObjectLiteral>(target.schema)
      .set(set)
      .where(SCOPE_CONDITION, tx.scope)
      .andWhere(matchColumns(target, where))
      .execute();
    return requireValue(affected, 'the number of changed rows');
  });
}

/** Deletes the rows of the transaction's scope that match, and returns their number. */
export function deleteScopedRows<Row extends object>(
  tx: Tx,
  from: Relation<Row>,
  where: RowConditions<Row>,
): Promise<number> {
  return tx.runWithManager(formatLabel('delete', from), async (manager) => {
    const { affected } = await manager
      .createQueryBuilder()
      .delete()
      .from<ObjectLiteral>(from.schema)
      .where(SCOPE_CONDITION, tx.scope)
      .andWhere(matchColumns(from, where))
      .execute();
    return requireValue(affected, 'the number of deleted rows');
  });
}

const SCOPE_CONDITION = 'account_id = :accountId and environment = :environment';

/** The name of a statement in traces. There are as many as pairs of a verb and a relation. */
function formatLabel(verb: string, { name }: { readonly name: string }): string {
  return `typeorm_${verb}_${name}`;
}

/** A condition of TypeORM on the columns of a relation. A member that is undefined would match every row. */
function matchColumns<Row extends object>(target: Relation<Row>, where: RowConditions<Row>): object {
  const entries = Object.entries<unknown>(where);
  for (const [name, value] of entries) assert(value !== undefined, `${target.name}.${name} is compared with nothing`);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === null ? IsNull() : value]));
}

/**
 * Selects a page in one direction from its cursor, by the column that has the time of the position, and one row more,
 * which shows whether there are more.
 */
export function selectPage<Row extends object>(
  select: RowSelect<Row>,
  { limit, cursor, direction }: { limit: number; cursor: Cursor | null; direction: Direction },
  timeColumn = 'created_at',
): RowSelect<Row> {
  const { sign, order } = DIRECTIONS[direction];
  const sqlOrder = order === 'asc' ? 'ASC' : 'DESC';
  if (cursor !== null) {
    const { createdAt, id } = cursor;
    // Selected values are not compared with the statistics, which contain nothing newer than the last analysis (ADR 0119).
    select.andWhere(`(row.${timeColumn}, row.id) ${sign} ((select :createdAt::timestamptz), (select :id::text))`, {
      ...{ createdAt, id },
    });
  }
  return select
    .orderBy(`row.${timeColumn}`, sqlOrder)
    .addOrderBy('row.id', sqlOrder)
    .limit(limit + 1);
}
