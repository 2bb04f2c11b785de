import type { SecureContextOptions } from 'node:tls';
import { WebSocket } from 'ws';
import type { CancelTask } from '../clock/simulation-clock.js';
import { PersistentConnection, type PersistentConnectionOptions } from './persistent-connection.js';

/** The service closes on purpose, and another gateway is available. */
const GOING_AWAY = 1001;
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** The service pings every 30 s. A socket that receives nothing for three intervals is dead. */
const IDLE_TIMEOUT_MS = 90_000;
const FRAME_BYTES_MAX = 1024 * 1024;

/** The client's side of the protocol on a persistent socket. */
export interface SocketProtocol {
  readonly buildRequest: (address: string) => {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The authorities and the certificate of a `wss:` socket. */
    readonly tls: SecureContextOptions;
  };
  /** A text arrived. `say` answers on the same socket, or not at all. */
  readonly onText: (text: string, say: (text: string) => void) => void;
}

interface SocketConnection {
  readonly socket: WebSocket;
  cancelIdleTimer: CancelTask;
}

/** Keeps one socket to a gateway open. */
export class PersistentSocket extends PersistentConnection<SocketConnection> {
  readonly #protocol: SocketProtocol;

  constructor({ talk, ...connectionOptions }: PersistentConnectionOptions & { readonly talk: SocketProtocol }) {
    super(connectionOptions);
    this.#protocol = talk;
  }

  protected openConnection(address: string): SocketConnection {
    const { url, headers, tls } = this.#protocol.buildRequest(address);
    const socket = new WebSocket(url, {
      ...tls,
      headers,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: FRAME_BYTES_MAX,
    });
    const connection: SocketConnection = { socket, cancelIdleTimer: () => undefined };
    const restartIdleTimer = (): void => {
      connection.cancelIdleTimer();
      if (!this.isCurrent(connection)) return;
      connection.cancelIdleTimer = this.clock.scheduleRealTime(IDLE_TIMEOUT_MS, () => {
        this.handleEnd(connection);
      });
    };
    socket.on('open', () => {
      if (this.acceptConnection(connection)) restartIdleTimer();
    });
    socket.on('ping', restartIdleTimer);
    socket.on('message', (data: Buffer) => {
      restartIdleTimer();
      this.#protocol.onText(data.toString(), (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      });
    });
    // An error closes the socket, too.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.handleEnd(connection, code === GOING_AWAY);
    });
    return connection;
  }

  protected destroyConnection({ socket, cancelIdleTimer }: SocketConnection): void {
    cancelIdleTimer();
    socket.terminate();
  }

  protected isOpen({ socket }: SocketConnection): boolean {
    return socket.readyState === WebSocket.OPEN;
  }
}
