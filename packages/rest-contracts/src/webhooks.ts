import { EVENT_KINDS, EVENT_MODELS, type EventKind } from '@pos/core/event-kind';
import { URL_LENGTH_MAX } from '@pos/core/webhook';
import { z } from 'zod';
import type { Operation } from './operation.js';
import { Moment, text, webAddress } from './shapes.js';

const EventModel = z
  .object({ model: z.enum(EVENT_MODELS.map(({ model }) => model)), events: z.array(z.enum(EVENT_KINDS)) })
  .meta({
    id: 'EventModel',
    examples: [{ model: 'PaymentIntent', events: ['payment_intent.created', 'payment_intent.status_updated'] }],
  });

const Secret = z
  .object({
    id: z.string(),
    value: z.string(),
    createdAt: Moment,
    isActive: z.boolean(),
    lastUsedAt: Moment.optional(),
  })
  .meta({ id: 'WebhookSecret', description: 'Deliveries are signed with the active one.' });

const SECRET_EXAMPLE = {
  id: 'sc_hnnHxIKR_Uy6bhZCusCltw',
  value: 'mVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI',
  createdAt: '2026-03-01T12:00:00.000Z',
  isActive: true,
};

export const Subscription = z
  .object({
    id: z.string(),
    accountId: z.string(),
    events: z.array(z.enum(EVENT_KINDS)),
    url: z.string(),
    description: z.string().optional(),
    secrets: z.array(Secret),
    secret: Secret.meta({ description: 'The active one.' }),
    createdAt: Moment,
    updatedAt: Moment,
  })
  .meta({
    id: 'Subscription',
    examples: [
      {
        id: 'ws_OYsyzcrH70GpJfs8MMkKpg',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        events: ['payment_intent.status_updated'],
        url: 'https://example.com/webhooks',
        secrets: [SECRET_EXAMPLE],
        secret: SECRET_EXAMPLE,
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:00.000Z',
      },
    ],
  });
export type Subscription = z.output<typeof Subscription>;

const KINDS: ReadonlyMap<string, string> = new Map(EVENT_KINDS.map((kind) => [kind.toLowerCase(), kind]));

/** Known kinds, each once. An unknown one is the fault of the whole member. */
const EventKindsInput = z
  .array(
    z
      .string()
      .overwrite((kind) => KINDS.get(kind.toLowerCase()) ?? kind)
      .meta({ enum: EVENT_KINDS }),
  )
  .min(1)
  .transform((sent, subject): EventKind[] => {
    const kinds = sent.map((kind) => EVENT_KINDS.find((known) => known === kind));
    if (kinds.every((kind) => kind !== undefined)) return [...new Set(kinds)];
    subject.issues.push({ code: 'custom', input: sent, message: `Must each be one of ${EVENT_KINDS.join(', ')}.` });
    return z.NEVER;
  });

const NewSubscription = z
  .object({
    events: EventKindsInput,
    url: webAddress({ max: URL_LENGTH_MAX, httpsOnly: true }),
    description: text({ max: 255 }).optional(),
  })
  .meta({
    id: 'NewSubscription',
    examples: [{ events: ['payment_intent.status_updated'], url: 'https://example.com/webhooks' }],
  });

const shared = { tag: 'Webhooks', version: 'required' } as const;

export const listEventKinds = {
  ...shared,
  id: 'listEventKinds',
  method: 'GET',
  path: '/webhooks/events',
  summary: 'List the kinds of events that can be subscribed to',
  permission: 'webhooks.read',
  idempotency: 'none',
  returns: z.array(EventModel),
  refusals: [],
} as const satisfies Operation;

export const createSubscription = {
  ...shared,
  id: 'createSubscription',
  method: 'POST',
  path: '/webhooks',
  summary: 'Subscribe to kinds of events',
  description:
    'Each kind belongs to one subscription of an account and environment. Deliveries are signed with the secret of the answer.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  body: NewSubscription,
  returns: Subscription,
  refusals: ['event_kind_taken'],
} as const satisfies Operation;

export const listSubscriptions = {
  ...shared,
  id: 'listSubscriptions',
  method: 'GET',
  path: '/webhooks',
  summary: 'List the subscriptions',
  permission: 'webhooks.read',
  idempotency: 'none',
  returns: z.array(Subscription),
  refusals: [],
} as const satisfies Operation;

export const WEBHOOK_OPERATIONS = [listEventKinds, createSubscription, listSubscriptions] as const;
