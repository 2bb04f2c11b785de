import type { Client } from '@pos/rest-contracts/client';
import { createSubscription, listSubscriptions, type WebhookEvent } from '@pos/rest-contracts/webhooks';
import { openReceiver, type ReceivedWebhook, type Receiver } from './webhook-receiver.js';

const KINDS = [
  'payment_intent.created',
  'payment_intent.status_updated',
  'terminal_session.created',
  'terminal_session.status_updated',
  'terminal_session.notification',
] as const;

/** What the demo needs of its subscription. */
interface ListenerSubscription {
  readonly accountId: string;
  readonly secret: { readonly value: string };
}

/** Receives the webhooks of the demo: its subscription, its receiver, and all verified webhooks. */
export class WebhookListener {
  readonly #webhooks: ReceivedWebhook[] = [];
  readonly #forgeries: string[] = [];
  readonly #waiting = new Set<() => void>();
  #subscription: ListenerSubscription | null = null;
  #receiver: Receiver | null = null;

  /** Listens before it subscribes, so that no delivery is sent to a closed port. */
  async open(settings: { readonly port: number; readonly key: string; readonly cert: string }): Promise<string> {
    const receiver = await openReceiver({
      ...settings,
      secret: () => this.#subscription?.secret.value ?? null,
      onWebhook: (webhook) => {
        this.#webhooks.push(webhook);
        for (const look of this.#waiting) look();
      },
      onForgery: (reason) => void this.#forgeries.push(reason),
    });
    this.#receiver = receiver;
    return receiver.url;
  }

  /**
   * Subscribes, or takes over the subscription of an earlier run of the demo, at this URL. Null when another
   * subscription of the account has one of the kinds: each kind belongs to one.
   */
  async subscribe(api: Client, url: string): Promise<ListenerSubscription | null> {
    const subscriptions = await api(listSubscriptions, {});
    const taken = subscriptions.filter(({ events }) => KINDS.some((kind) => events.includes(kind)));
    const own = taken.find((subscription) => subscription.url === url);
    if (own !== undefined) {
      this.#subscription = KINDS.every((kind) => own.events.includes(kind)) ? own : null;
    } else if (taken.length === 0) {
      const body = { events: [...KINDS], url, description: 'npm run demo' };
      this.#subscription = await api(createSubscription, { body });
    }
    return this.#subscription;
  }

  /** All webhooks about one payment, in order of arrival; a repeated delivery once. */
  about(ids: readonly string[]): WebhookEvent[] {
    const bodies = this.#webhooks.map(({ body }) => body).filter((body) => ids.includes(getSubject(body)));
    return bodies.filter((body, index) => bodies.findIndex(({ id }) => id === body.id) === index);
  }

  /** Waits until enough has arrived; throws the sentence of what is missing. */
  async until(isEnough: () => boolean, { withinMs, missing }: { withinMs: number; missing: string }): Promise<void> {
    if (isEnough()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(missing));
      }, withinMs);
      const look = (): void => {
        if (!isEnough()) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** The webhooks whose signature was wrong. */
  get forgeries(): readonly string[] {
    return this.#forgeries;
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
  }
}

/** The intent or the session that an event is about; empty for a booking, which the demo does not have. */
function getSubject({ data }: WebhookEvent): string {
  if ('terminalSessionId' in data) return data.terminalSessionId;
  return 'paymentIntentId' in data ? data.paymentIntentId : '';
}
