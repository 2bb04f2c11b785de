import { toggle } from '@pos/command-line';
import { once } from 'node:events';
import { type CommandRun, defineCommand } from '../command/command-definition.js';
import { text, wholeNumber } from '../command/flags.js';
import { WrongUse } from '../failures/wrong-use.js';
import {
  attachSubscription,
  countDeliveries,
  type EventKind,
  pauseSubscription,
  replayMissed,
} from '../listen/listen-subscription.js';
import { openEndpoint } from '../listen/receiver-endpoint.js';
import { readSecrets, type ReceivedDelivery, WebhookListener } from '../listen/webhook-listener.js';

const FLAGS = {
  forwardTo: text('Your endpoint. Without it the listener answers 204 itself.', 'address'),
  events: text('Kinds of events, separated by commas; all that are free when left out.', 'kinds'),
  name: text('The name of this listener: it continues where it stopped. `default` when left out.', 'name'),
  missed: toggle('Also sends events that happened while no subscription had their kind.'),
  delete: toggle('Deletes the subscription at the end, in place of pausing it.'),
  count: wholeNumber('Ends after this many accepted deliveries.', { min: 1, max: 1_000_000 }),
  port: wholeNumber('The port of this machine; a free one when left out.', { min: 1, max: 65_535 }),
  publicUrl: text('The https address of a tunnel to the port, for a service on another machine.', 'address'),
};

/** `pos listen`. */
export const listenCommand = defineCommand({
  path: 'listen',
  details: [
    'It is an ordinary subscription: the service signs deliveries, repeats what your endpoint refuses, and stores them. ' +
      'At the end the subscription is paused. The next run continues with what happened since, and with what was given up.',
    'Each line shows the event, what it is about, the attempt and the answer of your endpoint, which the service gets too.',
  ],
  examples: [
    'listen --forward-to http://localhost:4242/hooks',
    'listen --events payment_intent.status_updated --count 1 --delete',
  ],
  flags: FLAGS,
  run: async (run, { values }) => {
    const { client, ...connection } = run.connect();
    const forwardTo = readAddress(values.forwardTo);
    const name = values.name ?? 'default';
    if (!/^[\w-]{1,40}$/.test(name)) throw new WrongUse(`--name ${name}: must be letters, digits, - and _`);
    const progress = new ListenProgress(run, values.count ?? null);
    let subscriptionId = '';
    const path = `/pos-listen/${name}`;
    const listener = new WebhookListener({
      ...{ path, forwardTo },
      readSecrets: () => readSecrets(client, subscriptionId),
      onDelivery: (delivery) => progress.reportDelivery(delivery),
      onRefusal: (reason) => progress.reportRefusal(reason),
    });
    const endpoint = await openEndpoint({
      ...{ connection: { client, ...connection }, path, port: values.port, publicUrl: values.publicUrl },
      onRequest: (request, response) => {
        if (subscriptionId === '') {
          // Its secret is not read yet; the service tries again.
          response.writeHead(503).end();
          return;
        }
        listener.handle(request, response).catch((error: unknown) => {
          progress.reportRefusal(error instanceof Error ? error.message : String(error));
          response.writeHead(503).end();
        });
      },
    });
    try {
      const events = values.events === undefined ? null : (values.events.split(',') as EventKind[]);
      const { subscription, resumed } = await attachSubscription(client, { name, url: endpoint.url, events });
      subscriptionId = subscription.id;
      const missed = values.missed ? await replayMissed(client, subscriptionId) : 0;
      const ready = { ready: subscriptionId, url: endpoint.url, events: subscription.events, resumed, missed };
      run.report(ready, `Ready: ${subscriptionId} receives ${subscription.events.join(', ')}`);
      if (resumed !== null && resumed.held + resumed.replayed > 0) {
        run.remark(`Since the last run: ${resumed.held} deliveries waited, ${resumed.replayed} had been given up.`);
      }
      if (missed > 0) run.remark(`${missed} events that no subscription received are sent now.`);
      await progress.untilEnd();
    } finally {
      // Paused first: an attempt at a closed port would be a failed one.
      if (subscriptionId !== '') {
        if (values.delete) await client.webhooks.delete(subscriptionId);
        else await pauseSubscription(client, subscriptionId);
      }
      await endpoint.close();
    }
    const waiting = values.delete ? 0 : await countWaiting(client, subscriptionId);
    const { accepted, failed, refused } = progress;
    run.report(
      { accepted, failed, refused, waiting },
      `${accepted} accepted, ${failed} not accepted, ${refused} refused; ${waiting} wait for the next run.`,
    );
    return undefined;
  },
});

async function countWaiting(client: Parameters<typeof countDeliveries>[0], id: string): Promise<number> {
  const counts = await Promise.all([countDeliveries(client, id, 'Held'), countDeliveries(client, id, 'Pending')]);
  return counts.reduce((sum, count) => sum + count, 0);
}

function readAddress(address: string | undefined): string | null {
  if (address === undefined) return null;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new WrongUse(`--forward-to ${address}: must be an http address`);
  }
  return address;
}

/** Counts and reports deliveries, and says when to end. */
class ListenProgress {
  accepted = 0;
  failed = 0;
  refused = 0;
  readonly #enough = new AbortController();

  constructor(
    private readonly run: CommandRun,
    private readonly wanted: number | null,
  ) {}

  async untilEnd(): Promise<void> {
    const end = AbortSignal.any([this.run.stop, this.#enough.signal]);
    if (!end.aborted) await once(end, 'abort');
  }

  reportDelivery({ event, deliveryId, attempt, answer, isAccepted }: ReceivedDelivery): void {
    if (isAccepted) this.accepted += 1;
    else this.failed += 1;
    const subject = findSubject(event.data);
    const described = describeAnswer(answer);
    const tries = attempt === 1 ? '' : ` attempt ${attempt}`;
    this.run.report(
      { event: event.event, id: event.id, subject, deliveryId, attempt, answer, isAccepted, data: event.data },
      `${event.event.padEnd(36)} ${subject}${tries} ${described}`,
      ...(isAccepted ? [] : ['  The service tries again; pos clock advance 10s makes that now.']),
    );
    if (this.wanted !== null && this.accepted >= this.wanted) this.#enough.abort();
  }

  reportRefusal(reason: string): void {
    this.refused += 1;
    this.run.report({ refused: reason }, `refused: ${reason}`);
  }
}

function describeAnswer(answer: ReceivedDelivery['answer']): string {
  if (answer === null) return '-> 204';
  if (answer.kind === 'unanswered') return `-> no answer (${answer.cause})`;
  const isAccepted = answer.status >= 200 && answer.status < 300;
  const body = isAccepted || answer.body === '' ? '' : `: ${answer.body}`;
  return `-> ${answer.status} in ${answer.ms} ms${body}`;
}

/** The id of what an event is about. */
function findSubject(data: ReceivedDelivery['event']['data']): string {
  if ('terminalSessionId' in data) return data.terminalSessionId;
  if ('paymentIntentId' in data) return data.paymentIntentId;
  return data.reservationId ?? data.partyId ?? '';
}
