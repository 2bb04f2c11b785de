import { ChannelCredentials } from '@grpc/grpc-js';
import type { Socket } from 'node:net';

type CreateSecureConnector = ChannelCredentials['_createSecureConnector'];

/** Calls that were written before a channel is closed have ended after this time. */
const LAST_CALLS_TIMEOUT_MS = 120_000;

/** One TCP connection of a channel. */
interface ChannelSocket {
  /** The socket that HTTP/2 is spoken on: with TLS another one than the first. Null while TLS is negotiated. */
  http2Socket: Socket | null;
  /** The channel was connected while this was open, so calls may have been written to it. */
  mayCarryCalls: boolean;
}

/**
 * The sockets of one channel. grpc-js has no limit for the time between a TCP connection and the first frame of HTTP/2,
 * closing a channel leaves such a socket open for as long as the other side likes, and a closed channel may dial once
 * more. So sockets are closed here, and a closed channel opens none.
 */
export class ChannelSockets {
  readonly #sockets = new Map<Socket, ChannelSocket>();
  #isClosed = false;

  /** The same credentials, for a channel whose sockets are counted here. */
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

  /** Call it each time the channel is connected: calls may be written to a socket that has received something. */
  markConnected(): void {
    for (const channelSocket of this.#sockets.values()) {
      if (channelSocket.http2Socket !== null && channelSocket.http2Socket.bytesRead > 0)
        channelSocket.mayCarryCalls = true;
    }
  }

  /**
   * Call it after the channel was closed. A socket that may carry calls ends them first, even if the channel is not
   * connected any more: an EPOS that restarts answers what it was asked before. All others are destroyed at once.
   */
  close(): void {
    this.#isClosed = true;
    for (const [socket, { mayCarryCalls }] of this.#sockets) {
      if (mayCarryCalls) setTimeout(() => socket.destroy(), LAST_CALLS_TIMEOUT_MS).unref();
      else socket.destroy();
    }
  }
}

/** What the sockets of a channel report, and ask. */
interface SocketObserver {
  readonly isClosed: () => boolean;
  readonly onOpened: (socket: Socket) => void;
  /** `spoken`: what HTTP/2 is spoken on, over the socket that was opened. */
  readonly onSecured: (socket: Socket, http2Socket: Socket) => void;
}

/** grpc-js takes no connection from outside; the one place that sees every socket is the connector of its credentials. */
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
      // Checked before each dial. A pause between two dials continues after the channel was closed, and would end with a dial.
      waitForReady: () =>
        this.channel.isClosed() ? Promise.reject(new Error('the channel is closed')) : connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }
}
