import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@pos/core/refusals';
import type pg from 'pg';
import { RoutedClient, type RoutedClientConfig } from './routed-client.js';
import { toServiceUnavailable } from '../statements/sql-errors.js';
import { type Statement, defineStatement } from '../statements/statement.js';

export type NotificationCallback = (payload: string) => void;

const BATCH_MS = 2;
const HINTS_PENDING_MAX = 10_000;
const RECONNECT_MS = 250;
const ANSWER_MS = 5_000;

const NOTIFY: Statement = defineStatement(
  'send_notifications',
  'select pg_notify(hint.channel, hint.payload) from unnest($1::text[], $2::text[]) as hint(channel, payload)',
);

/**
 * LISTEN and NOTIFY on one connection of their own, outside every transaction, so that a commit never waits in the
 * server's one queue of notifications. Hints of two milliseconds go out together, each once. A hint can get lost, so
 * listeners also poll. A channel is an identifier of SQL.
 */
export class NotificationListener<Channel extends string> {
  readonly #listeners = new Map<Channel, Set<NotificationCallback>>();
  readonly #pendingHints = new Map<string, readonly [Channel, string]>();
  #client: Promise<pg.Client> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** One statement at a time: the connection has no queue of its own. */
  #queueTail: Promise<void> = Promise.resolve();
  #isFlushing = false;
  #isReconnecting = false;
  #isClosed = false;

  constructor(private readonly options: RoutedClientConfig) {}

  /**
   * Calls the listener with the payload of each hint until the returned function is called. Resolves once it listens, or
   * once the database has not answered: the connection is then opened again beside the caller, who polls anyway.
   */
  async listen(channel: Channel, listener: NotificationCallback): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
    await this.#execute({ text: `listen ${channel}` }).catch((error: unknown) => {
      if (!(toServiceUnavailable(error) instanceof Refusal)) throw error;
      void this.#reconnect();
    });
    return async () => {
      listeners.delete(listener);
      if (listeners.size === 0 && !this.#isClosed)
        await this.#execute({ text: `unlisten ${channel}` }).catch(() => undefined);
    };
  }

  /** Puts a hint into the next batch. Never fails and never waits. */
  hint(channel: Channel, payload: string): void {
    if (this.#isClosed || this.#pendingHints.size >= HINTS_PENDING_MAX) return;
    this.#pendingHints.set(`${channel} ${payload}`, [channel, payload]);
    if (!this.#isFlushing) this.#timer ??= setTimeout(() => void this.#flush(), BATCH_MS);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) await this.#flush();
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#queueTail;
    const client = await this.#client?.catch(() => null);
    await client?.end().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isFlushing = true;
    const hints = [...this.#pendingHints.values()];
    this.#pendingHints.clear();
    const values = [hints.map(([channel]) => channel), hints.map(([, payload]) => payload)];
    // A lost hint costs one polling interval; the rows contain the truth.
    await this.#execute({ ...NOTIFY, values }).catch(() => undefined);
    this.#isFlushing = false;
    if (this.#pendingHints.size > 0) this.#timer ??= setTimeout(() => void this.#flush(), BATCH_MS);
  }

  #execute(query: pg.QueryConfig): Promise<void> {
    const execution = this.#queueTail.then(async () => {
      const client = await this.#getClient();
      await client.query(query).catch((cause: unknown) => {
        // It may be silent for good; the end of this connection starts the next one.
        void client.end().catch(() => undefined);
        throw cause;
      });
    });
    this.#queueTail = execution.catch(() => undefined);
    return execution;
  }

  #getClient(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch((cause: unknown) => {
      this.#client = null;
      throw cause;
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new RoutedClient({ ...this.options, query_timeout: ANSWER_MS });
    client.on('notification', ({ channel, payload }) => {
      for (const [name, listeners] of this.#listeners) {
        if (name === channel) for (const listener of listeners) listener(payload ?? '');
      }
    });
    // The end follows every error; without a listener the error would end the process.
    client.on('error', () => undefined);
    const connection = { hasEnded: false, isOpen: false };
    client.once('end', () => {
      connection.hasEnded = true;
      if (connection.isOpen) void this.#reconnect();
    });
    await client.connect();
    for (const [channel, listeners] of this.#listeners) {
      if (listeners.size > 0) await client.query(`listen ${channel}`);
    }
    // Lost since its last answer, before anything would have opened it again.
    if (connection.hasEnded) throw new Error('Connection terminated unexpectedly');
    connection.isOpen = true;
    return client;
  }

  async #reconnect(): Promise<void> {
    if (this.#isReconnecting) return;
    this.#isReconnecting = true;
    await this.#openAgain();
    this.#isReconnecting = false;
  }

  async #openAgain(): Promise<void> {
    this.#client = null;
    while (!this.#isClosed && [...this.#listeners.values()].some(({ size }) => size > 0)) {
      const isConnected = await this.#getClient().then(
        () => true,
        () => false,
      );
      if (isConnected) return;
      await pause(RECONNECT_MS, undefined, { ref: false });
    }
  }
}
