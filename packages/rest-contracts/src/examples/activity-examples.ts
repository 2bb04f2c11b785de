import { IDS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const MOMENT = '2026-03-01T12:00:00.000Z';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const refund = {
  ...{ at: MOMENT, name: 'refundPaymentIntent', traceId: TRACE_ID, tookMs: 48 },
  ...{ method: 'POST', path: `/payment-intents/${IDS.paid}/refunds`, hasIdempotencyKey: true, subjectId: IDS.paid },
};

/** About the payment that the first examples have created, paid and refunded. */
export const ACTIVITY_EXAMPLES: readonly OperationExample[] = [
  accept('listPaymentActivities', 'A payment that was paid, and refunded in part', {
    params: { paymentIntentId: IDS.paid },
    query: { limit: '100' },
    answer: {
      data: [
        {
          ...{ id: IDS.refundRequest, kind: 'ApiRequest', ...refund, outcome: 'Succeeded', status: 200 },
          request: { amount: 500, refundReason: '[not recorded]' },
        },
        {
          ...{ id: IDS.refundCall, kind: 'AcquirerCall', name: 'Refund', subjectId: IDS.refund, at: MOMENT },
          ...{ traceId: TRACE_ID, outcome: 'Succeeded', tookMs: 21 },
          request: { amount: { value: 500, currencyCode: 'GBP' } },
        },
        {
          ...{ id: IDS.capturedState, kind: 'StateChange', name: 'Captured', subjectId: IDS.paid, at: MOMENT },
          answer: { amount: { value: 1650, currencyCode: 'GBP' } },
        },
      ],
      before: null,
      after: null,
    },
  }),
  refuse(
    'listPaymentActivities',
    { params: { paymentIntentId: IDS.unknownIntent } },
    {
      summary: 'No payment has the id',
      reason: 'payment_intent_not_found',
      detail: 'there is no such payment intent',
    },
  ),
  accept('listRequests', 'The refunds that were refused, with what was sent', {
    query: { operation: 'refundPaymentIntent', outcome: 'Refused', limit: '10' },
    answer: {
      data: [
        {
          ...{ id: IDS.refusedRequest, ...refund, outcome: 'Refused', status: 400, reason: 'refund_exceeds_captured' },
          keyId: IDS.playedKey,
          request: { amount: 999_900 },
        },
      ],
      before: null,
      after: null,
    },
  }),
  refuse(
    'listRequests',
    { query: { traceId: '4bf92f35' } },
    {
      summary: 'A trace id has 32 hex digits',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { traceId: ['Must be 32 lower-case hex digits.'] },
    },
  ),
  accept('groupErrors', 'The errors of the last day', {
    answer: {
      data: [
        {
          ...{ name: 'refundPaymentIntent', status: 400, reason: 'refund_exceeds_captured', count: 1 },
          ...{ lastAt: MOMENT, lastTraceId: TRACE_ID },
        },
      ],
      isComplete: true,
    },
  }),
  refuse(
    'groupErrors',
    { query: { from: '2026-03-01T00:00:00Z', to: '2026-03-10T00:00:00Z' } },
    {
      summary: 'A period has at most seven days',
      reason: 'validation_failed',
      detail: 'must be at most 7 days before to',
      errors: { from: ['must be at most 7 days before to'] },
    },
  ),
];
