import { isUuid } from '@pos/core/ids';
import { keyed } from '@pos/core/refusal';
import { DAY_MS } from '@pos/core/timespan';
import type { TransactionStatus } from '@pos/core/transaction';
import { accountNow } from '@pos/store/clock';
import type { Reader } from '@pos/store/database';
import { searchTransactions, type Transaction } from '@pos/store/transactions';
import type { Accounts } from './accounts.js';
import { endsOf, type PageEnds, type PageWish, readPlace } from './cursors.js';

/** A search may span at most this. */
const SPAN_MAX_MS = 7 * DAY_MS;

/** Which lines are wanted: from a moment, inclusive, to another, exclusive. No end is now, no start a week before it. */
export interface TransactionSearch extends PageWish {
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly statuses: readonly TransactionStatus[];
}

export interface TransactionPage extends PageEnds {
  readonly transactions: readonly Transaction[];
  readonly merchantId: string;
}

/** What the account took, held and gave back, and what was refused, newest first. */
export async function listTransactions(
  { reader, accounts }: { readonly reader: Reader; readonly accounts: Accounts },
  search: TransactionSearch,
): Promise<TransactionPage> {
  const { startDate, endDate, before, after, ...terms } = search;
  const span = spanOf({ startDate, endDate }, await accountNow(reader));
  const place = readPlace(reader.scope, isUuid, { before, after }, 'cursor.');
  const page = await searchTransactions(reader, { ...terms, ...span, ...place });
  const { merchantId } = await accounts.get(reader);
  return { transactions: page.elements, merchantId, ...endsOf(reader.scope, page) };
}

function spanOf(
  { startDate, endDate }: Pick<TransactionSearch, 'startDate' | 'endDate'>,
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const end = (endDate ?? now).getTime();
  const start = startDate?.getTime() ?? end - SPAN_MAX_MS;
  if (start > end) throw keyed('validation_failed', 'startDate', 'must not be after endDate');
  if (end - start > SPAN_MAX_MS) throw keyed('validation_failed', 'startDate', 'must be at most 7 days before endDate');
  // What has happened until now is wanted, this millisecond included.
  return { from: new Date(start), to: new Date(endDate === null ? end + 1 : end) };
}
