import { randomBytes } from 'node:crypto';
import { type AccountStatus, requireSettingValues, resolveAccountSettings } from '@pos/core/accounts';
import type { AuditedChange } from '@pos/core/administration';
import type { AccountId } from '@pos/core/identity';
import { createId, createTimeOrderedBytes } from '@pos/core/ids';
import { createViolation } from '@pos/core/refusals';
import { UTC } from '@pos/core/time';
import type { Database, Tx } from '@pos/store/database';
import {
  type AdministeredAccount,
  insertAccount,
  listAccountIds,
  listAdministeredAccounts,
  updateAccountStatus,
} from '@pos/store/repositories';
import { claimMerchantIds } from '@pos/payments/accounts';
import { recordChange, requireAccount, requireLine, requireLockedAccount } from '@pos/payments/audit';
import { requireTimeZone } from './location-administration.js';

/** An account to create. */
export interface NewAccountRequest {
  readonly name: string;
  readonly tradingName: string;
  /** Names the account at the acquirer; no two accounts share it. */
  readonly merchantId: string;
  readonly currencies: readonly string[];
  /** The address and the phone number at the head of receipts. */
  readonly site?: string;
  readonly phoneNumber?: string;
  /** The time zone of the first location, in both environments; `UTC` when left out. */
  readonly timeZone?: string;
  /** For reproducible worlds; made from the time and at random when left out. */
  readonly id?: AccountId;
  readonly locationId?: AdministeredAccount['locationId'];
}

const NAME_LENGTH_MAX = 200;
const PAGE_SIZE = 500;

/**
 * Creates an account with its first location, in both environments. It has no keys yet. Refuses a merchant number
 * that another account has, and an id that exists.
 */
export async function createAccount(
  database: Database,
  change: AuditedChange,
  request: NewAccountRequest,
): Promise<AdministeredAccount> {
  const { name, tradingName, merchantId, currencies, site, phoneNumber } = request;
  const members = { tradingName, merchantId, currencies };
  requireSettingValues({
    ...members,
    ...(site !== undefined && { site }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  });
  requireLine('name', name, NAME_LENGTH_MAX);
  const { timeZone = UTC } = request;
  requireTimeZone(timeZone);
  const now = await database.now();
  const createBytes = () => createTimeOrderedBytes(now, randomBytes(16));
  const id = request.id ?? createId('account', 'production', createBytes());
  const locationId = request.locationId ?? createId('location', 'production', createBytes());
  // In the sandbox, because the clock of the account's sandbox is created with it.
  return database.transact({ accountId: id, environment: 'sandbox' }, async (tx) => {
    const settings = { ...(site !== undefined && { site }), ...(phoneNumber !== undefined && { phoneNumber }) };
    const account = { id, name, ...members, locationId, timeZone, settings, createdAt: now };
    const isNew = await insertAccount(tx, account, { isSeeded: database.isSeeded });
    if (!isNew) throw createViolation('validation_failed', 'id', 'is the id of another account');
    await claimMerchantIds(tx, { merchantId, settings: resolveAccountSettings(settings) });
    await recordChange(tx, change, {
      action: 'CreateAccount',
      subject: id,
      after: { name, ...members, ...settings, timeZone },
    });
    return requireAccount(tx);
  });
}

/**
 * Refuses the keys of the account, and new payments of payers without a key, from now on. What runs is finished by the
 * service.
 */
export function disableAccount(tx: Tx, change: AuditedChange): Promise<AdministeredAccount> {
  return changeStatus(tx, change, 'Disabled');
}

/** Accepts the keys of the account and its payers again. */
export function enableAccount(tx: Tx, change: AuditedChange): Promise<AdministeredAccount> {
  return changeStatus(tx, change, 'Active');
}

async function changeStatus(tx: Tx, change: AuditedChange, status: AccountStatus): Promise<AdministeredAccount> {
  const { id, status: before } = await requireLockedAccount(tx);
  if (before === status) {
    const state = status === 'Active' ? 'enabled' : 'disabled';
    throw createViolation('validation_failed', 'account', `is ${state} already`);
  }
  await updateAccountStatus(tx, status, change.reason);
  const action = status === 'Active' ? 'EnableAccount' : 'DisableAccount';
  await recordChange(tx, change, { action, subject: id, before: { status: before }, after: { status } });
  return requireAccount(tx);
}

/** The ids of all accounts, in their order. */
export function listAllAccountIds(database: Database): Promise<AccountId[]> {
  return listPages((after) => database.readSystem((reader) => listAccountIds(reader, after ?? '', PAGE_SIZE)));
}

/** All accounts, in the order of their ids. */
export function listAccounts(database: Database): Promise<AdministeredAccount[]> {
  return listPages((after) =>
    database.readSystem((reader) => listAdministeredAccounts(reader, after?.id ?? '', PAGE_SIZE)),
  );
}

async function listPages<T>(readPage: (after: T | undefined) => Promise<T[]>): Promise<T[]> {
  const elements: T[] = [];
  for (;;) {
    const page = await readPage(elements.at(-1));
    elements.push(...page);
    if (page.length < PAGE_SIZE) return elements;
  }
}
