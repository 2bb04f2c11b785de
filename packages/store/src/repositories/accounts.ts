import {
  type Account,
  type AccountSettings,
  type AccountStatus,
  resolveAccountSettings,
  type StoredAccountSettings,
} from '@pos/core/accounts';
import { type AccountId, ENVIRONMENTS, parseKnownId } from '@pos/core/identity';
import { assert, requireValue } from '@pos/core/refusals';
import { UTC } from '@pos/core/time';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { createSandboxClock, SEEDED_START } from '../clock/sandbox-clock.js';
import type { Database, SystemReader } from '../database/database.js';
import { scheduleReconciliation } from '../reconciliation/reconciliation-progress.js';
import { insertLocation } from './locations.js';
import { type AccountRow, accountSchema } from '../relations/account-relations.js';
import { ROW_LOCK } from '../relations/scoped-query.js';
import { scheduleRetention } from '../queues/retention.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

/** A payment reads it, so it is named SQL (0071). */
const SELECT = defineStatement(
  'find_account',
  `select account_id, name, trading_name, location_id, merchant_id, settings, currencies, created_at,
     saq_d_valid_until, status, status_changed_at, status_reason
   from accounts where account_id = $1`,
);

/** An account with what operators decide about it. */
export interface AdministeredAccount extends Account {
  /** The last change of the status; null: none. */
  readonly statusChange: { readonly changedAt: Date; readonly reason: string } | null;
  readonly storedSettings: StoredAccountSettings;
}

/** An account to create; its settings contain only what differs from the defaults. */
export type NewAccount = Omit<Account, 'settings' | 'status' | 'cardAttestationUntil'> & {
  readonly settings: Partial<AccountSettings>;
  readonly cardAttestationUntil?: Date;
  /** The time zone of the first location, in both environments; `UTC` when left out. */
  readonly timeZone?: string;
};

/** The isolated tests of a package create accounts without an audit entry; operators use `createAccount` of payments. */
export async function createAccount(database: Database, account: NewAccount): Promise<boolean> {
  return database.transact({ accountId: account.id, environment: 'sandbox' }, (tx) =>
    insertAccount(tx, account, { isSeeded: database.isSeeded }),
  );
}

/**
 * Inserts an account with its first location, the clock of its sandbox and its retention deadlines; an existing
 * account stays as it is. With a seed the clock is frozen at a fixed time until it is advanced. The transaction is one
 * of the sandbox. False if the account existed.
 */
export async function insertAccount(
  tx: Tx,
  account: NewAccount,
  { isSeeded }: { readonly isSeeded: boolean },
): Promise<boolean> {
  if (!(await insertAccountRow(tx, account))) return false;
  const location = {
    ...{ id: account.locationId, name: account.tradingName },
    ...{ address: account.settings.site ?? null, phoneNumber: account.settings.phoneNumber ?? null },
    ...{ timeZone: account.timeZone ?? UTC, createdAt: account.createdAt, updatedAt: account.createdAt },
  };
  await insertLocation(tx, location, ENVIRONMENTS);
  await createSandboxClock(tx, isSeeded ? SEEDED_START : null);
  scheduleRetention(tx);
  scheduleReconciliation(tx);
  return true;
}

/** False: there is an account with this id. */
function insertAccountRow(tx: Tx, account: NewAccount): Promise<boolean> {
  const row = {
    ...{ account_id: account.id, name: account.name, trading_name: account.tradingName },
    ...{ location_id: account.locationId, merchant_id: account.merchantId, settings: account.settings },
    ...{ currencies: [...account.currencies], created_at: account.createdAt },
    saq_d_valid_until: account.cardAttestationUntil ?? null,
  };
  return tx.runWithManager('typeorm_insert_accounts', async (manager) => {
    const insert = manager.createQueryBuilder().insert().into<ObjectLiteral>(accountSchema).values(row);
    // Without columns to replace, a row with this key stays as it is.
    const keeping = insert.orUpdate([], ['account_id']).updateEntity(false);
    const { raw: rows } = (await keeping.returning('account_id').execute()) as { readonly raw: readonly unknown[] };
    return rows.length === 1;
  });
}

/** The ids of accounts after one, in their order. */
export async function listAccountIds(reader: SystemReader, after: string, limit: number): Promise<AccountId[]> {
  const rows = await selectAccounts(reader, (select) =>
    selectAccountPage(select, { after, limit }).select('row.account_id'),
  );
  return rows.map((row) => parseKnownId('account', row.account_id));
}

/** Accounts after one, in the order of their ids. */
export async function listAdministeredAccounts(
  reader: SystemReader,
  after: string,
  limit: number,
): Promise<AdministeredAccount[]> {
  const rows = await selectAccounts(reader, (select) => selectAccountPage(select, { after, limit }));
  return rows.map(toAdministeredAccount);
}

