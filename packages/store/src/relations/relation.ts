import { assert } from '@pos/core/refusals';
import { EntitySchema, type EntitySchemaColumnOptions, EntitySchemaOptions } from 'typeorm';
import {
  defineChange,
  defineSingleRowChange,
  defineStatement,
  parseExactInteger,
  sql,
  type SqlParts,
  type Statement,
} from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

/** A column, and the type of its value in a row. */
export interface Column<T> {
  readonly options: EntitySchemaColumnOptions;
  /** Never set: it only carries the type. */
  readonly valueType?: T;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type ColumnValue<C> = C extends Column<infer T> ? T : never;
type RowOfColumns<C extends Columns> = { [K in keyof C]: ColumnValue<C[K]> };

/** The first columns of every relation. */
interface ScopeColumns {
  readonly account_id: string;
  readonly environment: string;
}

/** A relation of one scope: its name, its TypeORM schema, and the type of a row without the scope. */
export interface Relation<Row extends object> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
  readonly jsonColumns: ReadonlySet<string>;
  /** Whether a new row also stores the partners of the request that created it; they are not read with the row. */
  readonly storesPartners: boolean;
  readonly schema: EntitySchema<Row & ScopeColumns>;
}

export type RowOf<T> = T extends Relation<infer Row> ? Row : never;

const text: Column<string> = { options: { type: 'text' } };

/** The column types there are. A naked `bigint` column would arrive as text. */
export const column = {
  text,
  key: { options: { type: 'text', primary: true } } as Column<string>,
  integerKey: { options: { type: 'integer', primary: true } } as Column<number>,
  bigintKey: { options: { type: 'bigint', primary: true, transformer: exactTransformer() } } as Column<number>,
  textArray: { options: { type: 'text', array: true } } as Column<readonly string[]>,
  integer: { options: { type: 'integer' } } as Column<number>,
  /** Minor units, milliseconds, fences. */
  bigint: { options: { type: 'bigint', transformer: exactTransformer() } } as Column<number>,
  boolean: { options: { type: 'boolean' } } as Column<boolean>,
  /** False if a statement does not set it. */
  booleanDefaultFalse: { options: { type: 'boolean', default: false } } as Column<boolean>,
  booleanDefaultTrue: { options: { type: 'boolean', default: true } } as Column<boolean>,
  /** The name of what the settings of the processes name without a name, if a statement does not set it. */
  textDefaultName: { options: { type: 'text', default: 'default' } } as Column<string>,
  textDefaultUtc: { options: { type: 'text', default: 'UTC' } } as Column<string>,
  /** A day without a time, `yyyy-mm-dd`. Statements read it as text. */
  day: { options: { type: 'date' } } as Column<string>,
  dayKey: { options: { type: 'date', primary: true } } as Column<string>,
  /** Zero if a statement does not set it. */
  countOrZero: { options: { type: 'integer', default: 0 } } as Column<number>,
  timestamp: { options: { type: 'timestamptz' } } as Column<Date>,
  bytes: { options: { type: 'bytea' } } as Column<Buffer>,
  bytesKey: { options: { type: 'bytea', primary: true } } as Column<Buffer>,
} as const;

/** A column of plain JSON whose type its one mapper owns. */
export function jsonColumn<T>(): Column<T> {
  return { options: { type: 'jsonb' } };
}

/** A text column of a closed set of values; the database checks the set too. */
export function enumColumn<T extends string>(): Column<T> {
  return { options: { type: 'text' } };
}

/** A key column of one form of id, or of a closed set of values. */
export function enumKeyColumn<T extends string>(): Column<T> {
  return { options: { type: 'text', primary: true } };
}

/** An array of values of a closed set. */
export function enumArrayColumn<T extends string>(): Column<readonly T[]> {
  return { options: { type: 'text', array: true } };
}

export function nullable<T>(target: Column<T>): Column<T | null> {
  return { options: { ...target.options, nullable: true } };
}

