import type { ChannelCredentials } from '@grpc/grpc-js';
import type { SecureContextOptions } from 'node:tls';

/** How machines and EPOSes encrypt their connections to a gateway. */
export interface GatewayTransport {
  /** The credentials of a stream to `host:port`. */
  readonly createCredentials: (address: string) => ChannelCredentials;
  /** The authorities and the certificate of a `wss:` socket; read for each socket. */
  readonly readSocketOptions: () => SecureContextOptions;
}
