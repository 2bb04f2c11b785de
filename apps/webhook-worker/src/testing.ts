import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { paymentIntentEvent, terminalSessionEvent, type Envelope } from '@pos/core/event';
import { EVENT_KINDS } from '@pos/core/event-kind';
import type { PaymentIntentId, Scope, SecretId, SubscriptionId, TerminalSessionId } from '@pos/core/identity';
import { newId } from '@pos/core/ids';
import type { PaymentIntentStatus } from '@pos/core/payment-intent';
import type { SessionStatus } from '@pos/core/terminal-session';
import { createdIntent, createdSession, NOON } from '@pos/core/testing';
import { emit, emitAll } from '@pos/store/outbox';
import { insertSubscription, type Subscription } from '@pos/store/subscriptions';
import type { Database } from '@pos/store/database';
import type { Tx } from '@pos/store/transaction';
import { generate } from 'selfsigned';
import type { EposDoor } from './epos-door.js';
import type { WorkerSettings } from './worker.js';

/** One webhook as a receiver saw it. */
export interface Hook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Buffer;
  readonly id: string;
  readonly accountId: string;
  readonly event: string;
  /** The session's state, or the intent's status. */
  readonly state: string;
  readonly subject: string;
  readonly attempt: number;
}

/** What the receiver does with a hook: a status to answer, at once or when it is done, or never to answer. */
export type Reaction = (hook: Hook) => number | 'hang' | Promise<number>;

/** A receiver on a real TLS socket, with a certificate that only its own authority vouches for. */
export class Receiver {
  readonly hooks: Hook[] = [];
  reaction: Reaction = () => 200;
  /** Retries that an earlier test left behind are accepted and not recorded. */
  #accountIds: ReadonlySet<string> | null = null;
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    readonly authority: string,
  ) {
    server.on('connection', (socket) => this.sockets.add(socket));
  }

  static async open(): Promise<Receiver> {
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ],
    });
    const server = createServer({ key: made.private, cert: made.cert });
    const receiver = new Receiver(server, made.cert);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const hook = hookOf(request.url ?? '', request.headers, Buffer.concat(parts));
        if (receiver.#accountIds?.has(hook.accountId) === false) {
          response.writeHead(200).end();
          return;
        }
        receiver.hooks.push(hook);
        void Promise.resolve(receiver.reaction(hook)).then((reaction) => {
          if (reaction !== 'hang') response.writeHead(reaction).end();
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get host(): string {
    return `localhost:${(this.server.address() as AddressInfo).port}`;
  }

  url(path = '/hooks'): string {
    return `https://${this.host}${path}`;
  }

  /** Forgets what it recorded, and from now on records hooks of these accounts only. */
  expectOnly(...scopes: readonly Scope[]): void {
    this.hooks.length = 0;
    this.#accountIds = new Set(scopes.map(({ accountId }) => accountId));
  }

  /** What it saw of one subject, as states in order. */
  statesOf(subject: string): string[] {
    return this.hooks.filter((hook) => hook.subject === subject).map(({ state }) => state);
  }

  /** Breaks every connection, and with it each hook that hangs. */
  hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  close(): void {
    this.hangUp();
    this.server.close();
  }
}

/** The signature as the documents tell an integrator to make it; written apart from the code that signs. */
export function signatureByTheBook(secret: string, body: Buffer): string {
  const digest = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest();
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('-')}`;
}

export function freshSession(): TerminalSessionId {
  return newId('terminalSession', 'sandbox', randomBytes(16));
}

export function freshIntent(): PaymentIntentId {
  return newId('paymentIntent', 'sandbox', randomBytes(16));
}

/** An account subscribes to everything at one URL; returns the subscription's id, its secret and the secret's id. */
export async function subscribe(
  database: Database,
  scope: Scope,
  url: string,
): Promise<{ id: SubscriptionId; secret: string; secretId: SecretId }> {
  return database.transact(scope, async (tx) => {
    const secret = `secret-${randomBytes(12).toString('hex')}`;
    const secretId = await tx.newId('secret');
    const subscription: Subscription = {
      id: await tx.newId('subscription'),
      url,
      description: null,
      isPaused: false,
      events: [...EVENT_KINDS],
      secrets: [
        {
          id: secretId,
          value: secret,
          isActive: true,
          createdAt: tx.now,
          lastUsedAt: null,
        },
      ],
      createdAt: tx.now,
      updatedAt: tx.now,
    };
    await insertSubscription(tx, subscription);
    return { id: subscription.id, secret, secretId };
  });
}

/** A session reaches these statuses, each in a transaction of its own. */
export async function tellSession(
  database: Database,
  scope: Scope,
  { id, states }: { id: TerminalSessionId; states: readonly SessionStatus[] },
) {
  for (const state of states) {
    await database.transact(scope, async (tx) => {
      const head = { ...(await eventHead(tx)), kind: 'terminal_session.status_updated' as const };
      await emit(tx, terminalSessionEvent(head, { ...createdSession(), id }, state));
    });
  }
}

/** An intent reaches these statuses, each in a transaction of its own. */
export async function tellIntent(
  database: Database,
  scope: Scope,
  { id, states }: { id: PaymentIntentId; states: readonly PaymentIntentStatus[] },
) {
  for (const status of states) {
    await database.transact(scope, async (tx) => {
      const head = { ...(await eventHead(tx)), kind: 'payment_intent.status_updated' as const };
      await emitAll(tx, [paymentIntentEvent(head, { ...createdIntent(), id, status })]);
    });
  }
}

async function eventHead(tx: Tx): Promise<Pick<Envelope, 'id' | 'accountId'> & { createdAt: Date }> {
  return { id: await tx.newId('event'), accountId: tx.scope.accountId, createdAt: NOON };
}

function hookOf(path: string, headers: Hook['headers'], raw: Buffer): Hook {
  const body = JSON.parse(raw.toString('utf8')) as Pick<Hook, 'id' | 'accountId' | 'event'> & {
    data: Record<string, string>;
  };
  const { data } = body;
  return {
    path,
    headers,
    raw,
    id: body.id,
    accountId: body.accountId,
    event: body.event,
    state: data['state'] ?? data['paymentStatus'] ?? '',
    subject: data['terminalSessionId'] ?? data['paymentIntentId'] ?? '',
    attempt: Number(headers['delivery-attempt']),
  };
}

/** Waits for something that other processes bring about; fails after 20 s. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const LOOKS_MAX = 1_000;
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('what was waited for did not happen');
}

/** Where no gateway runs. */
export const NO_GATEWAY: Pick<EposDoor, 'tell'> = {
  tell: () => Promise.resolve({ outcome: 'untold', reason: 'there is no gateway' }),
};

/** A worker in a hurry. */
export const SETTINGS: WorkerSettings = {
  DELIVERY_CONCURRENCY: 32,
  DELIVERY_ACCOUNT_CONCURRENCY: 8,
  DELIVERY_ENDPOINT_CONCURRENCY: 4,
  TIMER_CONCURRENCY: 4,
  TIMER_ACCOUNT_CONCURRENCY: 4,
  ACQUIRER_CONCURRENCY: 4,
  LANE_LEASE_MS: 60_000,
  TIMER_LEASE_MS: 60_000,
  POLL_MS: 50,
  // The whole backoff of about four days runs in a few milliseconds.
  WEBHOOK_BACKOFF_SCALE: 0.000_000_1,
  SEED: undefined,
};
