import { PosApiError, type PosClient, type WebhookEvent } from '@pos/sdk';
import { WrongUse } from '../failures/wrong-use.js';

export type EventKind = WebhookEvent['event'];
type Subscription = Awaited<ReturnType<PosClient['webhooks']['read']>>;

/** What waited for this listener while it did not run. */
export interface WaitingDeliveries {
  /** They are sent now, oldest first. */
  readonly held: number;
  /** Their attempts were spent; they are sent again. */
  readonly replayed: number;
}

/** The subscription of a listener. */
export interface ListenSubscription {
  readonly subscription: Subscription;
  /** Null for a new one. */
  readonly resumed: WaitingDeliveries | null;
}

const DESCRIPTION = 'pos listen: ';
const COUNTED_MAX = 1_000;
const PAGE = 100;

/** Continues the subscription of this name where it stopped, or creates it. */
export async function attachSubscription(
  client: PosClient,
  parts: { readonly name: string; readonly url: string; readonly events: readonly EventKind[] | null },
): Promise<ListenSubscription> {
  const { name, url } = parts;
  const all = await client.webhooks.list();
  const existing = all.find(({ description }) => description === `${DESCRIPTION}${name}`);
  try {
    if (existing === undefined) {
      const events = parts.events ?? (await listFreeKinds(client, all));
      const subscription = await client.webhooks.create({ events, url, description: `${DESCRIPTION}${name}` });
      return { subscription, resumed: null };
    }
    const held = await countDeliveries(client, existing.id, 'Held');
    const change = { url, paused: false, ...(parts.events !== null && { events: parts.events }) };
    const subscription = await client.webhooks.change(existing.id, change);
    const { queued } = await client.webhooks.replayEvents(existing.id, { states: ['DeadLettered'] });
    return { subscription, resumed: { held, replayed: queued } };
  } catch (error) {
    if (error instanceof PosApiError && error.reason === 'event_kind_taken') throw await describeTaken(client, all);
    throw error;
  }
}

/** Sends what happened while no subscription had its kind. */
export async function replayMissed(client: PosClient, subscriptionId: string): Promise<number> {
  return (await client.webhooks.replayEvents(subscriptionId, { states: ['NotSubscribed'] })).queued;
}

/** Stops deliveries; those that follow are held until the listener continues. */
export async function pauseSubscription(client: PosClient, subscriptionId: string): Promise<void> {
  await client.webhooks.change(subscriptionId, { paused: true });
}

/** How many deliveries are in this state, up to a limit. */
export async function countDeliveries(
  client: PosClient,
  subscriptionId: string,
  state: 'Pending' | 'Held' | 'DeadLettered',
): Promise<number> {
  const deliveries = client.webhooks.listAllDeliveries(subscriptionId, { state, limit: PAGE });
  let count = 0;
  while (count < COUNTED_MAX && (await deliveries.next()).done !== true) count += 1;
  return count;
}

/** All kinds that no subscription of the account has: each kind goes to one of them. */
async function listFreeKinds(client: PosClient, all: readonly Subscription[]): Promise<readonly EventKind[]> {
  const taken = new Set(all.flatMap(({ events }) => events));
  const kinds = (await client.webhooks.listEventKinds()).flatMap(({ events }) => events);
  const free = kinds.filter((kind) => !taken.has(kind));
  if (free.length === 0) throw await describeTaken(client, all);
  return free;
}

async function describeTaken(client: PosClient, all: readonly Subscription[]): Promise<WrongUse> {
  const owners = all.map(({ id, url, events }) => `  ${id} to ${url}: ${events.join(', ')}`);
  const kinds = (await client.webhooks.listEventKinds()).flatMap(({ events }) => events);
  const taken = new Set(all.flatMap(({ events }) => events));
  const free = kinds.filter((kind) => !taken.has(kind));
  return new WrongUse(
    [
      'each kind of event goes to one subscription of the account, and others have them:',
      ...owners,
      free.length === 0 ? 'delete one, or choose another --account' : `free are: ${free.join(', ')}`,
    ].join('\n'),
  );
}
