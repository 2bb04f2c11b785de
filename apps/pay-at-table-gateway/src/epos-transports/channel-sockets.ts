import { ChannelCredentials } from '@grpc/grpc-js';
import type { Socket } from 'node:net';

type CreateSecureConnector = ChannelCredentials['_createSecureConnector'];

/** Calls that were written before a channel is closed have ended after this time. */
const LAST_CALLS_TIMEOUT_MS = 120_000;

/** One TCP connection of a channel. */
interface ChannelSocket {
  /** The socket of HTTP/2, which differs from the first one with TLS. Null during the TLS handshake. */
  http2Socket: Socket | null;
  /** The channel was connected while this was open, so calls may have been written to it. */
  mayCarryCalls: boolean;
}

/**
 * The sockets of one channel. grpc-js has no limit for the time between a TCP connection and the first frame of HTTP/2. A
 * closed channel leaves such a socket open until the other side closes it, and may dial once more. This class closes the
 * sockets of a closed channel, and prevents further dials.
 */
export class ChannelSockets {
  readonly #sockets = new Map<Socket, ChannelSocket>();
  #isClosed = false;

  /** The same credentials for a channel, with its sockets tracked here. */
  trackCredentials(credentials: ChannelCredentials): ChannelCredentials {
    return new TrackingCredentials(credentials, {
      isClosed: () => this.#isClosed,
      onOpened: (socket) => {
        this.#sockets.set(socket, { http2Socket: null, mayCarryCalls: false });
        socket.once('close', () => this.#sockets.delete(socket));
        if (this.#isClosed) socket.destroy();
      },
      onSecured: (socket, http2Socket) => {
        const channelSocket = this.#sockets.get(socket);
        if (channelSocket !== undefined) channelSocket.http2Socket = http2Socket;
      },
    });
  }

  /** Call it each time the channel is connected: from then on a socket that has received data may carry calls. */
  markConnected(): void {
    for (const channelSocket of this.#sockets.values()) {
      if (channelSocket.http2Socket !== null && channelSocket.http2Socket.bytesRead > 0)
        channelSocket.mayCarryCalls = true;
    }
  }

  /**
   * Call it after the channel was closed. A socket that may carry calls stays open for their answers, also if the channel has
   * disconnected: an EPOS that restarts still answers them. All other sockets are destroyed at once.
   */
  close(): void {
    this.#isClosed = true;
    for (const [socket, { mayCarryCalls }] of this.#sockets) {
      if (mayCarryCalls) setTimeout(() => socket.destroy(), LAST_CALLS_TIMEOUT_MS).unref();
      else socket.destroy();
    }
  }
}

/** The callbacks of the sockets of a channel. */
interface SocketObserver {
  readonly isClosed: () => boolean;
  readonly onOpened: (socket: Socket) => void;
  /** `http2Socket`: the socket of HTTP/2 over the opened socket. */
  readonly onSecured: (socket: Socket, http2Socket: Socket) => void;
}

/** grpc-js accepts no external socket. Only the connector of the credentials receives every socket. */
class TrackingCredentials extends ChannelCredentials {
  constructor(
    private readonly wrapped: ChannelCredentials,
    private readonly channel: SocketObserver,
  ) {
    super();
  }

  override _isSecure(): boolean {
    return this.wrapped._isSecure();
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    ...connectorArguments: Parameters<CreateSecureConnector>
  ): ReturnType<CreateSecureConnector> {
    const connector = this.wrapped._createSecureConnector(...connectorArguments);
    return {
      connect: async (socket) => {
        this.channel.onOpened(socket);
        const connected = await connector.connect(socket);
        this.channel.onSecured(socket, connected.socket);
        return connected;
      },
      // Checked before each dial. A reconnect delay continues after the channel was closed, and would end with a dial.
      waitForReady: () =>
        this.channel.isClosed() ? Promise.reject(new Error('the channel is closed')) : connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }
}
