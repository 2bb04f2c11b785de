import {
  type Account,
  type AcquirerMerchantId,
  DEFAULT_ACQUIRER,
  getMerchantId,
  listMerchantIds,
} from '@pos/core/accounts';
import type { AccountId } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import {
  claimMerchantId,
  isMerchantIdInUse,
  listClaimedMerchantIds,
  releaseMerchantId,
  reviveMerchantId,
} from '@pos/store/repositories';

type ClaimingAccount = Pick<Account, 'merchantId' | 'settings'>;

/**
 * Claims every number of the account of the transaction, which has these settings from now on. A number that it has no
 * longer is given up if no call was made under it: as long as there is one, the comparison of books reads the list of
 * that number for this account. Refuses `validation_failed` for a number of another account, by the setting that leads
 * to it (ADR 0088).
 */
export async function claimMerchantIds(tx: Tx, account: ClaimingAccount): Promise<void> {
  const claimed = await listClaimedMerchantIds(tx);
  const names = new Set(claimed.map(formatMerchantId));
  for (const each of listMerchantIds(account)) {
    if (names.has(formatMerchantId(each))) continue;
    const owner = await claimMerchantId(tx, each);
    if (owner !== tx.scope.accountId) throw createTakenRefusal(account, each, owner);
    await reviveMerchantId(tx, each);
  }
  // After the claims: of two accounts that exchange their numbers neither waits for the other.
  for (const each of claimed) {
    const isOurs = getMerchantId(account, each) === each.merchantId;
    if (!isOurs && !(await isMerchantIdInUse(tx, each))) await releaseMerchantId(tx, each);
  }
}

function createTakenRefusal({ settings }: ClaimingAccount, taken: AcquirerMerchantId, owner: AccountId) {
  const { environment, acquirer, merchantId } = taken;
  if (Object.hasOwn(settings.merchantIds[environment], acquirer)) {
    const message = `gives ${acquirer} the number ${merchantId}, which is that of account ${owner}`;
    return createViolation('validation_failed', `merchantIds.${environment}`, message);
  }
  if (acquirer !== DEFAULT_ACQUIRER) {
    const message = `needs a number for ${acquirer}, where ${merchantId} is that of account ${owner}`;
    return createViolation('validation_failed', `merchantIds.${environment}`, message);
  }
  return createViolation('validation_failed', 'merchantId', `is the number of account ${owner}`);
}

function formatMerchantId({ environment, acquirer, merchantId }: AcquirerMerchantId): string {
  return JSON.stringify([environment, acquirer, merchantId]);
}
