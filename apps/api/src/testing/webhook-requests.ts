import type { Scope } from '@pos/core/identity';
import { LaneQueue } from '@pos/store/queues';
import { type AcceptedRequest, createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';
import { type ApiTestEnvironment, parseJson } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

const UNKNOWN_SUBSCRIPTION = `ws_${'A'.repeat(22)}`;
const RECEIVER_URL = 'https://shop.example/hooks';

/** A new account with a subscription to created intents. */
export interface Subscriber {
  readonly scope: Scope;
  readonly key: string;
  readonly id: string;
  readonly path: string;
}

export async function createSubscriber(
  testEnvironment: ApiTestEnvironment,
  events = ['payment_intent.created'],
): Promise<Subscriber> {
  const { scope, key } = await testEnvironment.createAccount();
  const answer = await testEnvironment.sendRequest('POST', '/webhooks', { key, body: { events, url: RECEIVER_URL } });
  const id = String(parseJson(answer)['id']);
  return { scope, key, id, path: `/webhooks/${id}` };
}

/** Attempts all due deliveries, live and replayed, as a worker would whose receivers answer with this status. */
export async function deliverAll(
  testEnvironment: ApiTestEnvironment,
  scope: Scope,
  fate: 'delivered' | 'dead' = 'delivered',
) {
  const sent: string[] = [];
  for (const traffic of ['live', 'replays'] as const) {
    const queue = new LaneQueue(testEnvironment.testDatabase.database, traffic);
    const lanes = await queue.claim(scope, { lanes: 1_000, deliveriesPerLane: 100, leaseMs: 60_000 });
    for (const lane of lanes) {
      sent.push(...lane.deliveries.map(({ id }) => id));
      await queue.complete(
        lane,
        lane.deliveries.map(({ number }) =>
          fate === 'delivered'
            ? { number, isDelivered: true, status: 200, error: null, retryInMs: null }
            : { number, isDelivered: false, status: 503, error: 'answered 503', retryInMs: null },
        ),
      );
    }
  }
  return sent;
}

/** A delivery of a created intent's event in this state, with the path of its replay. */
async function createDelivery(testEnvironment: ApiTestEnvironment, state: 'Pending' | 'Delivered' | 'DeadLettered') {
  const subscribed = await createSubscriber(testEnvironment);
  await testEnvironment.createIntent({}, subscribed.key);
  if (state !== 'Pending')
    await deliverAll(testEnvironment, subscribed.scope, state === 'Delivered' ? 'delivered' : 'dead');
  const page = parseJson(
    await testEnvironment.sendRequest('GET', `${subscribed.path}/deliveries`, { key: subscribed.key }),
  );
  const [{ id }] = page['data'] as [{ id: string }];
  const delivery = `${subscribed.path}/deliveries/${id}`;
  return { ...subscribed, delivery, replay: `${delivery}/replay` };
}

async function findSecret(
  testEnvironment: ApiTestEnvironment,
  { path, key }: Subscriber,
  which: 'active' | 'idle',
): Promise<string> {
  const method = which === 'active' ? 'GET' : 'POST';
  const { secrets } = parseJson(await testEnvironment.sendRequest(method, `${path}/secrets`, { key })) as {
    secrets: { id: string; isActive: boolean }[];
  };
  const id = secrets.find(({ isActive }) => isActive === (which === 'active'))?.id;
  return `${path}/secrets/${id}`;
}

/** An accepted request for each operation on subscriptions. */
export function createWebhookRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  const withOne = async (suffix = '', more: Partial<AcceptedRequest> = {}): Promise<AcceptedRequest> => {
    const { path, key } = await createSubscriber(testEnvironment());
    return { path: `${path}${suffix}`, key, ...more };
  };
  return {
    readSubscription: () => withOne(),
    changeSubscription: () =>
      withOne('', { body: { description: 'till' }, invalid: { body: { events: [], url: 'ftp://a.example' } } }),
    deleteSubscription: () => withOne(),
    listSecrets: () => withOne('/secrets'),
    createSecret: () => withOne('/secrets'),
    activateSecret: async () => {
      const created = await createSubscriber(testEnvironment());
      return { path: `${await findSecret(testEnvironment(), created, 'idle')}/activate`, key: created.key };
    },
    deleteSecret: async () => {
      const created = await createSubscriber(testEnvironment());
      return { path: await findSecret(testEnvironment(), created, 'idle'), key: created.key };
    },
    listDeliveries: () => withOne('/deliveries', { invalid: { query: '?limit=101' } }),
    replayDelivery: async () => {
      const { replay, key } = await createDelivery(testEnvironment(), 'DeadLettered');
      return { path: replay, key };
    },
    readDelivery: async () => {
      const { delivery, key } = await createDelivery(testEnvironment(), 'DeadLettered');
      return { path: delivery, key };
    },
    sendTestEvent: () =>
      withOne('/test-events', { body: { event: 'payment_intent.created' }, invalid: { body: { event: 'payment' } } }),
    createDeliveryLink: () =>
      withOne('/delivery-links', {
        body: { frameAncestors: ['https://shop.example'] },
        invalid: { body: { frameAncestors: ['https://shop.example/path'], expiresIn: '02:00:00' } },
      }),
    replayEvents: () => withOne('/replay', { body: {}, invalid: { body: { from: 'yesterday', states: ['Lost'] } } }),
  };
}

