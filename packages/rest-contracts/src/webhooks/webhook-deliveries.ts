import { ACTIVITY_OUTCOMES } from '@pos/core/activities';
import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { DELIVERY_STATES, REPLAY_STATES } from '@pos/core/webhooks';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { isOneDirection, Moment, MomentInput, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';
import { createDeliveryLink } from './delivery-links.js';
import { WebhookEvent } from './events.js';

export const Delivery = z
  .object({
    id: z.string().describe('Id of the delivery (`dlv_…`), also in the header `delivery-id`.'),
    eventId: z.string().describe('Id of the event (`evt_…`) that is delivered.'),
    event: z.enum(SUBSCRIBABLE_EVENT_KINDS).describe('The kind of event.'),
    state: z.enum(DELIVERY_STATES).meta({
      description: '`Held` while the subscription is paused; `DeadLettered` after the last attempt.',
    }),
    attempts: z.int().min(0).meta({ description: 'The number of attempts so far; a replay starts at 0.' }),
    nextAttemptAt: Moment.optional().describe('When the next attempt is due; absent when there is none.'),
    lastStatus: z.int().optional().meta({ description: 'HTTP status of the last attempt that was answered.' }),
    lastError: z
      .string()
      .optional()
      .describe('Why the last attempt failed; absent after a success and before the first attempt.'),
    createdAt: Moment.describe('When the delivery was queued.'),
    updatedAt: Moment.describe('When the delivery changed last.'),
  })
  .meta({
    id: 'Delivery',
    examples: [
      {
        id: 'dlv_AaH8KwlxavakGwZZljrhYw',
        eventId: 'evt_9mX2qfF1S8aTtq0w6Yb3Zg',
        event: 'payment_intent.status_updated',
        state: 'Pending',
        attempts: 2,
        nextAttemptAt: '2026-03-01T12:00:40.000Z',
        lastStatus: 503,
        lastError: 'answered 503',
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:10.000Z',
      },
    ],
  });
export type Delivery = z.output<typeof Delivery>;

const DeliveryAttempt = z
  .object({
    number: z.int().min(1).describe('Number of the attempt in its series, from 1; a replay starts a new series.'),
    at: Moment.describe('When the attempt began.'),
    outcome: z.enum(ACTIVITY_OUTCOMES).meta({
      description: 'Refused: answered with a status below 500 that is no success. Failed: not answered, or 5xx.',
    }),
    status: z.int().optional().describe('HTTP status of the answer; absent where there was none.'),
    error: z.string().optional().describe('Why the attempt failed; absent after a success.'),
    tookMs: z.int().min(0).describe('How long the attempt took, in milliseconds.'),
    traceId: z.string().describe('The trace of the attempt: 32 hex digits.'),
    answer: z.string().optional().meta({
      description:
        'The first 200 characters of the answer of the receiver; absent for an empty answer, and for one that looks like a secret or a card number.',
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver an event.' });

/** A delivery with what was sent and what was answered. */
const DeliveryDetails = z
  .object({
    ...Delivery.shape,
    body: WebhookEvent.meta({
      description: 'The body of every attempt. It is sent as compact JSON.',
    }),
    history: z.array(DeliveryAttempt).meta({
      description:
        'The attempts, newest first, 100 at most. Attempts are kept for the time that the operator has set, so there may be fewer than `attempts`.',
    }),
  })
  .meta({
    id: 'DeliveryDetails',
    examples: [
      {
        id: 'dlv_AaH8KwlxavakGwZZljrhYw',
        eventId: 'evt_hnnHxIKR_Uy6bhZCusCltw',
        event: 'payment_intent.created',
        state: 'Pending',
        attempts: 1,
        nextAttemptAt: '2026-03-01T12:00:10.000Z',
        lastStatus: 503,
        lastError: 'answered 503',
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:00.000Z',
        body: {
          id: 'evt_hnnHxIKR_Uy6bhZCusCltw',
          event: 'payment_intent.created',
          accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
          createdAt: '2026-03-01T12:00:00.000Z',
          data: { paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw', paymentStatus: 'Created', captureMode: 'Auto' },
        },
        history: [
          {
            number: 1,
            at: '2026-03-01T12:00:00.000Z',
            outcome: 'Failed',
            status: 503,
            error: 'answered 503',
            tookMs: 41,
            traceId: '0af7651916cd43dd8448eb211c80319c',
            answer: '{"error":"the database is down"}',
          },
        ],
      },
    ],
  });
export type DeliveryDetails = z.output<typeof DeliveryDetails>;

const TestEvent = z
  .object({
    event: z.enum(SUBSCRIBABLE_EVENT_KINDS).describe('The kind of event to send; the subscription must have it.'),
  })
  .meta({ id: 'TestEvent', examples: [{ event: 'payment_intent.status_updated' }] });

const Replay = z
  .object({
    from: MomentInput.optional().meta({ description: 'Inclusive, by `createdAt` of the event.' }),
    to: MomentInput.optional().meta({ description: 'Exclusive; now when not sent.' }),
    states: z.array(z.enum(REPLAY_STATES)).default(['DeadLettered']).meta({
      description:
        'The states of deliveries to replay; DeadLettered when not sent. `NotSubscribed`: no subscription had its kind then.',
    }),
  })
  .meta({ id: 'Replay', examples: [{ from: '2026-03-01T00:00:00Z', states: ['DeadLettered', 'NotSubscribed'] }] });

/** The number of events that are sent again. */
export const ReplayResult = z
  .object({ queued: z.int().min(0).describe('How many events are sent again.') })
  .meta({ id: 'Replayed', examples: [{ queued: 12 }] });

const shared = { tag: 'Webhooks', version: 'required' } as const;
const params = z.object({ subscriptionId: z.string().describe('Id of the subscription (`ws_…`).') });
const deliveryParams = z.object({
  subscriptionId: z.string().describe('Id of the subscription (`ws_…`).'),
  deliveryId: z.string().describe('Id of the delivery (`dlv_…`).'),
});

export const listDeliveries = {
  ...shared,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries',
  summary: 'List the deliveries of a subscription, newest first',
  description: 'Stored for 30 days, like their events.',
  permission: 'webhooks.read',
  idempotency: 'none',
  params,
  query: z
    .object({
      state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state; all when not sent.'),
      ...PAGE_MEMBERS,
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('DeliveryPage', Delivery),
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const readDelivery = {
  ...shared,
  id: 'readDelivery',
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}',
  summary: 'Read a delivery with its body, its attempts and the answers of the receiver',
  permission: 'webhooks.read',
  idempotency: 'none',
  params: deliveryParams,
  returns: DeliveryDetails,
  refusals: ['subscription_not_found', 'delivery_not_found'],
} as const satisfies Operation;

export const sendTestEvent = {
  ...shared,
  id: 'sendTestEvent',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/test-events',
  summary: 'Send a test event to a subscription of a sandbox',
  description:
    'The event is signed, sent and repeated like every other. Its payment, terminal session and machine do not exist: a ' +
    'receiver that reads them gets 404.',
  permission: 'webhooks.write',
  sandboxOnly: 'permission_missing',
  idempotency: 'optional',
  params,
  body: TestEvent,
  returns: Delivery,
  refusals: ['subscription_not_found', 'event_kind_not_subscribed'],
} as const satisfies Operation;

export const replayDelivery = {
  ...shared,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay',
  summary: 'Send a dead letter again',
  description: 'With a new series of attempts, independent of other deliveries.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params: deliveryParams,
  returns: Delivery,
  refusals: ['subscription_not_found', 'delivery_not_found', 'delivery_not_dead_lettered'],
} as const satisfies Operation;

export const replayEvents = {
  ...shared,
  id: 'replayEvents',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/replay',
  summary: 'Send a range of events again',
  description:
    'Replays the kinds that the subscription has now, also if another subscription had them then. Each event becomes a new ' +
    'delivery. Deliveries of one subject keep their order, and live events do not wait for them.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params,
  body: Replay,
  returns: ReplayResult,
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const WEBHOOK_DELIVERY_OPERATIONS = [
  listDeliveries,
  readDelivery,
  replayDelivery,
  replayEvents,
  sendTestEvent,
  createDeliveryLink,
] as const;
