import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusals/refusal';
import { GrpcFailure } from '@pos/service-kit/grpc/grpc-errors';

/** What is kept: a stream or a socket that the other side has opened. */
export interface MonitoredConnection {
  /** Milliseconds since the last message of the other side. */
  getReadIdleMs(): number;
  /** Milliseconds since something was sent to it. */
  getWriteIdleMs(): number;
  end(error: Error): void;
}

/** How a line is kept alive. */
export interface MonitorOptions {
  /** Sends a sign of life. */
  readonly sendHeartbeat: () => void;
  /** Refuses when the key was deleted, or may not do this any more. */
  readonly reauthorise: () => Promise<void>;
  readonly heartbeatIntervalMs: number;
  /** After so long without a message the other side counts as gone. */
  readonly idleTimeoutMs: number;
  /** The other side is at work for us and need not say anything else. */
  readonly isBusy?: () => boolean;
}

interface MonitorEntry {
  readonly checkIdle: () => void;
  readonly checkAuthorisation: () => Promise<void>;
  isChecking: boolean;
}

/** A deleted key must stop working within a second, and the key ring answers for nine tenths of one by itself. */
const CHECK_INTERVAL_MS = 100;

/** Watches all lines of a gateway: sends heartbeats, ends those that are dead, and those whose key has been deleted. */
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

  /** Keeps a line until the returned function is called. */
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
          // Only a definite no ends the line: while the database is away the answer is unknown.
          if (error instanceof Refusal && ENDING_CODES.has(error.code)) connection.end(error);
        }
      },
      checkIdle: () => {
        if (connection.getReadIdleMs() > idleTimeoutMs && isBusy?.() !== true) {
          connection.end(new GrpcFailure(status.DEADLINE_EXCEEDED, `not heard for ${idleTimeoutMs} ms`));
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
