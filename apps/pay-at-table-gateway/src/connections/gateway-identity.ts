import { randomUUID } from 'node:crypto';
import { defineToken } from '@pos/service-kit/nest';

/** The id of this gateway in the rows of its connections. */
export class GatewayIdentity {
  readonly id = randomUUID();
}

/** The internal port as other gateways reach it. */
export interface AdvertisedPort {
  /** `host:port`. Throws before the port is open. */
  getAdvertisedAddress(): string;
}

export const ADVERTISED_PORT = defineToken<AdvertisedPort>('ADVERTISED_PORT');
