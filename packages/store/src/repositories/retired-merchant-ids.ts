import type { AcquirerMerchantId } from '@pos/core/accounts';
import type { Environment } from '@pos/core/identity';
import { column, defineRelation } from '../relations/relation.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

export const retiredMerchantIds = defineRelation('retired_merchant_ids', {
  acquirer: column.key,
  merchant_id: column.key,
  retired_at: column.timestamp,
});

const RETIRE = defineStatement(
  'retire_merchant_id',
  `insert into retired_merchant_ids (account_id, environment, acquirer, merchant_id, retired_at) values ($1, $2, $3, $4, $5)
   on conflict (account_id, environment, acquirer, merchant_id) do update set retired_at = excluded.retired_at`,
);
const REVIVE = defineStatement(
  'revive_merchant_id',
  `delete from retired_merchant_ids where account_id = $1 and environment = $2 and acquirer = $3 and merchant_id = $4
   returning merchant_id`,
);
const RETIRED = defineStatement(
  'list_retired_merchant_ids',
  'select environment, acquirer, merchant_id from retired_merchant_ids where account_id = $1 and environment = $2',
);
const OPEN_MONEY = defineStatement(
  'find_open_money',
  `with own as (
     select c.* from acquirer_calls c where c.account_id = $1 and c.environment = $2 and c.acquirer = $3
       and c.merchant_id = $4
   )
   select
     (select count(*)::int from own where state <> 'Settled' and reverse_reference is null) as open_calls,
     (select count(*)::int from payment_intents i where i.account_id = $1 and i.environment = $2
        and i.id in (select intent_id from own)
        and (i.pending_capture > 0 or i.pending_refund > 0 or i.captured > i.refunded
          or (i.status = 'Authorized' and i.authorized > 0))) as kept_payments,
     (select count(*)::int from reconciliation_differences d where d.account_id = $1 and d.environment = $2
        and d.acquirer = $3 and d.state = 'Open'
        and d.first_seen_at >= (select min(created_at) from own)) as open_differences,
     (select max(created_at) from own where outcome in ('Approved', 'Reversed')) as last_money_at,
     (select reconciled_to from reconciliations r where r.account_id = $1 and r.environment = $2) as reconciled_to,
     (select count(*)::int from uncompared_days u where u.account_id = $1 and u.environment = $2 and u.acquirer = $3
        and u.day between (select min(created_at)::date - 1 from own where outcome in ('Approved', 'Reversed'))
          and (select max(created_at)::date + 1 from own where outcome in ('Approved', 'Reversed'))) as uncompared_days`,
);

/** What is open under a number of the account. */
export interface OpenMoney {
  /** Calls without an outcome. */
  readonly openCalls: number;
  /** Payments whose money is held or taken, and not wholly given back. */
  readonly keptPayments: number;
  readonly openDifferences: number;
  /** Whether money moved under the number on a day whose comparison with the books is not complete. */
  readonly isUncompared: boolean;
}

interface OpenMoneyRow {
  readonly open_calls: number;
  readonly kept_payments: number;
  readonly open_differences: number;
  readonly last_money_at: Date | null;
  readonly reconciled_to: Date | null;
  readonly uncompared_days: number;
}

/** What is open under the number. */
export async function findOpenMoney(
  tx: Tx,
  { environment, acquirer, merchantId }: AcquirerMerchantId,
): Promise<OpenMoney> {
  const values = [tx.scope.accountId, environment, acquirer, merchantId];
  const [row] = await tx.query<OpenMoneyRow>(OPEN_MONEY, values);
  const { last_money_at: last = null, reconciled_to: comparedTo = null } = row ?? {};
  return {
    openCalls: row?.open_calls ?? 0,
    keptPayments: row?.kept_payments ?? 0,
    openDifferences: row?.open_differences ?? 0,
    isUncompared: (last !== null && (comparedTo === null || comparedTo <= last)) || (row?.uncompared_days ?? 0) > 0,
  };
}

/** Stores that the number is the account's no longer, although calls were made under it. */
export async function retireMerchantId(
  tx: Tx,
  { environment, acquirer, merchantId }: AcquirerMerchantId,
): Promise<void> {
  await tx.query(RETIRE, [tx.scope.accountId, environment, acquirer, merchantId, tx.databaseNow]);
}

/** The account has the number again. */
export async function reviveMerchantId(
  tx: Tx,
  { environment, acquirer, merchantId }: AcquirerMerchantId,
): Promise<void> {
  await tx.query(REVIVE, [tx.scope.accountId, environment, acquirer, merchantId]);
}

/** The retired numbers of the account in the environment of the scope. */
export async function listRetiredMerchantIds(reader: Reader): Promise<AcquirerMerchantId[]> {
  const { accountId, environment } = reader.scope;
  type Row = { environment: Environment; acquirer: string; merchant_id: string };
  const rows = await reader.query<Row>(RETIRED, [accountId, environment]);
  return rows.map((row) => ({ environment: row.environment, acquirer: row.acquirer, merchantId: row.merchant_id }));
}
