import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events/event-kind';
import { DELIVERY_STATES, REPLAY_STATES } from '@pos/core/webhooks/delivery-schedule';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { isOneDirection, Moment, MomentInput, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';

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

export const replayDelivery = {
  ...shared,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay',
  summary: 'Send a dead letter again',
  description: 'With a new series of attempts, independent of other deliveries.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params: z.object({
    subscriptionId: z.string().describe('Id of the subscription (`ws_…`).'),
    deliveryId: z.string().describe('Id of the delivery (`dlv_…`).'),
  }),
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

export const WEBHOOK_DELIVERY_OPERATIONS = [listDeliveries, replayDelivery, replayEvents] as const;
