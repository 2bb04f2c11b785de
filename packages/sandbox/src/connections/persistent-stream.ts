import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { CancelTask } from '../clock/simulation-clock.js';
import { PersistentConnection, type PersistentConnectionOptions } from './persistent-connection.js';

/** One attempt at a stream, and how to release its connection. */
export interface OpenStream<Up, Down> {
  readonly stream: ClientDuplexStream<Up, Down>;
  readonly close: () => void;
}

/** The client's side of the protocol on a persistent stream. */
export interface StreamProtocol<Up, Down> {
  readonly openStream: (address: string) => OpenStream<Up, Down>;
  readonly createHello: () => Up;
  readonly createHeartbeat: () => Up;
  /** The interval of heartbeats when this message is the welcome, else null. */
  readonly readHeartbeatInterval: (message: Down) => number | null;
  /** The stream is accepted. Until it breaks, messages go out through `send`. */
  readonly onOpened: (send: (message: Up) => void) => void;
  readonly onMessage: (message: Down) => void;
  readonly onClosed: () => void;
}

const WELCOME_TIMEOUT_MS = 5_000;
const HEARTBEATS_MISSED_MAX = 3;

interface StreamConnection<Up, Down> extends OpenStream<Up, Down> {
  /** The next scheduled task of this connection: the timeout of the welcome, then each heartbeat. */
  cancelNext: CancelTask;
  isWelcome: boolean;
  receivedAtMs: number;
}

/** Keeps one stream to a gateway open. */
export class PersistentStream<Up, Down> extends PersistentConnection<StreamConnection<Up, Down>> {
  readonly #protocol: StreamProtocol<Up, Down>;

  constructor({
    talk,
    ...connectionOptions
  }: PersistentConnectionOptions & { readonly talk: StreamProtocol<Up, Down> }) {
    super(connectionOptions);
    this.#protocol = talk;
  }

  protected openConnection(address: string): StreamConnection<Up, Down> {
    const opened = this.#protocol.openStream(address);
    const connection: StreamConnection<Up, Down> = {
      ...opened,
      isWelcome: false,
      receivedAtMs: this.clock.now().getTime(),
      cancelNext: this.clock.scheduleRealTime(WELCOME_TIMEOUT_MS, () => {
        this.handleEnd(connection);
      }),
    };
    connection.stream.on('data', (message: Down) => {
      this.#receiveMessage(connection, message);
    });
    // A broken stream emits `error` and then `end`; the first counts.
    connection.stream.on('error', () => {
      this.handleEnd(connection);
    });
    connection.stream.on('end', () => {
      this.handleEnd(connection);
    });
    connection.stream.write(this.#protocol.createHello());
    return connection;
  }

  protected destroyConnection(connection: StreamConnection<Up, Down>): void {
    connection.cancelNext();
    connection.stream.cancel();
    connection.close();
    this.#protocol.onClosed();
  }

  protected isOpen({ isWelcome }: StreamConnection<Up, Down>): boolean {
    return isWelcome;
  }

  #receiveMessage(connection: StreamConnection<Up, Down>, message: Down): void {
    if (!this.isCurrent(connection)) return;
    connection.receivedAtMs = this.clock.now().getTime();
    const intervalMs = this.#protocol.readHeartbeatInterval(message);
    if (intervalMs === null) {
      if (connection.isWelcome) this.#protocol.onMessage(message);
      return;
    }
    if (connection.isWelcome || !this.acceptConnection(connection)) return;
    connection.isWelcome = true;
    connection.cancelNext();
    this.#scheduleHeartbeat(connection, intervalMs);
    this.#protocol.onOpened((up) => {
      if (this.isCurrent(connection)) connection.stream.write(up);
    });
  }

  #scheduleHeartbeat(connection: StreamConnection<Up, Down>, intervalMs: number): void {
    connection.cancelNext = this.clock.scheduleRealTime(intervalMs, () => {
      const idleMs = this.clock.now().getTime() - connection.receivedAtMs;
      if (idleMs > intervalMs * HEARTBEATS_MISSED_MAX) {
        this.handleEnd(connection);
        return;
      }
      connection.stream.write(this.#protocol.createHeartbeat());
      this.#scheduleHeartbeat(connection, intervalMs);
    });
  }
}
