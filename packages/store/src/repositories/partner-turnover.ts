import { PAYMENT_INTENT_STATUSES } from '@pos/core/payment-intents';
import type { PartnerName, PartnerTurnover } from '@pos/core/accounts';
import type { Environment } from '@pos/core/identity';
import { money } from '@pos/core/money';
import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** A span of time, from one moment to before another. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Sales and captures that stand, and refunds, by the partners of their request; a request without partners has those of
 * the request that created the payment. Read along `transactions_newest`, account by account.
 */
const TURNOVER = defineStatement(
  'sum_partner_turnover',
  `select coalesce(c.software_house_id, p.software_house_id) as software_house_id,
     coalesce(c.reseller_id, p.reseller_id) as reseller_id, t.currency,
     count(*) filter (where t.type <> 'Refund')::integer as payments,
     coalesce(sum(t.amount + t.tips_amount + t.cashback_amount) filter (where t.type <> 'Refund'), 0)::bigint as taken,
     count(*) filter (where t.type = 'Refund')::integer as refunds,
     coalesce(sum(t.amount + t.tips_amount + t.cashback_amount) filter (where t.type = 'Refund'), 0)::bigint as returned
   from accounts a
   join transactions t on t.account_id = a.account_id
   left join acquirer_calls c
     on c.account_id = t.account_id and c.environment = t.environment and c.reference = t.acquirer_reference
   left join payment_intents p on p.account_id = t.account_id and p.environment = t.environment and p.id = t.intent_id
   where t.environment = $1 and t.created_at >= $2 and t.created_at < $3
     and t.status = 'Authorized' and t.type in ('Sale', 'Collection', 'Refund')
   group by 1, 2, 3`,
);

/**
 * The partners that rows of the span name. Payments have an index by status and time of creation, so that each status is a
 * range of it; calls have one by their time of creation.
 */
const USED = defineStatement(
  'list_used_partners',
  `select distinct r.software_house_id, r.reseller_id from accounts a
   join payment_intents r on r.account_id = a.account_id
   where r.environment = $1 and r.status = any ($4) and r.created_at >= $2 and r.created_at < $3
     and (r.software_house_id is not null or r.reseller_id is not null)
   union
   select distinct r.software_house_id, r.reseller_id from accounts a
   join acquirer_calls r on r.account_id = a.account_id
   where r.environment = $1 and r.created_at >= $2 and r.created_at < $3
     and (r.software_house_id is not null or r.reseller_id is not null)`,
);

interface PartnerColumns {
  readonly software_house_id: string | null;
  readonly reseller_id: string | null;
}

interface TurnoverRow extends PartnerColumns {
  readonly currency: string;
  readonly payments: number;
  readonly taken: number;
  readonly refunds: number;
  readonly returned: number;
}

/** The turnover of a span by partners and currency, over all accounts. The caller keeps the span short: each row of it is read. */
export async function sumPartnerTurnover(
  reader: SystemReader,
  environment: Environment,
  { from, to }: TimeSpan,
): Promise<PartnerTurnover[]> {
  const rows = await reader.query<TurnoverRow>(TURNOVER, [environment, from, to]);
  return rows.map((row) => ({
    partners: { softwareHouseId: row.software_house_id, resellerId: row.reseller_id },
    ...{ paymentCount: row.payments, taken: money(row.taken, row.currency) },
    ...{ refundCount: row.refunds, returned: money(row.returned, row.currency) },
  }));
}

/** The partners that payments and money calls of a span name. */
export async function listUsedPartners(
  reader: SystemReader,
  environment: Environment,
  { from, to }: TimeSpan,
): Promise<PartnerName[]> {
  const rows = await reader.query<PartnerColumns>(USED, [environment, from, to, PAYMENT_INTENT_STATUSES]);
  const toNames = (kind: PartnerName['kind'], id: string | null) => (id === null ? [] : [{ kind, id }]);
  return rows.flatMap(({ software_house_id: house, reseller_id: reseller }) => [
    ...toNames('software-house', house),
    ...toNames('reseller', reseller),
  ]);
}
