import type { Environment } from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** An acquirer that stored rows name, over all accounts. */
export interface AcquirerInUse {
  readonly environment: Environment;
  readonly name: string;
  /** Calls to it whose outcome is open. */
  readonly openCalls: number;
  /** Days whose books of it could not be read. */
  readonly unreadDays: number;
  /** Accounts whose settings name it for new payments. */
  readonly accounts: number;
}

const LIST = defineStatement(
  'list_acquirers_in_use',
  `select environment, name, sum(calls)::int as "openCalls", sum(days)::int as "unreadDays",
     sum(accounts)::int as accounts
   from (
     select environment, acquirer as name, count(*) as calls, 0 as days, 0 as accounts from acquirer_calls
       where state <> 'Settled' and reverse_reference is null group by environment, acquirer
     union all
     select environment, acquirer, 0, count(*), 0 from uncompared_days
       where reason = 'BooksUnread' group by environment, acquirer
     union all
     select 'sandbox', settings #>> '{acquirer,sandbox}', 0, 0, count(*) from accounts
       where settings #>> '{acquirer,sandbox}' is not null group by 2
     union all
     select 'production', settings #>> '{acquirer,production}', 0, 0, count(*) from accounts
       where settings #>> '{acquirer,production}' is not null group by 2
   ) used
   group by environment, name order by environment, name`,
);

/** Every acquirer that has open calls, unread books or an account that has chosen it, whether a process has it or not. */
export function listAcquirersInUse(reader: SystemReader): Promise<AcquirerInUse[]> {
  return reader.query(LIST, []);
}
