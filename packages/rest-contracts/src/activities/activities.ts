import { ACTIVITY_OUTCOMES, ACTIVITY_TAG, PAYMENT_ACTIVITY_KINDS } from '@pos/core/activities';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { getPage, isOneDirection, Moment, MomentInput, ONE_DIRECTION, PAGE_MEMBERS, text } from '../shapes/shapes.js';

const Recorded = z.record(z.string(), z.unknown()).meta({
  description: 'Members that are not listed for the log have the value `[not recorded]`; a long body is cut.',
});

const entry = {
  at: Moment.meta({ description: 'When it began.' }),
  name: z.string().meta({
    description:
      'The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook, the new status of a change, or what a machine reported.',
  }),
  traceId: z
    .string()
    .optional()
    .meta({ description: 'The trace in which it happened: 32 hex digits, as in the header `trace-id`.' }),
  outcome: z.enum(ACTIVITY_OUTCOMES).optional().meta({
    description: 'Refused: the other side answered with a refusal. Failed: it did not answer, or with an error.',
  }),
  status: z.int().optional().meta({ description: 'The HTTP status, where there is one.' }),
  reason: z.string().optional().meta({ description: 'The code of the refusal, or why it failed.' }),
  tookMs: z.int().min(0).optional().describe('How long it took, in milliseconds; absent where it is not measured.'),
  method: z.string().optional().describe('HTTP method; absent where there was none.'),
  path: z.string().optional().describe('Path that was called; absent where there was none.'),
  hasIdempotencyKey: z.boolean().optional().describe('Whether the request had an idempotency key.'),
  request: Recorded.optional(),
  answer: Recorded.optional(),
};

const PaymentActivity = z
  .object({
    id: z.string().describe('Id of the entry; its form has no meaning.'),
    kind: z.enum(PAYMENT_ACTIVITY_KINDS).describe('What happened: a request, a change, a call or a report.'),
    subjectId: z.string().meta({
      description: 'The payment intent, its session on a machine or at a table, or the reference of the acquirer call.',
    }),
    ...entry,
    reference: z
      .string()
      .optional()
      .meta({ description: 'The delivery of a webhook, or the table payment that an EPOS is called for.' }),
    attempt: z.int().min(1).optional().describe('Number of the attempt, from 1; absent where there are no attempts.'),
    transport: z
      .string()
      .optional()
      .meta({ description: 'How an EPOS was called; `machine`: the card machine called the acquirer.' }),
  })
  .meta({
    id: 'PaymentActivity',
    examples: [
      {
        id: '1.0af7651916cd43dd8448eb211c80319c.b7ad6b7169203331',
        kind: 'ApiRequest',
        name: 'capturePaymentIntent',
        subjectId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        at: '2026-03-01T12:00:00.000Z',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        outcome: 'Refused',
        status: 409,
        reason: 'not_capturable',
        tookMs: 12,
        method: 'POST',
        path: '/payment-intents/pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw/captures',
        hasIdempotencyKey: true,
        request: { amount: { value: 1250, currencyCode: 'GBP' } },
      },
    ],
  });
export type PaymentActivity = z.output<typeof PaymentActivity>;

const RequestActivity = z
  .object({
    id: z.string().describe('Id of the entry; its form has no meaning.'),
    ...entry,
    outcome: z.enum(ACTIVITY_OUTCOMES).describe('How the request ended: done, refused by a rule, or failed.'),
    traceId: z.string().describe('The trace of the request: 32 hex digits, as in the header `trace-id`.'),
    keyId: z.string().optional().meta({ description: 'The API key; absent for a request of a payer.' }),
    subjectId: z
      .string()
      .optional()
      .meta({ description: 'The payment, session or setup that it is about; absent for a successful read.' }),
  })
  .meta({
    id: 'RequestActivity',
    examples: [
      {
        id: 'b7ad6b7169203331',
        name: 'createPaymentIntent',
        at: '2026-03-01T12:00:00.000Z',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        outcome: 'Refused',
        status: 400,
        reason: 'validation_failed',
        tookMs: 4,
        method: 'POST',
        path: '/payment-intents',
        hasIdempotencyKey: false,
        keyId: 'key_AaH8KwlxavakGwZZljrhYw',
        request: { amount: { value: 0, currencyCode: 'GBP' } },
        answer: { status: 400, errors: { 'amount.value': ['Must be at least 1.'] } },
      },
    ],
  });
