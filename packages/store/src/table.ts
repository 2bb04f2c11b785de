import { assert } from '@pos/core/assert';
import { EntitySchema, type EntitySchemaColumnOptions, EntitySchemaOptions } from 'typeorm';
import { exactInteger } from './exact-types.js';
import { changeOfOne, type Statement, statement } from './statement.js';
import type { Reader, Tx } from './transaction.js';

/** A column, and what a row holds in it. */
export interface Column<T> {
  readonly options: EntitySchemaColumnOptions;
  /** Never set: it only carries the type. */
  readonly holds?: T;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type Held<C> = C extends Column<infer T> ? T : never;

/** Which columns every table has before its own. */
interface ScopeColumns {
  readonly account_id: string;
  readonly environment: string;
}

/** A table of one scope: its name, its TypeORM schema, and the type of a row without the scope. */
export interface Table<Row extends object> {
  readonly name: string;
  readonly columns: readonly (keyof Row & string)[];
  readonly jsonColumns: ReadonlySet<string>;
  /** Whether a new row also stores the partners of the request that created it; they are not read with the row. */
  readonly storesPartners: boolean;
  readonly schema: EntitySchema<Row & ScopeColumns>;
}

export type RowOf<T> = T extends Table<infer Row> ? Row : never;

const text: Column<string> = { options: { type: 'text' } };

/** The column types there are. A naked `bigint` column would arrive as text. */
export const column = {
  text,
  key: { options: { type: 'text', primary: true } } as Column<string>,
  numberKey: { options: { type: 'integer', primary: true } } as Column<number>,
  bigKey: { options: { type: 'bigint', primary: true, transformer: exact() } } as Column<number>,
  texts: { options: { type: 'text', array: true } } as Column<readonly string[]>,
  integer: { options: { type: 'integer' } } as Column<number>,
  /** Minor units, milliseconds, fences. */
  exact: { options: { type: 'bigint', transformer: exact() } } as Column<number>,
  flag: { options: { type: 'boolean' } } as Column<boolean>,
  /** False where a statement does not set it. */
  flagOrNo: { options: { type: 'boolean', default: false } } as Column<boolean>,
  /** Zero where a statement does not set it. */
  countOrZero: { options: { type: 'integer', default: 0 } } as Column<number>,
  time: { options: { type: 'timestamptz' } } as Column<Date>,
  bytes: { options: { type: 'bytea' } } as Column<Buffer>,
} as const;

/** A column of plain JSON whose type its one mapper owns. */
export function json<T>(): Column<T> {
  return { options: { type: 'jsonb' } };
}

/** A text column of a closed set of words; the database checks the set too. */
export function word<T extends string>(): Column<T> {
  return { options: { type: 'text' } };
}

/** A key column of one form of id, or of a closed set of words. */
export function wordKey<T extends string>(): Column<T> {
  return { options: { type: 'text', primary: true } };
}

/** An array of words of a closed set. */
export function words<T extends string>(): Column<readonly T[]> {
  return { options: { type: 'text', array: true } };
}

export function nullable<T>(of: Column<T>): Column<T | null> {
  return { options: { ...of.options, nullable: true } };
}

/** Declares a table whose keys start with the scope. */
export function table<C extends Columns>(name: string, columns: C): Table<{ [K in keyof C]: Held<C[K]> }> {
  return declared(name, columns, {});
}

/** The same for a table whose rows requests create: a new row also stores the partners of its request. */
export function tableOfRequests<C extends Columns>(name: string, columns: C): Table<{ [K in keyof C]: Held<C[K]> }> {
  return { ...declared(name, columns, PARTNER_COLUMNS), storesPartners: true };
}

/** `unread` are columns that the database has and no row of ours. */
function declared<C extends Columns>(name: string, columns: C, unread: Columns): Table<{ [K in keyof C]: Held<C[K]> }> {
  type Row = { [K in keyof C]: Held<C[K]> };
  const all: Columns = { account_id: column.key, environment: column.key, ...columns, ...unread };
  const options = Object.fromEntries(Object.entries(all).map(([key, { options: each }]) => [key, each]));
  return {
    name,
    columns: Object.keys(columns),
    jsonColumns: new Set(Object.keys(columns).filter((key) => columns[key]?.options.type === 'jsonb')),
    storesPartners: false,
    schema: entitySchema<Row & ScopeColumns>(name, options),
  };
}

const PARTNER_COLUMNS = { software_house_id: nullable(text), reseller_id: nullable(text) };

/** The TypeORM schema of a table from its columns by name. */
export function entitySchema<Row extends object>(
  name: string,
  columns: Readonly<Record<string, EntitySchemaColumnOptions>>,
): EntitySchema<Row> {
  return new EntitySchema<Row>(Object.assign(new EntitySchemaOptions<Row>(), { name, columns }));
}

/** Adds one row in the transaction's scope, with whatever is asked next; a rule that it breaks fails that. */
export function insertRow<Row extends object>(tx: Tx, into: Table<Row>, row: Row): void {
  insertRows(tx, into, [row]);
}

const ROWS_MAX = 500;
const SCOPE_COLUMNS = ['account_id', 'environment'];

/** Adds rows in the transaction's scope by one statement, with whatever is asked next. */
export function insertRows<Row extends object>(tx: Tx, into: Table<Row>, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  assert(rows.length <= ROWS_MAX, `${rows.length} rows of ${into.name} in one statement`);
  const { columns } = into;
  const shared = into.storesPartners ? [...SCOPE_COLUMNS, ...Object.keys(PARTNER_COLUMNS)] : SCOPE_COLUMNS;
  const asked = remembered(`insert ${into.name} ${rows.length}`, () => {
    const tuples = rows.map((_, row) => {
      const own = columns.map((__, at) => `$${shared.length + 1 + row * columns.length + at}`);
      return `(${[...shared.map((__, at) => `$${at + 1}`), ...own].join(', ')})`;
    });
    return `insert into ${into.name} (${[...shared, ...columns].join(', ')}) values ${tuples.join(', ')}`;
  });
  const { accountId, environment } = tx.scope;
  const { softwareHouseId, resellerId } = tx.partners;
  const values = rows.flatMap((row) => columns.map((key) => parameter(into, key, row[key])));
  tx.later(asked, [accountId, environment, ...(into.storesPartners ? [softwareHouseId, resellerId] : []), ...values]);
}

/** How to look for rows of a scope. Values are compared for equality, null included. */
export interface Search<Row> {
  readonly where: Partial<Row>;
  /** Lock what is found, for changing it. */
  readonly isLocking?: boolean;
  /** SQL after `order by`. */
  readonly orderBy?: string;
  readonly limit?: number;
  /** Rows whose number in the column is above `above` and at most `upTo`. */
  readonly numbers?: { readonly column: keyof Row & string; readonly above: number; readonly upTo: number };
}

/** The rows of the reader's scope that match. */
export async function findRows<Row extends object>(
  reader: Reader,
  from: Table<Row>,
  search: Search<Row>,
): Promise<Row[]> {
  const { isLocking = false, orderBy = '', limit = 0, numbers } = search;
  const range = numbers === undefined ? [] : [numbers.above, numbers.upTo];
  const { shape, sql, values } = conditionsOf(from, search.where, 3 + range.length);
  const among = numbers?.column ?? '';
  const asked = remembered(`select ${from.name} ${shape} ${among} ${isLocking} ${orderBy} ${limit}`, () =>
    [
      `select ${from.columns.join(', ')} from ${from.name} where account_id = $1 and environment = $2${sql()}`,
      among === '' ? '' : ` and ${among} > $3 and ${among} <= $4`,
      orderBy === '' ? '' : ` order by ${orderBy}`,
      limit === 0 ? '' : ` limit ${limit}`,
      isLocking ? ' for no key update' : '',
    ].join(''),
  );
  return reader.query<Row>(asked, [reader.scope.accountId, reader.scope.environment, ...range, ...values]);
}

/** The one row that matches, or null. */
export async function findRow<Row extends object>(
  reader: Reader,
  from: Table<Row>,
  search: Search<Row>,
): Promise<Row | null> {
  const [row = null] = await findRows(reader, from, search);
  return row;
}

/** Changes the rows that match and says how many there were. */
export async function updateRows<Row extends object>(tx: Tx, of: Table<Row>, change: Change<Row>): Promise<number> {
  const { asked, values } = updateOf(of, change, 'any');
  return (await tx.query(asked, [tx.scope.accountId, tx.scope.environment, ...values])).length;
}

/**
 * Changes, with whatever is asked next, the one row that is still at the version that was read. A row changed meanwhile is
 * a defect of the caller's locking, and the database undoes the transaction (0010).
 */
export function updateVersion<Row extends { readonly version: number }>(
  tx: Tx,
  of: Table<Row>,
  { where, set, version }: { readonly where: Partial<Row>; readonly set: Partial<Row>; readonly version: number },
): void {
  const change = { where: { ...where, version }, set };
  const { asked, values } = updateOf(of, change, 'one');
  tx.later(asked, [tx.scope.accountId, tx.scope.environment, ...values]);
}

interface Change<Row> {
  readonly where: Partial<Row>;
  readonly set: Partial<Row>;
}

function updateOf<Row extends object>(of: Table<Row>, { where, set }: Change<Row>, rows: 'one' | 'any') {
  const changed = keysOf(of, set);
  const { shape, sql, values } = conditionsOf(of, where, 3 + changed.length);
  const textOf = (): string => {
    const sets = changed.map((key, at) => `${key} = $${at + 3}`).join(', ');
    return `update ${of.name} set ${sets} where account_id = $1 and environment = $2${sql()} returning account_id`;
  };
  const asked = remembered(`update ${of.name} ${rows} ${changed.join()} ${shape}`, textOf, (about, text) =>
    rows === 'one' ? changeOfOne(about, of.name, text) : statement(about, text),
  );
  return { asked, values: [...changed.map((key) => parameter(of, key, set[key])), ...values] };
}

interface Conditions {
  readonly shape: string;
  readonly sql: () => string;
  readonly values: readonly unknown[];
}

/** A null is asked for by `is null`, which an index serves; `is not distinct from` none does. */
function conditionsOf<Row extends object>(of: Table<Row>, where: Partial<Row>, firstParameter: number): Conditions {
  const keys = keysOf(of, where);
  const given = keys.filter((key) => where[key] !== null);
  const sql = (): string =>
    keys
      .map((key) =>
        where[key] === null ? ` and ${key} is null` : ` and ${key} = $${given.indexOf(key) + firstParameter}`,
      )
      .join('');
  return {
    shape: keys.map((key) => (where[key] === null ? `${key}:null` : key)).join(),
    sql,
    values: given.map((key) => parameter(of, key, where[key])),
  };
}

function keysOf<Row extends object>(of: Table<Row>, values: Partial<Row>): (keyof Row & string)[] {
  return of.columns.filter((key) => values[key] !== undefined);
}

/** The driver writes an array as a PostgreSQL array; in a JSON column it is JSON. */
function parameter<Row extends object>(of: Table<Row>, key: string, value: unknown): unknown {
  return of.jsonColumns.has(key) && value !== null ? JSON.stringify(value) : value;
}

/** Texts are made once per shape of a question; the shapes are few, because they are written in the code. */
const statements = new Map<string, Statement>();

function remembered(shape: string, textOf: () => string, make = statement): Statement {
  let known = statements.get(shape);
  if (known === undefined) {
    known = make(shape.split(' ').slice(0, 2).join('_'), textOf());
    statements.set(shape, known);
  }
  return known;
}

function exact(): {
  to: (value: number | null) => number | null;
  from: (value: number | string | null) => number | null;
} {
  return {
    to: (value) => value,
    from: (value) => (typeof value === 'string' ? exactInteger(value) : value),
  };
}
