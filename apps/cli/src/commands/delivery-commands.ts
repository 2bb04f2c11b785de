import { setTimeout as pause } from 'node:timers/promises';
import { toggle } from '@pos/command-line';
import type { PosClient } from '@pos/sdk';
import { type CommandRun, defineCommand } from '../command/command-definition.js';
import { EXIT_CODES, type ExitCode } from '../command/exit-codes.js';
import { text, wholeNumber } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';
import { countDeliveries } from '../listen/listen-subscription.js';

const STATES = ['Pending', 'Held', 'Delivered', 'DeadLettered'] as const;
const LISTED = 20;

/** `pos events`. */
const eventsCommand = defineCommand({
  path: 'events',
  examples: ['events'],
  flags: {},
  run: async (run) => {
    const { client } = run.connect();
    const [models, subscriptions] = [await client.webhooks.listEventKinds(), await client.webhooks.list()];
    for (const kind of models.flatMap(({ events }) => events)) {
      const owner = subscriptions.find(({ events }) => events.includes(kind));
      const paused = owner?.paused === true ? ' (paused)' : '';
      run.report(
        { kind, subscriptionId: owner?.id ?? null, url: owner?.url ?? null },
        `${kind.padEnd(46)} ${owner === undefined ? 'nobody' : `${owner.id} ${owner.url}${paused}`}`,
      );
    }
    return undefined;
  },
});

/** `pos deliveries list`. */
const listDeliveries = defineCommand({
  path: 'deliveries list',
  details: ['The subscription may be left out where the account has only one.'],
  examples: ['deliveries list', 'deliveries list --state DeadLettered --limit 100'],
  flags: {
    subscription: text('The id of the subscription.', 'id'),
    state: text(`${STATES.join(', ')}; all when left out.`, 'state'),
    limit: wholeNumber(`How many at most; ${LISTED} when left out.`, { min: 1, max: 10_000 }),
  },
  run: async (run, { values }) => {
    const { client } = run.connect();
    const state = STATES.find((each) => each === values.state);
    if (values.state !== undefined && state === undefined) {
      throw new WrongUse(`--state ${values.state}: must be one of ${STATES.join(', ')}`);
    }
    const limit = values.limit ?? LISTED;
    const query = { limit: Math.min(limit, 100), ...(state !== undefined && { state }) };
    let listed = 0;
    const subscriptionId = await chooseSubscription(client, values.subscription);
    for await (const delivery of client.webhooks.listAllDeliveries(subscriptionId, query)) {
      const { id, event, state: found, attempts, lastStatus, lastError, createdAt } = delivery;
      const last = lastError ?? (lastStatus === undefined ? '' : String(lastStatus));
      run.report(delivery, `${createdAt} ${id} ${event} ${found} ${attempts} attempts ${last}`.trimEnd());
      listed += 1;
      if (listed === limit) break;
    }
    return undefined;
  },
});

/** `pos deliveries replay`. */
const replayDeliveries = defineCommand({
  path: 'deliveries replay',
  details: ['Without an id it sends everything again that was given up.'],
  examples: ['deliveries replay', 'deliveries replay dlv_...', 'deliveries replay --wait'],
  flags: {
    subscription: text('The id of the subscription.', 'id'),
    wait: toggle('Waits until none is pending any more. Exit code 4: some were given up again.'),
  },
  operands: { placeholder: 'delivery', brief: 'The id of a delivery.', min: 0, max: 1 },
  run: async (run, { values, operands: [deliveryId] }) => {
    const { client } = run.connect();
    const subscriptionId = await chooseSubscription(client, values.subscription);
    if (deliveryId !== undefined) {
      const delivery = await client.webhooks.replayDelivery(subscriptionId, deliveryId);
      run.report(delivery, `${delivery.id} ${delivery.state}`);
      return values.wait ? awaitDeliveries(run, { client, subscriptionId, queued: 1 }) : undefined;
    }
    const replayed = await client.webhooks.replayEvents(subscriptionId, { states: ['DeadLettered'] });
    run.report(replayed, `${replayed.queued} events are sent again`);
    return values.wait ? awaitDeliveries(run, { client, subscriptionId, queued: replayed.queued }) : undefined;
  },
});

const POLL_MS = 500;

/** Waits until no delivery of the subscription is pending. */
async function awaitDeliveries(
  run: CommandRun,
  {
    client,
    subscriptionId,
    queued,
  }: { readonly client: PosClient; readonly subscriptionId: string; readonly queued: number },
): Promise<ExitCode | undefined> {
  const progress = run.showProgress('Sending');
  for (;;) {
    run.stop.throwIfAborted();
    const pending = await countDeliveries(client, subscriptionId, 'Pending');
    progress.update(Math.max(queued - pending, 0), queued);
    if (pending === 0) break;
    await pause(POLL_MS);
  }
  progress.end();
  const givenUp = await countDeliveries(client, subscriptionId, 'DeadLettered');
  run.report({ givenUp }, givenUp === 0 ? 'All are delivered.' : `${givenUp} were given up.`);
  return givenUp === 0 ? undefined : EXIT_CODES.finding;
}

async function chooseSubscription(client: PosClient, id: string | undefined): Promise<string> {
  if (id !== undefined) return id;
  const all = await client.webhooks.list();
  const [first, ...more] = all;
  if (first === undefined) throw new WrongUse('the account has no subscription; pos listen creates one');
  if (more.length > 0) {
    throw new WrongUse(`--subscription: must be one of ${all.map((each) => `${each.id} (${each.url})`).join(', ')}`);
  }
  return first.id;
}

export const DELIVERY_COMMANDS = [eventsCommand, listDeliveries, replayDeliveries];
