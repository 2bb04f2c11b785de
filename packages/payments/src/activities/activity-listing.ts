import type { ActivityOutcome } from '@pos/core/activities';
import { isId } from '@pos/core/identity';
import { createViolation, Refusal } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import {
  type ErrorGroups,
  groupErrors,
  isPaymentActivityId,
  listPaymentActivities,
  type PaymentActivity,
  type RequestActivity,
  searchRequests,
} from '@pos/store/activities';
import { getAccountTime } from '@pos/store/clock';
import type { Reader } from '@pos/store/database';
import { findIntent } from '@pos/store/payments';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';

/** A page of the timeline of a payment, newest first. */
export interface PaymentActivityPage extends PageCursors {
  readonly activities: readonly PaymentActivity[];
}

/** Lists everything that happened to a payment. Refuses `payment_intent_not_found`. */
export async function listActivitiesOfPayment(
  reader: Reader,
  { id, limit, ...query }: PageQuery & { readonly id: string },
): Promise<PaymentActivityPage> {
  const intent = isId('paymentIntent', id, reader.scope.environment) ? await findIntent(reader, id) : null;
  if (intent === null) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
  const position = readPosition(reader.scope, isPaymentActivityId, query);
  const now = await getAccountTime(reader);
  const page = await listPaymentActivities(reader, intent.id, { limit, ...position, now });
  return { activities: page.elements, ...buildPageCursors(reader.scope, page) };
}

/** Which requests are listed; absent: any. `from` is inclusive, `to` is exclusive. */
export interface RequestQuery extends PageQuery {
  readonly operation?: string | undefined;
  readonly outcome?: ActivityOutcome | undefined;
  readonly status?: number | undefined;
  readonly keyId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** A page of requests, newest first. */
export interface RequestPage extends PageCursors {
  readonly requests: readonly RequestActivity[];
}

/** Lists the requests of the account. */
export async function listAccountRequests(reader: Reader, query: RequestQuery): Promise<RequestPage> {
  const { operation = null, outcome = null, status = null, keyId = null, traceId = null } = query;
  const { from = null, to = null, limit, before, after } = query;
  if (from !== null && to !== null && from > to)
    throw createViolation('validation_failed', 'from', 'must not be after to');
  const position = readPosition(reader.scope, isRequestId, { before, after });
  const search = { name: operation, outcome, status, keyId, traceId, from, to, limit, ...position };
  const page = await searchRequests(reader, search);
  return { requests: page.elements, ...buildPageCursors(reader.scope, page) };
}

const PERIOD_DEFAULT_MS = DAY_MS;
const PERIOD_MAX_MS = 7 * DAY_MS;

/** Groups the unsuccessful requests of a period; without an end until now, without a start a day before the end. */
export async function groupErrorsOfPeriod(
  reader: Reader,
  period: { readonly from?: Date | undefined; readonly to?: Date | undefined },
): Promise<ErrorGroups> {
  // Requests until now are included, also those of this millisecond.
  const to = period.to ?? new Date((await getAccountTime(reader)).getTime() + 1);
  const from = period.from ?? new Date(to.getTime() - PERIOD_DEFAULT_MS);
  if (from > to) throw createViolation('validation_failed', 'from', 'must not be after to');
  if (to.getTime() - from.getTime() > PERIOD_MAX_MS)
    throw createViolation('validation_failed', 'from', 'must be at most 7 days before to');
  return groupErrors(reader, { from, to });
}

function isRequestId(id: string): boolean {
  return /^[0-9a-f]{16}$/.test(id);
}
