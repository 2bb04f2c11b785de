import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events/event-kind';
import { DELIVERY_STATES, REPLAY_STATES } from '@pos/core/webhooks/delivery-schedule';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { isOneDirection, Moment, MomentInput, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';

export const Delivery = z
  .object({
    id: z.string(),
    eventId: z.string(),
    event: z.enum(SUBSCRIBABLE_EVENT_KINDS),
    state: z.enum(DELIVERY_STATES).meta({
      description: '`Held` while the subscription is paused; `DeadLettered` when nothing more is tried.',
    }),
    attempts: z.int().min(0).meta({ description: 'Made so far; a replay begins anew.' }),
    nextAttemptAt: Moment.optional(),
    lastStatus: z.int().optional().meta({ description: 'HTTP status of the last attempt that was answered.' }),
    lastError: z.string().optional(),
    createdAt: Moment,
    updatedAt: Moment,
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
        'What became of the event so far; DeadLettered when not sent. `NotSubscribed`: nobody wanted its kind then.',
    }),
  })
  .meta({ id: 'Replay', examples: [{ from: '2026-03-01T00:00:00Z', states: ['DeadLettered', 'NotSubscribed'] }] });

/** The number of events that are sent again. */
export const ReplayResult = z.object({ queued: z.int().min(0) }).meta({ id: 'Replayed', examples: [{ queued: 12 }] });

const shared = { tag: 'Webhooks', version: 'required' } as const;
const params = z.object({ subscriptionId: z.string() });

export const listDeliveries = {
  ...shared,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries',
  summary: 'List the deliveries of a subscription, newest first',
  description: 'Kept for 30 days, as their events are.',
  permission: 'webhooks.read',
  idempotency: 'none',
  params,
  query: z.object({ state: z.enum(DELIVERY_STATES).optional(), ...PAGE_MEMBERS }).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('DeliveryPage', Delivery),
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const replayDelivery = {
  ...shared,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay',
  summary: 'Send a dead letter again',
  description: 'With all its attempts, beside whatever else is on its way.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params: z.object({ subscriptionId: z.string(), deliveryId: z.string() }),
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
    'Of the kinds that the subscription has now, whoever had them then. Each event becomes a new delivery; those of one ' +
    'subject arrive in their order, and live events do not wait for them.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params,
  body: Replay,
  returns: ReplayResult,
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const WEBHOOK_DELIVERY_OPERATIONS = [listDeliveries, replayDelivery, replayEvents] as const;
