import type { ActivityDetails } from '@pos/core/activities';
import type * as rest from '@pos/rest-contracts/activities';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import type { PaymentActivity, RequestActivity } from '@pos/store/activities';

export function presentPaymentActivity(activity: PaymentActivity): rest.PaymentActivity {
  const { id, kind, name, subjectId, createdAt, traceId, outcome, status, reason, tookMs, details } = activity;
  const { reference, attempt, transport } = details;
  return {
    ...{ id, kind, name, subjectId, at: presentMoment(createdAt) },
    ...present({ traceId, outcome, status, reason, tookMs, reference, attempt, transport }),
    ...presentDetails(details),
  };
}

export function presentRequest(request: RequestActivity): rest.RequestActivity {
  const { id, name, outcome, traceId, status, reason, keyId, subjectId, tookMs, createdAt, details } = request;
  return {
    ...{ id, name, outcome, traceId, tookMs, at: presentMoment(createdAt) },
    ...present({ status, reason, keyId, subjectId }),
    ...presentDetails(details),
  };
}

function presentDetails({ method, path, hasIdempotencyKey, request, answer }: ActivityDetails) {
  return present({ method, path, hasIdempotencyKey, request: toMembers(request), answer: toMembers(answer) });
}

/** A body that is a list is shown as its elements. */
function toMembers(value: ActivityDetails['request']): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || typeof value !== 'object') return undefined;
  return Array.isArray(value) ? { elements: value } : (value as Readonly<Record<string, unknown>>);
}