/** The refusals that each operation on subscriptions declares for itself. */
export function createWebhookRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    ...listUnknownRefusals(testEnvironment),
    ...listDeliveryRefusals(testEnvironment),
    ...listStateRefusals(testEnvironment),
  ];
}

/** Unknown ids, malformed ids, ids of another account, and ids of deleted resources. */
function listUnknownRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const unknown: readonly (readonly [operation: string, suffix: string, body?: unknown])[] = [
    ['readSubscription', ''],
    ['changeSubscription', '', { paused: true }],
    ['deleteSubscription', ''],
    ['listSecrets', '/secrets'],
    ['createSecret', '/secrets'],
    ['activateSecret', `/secrets/sc_${'A'.repeat(22)}/activate`],
    ['deleteSecret', `/secrets/sc_${'A'.repeat(22)}`],
    ['listDeliveries', '/deliveries'],
    ['readDelivery', `/deliveries/dlv_${'A'.repeat(22)}`],
    ['sendTestEvent', '/test-events', { event: 'payment_intent.created' }],
    ['createDeliveryLink', '/delivery-links', {}],
    ['replayDelivery', `/deliveries/dlv_${'A'.repeat(22)}/replay`],
    ['replayEvents', '/replay', {}],
  ];
  return unknown.flatMap(([id, suffix, body]): RefusalCase[] => [
    [id, 'subscription_not_found', [], () => createRequest(`/webhooks/${UNKNOWN_SUBSCRIPTION}${suffix}`, body)],
    [
      id,
      'subscription_not_found',
      [],
      () => createRequest(`/webhooks/${encodeURIComponent(`' or 1=1 --`)}${suffix}`, body),
    ],
    [
      id,
      'subscription_not_found',
      [],
      async () =>
        createRequest(
          `${(await createSubscriber(testEnvironment())).path}${suffix}`,
          body,
          testEnvironment().keys.foreign,
        ),
    ],
    [
      id,
      'subscription_not_found',
      [],
      async () => {
        const { path, key } = await createSubscriber(testEnvironment());
        await testEnvironment().sendRequest('DELETE', path, { key });
        return createRequest(`${path}${suffix}`, body, key);
      },
    ],
  ]);
}

type SubscriberPath = (created: Subscriber) => string | Promise<string>;

async function createOwnRequest(
  testEnvironment: ApiTestEnvironment,
  path: SubscriberPath,
  body?: unknown,
): Promise<AcceptedRequest> {
  const created = await createSubscriber(testEnvironment);
  return createRequest(await path(created), body, created.key);
}

