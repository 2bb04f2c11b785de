import { randomUUID } from 'node:crypto';

/** How the other gateways find this one. */
export class GatewayIdentity {
  readonly id = randomUUID();
  /** `host:port` of the internal port as other gateways reach it; empty until it is known. */
  address = '';
}