export type RequestActivity = z.output<typeof RequestActivity>;

const ErrorGroups = z
  .object({
    data: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The operation.' }),
          status: z.int().optional().describe('The HTTP status of the answers.'),
          reason: z.string().optional().meta({ description: 'The code of the refusal.' }),
          count: z.int().min(1).describe('How many requests of the period are in the group.'),
          lastAt: Moment.describe('When the newest of them began.'),
          lastTraceId: z.string().meta({ description: 'The trace of the newest of them.' }),
        }),
      )
      .describe('The groups, largest first.'),
    isComplete: z.boolean().meta({
      description:
        'False: only the newest 50,000 errors of the period are counted, or only the 100 largest groups are listed.',
    }),
  })
  .meta({
    id: 'ErrorGroups',
    examples: [
      {
        data: [
          {
            name: 'createPaymentIntent',
            status: 400,
            reason: 'validation_failed',
            count: 12,
            lastAt: '2026-03-01T12:00:00.000Z',
            lastTraceId: '0af7651916cd43dd8448eb211c80319c',
          },
        ],
        isComplete: true,
      },
    ],
  });

const shared = { tag: ACTIVITY_TAG, permission: 'activities.read', version: 'optional', idempotency: 'none' } as const;

const FILTER_LENGTH_MAX = 100;
const STATUS_MIN = 100;
const STATUS_MAX = 599;
const TRACE_ID = /^[0-9a-f]{32}$/;

export const listPaymentActivities = {
  ...shared,
  id: 'listPaymentActivities',
  method: 'GET',
  path: '/payment-intents/{paymentIntentId}/activities',
  summary: 'List everything that happened to a payment, newest first',
  description:
    'Requests, changes of state, calls to the acquirer, reports of the card machine, calls to the EPOS, and attempts of ' +
    'webhooks, in one order. Successful reads are no steps. Requests and calls appear within a second. They are kept for the time that the operator has ' +
    'set; changes of state and reports are kept with the payment.',
  params: z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') }),
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('PaymentActivityPage', PaymentActivity),
  refusals: ['payment_intent_not_found'],
} as const satisfies Operation;

export const listRequests = {
  ...shared,
  id: 'listRequests',
  method: 'GET',
  path: '/activities/requests',
  summary: 'List the requests of the account, newest first',
  description:
    'Also those that were refused or failed, but not those without a valid key or client secret. Secrets, card data and ' +
    'personal data are not recorded. A page looks through 10,000 entries at most: with filters it may have fewer elements ' +
    'than `limit`, or none, and `after` leads to the rest. Requests appear within a second.',
  query: z
    .object({
      ...PAGE_MEMBERS,
      operation: text({ min: 1, max: FILTER_LENGTH_MAX }).optional().meta({ description: 'The `operationId`.' }),
      outcome: z.enum(ACTIVITY_OUTCOMES).optional().describe('Only requests with this outcome; all when not sent.'),
      status: z
        .int()
        .min(STATUS_MIN)
        .max(STATUS_MAX)
        .optional()
        .describe('Only requests that were answered with this HTTP status.'),
      keyId: text({ min: 1, max: FILTER_LENGTH_MAX }).optional().describe('Only requests with this API key (`key_…`).'),
      traceId: z
        .string()
        .regex(TRACE_ID, { error: 'Must be 32 lower-case hex digits.' })
        .optional()
        .meta({ description: 'The second part of the header `trace-id` of an answer.' }),
      from: MomentInput.optional().meta({ description: 'Inclusive.' }),
      to: MomentInput.optional().meta({ description: 'Exclusive.' }),
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('RequestActivityPage', RequestActivity),
  refusals: [],
} as const satisfies Operation;

export const groupErrors = {
  ...shared,
  id: 'groupErrors',
  method: 'GET',
  path: '/activities/errors',
  summary: 'Count the unsuccessful requests of a period by operation, status and reason',
  description: 'The most frequent ones first. The period is at most seven days.',
  query: z.object({
    from: MomentInput.optional().meta({ description: 'Inclusive; a day before the end when not sent.' }),
    to: MomentInput.optional().meta({ description: 'Exclusive; now when not sent.' }),
  }),
  returns: ErrorGroups,
  refusals: [],
} as const satisfies Operation;

export const ACTIVITY_OPERATIONS = [listPaymentActivities, listRequests, groupErrors] as const;
