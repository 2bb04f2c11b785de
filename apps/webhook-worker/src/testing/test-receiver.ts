import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createPaymentIntentEvent, createTerminalSessionEvent, type Envelope } from '@pos/core/webhooks';
import { EVENT_KINDS } from '@pos/core/events';
import type { PaymentIntentId, Scope, SecretId, SubscriptionId, TerminalSessionId } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import type { PaymentIntentStatus } from '@pos/core/payment-intents';
import type { SessionStatus } from '@pos/core/terminals';
import { buildIntent, buildSession, NOON } from '@pos/core/testing';
import { emit, emitAll } from '@pos/store/queues';
import { insertSubscription, type Subscription } from '@pos/store/webhooks';
import type { Database, Tx } from '@pos/store/database';
import { generate } from 'selfsigned';
import type { EposGatewayClient } from '../delivery/epos-gateway-client.js';
import type { WorkerSettings } from '../worker.js';

/** A webhook as the receiver received it. */
export interface ReceivedHook {
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

/** The receiver's reaction to a hook: a status to answer, at once or later, a 200 whose body never ends, or no answer. */
export type HookReaction = (hook: ReceivedHook) => number | 'hang' | 'endless' | Promise<number>;

/** A receiver on a real TLS socket, with a certificate of its own authority. */
export class TestReceiver {
  readonly receivedHooks: ReceivedHook[] = [];
  reaction: HookReaction = () => 200;
  /** Hooks of other accounts, such as retries of an earlier test, are answered and not recorded. */
  #accountIds: ReadonlySet<string> | null = null;
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    readonly authority: string,
  ) {
    server.on('connection', (socket) => this.sockets.add(socket));
  }

  static async open(): Promise<TestReceiver> {
    const created = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ],
    });
    const server = createServer({ key: created.private, cert: created.cert });
    const receiver = new TestReceiver(server, created.cert);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const hook = parseHook(request.url ?? '', request.headers, Buffer.concat(parts));
        if (receiver.#accountIds?.has(hook.accountId) === false) {
          response.writeHead(200).end();
          return;
        }
        receiver.receivedHooks.push(hook);
        void Promise.resolve(receiver.reaction(hook)).then((reaction) => {
          if (reaction === 'endless') response.writeHead(200).write('{"ok"');
          else if (reaction !== 'hang') response.writeHead(reaction).end();
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

  buildUrl(path = '/hooks'): string {
    return `https://${this.host}${path}`;
  }

  /** Deletes the recorded hooks, and from now on records hooks of these accounts only. */
  expectOnlyAccounts(...scopes: readonly Scope[]): void {
    this.receivedHooks.length = 0;
    this.#accountIds = new Set(scopes.map(({ accountId }) => accountId));
  }

  /** The received states of one subject, in order. */
  listStates(subject: string): string[] {
    return this.receivedHooks.filter((hook) => hook.subject === subject).map(({ state }) => state);
  }

  /** Closes every connection, also those of hooks without an answer. */
  closeSockets(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  close(): void {
    this.closeSockets();
    this.server.close();
  }
}

/** The signature by the published instructions, independent of the code that signs. */
export function computeReferenceSignature(secret: string, body: Buffer): string {
  const digest = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest();
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('-')}`;
}

export function createSessionId(): TerminalSessionId {
  return createId('terminalSession', 'sandbox', randomBytes(16));
}

export function createIntentId(): PaymentIntentId {
  return createId('paymentIntent', 'sandbox', randomBytes(16));
}

/** Subscribes an account to all events at one URL; returns the subscription's id, its secret and the secret's id. */
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

/** Publishes these statuses of a session, each in its own transaction. */
export async function publishSessionStates(
  database: Database,
  scope: Scope,
  { id, states }: { id: TerminalSessionId; states: readonly SessionStatus[] },
) {
  for (const state of states) {
    await database.transact(scope, async (tx) => {
      const head = { ...(await createEventHead(tx)), kind: 'terminal_session.status_updated' as const };
      await emit(tx, createTerminalSessionEvent(head, { ...buildSession(), id }, state));
    });
  }
}

/** Publishes these statuses of an intent, each in its own transaction. */
export async function publishIntentStates(
  database: Database,
  scope: Scope,
  { id, states }: { id: PaymentIntentId; states: readonly PaymentIntentStatus[] },
) {
  for (const status of states) {
    await database.transact(scope, async (tx) => {
      const head = { ...(await createEventHead(tx)), kind: 'payment_intent.status_updated' as const };
      await emitAll(tx, [createPaymentIntentEvent(head, { ...buildIntent(), id, status })]);
    });
  }
}

async function createEventHead(tx: Tx): Promise<Pick<Envelope, 'id' | 'accountId'> & { createdAt: Date }> {
  return { id: await tx.newId('event'), accountId: tx.scope.accountId, createdAt: NOON };
}

function parseHook(path: string, headers: ReceivedHook['headers'], raw: Buffer): ReceivedHook {
  const body = JSON.parse(raw.toString('utf8')) as Pick<ReceivedHook, 'id' | 'accountId' | 'event'> & {
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

/** Waits for an effect of other processes; fails after 20 s. */
export async function waitUntil(isFulfilled: () => boolean | Promise<boolean>): Promise<void> {
  const LOOKS_MAX = 1_000;
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await isFulfilled()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('what was waited for did not happen');
}

/** Gateways that cannot be reached. */
export const NO_GATEWAY: Pick<EposGatewayClient, 'sendEvent'> = {
  sendEvent: () => Promise.resolve({ outcome: 'notForwarded', reason: 'there is no gateway' }),
};

/** Settings of a worker with short waits. */
export const TEST_SETTINGS: WorkerSettings = {
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
  NODE_ENV: 'production',
};
