import { Global, Module } from '@nestjs/common';
import { listTokens, provide } from '@pos/service-kit/nest/provide';
import { LOG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { GatewayIdentity } from '../connections/gateway-identity.js';
import { ConnectionMonitor } from '../connections/line-keeper.js';

const PROVIDERS = [
  provide(GatewayIdentity, {}, () => new GatewayIdentity()),
  provide(
    ConnectionRegistry,
    { database: Database, identity: GatewayIdentity, log: LOG },
    ({ database, identity, log }) =>
      new ConnectionRegistry({ database, log, gatewayId: identity.id, gatewayAddress: () => identity.address }),
  ),
  provide(ConnectionMonitor, {}, () => new ConnectionMonitor()),
];

/** The long-lived connections of machines and EPOSes to this gateway. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class ConnectionsModule {}