/** Declares a relation whose keys start with the scope. */
export function defineRelation<C extends Columns>(name: string, columns: C): Relation<RowOfColumns<C>> {
  return buildRelation(name, columns, {});
}

/** The same for a relation whose rows requests create: a new row also stores the partners of its request. */
export function definePartnerRelation<C extends Columns>(name: string, columns: C): Relation<RowOfColumns<C>> {
  return { ...buildRelation(name, columns, PARTNER_COLUMNS), storesPartners: true };
}

/** `unread` are columns that only the database has. */
function buildRelation<C extends Columns>(name: string, columns: C, unread: Columns): Relation<RowOfColumns<C>> {
  const all: Columns = { account_id: column.key, environment: column.key, ...columns, ...unread };
  const options = Object.fromEntries(Object.entries(all).map(([key, { options: each }]) => [key, each]));
  return {
    name,
    columns: Object.keys(columns),
    jsonColumns: new Set(Object.keys(columns).filter((key) => columns[key]?.options.type === 'jsonb')),
    storesPartners: false,
    schema: entitySchema<RowOfColumns<C> & ScopeColumns>(name, options),
  };
}

const PARTNER_COLUMNS = { software_house_id: nullable(text), reseller_id: nullable(text) };

/** The TypeORM schema of a relation from its columns by name. */
export function entitySchema<Row extends object>(
  name: string,
  columns: Readonly<Record<string, EntitySchemaColumnOptions>>,
): EntitySchema<Row> {
  return new EntitySchema<Row>(Object.assign(new EntitySchemaOptions<Row>(), { name, columns }));
}

/**
 * Inserts one row in the transaction's scope, together with the next query; a rule that it breaks fails that query.
 */
export function insertRow<Row extends object>(tx: Tx, into: Relation<Row>, row: Row): void {
  insertRows(tx, into, [row]);
}

const ROWS_MAX = 500;
const SCOPE_COLUMNS = ['account_id', 'environment'];

/** Inserts rows in the transaction's scope with one statement, together with the next query. */
export function insertRows<Row extends object>(tx: Tx, into: Relation<Row>, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  assert(rows.length <= ROWS_MAX, `${rows.length} rows of ${into.name} in one statement`);
  const { columns } = into;
  const shared = into.storesPartners ? [...SCOPE_COLUMNS, ...Object.keys(PARTNER_COLUMNS)] : SCOPE_COLUMNS;
  const sqlStatement = findOrDefineStatement(`insert ${into.name} ${rows.length}`, (label) => {
    const tuples = rows.map((_, row) => {
      const own = columns.map((__, index) => shared.length + 1 + row * columns.length + index);
      return sql`(${sql.join([...shared.map((__, index) => index + 1), ...own])})`;
    });
    const names = [...shared, ...columns];
    return defineChange(label, sql.insertInto(into.name)`(${sql.join(names)}) values ${sql.join(tuples)}`);
  });
  const { accountId, environment } = tx.scope;
  const { softwareHouseId, resellerId } = tx.partners;
  const values = rows.flatMap((row) => columns.map((key) => encodeParameter(into, key, row[key])));
  tx.enqueue(sqlStatement, [
    accountId,
    environment,
    ...(into.storesPartners ? [softwareHouseId, resellerId] : []),
    ...values,
  ]);
}

/**
 * Inserts one row, together with the next query, if the condition is true; otherwise the database undoes the
 * transaction (0010). `condition` gets the parameter of each column of the new row; `label` names it.
 */
export function insertRowIf<Row extends object>(
  tx: Tx,
  into: Relation<Row>,
  conditional: {
    readonly row: Row;
    readonly label: string;
    readonly condition: (parameterOf: (column: keyof Row & string) => number) => SqlParts;
  },
): void {
  const { row, label, condition: buildCondition } = conditional;
  const sqlStatement = findOrDefineStatement(`insert ${into.name} ${label}`, (statementLabel) => {
    const columns = [...SCOPE_COLUMNS, ...into.columns];
    const parameters = sql.join(columns.map((_, index) => index + 1));
    const condition = buildCondition((key) => columns.indexOf(key) + 1);
    return defineSingleRowChange(
      statementLabel,
      sql.insertInto(into.name)`(${sql.join(columns)}) select ${parameters}
        where ${condition} returning account_id`,
    );
  });
  const values = into.columns.map((key) => encodeParameter(into, key, row[key]));
  tx.enqueue(sqlStatement, [tx.scope.accountId, tx.scope.environment, ...values]);
}

