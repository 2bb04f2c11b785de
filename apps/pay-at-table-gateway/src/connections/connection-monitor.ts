import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusals';
import { GrpcFailure } from '@pos/service-kit/grpc';

/** A monitored stream or socket. */
export interface MonitoredConnection {
  /** Milliseconds since the last message of the other side. */
  getReadIdleMs(): number;
  /** Milliseconds since the last message to it. */
  getWriteIdleMs(): number;
  end(error: Error): void;
}

/** How a connection is monitored. */
export interface MonitorOptions {
  /** Sends a heartbeat. */
  readonly sendHeartbeat: () => void;
  /** Throws a refusal when the key was deleted, or has lost the permission. */
  readonly reauthorise: () => Promise<void>;
  readonly heartbeatIntervalMs: number;
  /** The connection ends after this time without a message. */
  readonly idleTimeoutMs: number;
  /** True: the other side works on a call, and its silence does not end the connection. */
  readonly isBusy?: () => boolean;
}

interface MonitorEntry {
  readonly checkIdle: () => void;
  readonly checkAuthorisation: () => Promise<void>;
  isChecking: boolean;
}

/** A deleted key must be refused within a second, of which the key cache takes 0.9 s. */
const CHECK_INTERVAL_MS = 100;

/** Monitors all connections of a gateway: sends heartbeats, and ends idle connections and those with a deleted key. */
export class ConnectionMonitor {
  readonly #entries = new Set<MonitorEntry>();
  #timer: NodeJS.Timeout | null = null;

  start(): void {
    this.#timer = setInterval(() => {
      this.#checkAll();
    }, CHECK_INTERVAL_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#entries.clear();
  }

  /** Monitors a connection until the returned function is called. */
  monitor(
    connection: MonitoredConnection,
    { sendHeartbeat, reauthorise, heartbeatIntervalMs, idleTimeoutMs, isBusy }: MonitorOptions,
  ): () => void {
    const entry: MonitorEntry = {
      isChecking: false,
      checkAuthorisation: async () => {
        try {
          await reauthorise();
        } catch (error) {
          // Only a refusal ends the connection: while the database is unavailable the answer is unknown.
          if (error instanceof Refusal && ENDING_CODES.has(error.code)) connection.end(error);
        }
      },
      checkIdle: () => {
        if (connection.getReadIdleMs() > idleTimeoutMs && isBusy?.() !== true) {
          connection.end(new GrpcFailure(status.DEADLINE_EXCEEDED, `no message for ${idleTimeoutMs} ms`));
        } else if (connection.getWriteIdleMs() >= heartbeatIntervalMs) {
          sendHeartbeat();
        }
      },
    };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  #checkAll(): void {
    for (const entry of this.#entries) {
      entry.checkIdle();
      if (entry.isChecking) continue;
      entry.isChecking = true;
      void entry.checkAuthorisation().then(() => {
        entry.isChecking = false;
      });
    }
  }
}

const ENDING_CODES: ReadonlySet<string> = new Set(['unauthenticated', 'permission_missing']);
