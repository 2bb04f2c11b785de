import { Global, Module } from '@nestjs/common';
import type { Scope } from '@pos/core/identity/identity';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { listTokens, provide } from '@pos/service-kit/nest/provide';
import { LOG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
import { wakeEposLane } from '@pos/store/queues/epos-lanes';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { ConnectionMonitor } from '../connections/line-keeper.js';
import { EposConnectorController } from '../epos-connections/epos-connector-controller.js';
import { EposStreamService } from '../epos-connections/epos-connections.js';
import { EposSocketService } from '../epos-connections/epos-sockets.js';
import { SocketUpgradeServer } from '../epos-connections/socket-server.js';
import { LocalEposConnections } from '../epos-transports/epos-streams.js';
import type { TableServices } from './table-services.js';
import { TABLE_SERVICES } from './tables-module.js';

const DEPENDENCIES = {
  database: Database,
  registry: ConnectionRegistry,
  monitor: ConnectionMonitor,
  localConnections: LocalEposConnections,
  tables: TABLE_SERVICES,
  log: LOG,
};

/** Continues what waits for the EPOS of an account: its payments at tables, and its events. */
function createReconnectionCallback(database: Database, tables: TableServices): (scope: Scope) => Promise<void> {
  return async (scope) => {
    await Promise.all([tables.onEposConnected(scope), database.transact(scope, wakeEposLane)]);
  };
}

const PROVIDERS = [
  provide(EposStreamService, DEPENDENCIES, ({ tables, ...parts }) => {
    const onConnected = createReconnectionCallback(parts.database, tables);
    return new EposStreamService({ ...parts, onConnected });
  }),
  provide(EposSocketService, DEPENDENCIES, ({ tables, ...parts }) => {
    const onConnected = createReconnectionCallback(parts.database, tables);
    return new EposSocketService({ ...parts, onConnected });
  }),
  provide(
    SocketUpgradeServer,
    {
      database: Database,
      accounts: AccountCache,
      keys: ApiKeyAuthenticator,
      sockets: EposSocketService,
      log: LOG,
    },
    (parts) => new SocketUpgradeServer(parts),
  ),
];

/** EPOSes that connect to this gateway, by gRPC stream or WebSocket. */
@Global()
@Module({ controllers: [EposConnectorController], providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class EposConnectionsModule {}