/** The account of the scope with what operators decide about it, or null. */
export async function findAdministeredAccount(reader: Reader): Promise<AdministeredAccount | null> {
  const [row] = await selectAccounts(reader, (select) => select.where('row.account_id = :accountId', reader.scope));
  return row === undefined ? null : toAdministeredAccount(row);
}

/** The same, locked until the transaction ends. */
export async function lockAccount(tx: Tx): Promise<AdministeredAccount | null> {
  const [row] = await selectAccounts(tx, (select) =>
    select.where('row.account_id = :accountId', tx.scope).setLock(ROW_LOCK),
  );
  return row === undefined ? null : toAdministeredAccount(row);
}

/**
 * Within a second of the commit every process refuses the keys of a disabled account, and within two seconds its payers,
 * who have no key.
 */
export async function updateAccountStatus(tx: Tx, status: AccountStatus, reason: string): Promise<void> {
  await updateAccount(tx, { status, status_changed_at: tx.databaseNow, status_reason: reason });
}

/** Replaces all settings of the account of the scope. */
export async function replaceAccountSettings(
  tx: Tx,
  account: Pick<
    AdministeredAccount,
    'storedSettings' | 'tradingName' | 'merchantId' | 'currencies' | 'cardAttestationUntil'
  >,
): Promise<void> {
  const { storedSettings, tradingName, merchantId, currencies, cardAttestationUntil } = account;
  await updateAccount(tx, {
    ...{ settings: storedSettings, trading_name: tradingName, merchant_id: merchantId },
    ...{ currencies: [...currencies], saq_d_valid_until: cardAttestationUntil },
  });
}

export async function findAccount(reader: Reader): Promise<Account | null> {
  const [row] = await reader.query<AccountRow>(SELECT, [reader.scope.accountId]);
  return row === undefined ? null : fromRow(row);
}

/** The account of the scope; a scope without one is a defect, because every key belongs to an account. */
export async function getAccount(reader: Reader): Promise<Account> {
  return requireValue(await findAccount(reader), `account ${reader.scope.accountId}`);
}

/** Changes these settings of the account of the scope, and no others. */
export async function updateAccountSettings(tx: Tx, change: Pick<AccountSettings, 'hasSandboxEpos'>): Promise<void> {
  await updateAccount(tx, { settings: () => 'settings || cast(:change as jsonb)' }, { change: JSON.stringify(change) });
}

type AccountSelect = SelectQueryBuilder<AccountRow>;

/** Rows belong to both environments, so that the queries over relations of one scope do not fit. */
function selectAccounts(
  reader: Pick<Reader, 'runWithManager'>,
  refine: (select: AccountSelect) => AccountSelect,
): Promise<AccountRow[]> {
  return reader.runWithManager('typeorm_select_accounts', (manager) =>
    refine(manager.getRepository(accountSchema).createQueryBuilder('row')).getMany(),
  );
}

function selectAccountPage(
  select: AccountSelect,
  { after, limit }: { readonly after: string; readonly limit: number },
): AccountSelect {
  return select.where('row.account_id > :after', { after }).orderBy('row.account_id').limit(limit);
}

/** A member of `set` that is a function is SQL, with the parameters. */
function updateAccount(
  tx: Tx,
  set: { readonly [Column in keyof AccountRow]?: AccountRow[Column] | (() => string) },
  parameters: ObjectLiteral = {},
): Promise<void> {
  return tx.runWithManager('typeorm_update_accounts', async (manager) => {
    const update = manager.createQueryBuilder().update<ObjectLiteral>(accountSchema).set(set);
    const { affected } = await update.where('account_id = :accountId', tx.scope).setParameters(parameters).execute();
    assert(affected === 1, `there is no account ${tx.scope.accountId}`);
  });
}

function toAdministeredAccount(row: AccountRow): AdministeredAccount {
  const { status_changed_at: changedAt, status_reason: reason } = row;
  const statusChange = changedAt === null || reason === null ? null : { changedAt, reason };
  return { ...fromRow(row), statusChange, storedSettings: row.settings };
}

function fromRow(row: AccountRow): Account {
  return {
    id: parseKnownId('account', row.account_id),
    name: row.name,
    tradingName: row.trading_name,
    locationId: parseKnownId('location', row.location_id),
    merchantId: row.merchant_id,
    currencies: row.currencies,
    settings: resolveAccountSettings(row.settings),
    createdAt: row.created_at,
    status: row.status,
    cardAttestationUntil: row.saq_d_valid_until,
  };
}