/** A query for rows of a scope. Values are compared for equality, null included. */
export interface RowQuery<Row> {
  readonly where: Partial<Row>;
  /** Whether to lock the found rows for changing them. */
  readonly isLocking?: boolean;
  /** SQL after `order by`. */
  readonly orderBy?: string;
  readonly limit?: number;
  /** Rows whose number in the column is above `above` and at most `upTo`. */
  readonly range?: { readonly column: keyof Row & string; readonly above: number; readonly upTo: number };
}

/** The rows of the reader's scope that match. */
export async function findRows<Row extends object>(
  reader: Reader,
  from: Relation<Row>,
  search: RowQuery<Row>,
): Promise<Row[]> {
  const { isLocking = false, orderBy = '', limit = 0, range: numbers } = search;
  const range = numbers === undefined ? [] : [numbers.above, numbers.upTo];
  const { shape, buildSql, values } = buildConditions(from, search.where, 3 + range.length);
  const rangeColumn = numbers?.column ?? '';
  const sqlStatement = findOrDefineStatement(
    `select ${from.name} ${shape} ${rangeColumn} ${isLocking} ${orderBy} ${limit}`,
    (label) =>
      defineStatement(
        label,
        sql.join(
          [
            sql`select ${sql.join(from.columns)} from ${from.name} where account_id = ${1} and environment = ${2}`,
            buildSql(),
            rangeColumn === '' ? '' : sql` and ${rangeColumn} > ${3} and ${rangeColumn} <= ${4}`,
            orderBy === '' ? '' : ` order by ${orderBy}`,
            limit === 0 ? '' : ` limit ${limit}`,
            isLocking ? ' for no key update' : '',
          ],
          '',
        ),
      ),
  );
  return reader.query<Row>(sqlStatement, [reader.scope.accountId, reader.scope.environment, ...range, ...values]);
}

/** SQL of a row as a JSON object, for `parseJsonRow`; `more` are further members, as SQL by their names. */
export function formatJsonRow<Row extends object>(
  from: Relation<Row>,
  alias: string,
  { columns, more = {} }: { readonly columns: readonly (keyof Row & string)[]; readonly more?: Record<string, string> },
): string {
  for (const name of columns)
    assert(from.schema.options.columns[name]?.type !== 'bytea', `JSON has no bytes for ${from.name}.${name}`);
  const members = [
    ...columns.map((name) => `'${name}', ${alias}.${name}`),
    ...Object.entries(more).map(([name, sql]) => `'${name}', ${sql}`),
  ];
  return `json_build_object(${members.join(', ')})`;
}

/** The row that such an object stores: JSON has times as text. A whole number beyond 2^53 is no safe integer here either. */
export function parseJsonRow<Row extends object, Found extends Partial<Row>>(from: Relation<Row>, json: Found): Found {
  const columns: Readonly<Partial<Record<string, EntitySchemaColumnOptions>>> = from.schema.options.columns;
  const entries = Object.entries<unknown>(json).map(([name, value]) => [
    name,
    columns[name]?.type === 'timestamptz' && typeof value === 'string' ? new Date(value) : value,
  ]);
  return Object.fromEntries(entries) as Found;
}

/** The one row that matches, or null. */
export async function findRow<Row extends object>(
  reader: Reader,
  from: Relation<Row>,
  search: RowQuery<Row>,
): Promise<Row | null> {
  const [row = null] = await findRows(reader, from, search);
  return row;
}

