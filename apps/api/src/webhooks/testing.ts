import type { Scope } from '@pos/core/identity';
import { LaneQueue } from '@pos/store/lanes';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import { type ApiWorld, jsonOf } from '../testing.js';

type World = () => ApiWorld;

const UNKNOWN = `ws_${'A'.repeat(22)}`;
const URL = 'https://shop.example/hooks';

/** An account of its own with a subscription to what happens when an intent is made. */
export interface Subscriber {
  readonly scope: Scope;
  readonly key: string;
  readonly id: string;
  readonly path: string;
}

export async function subscriber(world: ApiWorld, events = ['payment_intent.created']): Promise<Subscriber> {
  const { scope, key } = await world.newcomer();
  const answer = await world.send('POST', '/webhooks', { key, body: { events, url: URL } });
  const id = String(jsonOf(answer)['id']);
  return { scope, key, id, path: `/webhooks/${id}` };
}

/** Attempts everything that is due, live and replayed, as a worker would whose receivers answer so. */
export async function deliverAll(world: ApiWorld, scope: Scope, fate: 'delivered' | 'dead' = 'delivered') {
  const sent: string[] = [];
  for (const traffic of ['live', 'replays'] as const) {
    const queue = new LaneQueue(world.place.database, traffic);
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

/** A delivery of an intent's making, in that state, with the path of its replay. */
async function delivery(world: ApiWorld, state: 'Pending' | 'Delivered' | 'DeadLettered') {
  const subscribed = await subscriber(world);
  await world.intent({}, subscribed.key);
  if (state !== 'Pending') await deliverAll(world, subscribed.scope, state === 'Delivered' ? 'delivered' : 'dead');
  const page = jsonOf(await world.send('GET', `${subscribed.path}/deliveries`, { key: subscribed.key }));
  const [{ id }] = page['data'] as [{ id: string }];
  return { ...subscribed, replay: `${subscribed.path}/deliveries/${id}/replay` };
}

async function secretOf(world: ApiWorld, { path, key }: Subscriber, which: 'active' | 'idle'): Promise<string> {
  const method = which === 'active' ? 'GET' : 'POST';
  const { secrets } = jsonOf(await world.send(method, `${path}/secrets`, { key })) as {
    secrets: { id: string; isActive: boolean }[];
  };
  const id = secrets.find(({ isActive }) => isActive === (which === 'active'))?.id;
  return `${path}/secrets/${id}`;
}

/** A request of each operation on subscriptions, which it accepts. */
export function webhookRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  const withOne = async (suffix = '', more: Partial<Accepted> = {}): Promise<Accepted> => {
    const { path, key } = await subscriber(world());
    return { path: `${path}${suffix}`, key, ...more };
  };
  return {
    readSubscription: () => withOne(),
    changeSubscription: () =>
      withOne('', { body: { description: 'till' }, wrong: { body: { events: [], url: 'ftp://a.example' } } }),
    deleteSubscription: () => withOne(),
    listSecrets: () => withOne('/secrets'),
    createSecret: () => withOne('/secrets'),
    activateSecret: async () => {
      const made = await subscriber(world());
      return { path: `${await secretOf(world(), made, 'idle')}/activate`, key: made.key };
    },
    deleteSecret: async () => {
      const made = await subscriber(world());
      return { path: await secretOf(world(), made, 'idle'), key: made.key };
    },
    listDeliveries: () => withOne('/deliveries', { wrong: { query: '?limit=101' } }),
    replayDelivery: async () => {
      const { replay, key } = await delivery(world(), 'DeadLettered');
      return { path: replay, key };
    },
    replayEvents: () => withOne('/replay', { body: {}, wrong: { body: { from: 'yesterday', states: ['Lost'] } } }),
  };
}

/** How each operation on subscriptions refuses by its own rules. */
export function webhookRefusals(world: World): readonly Own[] {
  return [...unknownSubscriptions(world), ...refusedByState(world)];
}

/** Ids that never were, that are no ids, of another account, and of what was deleted. */
function unknownSubscriptions(world: World): readonly Own[] {
  const unknown: readonly (readonly [operation: string, suffix: string, body?: unknown])[] = [
    ['readSubscription', ''],
    ['changeSubscription', '', { paused: true }],
    ['deleteSubscription', ''],
    ['listSecrets', '/secrets'],
    ['createSecret', '/secrets'],
    ['activateSecret', `/secrets/sc_${'A'.repeat(22)}/activate`],
    ['deleteSecret', `/secrets/sc_${'A'.repeat(22)}`],
    ['listDeliveries', '/deliveries'],
    ['replayDelivery', `/deliveries/dlv_${'A'.repeat(22)}/replay`],
    ['replayEvents', '/replay', {}],
  ];
  return unknown.flatMap(([id, suffix, body]): Own[] => [
    [id, 'subscription_not_found', [], () => at(`/webhooks/${UNKNOWN}${suffix}`, body)],
    [id, 'subscription_not_found', [], () => at(`/webhooks/${encodeURIComponent(`' or 1=1 --`)}${suffix}`, body)],
    [
      id,
      'subscription_not_found',
      [],
      async () => at(`${(await subscriber(world())).path}${suffix}`, body, world().keys.foreign),
    ],
    [
      id,
      'subscription_not_found',
      [],
      async () => {
        const { path, key } = await subscriber(world());
        await world().send('DELETE', path, { key });
        return at(`${path}${suffix}`, body, key);
      },
    ],
  ]);
}

function refusedByState(world: World): readonly Own[] {
  const own = async (path: (made: Subscriber) => string | Promise<string>, body?: unknown): Promise<Accepted> => {
    const made = await subscriber(world());
    return at(await path(made), body, made.key);
  };
  return [
    [
      'changeSubscription',
      'event_kind_taken',
      ['events'],
      () =>
        own(
          async ({ path, key }) => {
            const body = { events: ['terminal_session.created'], url: URL };
            await world().send('POST', '/webhooks', { key, body });
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
          for (let count = 1; count < 5; count += 1) await world().send('POST', `${path}/secrets`, { key });
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
          const other = await secretOf(world(), await subscriber(world()), 'active');
          return `${path}/secrets/${other.split('/').at(-1)}/activate`;
        }),
    ],
    ['deleteSecret', 'secret_not_found', [], () => own(({ path }) => `${path}/secrets/x`)],
    ['deleteSecret', 'secret_is_active', [], () => own((made) => secretOf(world(), made, 'active'))],
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
          const other = (await delivery(world(), 'DeadLettered')).replay.split('/').slice(-3).join('/');
          return `${path}/${other}`;
        }),
    ],
    ...(['Pending', 'Delivered'] as const).map((state): Own => [
      'replayDelivery',
      'delivery_not_dead_lettered',
      [],
      async () => {
        const { replay, key } = await delivery(world(), state);
        return at(replay, undefined, key);
      },
    ]),
  ];
}
