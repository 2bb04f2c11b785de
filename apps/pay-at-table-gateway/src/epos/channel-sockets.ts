import { ChannelCredentials } from '@grpc/grpc-js';
import type { Socket } from 'node:net';

type CreateConnector = ChannelCredentials['_createSecureConnector'];

/** Calls that were written before a channel is closed have ended after this time. */
const LAST_CALLS_MS = 120_000;

/**
 * The sockets of one channel. grpc-js has no limit for the time between a TCP connection and the first frame of HTTP/2,
 * closing a channel leaves such a socket open for as long as the other side likes, and a closed channel may dial once
 * more. So sockets are closed here, and a closed channel opens none.
 */
export class ChannelSockets {
  readonly #open = new Set<Socket>();
  #isClosed = false;

  /** The same credentials, for a channel whose sockets are counted here. */
  watch(credentials: ChannelCredentials): ChannelCredentials {
    return new WatchedCredentials(credentials, {
      isClosed: () => this.#isClosed,
      opened: (socket) => {
        this.#open.add(socket);
        socket.once('close', () => this.#open.delete(socket));
        if (this.#isClosed) socket.destroy();
      },
    });
  }

  /** Call it after the channel was closed. A connection that stood ends its running calls first. */
  close({ hasStood }: { readonly hasStood: boolean }): void {
    this.#isClosed = true;
    if (hasStood) setTimeout(() => this.#destroyAll(), LAST_CALLS_MS).unref();
    else this.#destroyAll();
  }

  #destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** grpc-js takes no connection from outside; the one place that sees every socket is the connector of its credentials. */
class WatchedCredentials extends ChannelCredentials {
  constructor(
    private readonly inner: ChannelCredentials,
    private readonly channel: {
      readonly isClosed: () => boolean;
      readonly opened: (socket: Socket) => void;
    },
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
      connect: (socket) => {
        this.channel.opened(socket);
        return connector.connect(socket);
      },
      // Asked before each dial. A pause between two dials goes on after the channel was closed, and would end with a dial.
      waitForReady: () =>
        this.channel.isClosed() ? Promise.reject(new Error('the channel is closed')) : connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    };
  }
}
