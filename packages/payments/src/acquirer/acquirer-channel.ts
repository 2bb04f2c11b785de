import { type ChannelCredentials, connectivityState, credentials, type Interceptor, Metadata } from '@grpc/grpc-js';
import { AcquirerServiceClient } from '@pos/grpc-contracts/acquirer';
import { limitAnswer, MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';

/** How the acquirer is reached. */
export interface AcquirerChannelOptions {
  /** TLS, with a client certificate where the acquirer wants one. Plain text when left out: on the loopback only. */
  readonly tls?: ChannelCredentials | undefined;
  /** Sent with each call as the metadata `authorization`. */
  readonly credential?: { reveal(): string } | undefined;
  /** Interceptors of every call, such as the one that sends the trace. */
  readonly interceptors?: readonly Interceptor[];
}

/**
 * How long a connection is not dialled after it has failed. The library's own limit is two minutes, in which an acquirer
 * that serves again would get no call.
 */
const REDIAL_MS = { first: 500, max: 2_000 };

/** The connection to an acquirer, and what every call on it carries. */
export class AcquirerChannel {
  readonly client: AcquirerServiceClient;
  readonly #credential: AcquirerChannelOptions['credential'];

  constructor(address: string, { tls, credential, interceptors = [] }: AcquirerChannelOptions = {}) {
    this.#credential = credential;
    this.client = new AcquirerServiceClient(address, tls ?? credentials.createInsecure(), {
      ...limitAnswer(MESSAGE_VALUES_MAX),
      'grpc.initial_reconnect_backoff_ms': REDIAL_MS.first,
      'grpc.max_reconnect_backoff_ms': REDIAL_MS.max,
      interceptors: [...interceptors],
    });
  }

  createMetadata(): Metadata {
    const metadata = new Metadata();
    if (this.#credential !== undefined) metadata.set('authorization', this.#credential.reveal());
    return metadata;
  }

  /**
   * Resolves when the connection is open, and after this time at the latest, with the milliseconds that it took. The
   * library fails a call at once between two attempts to connect.
   */
  async awaitConnection(limitMs: number): Promise<number> {
    const channel = this.client.getChannel();
    const startedAtMs = performance.now();
    // Of this machine, as the library reads it.
    const deadline = new Date(performance.timeOrigin + startedAtMs + limitMs);
    for (let isLate = false; !isLate;) {
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY || state === connectivityState.SHUTDOWN) break;
      isLate = await new Promise<boolean>((resolve) => {
        channel.watchConnectivityState(state, deadline, (error) => resolve(error !== undefined));
      });
    }
    return performance.now() - startedAtMs;
  }

  close(): void {
    this.client.close();
  }
}