/** Of one delivery, of test events and of links. */
function listDeliveryRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const own = (path: SubscriberPath, body?: unknown) => createOwnRequest(testEnvironment(), path, body);
  return [
    ['readDelivery', 'delivery_not_found', [], () => own(({ path }) => `${path}/deliveries/x`)],
    [
      'readDelivery',
      'delivery_not_found',
      [],
      () =>
        own(async ({ path }) => {
          const other = (await createDelivery(testEnvironment(), 'Pending')).delivery.split('/').slice(-2).join('/');
          return `${path}/${other}`;
        }),
    ],
    [
      'sendTestEvent',
      'event_kind_not_subscribed',
      ['event'],
      () => own(({ path }) => `${path}/test-events`, { event: 'payment_intent.amount_refunded' }),
    ],
    ...['not an id', UNKNOWN_INTENT].map((paymentIntentId): RefusalCase => [
      'createDeliveryLink',
      'payment_intent_not_found',
      [],
      () => own(({ path }) => `${path}/delivery-links`, { paymentIntentId }),
    ]),
    ...['*', 'shop.example', 'http://shop.example', 'https://*.shop.example', 'https://shop.example; script-src *'].map(
      (origin): RefusalCase => [
        'createDeliveryLink',
        'validation_failed',
        ['frameAncestors[0]'],
        () => own(({ path }) => `${path}/delivery-links`, { frameAncestors: [origin] }),
      ],
    ),
    ...['00:00:00', '01:00:01', 'soon'].map((expiresIn): RefusalCase => [
      'createDeliveryLink',
      'validation_failed',
      ['expiresIn'],
      () => own(({ path }) => `${path}/delivery-links`, { expiresIn }),
    ]),
  ];
}

function listStateRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const own = (path: SubscriberPath, body?: unknown) => createOwnRequest(testEnvironment(), path, body);
  return [
    [
      'changeSubscription',
      'event_kind_taken',
      ['events'],
      () =>
        own(
          async ({ path, key }) => {
            const body = { events: ['terminal_session.created'], url: RECEIVER_URL };
            await testEnvironment().sendRequest('POST', '/webhooks', { key, body });
            return path;
          },
          { events: ['payment_intent.created', 'terminal_session.created'] },
        ),
    ],
    [
      'createSecret',
      'secrets_exhausted',
      [],
      () =>
        own(async ({ path, key }) => {
          for (let count = 1; count < 5; count += 1)
            await testEnvironment().sendRequest('POST', `${path}/secrets`, { key });
          return `${path}/secrets`;
        }),
    ],
    ['activateSecret', 'secret_not_found', [], () => own(({ path }) => `${path}/secrets/x/activate`)],
    [
      'activateSecret',
      'secret_not_found',
      [],
      () =>
        own(async ({ path }) => {
          const other = await findSecret(testEnvironment(), await createSubscriber(testEnvironment()), 'active');
          return `${path}/secrets/${other.split('/').at(-1)}/activate`;
        }),
    ],
    ['deleteSecret', 'secret_not_found', [], () => own(({ path }) => `${path}/secrets/x`)],
    ['deleteSecret', 'secret_is_active', [], () => own((created) => findSecret(testEnvironment(), created, 'active'))],
    ['listDeliveries', 'validation_failed', ['after'], () => own(({ path }) => `${path}/deliveries?after=x`)],
    ['listDeliveries', 'validation_failed', ['before'], () => own(({ path }) => `${path}/deliveries?before=a&after=b`)],
    ['listDeliveries', 'validation_failed', ['state'], () => own(({ path }) => `${path}/deliveries?state=Lost`)],
    ['replayDelivery', 'delivery_not_found', [], () => own(({ path }) => `${path}/deliveries/x/replay`)],
    [
      'replayDelivery',
      'delivery_not_found',
      [],
      () =>
        own(async ({ path }) => {
          const other = (await createDelivery(testEnvironment(), 'DeadLettered')).replay.split('/').slice(-3).join('/');
          return `${path}/${other}`;
        }),
    ],
    ...(['Pending', 'Delivered'] as const).map((state): RefusalCase => [
      'replayDelivery',
      'delivery_not_dead_lettered',
      [],
      async () => {
        const { replay, key } = await createDelivery(testEnvironment(), state);
        return createRequest(replay, undefined, key);
      },
    ]),
  ];
}
