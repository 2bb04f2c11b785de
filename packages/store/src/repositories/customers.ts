import type { Customer } from '@pos/core/accounts';
import { type CustomerId, type CustomerSecretId, isId } from '@pos/core/identity';
import { isOneHash } from '@pos/core/ids';
import { assert } from '@pos/core/refusals';
import type { Address } from '@pos/core/payment-intents';
import {
  type Cursor,
  type Direction,
  type Page,
  buildPage,
  buildPageSql,
  pageValues,
  splitSnapshot,
  selectWithSnapshot,
} from '../database/page.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import {
  column,
  findRow,
  insertRow,
  jsonColumn,
  nullable,
  type RowOf,
  defineRelation,
  enumColumn,
  enumKeyColumn,
  definePartnerRelation,
} from '../relations/relation.js';
import { deleteScopedRows, insertScopedRow, selectRows, updateScopedRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

export const customers = definePartnerRelation('customers', {
  id: enumKeyColumn<CustomerId>(),
  version: column.integer,
  name: nullable(column.text),
  email_address: nullable(column.text),
  phone_number: nullable(column.text),
  vat_number: nullable(column.text),
  billing_address: nullable(jsonColumn<Address>()),
  shipping_address: nullable(jsonColumn<Address>()),
  created_at: column.timestamp,
  updated_at: column.timestamp,
  deleted_at: nullable(column.timestamp),
});
type CustomerRow = RowOf<typeof customers>;

export const customerSecrets = defineRelation('customer_secrets', {
  id: enumKeyColumn<CustomerSecretId>(),
  customer_id: enumColumn<CustomerId>(),
  hash: column.bytes,
  created_at: column.timestamp,
  expire_at: column.timestamp,
});

/** The columns whose beginning is looked for, each with an index of its own. */
const PREFIX_COLUMNS = { name: 'name', emailAddress: 'email_address' } as const;
type PrefixMember = keyof typeof PREFIX_COLUMNS;

/**
 * If at most so many customers match a text, they are read by the text and sorted. If more do, a page of them is soon
 * found among the newest customers.
 */
const SORTED_MAX = 1_000;

const IS_KEPT = 'deleted_at is null';
const CUSTOMER_PAGE = { relation: 'customers', columns: customers.columns, statuses: null };

const PAGES = { older: defineListStatement('older'), newer: defineListStatement('newer') };

const PREFIX_PAGES = { name: definePrefixStatements('name'), emailAddress: definePrefixStatements('emailAddress') };

/** Which customers are listed: those whose name or address begins with the text, ignoring case; null: all. */
export interface CustomerPrefix {
  readonly member: 'name' | 'emailAddress';
  readonly text: string;
}

const DELETE_EXPIRED_SECRETS = defineChange(
  'insert_customer_secret',
  sql.deleteFrom('customer_secrets')`
   where account_id = ${1} and environment = ${2} and customer_id = ${3} and expire_at <= ${4}`,
);

export async function insertCustomer(tx: Tx, customer: Customer): Promise<void> {
  await insertScopedRow(tx, customers, toRow(customer));
}

/** Reads the customer for changing it, or null: an unknown, deleted, foreign or malformed id. */
export async function lockCustomer(tx: Tx, id: string): Promise<Customer | null> {
  return findOne(tx, id, true);
}

/** The customer, or null as above. */
export async function findCustomer(reader: Reader, id: string): Promise<Customer | null> {
  return findOne(reader, id, false);
}

/** The customers among the ids, in the order of the ids. */
export async function findCustomers(reader: Reader, ids: readonly string[]): Promise<Customer[]> {
  const wellFormed = ids.filter((id) => isId('customer', id, reader.scope.environment));
  const rows = await selectRows(reader, customers, (select) =>
    select.andWhere('row.id = any (:wellFormed) and row.deleted_at is null', { wellFormed }),
  );
  const found = new Map<string, Customer>(rows.map((row) => [row.id, toCustomer(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** A page of customers, newest first, from a cursor on in one direction. */
export async function listCustomers(
  reader: Reader,
  query: {
    readonly limit: number;
    readonly cursor: Cursor | null;
    readonly direction: Direction;
    readonly prefix?: CustomerPrefix | null;
  },
): Promise<Page<Customer>> {
  const { direction, prefix = null } = query;
  const scopeValues = [reader.scope.accountId, reader.scope.environment];
  const [statement, values] =
    prefix === null
      ? [PAGES[direction], scopeValues]
      : [await choosePrefixStatement(reader, prefix, direction), [...scopeValues, prefix.text]];
  const foundRows = await reader.query<CustomerRow & { readonly seen: string }>(statement, [
    ...values,
    ...pageValues(query),
  ]);
  const { rows, seen } = splitSnapshot(foundRows);
  return buildPage(rows.map(toCustomer), { ...query, seen });
}

/** Writes a locked customer and returns it with its new version. One that was changed since is a defect (0010). */
export async function updateCustomer(tx: Tx, customer: Customer): Promise<Customer> {
  const { version } = customer;
  const next = { ...customer, version: version + 1 };
  const { id, created_at: _createdAt, ...set } = toRow(next);
  const changed = await updateScopedRows(tx, customers, { where: { id, version }, set });
  assert(changed === 1, `customer ${id} was changed since it was read`);
  return next;
}

/** A secret whose bearer may use one customer's saved cards. */
export interface CustomerSecret {
  readonly id: CustomerSecretId;
  readonly customerId: CustomerId;
  readonly createdAt: Date;
  readonly expireAt: Date;
}

/** Stores a secret by its hash, and deletes the expired ones of the customer. */
export function insertCustomerSecret(tx: Tx, secret: CustomerSecret, text: string): void {
  const { id, customerId, createdAt, expireAt } = secret;
  tx.enqueue(DELETE_EXPIRED_SECRETS, [tx.scope.accountId, tx.scope.environment, customerId, createdAt]);
  insertRow(tx, customerSecrets, {
    ...{ id, hash: tx.hash(text), created_at: createdAt, expire_at: expireAt },
    customer_id: customerId,
  });
}

/** The secret of that id, for callers without its text, such as an intent to which it was given. */
export async function findCustomerSecretById(reader: Reader, id: CustomerSecretId): Promise<CustomerSecret | null> {
  const row = await findRow(reader, customerSecrets, { where: { id } });
  return row === null ? null : toSecret(row);
}

/** The secret of that id with this text, or null. The hashes are compared in constant time. */
export async function findCustomerSecret(
  reader: Reader,
  { id, text }: { readonly id: CustomerSecretId; readonly text: string },
): Promise<CustomerSecret | null> {
  const row = await findRow(reader, customerSecrets, { where: { id } });
  if (row === null || !isOneHash(row.hash, reader.hashes(text))) return null;
  return toSecret(row);
}

/** From the commit on, all secrets of the customer are invalid. */
export async function deleteCustomerSecrets(tx: Tx, customerId: CustomerId): Promise<void> {
  await deleteScopedRows(tx, customerSecrets, { customer_id: customerId });
}

function toSecret(row: RowOf<typeof customerSecrets>): CustomerSecret {
  return { id: row.id, customerId: row.customer_id, createdAt: row.created_at, expireAt: row.expire_at };
}

function defineListStatement(direction: Direction) {
  return defineStatement(
    `list_customers_${direction}`,
    selectWithSnapshot(direction, buildPageSql(direction, { ...CUSTOMER_PAGE, condition: IS_KEPT, firstParameter: 3 })),
  );
}

/** The customers whose text begins so, by their number: sorted if they are few, else found among the newest ones. */
async function choosePrefixStatement(reader: Reader, { member, text }: CustomerPrefix, direction: Direction) {
  const { accountId, environment } = reader.scope;
  const statements = PREFIX_PAGES[member];
  const [row] = await reader.query<{ readonly count: number }>(statements.count, [accountId, environment, text]);
  return statements[(row?.count ?? 0) > SORTED_MAX ? 'newest' : 'sorted'][direction];
}

function definePrefixStatements(member: PrefixMember) {
  const column = PREFIX_COLUMNS[member];
  // A range of the index in the order of bytes, which any plan can use; no character sorts after the last code point.
  const inIndex = `account_id = $1 and environment = $2 and ${IS_KEPT}
    and lower(${column}) ~>=~ lower($3::text) and lower(${column}) ~<~ (lower($3::text) || chr(1114111))`;
  // The offset keeps the order and the limit of the page out: with them, a plan may read all customers in that order.
  const sorted = { relation: `(select * from customers where ${inIndex} offset 0) matching`, condition: '' };
  // The same condition in a form that no index has.
  const newest = { condition: `${IS_KEPT} and left(lower(${column}), length(lower($3::text))) = lower($3::text)` };
  const define = (name: string, source: { readonly relation?: string; readonly condition: string }, to: Direction) =>
    defineStatement(
      `search_customers_by_${column}_${name}_${to}`,
      selectWithSnapshot(to, buildPageSql(to, { ...CUSTOMER_PAGE, ...source, firstParameter: 4 })),
    );
  const definePages = (name: string, source: { readonly relation?: string; readonly condition: string }) => ({
    older: define(name, source, 'older'),
    newer: define(name, source, 'newer'),
  });
  return {
    count: defineStatement(
      `count_customers_by_${column}`,
      `select count(*)::int as count from (select from customers where ${inIndex} limit ${SORTED_MAX + 1}) matching`,
    ),
    sorted: definePages('sorted', sorted),
    newest: definePages('newest', newest),
  };
}

async function findOne(reader: Reader, id: string, isLocking: boolean): Promise<Customer | null> {
  if (!isId('customer', id)) return null;
  const row = await findRow(reader, customers, { where: { id, deleted_at: null }, isLocking });
  return row === null ? null : toCustomer(row);
}

function toRow(customer: Customer): CustomerRow {
  return {
    id: customer.id,
    version: customer.version,
    name: customer.name,
    email_address: customer.emailAddress,
    phone_number: customer.phoneNumber,
    vat_number: customer.vatNumber,
    billing_address: customer.billingAddress,
    shipping_address: customer.shippingAddress,
    created_at: customer.createdAt,
    updated_at: customer.updatedAt,
    deleted_at: customer.deletedAt,
  };
}

function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    emailAddress: row.email_address,
    phoneNumber: row.phone_number,
    vatNumber: row.vat_number,
    billingAddress: row.billing_address,
    shippingAddress: row.shipping_address,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}
