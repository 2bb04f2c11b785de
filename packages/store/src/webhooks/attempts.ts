import type { ActivityDetails, ActivityOutcome } from '@pos/core/activities';
import type { DeliveryId } from '@pos/core/identity';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader } from '../database/transaction.js';
import type { Delivery } from './deliveries.js';

/** One attempt to deliver an event, from the activity log. */
export interface DeliveryAttemptEntry {
  readonly deliveryId: DeliveryId;
  readonly traceId: string;
  readonly outcome: ActivityOutcome;
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
  readonly details: ActivityDetails;
  readonly createdAt: Date;
}

const ATTEMPTS_MAX = 100;
const ATTEMPTS_OF_LIST_MAX = 500;

/** By the subject of the event, which the log has an index for. */
const ATTEMPTS = defineStatement(
  'query_attempts',
  `select details ->> 'reference' as "deliveryId", trace_id as "traceId", outcome, status, reason as error,
     took_ms as "tookMs", details, created_at as "createdAt"
   from activities
   where account_id = $1 and environment = $2 and subject_id = any ($3::text[]) and kind = 'WebhookAttempt'
     and details ->> 'reference' = any ($4::text[])
   order by created_at desc, id desc limit $5`,
);

type LoggedDelivery = Pick<Delivery, 'id' | 'subjectId'>;

/** The attempts of a delivery that the log still has, newest first, 100 at most. */
export function listDeliveryAttempts(
  reader: Reader,
  delivery: LoggedDelivery,
): Promise<readonly DeliveryAttemptEntry[]> {
  return queryAttempts(reader, [delivery], ATTEMPTS_MAX);
}

/** The newest attempts of all these deliveries, newest first, 500 at most. */
export function listAttemptsOf(
  reader: Reader,
  deliveries: readonly LoggedDelivery[],
): Promise<readonly DeliveryAttemptEntry[]> {
  return queryAttempts(reader, deliveries, ATTEMPTS_OF_LIST_MAX);
}

function queryAttempts(
  reader: Reader,
  deliveries: readonly LoggedDelivery[],
  limit: number,
): Promise<readonly DeliveryAttemptEntry[]> {
  const { accountId, environment } = reader.scope;
  const subjectIds = [...new Set(deliveries.map(({ subjectId }) => subjectId))];
  const ids = deliveries.map(({ id }) => id);
  return reader.query<DeliveryAttemptEntry>(ATTEMPTS, [accountId, environment, subjectIds, ids, limit]);
}
