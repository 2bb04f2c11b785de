import type { ActivityDetails, ActivityOutcome } from '@pos/core/activities/activity';
import type { DeliveryId } from '@pos/core/identity/identity';
import { defineStatement } from '../postgres/statement.js';
import type { Reader } from '../database/transaction.js';

/** One attempt to deliver an event, from the activity log. */
export interface DeliveryAttemptEntry {
  readonly traceId: string;
  readonly outcome: ActivityOutcome;
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
  readonly details: ActivityDetails;
  readonly createdAt: Date;
}

const ATTEMPTS_MAX = 100;

/** By the subject of the event, which the log has an index for. */
const ATTEMPTS = defineStatement(
  'delivery_attempts',
  `select trace_id as "traceId", outcome, status, reason as error, took_ms as "tookMs", details,
     created_at as "createdAt"
   from activities
   where account_id = $1 and environment = $2 and subject_id = $3 and kind = 'WebhookAttempt'
     and details ->> 'reference' = $4
   order by created_at desc, id desc limit ${ATTEMPTS_MAX}`,
);

/** The attempts of a delivery that the log still has, newest first, 100 at most. */
export function listDeliveryAttempts(
  reader: Reader,
  { id, subjectId }: { readonly id: DeliveryId; readonly subjectId: string },
): Promise<readonly DeliveryAttemptEntry[]> {
  const { accountId, environment } = reader.scope;
  return reader.query<DeliveryAttemptEntry>(ATTEMPTS, [accountId, environment, subjectId, id]);
}
