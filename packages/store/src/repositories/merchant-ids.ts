import type { AcquirerMerchantId } from '@pos/core/accounts';
import { type AccountId, type Environment, parseKnownId } from '@pos/core/identity';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

const CLAIM = defineStatement(
  'claim_merchant_id',
  `insert into merchant_ids (environment, acquirer, merchant_id, account_id, claimed_at) values ($1, $2, $3, $4, $5)
   on conflict (environment, acquirer, merchant_id) do nothing returning account_id`,
);
const OWNER = defineStatement(
  'read_merchant_id_owner',
  'select account_id from merchant_ids where environment = $1 and acquirer = $2 and merchant_id = $3',
);
const OF_ACCOUNT = defineStatement(
  'list_claimed_merchant_ids',
  'select environment, acquirer, merchant_id from merchant_ids where account_id = $1',
);
const RELEASE = defineStatement(
  'release_merchant_id',
  `delete from merchant_ids where account_id = $1 and environment = $2 and acquirer = $3 and merchant_id = $4
   returning account_id`,
);
const IN_USE = defineStatement(
  'is_merchant_id_in_use',
  `select true as used from acquirer_calls where account_id = $1 and environment = $2 and acquirer = $3
     and merchant_id = $4 limit 1`,
);

/**
 * Claims the number for the account of the transaction, and returns the account that has it: another one if that has
 * claimed it before. Waits for a transaction that claims the same number at this moment.
 */
export async function claimMerchantId(tx: Tx, claimed: AcquirerMerchantId): Promise<AccountId> {
  const key = [claimed.environment, claimed.acquirer, claimed.merchantId];
  for (;;) {
    const inserted = await tx.query<{ account_id: string }>(CLAIM, [...key, tx.scope.accountId, tx.databaseNow]);
    const [owner] = inserted.length > 0 ? inserted : await tx.query<{ account_id: string }>(OWNER, key);
    // Without an owner it was given up between both statements.
    if (owner !== undefined) return parseKnownId('account', owner.account_id);
  }
}

/** The numbers that the account of the scope has claimed, in no order. */
export async function listClaimedMerchantIds(reader: Reader): Promise<AcquirerMerchantId[]> {
  const rows = await reader.query<{ environment: Environment; acquirer: string; merchant_id: string }>(OF_ACCOUNT, [
    reader.scope.accountId,
  ]);
  return rows.map(({ environment, acquirer, merchant_id: merchantId }) => ({ environment, acquirer, merchantId }));
}

/** Gives a number of the account up: from the commit on another account may have it. */
export async function releaseMerchantId(
  tx: Tx,
  { environment, acquirer, merchantId }: AcquirerMerchantId,
): Promise<void> {
  await tx.query(RELEASE, [tx.scope.accountId, environment, acquirer, merchantId]);
}

/** Whether a call of the account was made under the number. */
export async function isMerchantIdInUse(
  reader: Reader,
  { environment, acquirer, merchantId }: AcquirerMerchantId,
): Promise<boolean> {
  const rows = await reader.query(IN_USE, [reader.scope.accountId, environment, acquirer, merchantId]);
  return rows.length > 0;
}
