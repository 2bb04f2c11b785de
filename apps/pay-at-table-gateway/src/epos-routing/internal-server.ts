import { requireValue } from '@pos/core/refusals';
import type { InternalIdentity } from '@pos/service-kit/internal';
import { formatHostPort } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import type { Config } from '../config/config.js';
import type { AdvertisedPort } from '../connections/gateway-identity.js';
import type { EposService } from './epos-service.js';
import { openInternalServer } from './internal-client.js';

type InternalPort = Awaited<ReturnType<typeof openInternalServer>>;

/** The gRPC port for the other processes of the service. */
export class GatewayInternalServer implements AdvertisedPort {
  #port: InternalPort | null = null;

  constructor(
    private readonly parts: {
      readonly config: Config;
      readonly identity: InternalIdentity;
      readonly service: EposService;
      readonly log: Log;
    },
  ) {}

  async open(): Promise<void> {
    const { config, identity, service, log } = this.parts;
    const { INTERNAL_HOST: host, INTERNAL_GRPC_PORT: port, CONNECTIONS_PER_ADDRESS: perAddress } = config;
    this.#port = await openInternalServer({
      ...{ host, port, service, credentials: identity.createServerCredentials() },
      connections: { perAddress, log },
    });
  }

  /** `host:port` of the open port. */
  getAddress(): string {
    const { port } = requireValue(this.#port, 'the open internal port');
    return formatHostPort(this.parts.config.INTERNAL_HOST, port);
  }

  getAdvertisedAddress(): string {
    return this.parts.config.ADVERTISED_ADDRESS ?? this.getAddress();
  }

  async close(): Promise<void> {
    await this.#port?.close();
  }
}
