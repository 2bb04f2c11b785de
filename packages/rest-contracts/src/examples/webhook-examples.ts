import { intent } from './example-answers.js';
import { IDS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const MOMENT = '2026-03-01T12:00:00.000Z';
const subscription = { subscriptionId: IDS.subscription };
const unknown = { subscriptionId: IDS.unknownSubscription };

const NO_SUBSCRIPTION = {
  summary: 'No subscription has the id',
  reason: 'subscription_not_found',
  detail: 'there is no such subscription',
} as const;
const NO_SECRET = {
  summary: 'The subscription has no such secret',
  reason: 'secret_not_found',
  detail: 'the subscription has no such secret',
} as const;

const SECRET = {
  id: IDS.webhookSecret,
  value: 'mVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI',
  createdAt: MOMENT,
  isActive: true,
};
const SECOND = {
  ...SECRET,
  id: IDS.secondSecret,
  value: 'kQ3xtq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI',
  isActive: false,
};

const SUBSCRIPTION = {
  id: IDS.subscription,
  accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
  events: ['payment_intent.created'],
  url: 'https://example.com/webhooks',
  secrets: [SECRET],
  secret: SECRET,
  createdAt: MOMENT,
  updatedAt: MOMENT,
};

const DELIVERY = {
  ...{ id: IDS.delivery, eventId: 'evt_9mX2qfF1S8aTtq0w6Yb3Zg', event: 'payment_intent.created' },
  ...{ state: 'DeadLettered', attempts: 13, createdAt: MOMENT, updatedAt: '2026-03-05T12:00:00.000Z' },
};

export const WEBHOOK_EXAMPLES: readonly OperationExample[] = [
  accept('listEventKinds', 'The kinds of the catalogue'),
  refuse(
    'listEventKinds',
    { query: { optIn: 'maybe' } },
    {
      summary: 'A member of the query is not well formed',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { optIn: ['Must be true or false.'] },
    },
  ),
  accept('createSubscription', 'One receiver for one kind of event', {
    body: { events: ['payment_intent.created'], url: 'https://example.com/webhooks' },
    answer: SUBSCRIPTION,
  }),
  refuse(
    'createSubscription',
    { body: { events: ['payment_intent.created'], url: 'https://example.com/other' } },
    {
      summary: 'Another subscription has the kind',
      reason: 'event_kind_taken',
      detail: 'another subscription has payment_intent.created',
      errors: { events: ['another subscription has payment_intent.created'] },
    },
  ),
  accept('listSubscriptions', 'All subscriptions', { answer: [SUBSCRIPTION] }),
  accept('readSubscription', 'One subscription', { params: subscription, answer: SUBSCRIPTION }),
  refuse('readSubscription', { params: unknown }, NO_SUBSCRIPTION),
  accept('createPaymentIntent:event', 'A payment whose event is delivered', {
    body: { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 14' },
    answer: intent({
      id: IDS.forEvent,
      reference: 'table 14',
      clientSessionSecretExpirationDate: '2026-03-01T12:30:00.000Z',
    }),
  }),
  accept('listDeliveries', 'A delivery that no attempt could make', {
    params: subscription,
    query: { limit: '10' },
    answer: { data: [DELIVERY], before: null, after: null },
  }),
  refuse('listDeliveries', { params: unknown }, NO_SUBSCRIPTION),
  accept('readDelivery', 'Its body, and every attempt with its answer', {
    params: { ...subscription, deliveryId: IDS.delivery },
    answer: {
      ...DELIVERY,
      body: {
        ...{ id: DELIVERY.eventId, event: 'payment_intent.created', accountId: SUBSCRIPTION.accountId },
        createdAt: MOMENT,
        data: { paymentIntentId: IDS.forEvent, paymentStatus: 'Created', captureMode: 'Auto' },
      },
      history: [
        {
          ...{ number: 13, at: '2026-03-05T12:00:00.000Z', outcome: 'Failed', tookMs: 3 },
          error: 'No connection to the receiver could be opened: nothing listens at its port.',
          traceId: '0af7651916cd43dd8448eb211c80319c',
        },
      ],
    },
  }),
  refuse(
    'readDelivery',
    { params: { ...subscription, deliveryId: IDS.unknownDelivery } },
    {
      summary: 'The subscription has no such delivery',
      reason: 'delivery_not_found',
      detail: 'the subscription has no such delivery',
    },
  ),
  accept('sendTestEvent', 'An event about nothing, to see what the receiver answers', {
    params: subscription,
    body: { event: 'payment_intent.created' },
    answer: {
      ...{ ...DELIVERY, id: IDS.testDelivery, eventId: 'evt_tE5tIKR_Uy6bhZCusCltwA', state: 'Pending', attempts: 0 },
      updatedAt: MOMENT,
    },
  }),
  refuse(
    'sendTestEvent',
    { params: subscription, body: { event: 'terminal_session.created' } },
    {
      summary: 'The subscription does not have the kind',
      reason: 'event_kind_not_subscribed',
      detail: 'the subscription does not receive terminal_session.created',
      errors: { event: ['the subscription does not receive terminal_session.created'] },
    },
  ),
  accept('createDeliveryLink', 'A page for 15 minutes that one page may embed', { params: subscription }),
  refuse(
    'createDeliveryLink',
    { params: subscription, body: { frameAncestors: ['https://*.shop.example'] } },
    {
      summary: 'An origin has no wildcard',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { 'frameAncestors[0]': ['Must be an origin such as https://shop.example, without a path.'] },
    },
  ),
  accept('replayDelivery', 'The event is sent again', {
    params: { ...subscription, deliveryId: IDS.delivery },
    answer: { ...DELIVERY, state: 'Pending', attempts: 0 },
  }),
  refuse(
    'replayDelivery',
    { params: { ...subscription, deliveryId: IDS.unknownDelivery } },
    {
      summary: 'The subscription has no such delivery',
      reason: 'delivery_not_found',
      detail: 'the subscription has no such delivery',
    },
  ),
  accept('replayEvents', 'All dead letters since a time are sent again', {
    params: subscription,
    body: { from: '2026-03-01T00:00:00Z', states: ['DeadLettered', 'NotSubscribed'] },
  }),
  refuse('replayEvents', { params: unknown, body: {} }, NO_SUBSCRIPTION),
  accept('createSecret', 'A second secret, which is not active yet', {
    params: subscription,
    answer: { id: IDS.subscription, secrets: [SECRET, SECOND] },
  }),
  refuse('createSecret', { params: unknown }, NO_SUBSCRIPTION),
  accept('listSecrets', 'Both secrets', {
    params: subscription,
    answer: { id: IDS.subscription, secrets: [SECRET, SECOND] },
  }),
  refuse('listSecrets', { params: unknown }, NO_SUBSCRIPTION),
  refuse(
    'deleteSecret',
    { params: { ...subscription, secretId: IDS.webhookSecret } },
    {
      summary: 'Deliveries are signed with the secret',
      reason: 'secret_is_active',
      detail: 'deliveries are signed with this secret: activate another one first',
    },
  ),
  accept('activateSecret', 'The second secret signs from the next attempt on', {
    params: { ...subscription, secretId: IDS.secondSecret },
  }),
  refuse('activateSecret', { params: { ...subscription, secretId: 'sc_AAAAAAAAAAAAAAAAAAAAAA' } }, NO_SECRET),
  accept('deleteSecret', 'The first secret is not needed any more', {
    params: { ...subscription, secretId: IDS.webhookSecret },
  }),
  accept('changeSubscription', 'Deliveries are held while the receiver is changed', {
    params: subscription,
    body: { paused: true },
    answer: {
      id: IDS.subscription,
      events: ['payment_intent.created'],
      url: 'https://example.com/webhooks',
      paused: true,
      accountId: SUBSCRIPTION.accountId,
      secrets: [{ ...SECOND, isActive: true }],
      secret: { ...SECOND, isActive: true },
      createdAt: MOMENT,
      updatedAt: MOMENT,
    },
  }),
  refuse('changeSubscription', { params: unknown, body: { paused: true } }, NO_SUBSCRIPTION),
  accept('deleteSubscription', 'Nothing is sent any more; events stay for 30 days', { params: subscription }),
  refuse('deleteSubscription', { params: unknown }, NO_SUBSCRIPTION),
];
