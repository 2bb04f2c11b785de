import { isUuid } from '@pos/core/ids';
import { createViolation } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import type { TransactionStatus } from '@pos/core/ledger';
import { getAccountTime } from '@pos/store/clock';
import type { Reader } from '@pos/store/database';
import { type CardTransaction, listCallsByReference, searchTransactions } from '@pos/store/payments';
import type { AccountCache } from '../accounts/account-cache.js';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';

/** The longest span of a search. */
const SPAN_MAX_MS = 7 * DAY_MS;

/**
 * The requested lines: from a time, inclusive, to another, exclusive. Without an end until now, without a start a
 * week before the end.
 */
export interface TransactionQuery extends PageQuery {
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly statuses: readonly TransactionStatus[];
}

/** A line with the number of the merchant under which it was authorised. */
export interface MerchantTransaction extends CardTransaction {
  readonly merchantId: string;
}

export interface TransactionPage extends PageCursors {
  readonly transactions: readonly MerchantTransaction[];
}

/** The transactions of the account, including refused ones, newest first. */
export async function listTransactions(
  { reader, accounts }: { readonly reader: Reader; readonly accounts: AccountCache },
  search: TransactionQuery,
): Promise<TransactionPage> {
  const { startDate, endDate, before, after, ...terms } = search;
  const range = resolveRange({ startDate, endDate }, await getAccountTime(reader));
  const position = readPosition(reader.scope, isUuid, { before, after, memberPrefix: 'cursor.' });
  const page = await searchTransactions(reader, { ...terms, ...range, ...position });
  const references = page.elements.map(({ acquirerReference }) => acquirerReference);
  const [account, calls] = await Promise.all([accounts.get(reader), listCallsByReference(reader, references)]);
  const numbers = new Map(calls.map((call) => [call.reference, call.merchantId]));
  const transactions = page.elements.map((line) => ({
    ...line,
    merchantId: numbers.get(line.acquirerReference) ?? account.merchantId,
  }));
  return { transactions, ...buildPageCursors(reader.scope, page) };
}

function resolveRange(
  { startDate, endDate }: Pick<TransactionQuery, 'startDate' | 'endDate'>,
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const end = (endDate ?? now).getTime();
  const start = startDate?.getTime() ?? end - SPAN_MAX_MS;
  if (start > end) throw createViolation('validation_failed', 'startDate', 'must not be after endDate');
  if (end - start > SPAN_MAX_MS)
    throw createViolation('validation_failed', 'startDate', 'must be at most 7 days before endDate');
  // Transactions until now are included, also those of this millisecond.
  return { from: new Date(start), to: new Date(endDate === null ? end + 1 : end) };
}
