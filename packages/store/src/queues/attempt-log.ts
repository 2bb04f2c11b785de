import type { ActivityOutcome, NewActivity } from '@pos/core/activities';
import { insertActivities } from '../activities/activity-batch.js';
import type { Tx } from '../database/transaction.js';
import type { AttemptRecord, ClaimedLane } from './claimed-lane.js';

/** Stores the attempts of a lane in the activity log, in the transaction that stores their results. */
export function logAttempts(tx: Tx, lane: ClaimedLane, attempts: readonly AttemptRecord[]): void {
  insertActivities(
    tx,
    attempts.flatMap((attempt): NewActivity[] => {
      const delivery = lane.deliveries.find(({ number }) => number === attempt.number);
      if (delivery === undefined || attempt.timing === undefined) return [];
      return [
        {
          ...{ scope: tx.scope, kind: 'WebhookAttempt', name: delivery.kind, subjectId: delivery.subjectId },
          ...{ outcome: toOutcome(attempt), status: attempt.status, reason: attempt.error },
          ...{ keyId: null, traceId: null, ...attempt.timing },
          details: {
            ...{ reference: delivery.id, attempt: delivery.attempts + 1 },
            ...(typeof attempt.answer === 'string' && { answer: { text: attempt.answer } }),
          },
        },
      ];
    }),
  );
}

const SERVER_ERROR_STATUS_MIN = 500;

function toOutcome({ isDelivered, status }: AttemptRecord): ActivityOutcome {
  if (isDelivered) return 'Succeeded';
  return status !== null && status < SERVER_ERROR_STATUS_MIN ? 'Refused' : 'Failed';
}