/** Changes the rows that match and returns their number. */
export async function updateRows<Row extends object>(
  tx: Tx,
  target: Relation<Row>,
  change: Change<Row>,
): Promise<number> {
  const { sqlStatement, values } = buildUpdate(target, change, 'any');
  return (await tx.query(sqlStatement, [tx.scope.accountId, tx.scope.environment, ...values])).length;
}

/**
 * Changes, together with the next query, the one row that still has the version that was read. A row that was
 * changed meanwhile is a defect of the caller's locking, and the database undoes the transaction (0010).
 */
export function updateVersion<Row extends { readonly version: number }>(
  tx: Tx,
  target: Relation<Row>,
  { where, set, version }: { readonly where: Partial<Row>; readonly set: Partial<Row>; readonly version: number },
): void {
  const change = { where: { ...where, version }, set };
  const { sqlStatement, values } = buildUpdate(target, change, 'one');
  tx.enqueue(sqlStatement, [tx.scope.accountId, tx.scope.environment, ...values]);
}

interface Change<Row> {
  readonly where: Partial<Row>;
  readonly set: Partial<Row>;
}

function buildUpdate<Row extends object>(target: Relation<Row>, { where, set }: Change<Row>, rows: 'one' | 'any') {
  const changed = listKeys(target, set);
  const { shape, buildSql, values } = buildConditions(target, where, 3 + changed.length);
  const sqlStatement = findOrDefineStatement(`update ${target.name} ${rows} ${changed.join()} ${shape}`, (label) => {
    const sets = sql.join(changed.map((key, index) => sql`${key} = ${index + 3}`));
    const ofScope = sql`account_id = ${1} and environment = ${2}${buildSql()}`;
    const update = sql.update(target.name)`set ${sets} where ${ofScope} returning account_id`;
    return rows === 'one' ? defineSingleRowChange(label, update) : defineChange(label, update);
  });
  return { sqlStatement, values: [...changed.map((key) => encodeParameter(target, key, set[key])), ...values] };
}

interface Conditions {
  readonly shape: string;
  readonly buildSql: () => SqlParts;
  readonly values: readonly unknown[];
}

/** A null is compared with `is null`, which an index serves; none serves `is not distinct from`. */
function buildConditions<Row extends object>(
  target: Relation<Row>,
  where: Partial<Row>,
  firstParameter: number,
): Conditions {
  const keys = listKeys(target, where);
  const nonNullKeys = keys.filter((key) => where[key] !== null);
  const buildSql = (): SqlParts =>
    sql.join(
      keys.map((key) =>
        where[key] === null ? ` and ${key} is null` : sql` and ${key} = ${nonNullKeys.indexOf(key) + firstParameter}`,
      ),
      '',
    );
  return {
    shape: keys.map((key) => (where[key] === null ? `${key}:null` : key)).join(),
    buildSql,
    values: nonNullKeys.map((key) => encodeParameter(target, key, where[key])),
  };
}

function listKeys<Row extends object>(target: Relation<Row>, values: Partial<Row>): (keyof Row & string)[] {
  return target.columns.filter((key) => values[key] !== undefined);
}

/** The driver writes an array as a PostgreSQL array; in a JSON column it is JSON. */
function encodeParameter<Row extends object>(target: Relation<Row>, key: string, value: unknown): unknown {
  return target.jsonColumns.has(key) && value !== null ? JSON.stringify(value) : value;
}

/** Texts are built once per shape of a query; there are few shapes, because they are written in the code. */
const statementCache = new Map<string, Statement>();

function findOrDefineStatement<Kind extends Statement>(shape: string, define: (label: string) => Kind): Kind {
  // One definition makes all statements of a shape.
  let cached = statementCache.get(shape) as Kind | undefined;
  if (cached === undefined) {
    cached = define(shape.split(' ').slice(0, 2).join('_'));
    statementCache.set(shape, cached);
  }
  return cached;
}

function exactTransformer(): {
  to: (value: number | null) => number | null;
  from: (value: number | string | null) => number | null;
} {
  return {
    to: (value) => value,
    from: (value) => (typeof value === 'string' ? parseExactInteger(value) : value),
  };
}
