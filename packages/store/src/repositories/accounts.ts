import { type Account, type AccountSettings, resolveAccountSettings } from '@pos/core/accounts/account';
import { parseKnownId, type Scope } from '@pos/core/identity/identity';
import { requireValue } from '@pos/core/refusals/assert';
import { createSandboxClock, SEEDED_START } from '../clock/sandbox-clock.js';
import type { Database } from '../database/database.js';
import { scheduleReconciliation } from '../reconciliation/reconciliation-progress.js';
import { scheduleRetention } from '../queues/retention.js';
import { defineStatement } from '../postgres/statement.js';
import type { Reader, Tx } from '../database/transaction.js';

const INSERT = defineStatement(
  'account_insert',
  `insert into accounts
     (account_id, name, trading_name, location_id, merchant_id, settings, currencies, created_at, saq_d_valid_until)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (account_id) do nothing
   returning account_id`,
);

const SELECT = defineStatement(
  'account_select',
  `select account_id, name, trading_name, location_id, merchant_id, settings, currencies, created_at,
     saq_d_valid_until
   from accounts where account_id = $1`,
);

const UPDATE_SETTINGS = defineStatement(
  'account_settings',
  'update accounts set settings = settings || $2::jsonb where account_id = $1 returning account_id',
);

interface AccountQueryRow {
  readonly account_id: string;
  readonly name: string;
  readonly trading_name: string;
  readonly location_id: string;
  readonly merchant_id: string;
  readonly settings: Partial<AccountSettings>;
  readonly currencies: readonly string[];
  readonly created_at: Date;
  readonly saq_d_valid_until: Date | null;
}

/** An account to create; its settings contain only what differs from the defaults. */
export type NewAccount = Omit<Account, 'settings' | 'cardAttestationUntil'> & {
  readonly settings: Partial<AccountSettings>;
  readonly cardAttestationUntil?: Date;
};

/**
 * Creates an account, the clock of its sandbox and its retention deadlines; an existing account stays as it is. With
 * a seed the clock is frozen at a fixed time until it is advanced. False if the account existed.
 */
export async function createAccount(database: Database, account: NewAccount): Promise<boolean> {
  const scope: Scope = { accountId: account.id, environment: 'sandbox' };
  return database.transact(scope, async (tx) => {
    const inserted = await tx.query(INSERT, [
      account.id,
      account.name,
      account.tradingName,
      account.locationId,
      account.merchantId,
      JSON.stringify(account.settings),
      [...account.currencies],
      account.createdAt,
      account.cardAttestationUntil ?? null,
    ]);
    if (inserted.length === 0) return false;
    await createSandboxClock(tx, database.isSeeded ? SEEDED_START : null);
    scheduleRetention(tx);
    scheduleReconciliation(tx);
    return true;
  });
}

export async function findAccount(reader: Reader): Promise<Account | null> {
  const [row] = await reader.query<AccountQueryRow>(SELECT, [reader.scope.accountId]);
  return row === undefined ? null : fromRow(row);
}

/** The account of the scope; a scope without one is a defect, because every key belongs to an account. */
export async function getAccount(reader: Reader): Promise<Account> {
  return requireValue(await findAccount(reader), `account ${reader.scope.accountId}`);
}

/** Changes these settings of the account of the scope, and no others. */
export async function updateAccountSettings(tx: Tx, change: Pick<AccountSettings, 'hasSandboxEpos'>): Promise<void> {
  const changed = await tx.query(UPDATE_SETTINGS, [tx.scope.accountId, JSON.stringify(change)]);
  requireValue(changed[0], `account ${tx.scope.accountId}`);
}

function fromRow(row: AccountQueryRow): Account {
  return {
    id: parseKnownId('account', row.account_id),
    name: row.name,
    tradingName: row.trading_name,
    locationId: parseKnownId('location', row.location_id),
    merchantId: row.merchant_id,
    currencies: row.currencies,
    settings: resolveAccountSettings(row.settings),
    createdAt: row.created_at,
    cardAttestationUntil: row.saq_d_valid_until,
  };
}
