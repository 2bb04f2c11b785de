import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { collectConnections } from './connection-metrics.js';
import { ConnectionRegistry } from './connection-registry.js';
import { ADVERTISED_PORT, GatewayIdentity } from './gateway-identity.js';
import { ConnectionMonitor } from './connection-monitor.js';

const PROVIDERS = [
  provide(GatewayIdentity, {}, () => new GatewayIdentity()),
  provide(
    ConnectionRegistry,
    { database: Database, identity: GatewayIdentity, advertisedPort: ADVERTISED_PORT, log: LOG },
    ({ database, identity, advertisedPort, log }) =>
      new ConnectionRegistry({
        ...{ database, log, gatewayId: identity.id },
        gatewayAddress: () => advertisedPort.getAdvertisedAddress(),
      }),
  ),
  provide(ConnectionMonitor, {}, () => new ConnectionMonitor()),
];

/** The long-lived connections of machines and EPOSes to this gateway. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class ConnectionsModule implements OnApplicationShutdown {
  readonly #stopCounting: () => void;

  constructor(registry: ConnectionRegistry) {
    this.#stopCounting = collectConnections(() => registry.countByKind());
  }

  onApplicationShutdown(): void {
    this.#stopCounting();
  }
}
