import { EVENT_MODELS, type EventKind, OPT_IN_EVENT_KINDS, SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { SECRETS_MAX, URL_LENGTH_MAX } from '@pos/core/webhooks';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { Moment, webAddress } from '../shapes/shapes.js';

const EventModel = z
  .object({
    model: z.enum(EVENT_MODELS.map(({ model }) => model)).describe('What the events are about.'),
    events: z.array(z.enum(SUBSCRIBABLE_EVENT_KINDS)).describe('The kinds that a subscription may name.'),
  })
  .meta({
    id: 'EventModel',
    examples: [{ model: 'PaymentIntent', events: ['payment_intent.created', 'payment_intent.status_updated'] }],
  });

const Secret = z
  .object({
    id: z.string().describe('Id of the secret (`sc_…`), not the secret itself.'),
    value: z.string().describe('The signing secret. Its UTF-8 bytes are the key of both signatures.'),
    standardValue: z
      .string()
      .optional()
      .describe(
        'The same secret as libraries of standard-webhooks read it: `whsec_` and its UTF-8 bytes in base64. Absent where the value is hidden.',
      ),
    createdAt: Moment.describe('When the secret was created.'),
    isActive: z
      .boolean()
      .describe('Whether attempts are signed with it. Exactly one secret of a subscription is active.'),
    lastUsedAt: Moment.optional().describe('When an attempt was signed with it last; absent before the first.'),
  })
  .meta({ id: 'WebhookSecret', description: 'Deliveries are signed with the active one.' });

const SECRET_EXAMPLE = {
  id: 'sc_hnnHxIKR_Uy6bhZCusCltw',
  value: 'mVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI',
  standardValue: 'whsec_bVZ4OG5xMlliMGhRNGtTMXRSN3VXNXpBM2NFNmdKOWxQZEZpS29Oc013SQ==',
  createdAt: '2026-03-01T12:00:00.000Z',
  isActive: true,
};

export const Subscription = z
  .object({
    id: z.string().describe('Id of the subscription (`ws_…`).'),
    accountId: z.string().describe('Account that the subscription belongs to (`acc_…`).'),
    events: z
      .array(z.enum(SUBSCRIBABLE_EVENT_KINDS))
      .describe('The kinds that are sent to `url`; each belongs to one subscription of the account and environment.'),
    url: z.string().describe('Address to which events are posted.'),
    description: z.string().optional().describe('The integrator’s text about the receiver, if one was sent.'),
    paused: z.literal(true).optional().meta({ description: 'Only while it is paused.' }),
    secrets: z.array(Secret).describe('All signing secrets, the active one included.'),
    secret: Secret.meta({ description: 'The active one.' }),
    createdAt: Moment.describe('When the subscription was created.'),
    updatedAt: Moment.describe('When the subscription was changed last.'),
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

const KINDS: ReadonlyMap<string, string> = new Map(SUBSCRIBABLE_EVENT_KINDS.map((kind) => [kind.toLowerCase(), kind]));

/** Known kinds, each once. One unknown kind makes the whole member invalid. */
const EventKindsInput = z
  .array(
    z
      .string()
      .overwrite((kind) => KINDS.get(kind.toLowerCase()) ?? kind)
      .meta({ enum: SUBSCRIBABLE_EVENT_KINDS }),
  )
  .min(1)
  .transform((sent, subject): EventKind[] => {
    const kinds = sent.map((kind) => SUBSCRIBABLE_EVENT_KINDS.find((known) => known === kind));
    if (kinds.every((kind) => kind !== undefined)) return [...new Set(kinds)];
    subject.issues.push({
      code: 'custom',
      input: sent,
      message: `Must each be one of ${SUBSCRIBABLE_EVENT_KINDS.join(', ')}.`,
    });
    return z.NEVER;
  });

const RECEIVER_URL =
  'An https address of the public internet. A sandbox of a service that runs for development also calls http on loopback, such as http://localhost:3000/hooks.';

const NewSubscription = z
  .object({
    events: EventKindsInput.describe(
      'The kinds to receive, at least one. A kind of another subscription is refused with 409.',
    ),
    url: webAddress({ max: URL_LENGTH_MAX }).describe(`${RECEIVER_URL} Redirects are not followed.`),
    description: freeText({ max: 255 }).optional().describe('Text about the receiver, for people.'),
  })
  .meta({
    id: 'NewSubscription',
    examples: [{ events: ['payment_intent.status_updated'], url: 'https://example.com/webhooks' }],
  });

const SubscriptionChange = z
  .object({
    events: EventKindsInput.optional().meta({ description: 'All of its kinds from now on.' }),
    url: webAddress({ max: URL_LENGTH_MAX })
      .optional()
      .meta({ description: `Also for what waits already. ${RECEIVER_URL}` }),
    description: freeText({ max: 255 }).optional().describe('The new text about the receiver.'),
    paused: z.boolean().optional().meta({
      description: 'While it is true deliveries are held; afterwards they go out, oldest first.',
    }),
  })
  .meta({ id: 'SubscriptionChange', examples: [{ paused: true }] });

const Secrets = z
  .object({
    id: z.string().meta({ description: 'The subscription.' }),
    secrets: z.array(Secret).describe('All signing secrets, the active one included.'),
  })
  .meta({ id: 'WebhookSecrets', examples: [{ id: 'ws_OYsyzcrH70GpJfs8MMkKpg', secrets: [SECRET_EXAMPLE] }] });

const shared = { tag: 'Webhooks', version: 'required' } as const;
const params = z.object({ subscriptionId: z.string().describe('Id of the subscription (`ws_…`).') });
const secretParams = z.object({
  subscriptionId: z.string().describe('Id of the subscription (`ws_…`).'),
  secretId: z.string().describe('Id of the secret (`sc_…`).'),
});

export const listEventKinds = {
  ...shared,
  id: 'listEventKinds',
  method: 'GET',
  path: '/webhooks/events',
  summary: 'List the kinds of events that can be subscribed to',
  description: `A subscription receives the kinds that it names and no others. With \`optIn=true\` the list also has the kinds that are additions to the catalogue: ${OPT_IN_EVENT_KINDS.map((kind) => `\`${kind}\``).join(', ')}.`,
  permission: 'webhooks.read',
  idempotency: 'none',
  query: z.object({
    optIn: z.boolean().default(false).describe('True: also list the kinds that are additions to the catalogue.'),
  }),
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

export const readSubscription = {
  ...shared,
  id: 'readSubscription',
  method: 'GET',
  path: '/webhooks/{subscriptionId}',
  summary: 'Read a subscription',
  permission: 'webhooks.read',
  idempotency: 'none',
  params,
  returns: Subscription,
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const changeSubscription = {
  ...shared,
  id: 'changeSubscription',
  method: 'PATCH',
  path: '/webhooks/{subscriptionId}',
  summary: 'Change or pause a subscription',
  description:
    'Members that are not sent keep their values. To move a kind, remove it from one subscription and add it to the other. ' +
    'Pending deliveries of a removed kind still arrive. A pause does not interrupt a running attempt.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params,
  body: SubscriptionChange,
  returns: Subscription,
  refusals: ['subscription_not_found', 'event_kind_taken'],
} as const satisfies Operation;

export const deleteSubscription = {
  ...shared,
  id: 'deleteSubscription',
  method: 'DELETE',
  path: '/webhooks/{subscriptionId}',
  summary: 'Delete a subscription',
  description:
    'Deliveries that wait for it are dead-lettered, its kinds are free again. The events are kept for 30 days and can ' +
    'be replayed to a later subscription.',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params,
  returns: null,
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const listSecrets = {
  ...shared,
  id: 'listSecrets',
  method: 'GET',
  path: '/webhooks/{subscriptionId}/secrets',
  summary: 'List the signing secrets of a subscription',
  permission: 'webhooks.read',
  idempotency: 'none',
  params,
  returns: Secrets,
  refusals: ['subscription_not_found'],
} as const satisfies Operation;

export const createSecret = {
  ...shared,
  id: 'createSecret',
  method: 'POST',
  path: '/webhooks/{subscriptionId}/secrets',
  summary: 'Add an inactive signing secret to a subscription',
  description: `At most ${SECRETS_MAX}. To rotate: add one, let receivers accept both, activate it, delete the old one.`,
  permission: 'webhooks.write',
  idempotency: 'optional',
  params,
  returns: Secrets,
  refusals: ['subscription_not_found', 'secrets_exhausted'],
} as const satisfies Operation;

export const activateSecret = {
  ...shared,
  id: 'activateSecret',
  method: 'PUT',
  path: '/webhooks/{subscriptionId}/secrets/{secretId}/activate',
  summary: 'Have a secret sign from the next attempt on',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params: secretParams,
  returns: null,
  refusals: ['subscription_not_found', 'secret_not_found'],
} as const satisfies Operation;

export const deleteSecret = {
  ...shared,
  id: 'deleteSecret',
  method: 'DELETE',
  path: '/webhooks/{subscriptionId}/secrets/{secretId}',
  summary: 'Delete a signing secret that is not active',
  permission: 'webhooks.write',
  idempotency: 'optional',
  params: secretParams,
  returns: null,
  refusals: ['subscription_not_found', 'secret_not_found', 'secret_is_active'],
} as const satisfies Operation;

export const WEBHOOK_OPERATIONS = [
  listEventKinds,
  createSubscription,
  listSubscriptions,
  readSubscription,
  changeSubscription,
  deleteSubscription,
  listSecrets,
  createSecret,
  activateSecret,
  deleteSecret,
] as const;
