import { type ChannelCredentials, credentials, type Interceptor, Metadata } from '@grpc/grpc-js';
import { AcquirerServiceClient } from '@pos/grpc-contracts/acquirer';
import { limitAnswer, MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';

/** How the acquirer is reached. */
export interface AcquirerChannelOptions {
  /** TLS, with a client certificate where the acquirer wants one. Plain text when left out: on the loopback only. */
  readonly tls?: ChannelCredentials | undefined;
  /** Sent with each call as the metadata `authorization`. */
  readonly credential?: { reveal(): string } | undefined;
  /** Of every call, such as the one that sends the trace. */
  readonly interceptors?: readonly Interceptor[];
}

/** The connection to an acquirer, and what every call on it carries. */
export class AcquirerChannel {
  readonly client: AcquirerServiceClient;
  readonly #credential: AcquirerChannelOptions['credential'];

  constructor(address: string, { tls, credential, interceptors = [] }: AcquirerChannelOptions = {}) {
    this.#credential = credential;
    this.client = new AcquirerServiceClient(address, tls ?? credentials.createInsecure(), {
      ...limitAnswer(MESSAGE_VALUES_MAX),
      interceptors: [...interceptors],
    });
  }

  createMetadata(): Metadata {
    const metadata = new Metadata();
    if (this.#credential !== undefined) metadata.set('authorization', this.#credential.reveal());
    return metadata;
  }

  close(): void {
    this.client.close();
  }
}
