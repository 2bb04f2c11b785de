import { defineStatement } from '@pos/postgres/statements';
import type { Reader } from '../database/transaction.js';

/** A call to the EPOS of an account whose result is stored. */
export interface EposCallRecord {
  readonly kind: 'Event' | 'RecordPayment' | 'PlaceOrder';
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly at: Date;
}

const LAST = defineStatement(
  'list_last_epos_calls',
  `select kind, id, state, attempts, last_error as "lastError", at from (
     (select 'Event' as kind, id, state, attempts, last_error, updated_at as at from deliveries
      where account_id = $1 and environment = $2 and subscription_id is null and attempts > 0
      order by updated_at desc limit $3)
     union all
     (select 'RecordPayment', id, state, record_calls, last_error, updated_at from table_payments
      where account_id = $1 and environment = $2 and record_calls > 0 order by updated_at desc limit $3)
     union all
     (select 'PlaceOrder', id, state, place_calls, last_error, updated_at from order_placements
      where account_id = $1 and environment = $2 and place_calls > 0 order by updated_at desc limit $3)
   ) calls order by at desc, id limit $3`,
);

/** The last calls of each kind together, newest first. */
export function listLastEposCalls(reader: Reader, limit: number): Promise<EposCallRecord[]> {
  return reader.query<EposCallRecord>(LAST, [reader.scope.accountId, reader.scope.environment, limit]);
}
