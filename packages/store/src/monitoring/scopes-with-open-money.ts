import { type Environment, parseKnownId, type Scope } from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';
import { OPEN_ORDER_PLACEMENT } from '../tables/order-placements.js';
import { OPEN_TABLE_PAYMENT } from '../tables/table-payments.js';

/**
 * Each part selects at least the rows of one part of the pending list, along its partial index. A call within its
 * deadline is on no list, so that a busy hour does not name every account.
 */
const SCOPES = defineStatement(
  'list_scopes_with_open_money',
  `select account_id, environment from table_payments where ${OPEN_TABLE_PAYMENT}
   union select account_id, environment from order_placements where ${OPEN_ORDER_PLACEMENT}
   union select account_id, environment from acquirer_calls
     where state <> 'Settled' and reverse_reference is null
       and (state in ('Unknown', 'Declined') or deadline_at <= clock_timestamp())
   union select account_id, environment from reconciliation_differences where state = 'Open'
   order by 1, 2`,
);

/** The accounts and environments whose pending list may have a line; every other one has none. */
export async function listScopesWithOpenMoney(reader: SystemReader): Promise<Scope[]> {
  const rows = await reader.query<{ readonly account_id: string; readonly environment: Environment }>(SCOPES, []);
  return rows.map(({ account_id: id, environment }) => ({ accountId: parseKnownId('account', id), environment }));
}
