import { ChannelCredentials } from '@grpc/grpc-js';
import type { Socket } from 'node:net';

type CreateConnector = ChannelCredentials['_createSecureConnector'];

/** Calls that were written before a channel is closed have ended after this time. */
const LAST_CALLS_MS = 120_000;

/** One TCP connection of a channel. */
interface Opened {
  /** The socket that HTTP/2 is spoken on: with TLS another one than the first. Null while TLS is negotiated. */
  spoken: Socket | null;
  /** The channel was connected while this was open, so calls may have been written to it. */
  mayCarryCalls: boolean;
}

/**
 * The sockets of one channel. grpc-js has no limit for the time between a TCP connection and the first frame of HTTP/2,
 * closing a channel leaves such a socket open for as long as the other side likes, and a closed channel may dial once
 * more. So sockets are closed here, and a closed channel opens none.
 */
export class ChannelSockets {
  readonly #open = new Map<Socket, Opened>();
  #isClosed = false;

  /** The same credentials, for a channel whose sockets are counted here. */
  watch(credentials: ChannelCredentials): ChannelCredentials {
    return new WatchedCredentials(credentials, {
      isClosed: () => this.#isClosed,
      opened: (socket) => {
        this.#open.set(socket, { spoken: null, mayCarryCalls: false });
        socket.once('close', () => this.#open.delete(socket));
        if (this.#isClosed) socket.destroy();
      },
      secured: (socket, spoken) => {
        const opened = this.#open.get(socket);
        if (opened !== undefined) opened.spoken = spoken;
      },
    });
  }

  /** Call it each time the channel is connected: calls may be written to a socket that has received something. */
  connected(): void {
    for (const opened of this.#open.values()) {
      if (opened.spoken !== null && opened.spoken.bytesRead > 0) opened.mayCarryCalls = true;
    }
  }

  /**
   * Call it after the channel was closed. A socket that may carry calls ends them first, even if the channel is not
   * connected any more: an EPOS that restarts answers what it was asked before. All others are destroyed at once.
   */
  close(): void {
    this.#isClosed = true;
    for (const [socket, { mayCarryCalls }] of this.#open) {
      if (mayCarryCalls) setTimeout(() => socket.destroy(), LAST_CALLS_MS).unref();
      else socket.destroy();
    }
  }
}

/** What is told of the sockets of a channel, and asked. */
interface WatchedChannel {
  readonly isClosed: () => boolean;
  readonly opened: (socket: Socket) => void;
  /** `spoken`: what HTTP/2 is spoken on, over the socket that was opened. */
  readonly secured: (socket: Socket, spoken: Socket) => void;
}

/** grpc-js takes no connection from outside; the one place that sees every socket is the connector of its credentials. */
class WatchedCredentials extends ChannelCredentials {
  constructor(
    private readonly inner: ChannelCredentials,
    private readonly channel: WatchedChannel,
  ) {
    super();
  }

  override _isSecure(): boolean {
    return this.inner._isSecure();
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(...how: Parameters<CreateConnector>): ReturnType<CreateConnector> {
    const connector = this.inner._createSecureConnector(...how);
    return {
      connect: async (socket) => {
        this.channel.opened(socket);
        const connected = await connector.connect(socket);
        this.channel.secured(socket, connected.socket);
        return connected;
      },
      // Asked before each dial. A pause between two dials goes on after the channel was closed, and would end with a dial.
      waitForReady: () =>
        this.channel.isClosed() ? Promise.reject(new Error('the channel is closed')) : connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }
}
