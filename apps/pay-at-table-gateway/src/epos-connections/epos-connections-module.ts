import { Global, Module } from '@nestjs/common';
import { AccountCache, ApiKeyAuthenticator, PartnerDirectory } from '@pos/payments/accounts';
import { OrderPlacements } from '@pos/payments/orders';
import { TablePayments } from '@pos/payments/tables';
import { CONFIG, listTokens, LOG, provide } from '@pos/service-kit/nest';
import { NetworkList } from '@pos/service-kit/network';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { ConnectionMonitor } from '../connections/connection-monitor.js';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { LocalEposConnections } from '../epos-transports/local-epos-connections.js';
import { TableTimerWorker } from '../table-payments/table-timer-worker.js';
import { EposConnectorController } from './epos-connector-controller.js';
import { EposReconnectionService } from './epos-reconnection-service.js';
import { RestaurantZones } from '../epos-calls/restaurant-zone.js';
import { EposSocketService } from './epos-socket-service.js';
import { EposStreamService } from './epos-stream-service.js';
import { SocketUpgradeServer } from './socket-upgrade-server.js';

const DEPENDENCIES = {
  database: Database,
  registry: ConnectionRegistry,
  monitor: ConnectionMonitor,
  localConnections: LocalEposConnections,
  reconnections: EposReconnectionService,
  log: LOG,
};

const PROVIDERS = [
  provide(
    EposReconnectionService,
    {
      database: Database,
      tablePayments: TablePayments,
      placements: OrderPlacements,
      timerWorker: TableTimerWorker,
    },
    (parts) => new EposReconnectionService(parts),
  ),
  provide(EposStreamService, DEPENDENCIES, (parts) => new EposStreamService(parts)),
  provide(EposSocketService, { ...DEPENDENCIES, zones: RestaurantZones }, (parts) => new EposSocketService(parts)),
  provide(
    SocketUpgradeServer,
    {
      database: Database,
      accounts: AccountCache,
      keys: ApiKeyAuthenticator,
      partners: PartnerDirectory,
      sockets: EposSocketService,
      config: CONFIG,
      log: LOG,
    },
    ({ config, ...parts }) => {
      const { TRUSTED_PROXIES: entries }: Config = config;
      return new SocketUpgradeServer({ ...parts, proxies: new NetworkList(entries) });
    },
  ),
];

/** EPOSes that connect to this gateway, by gRPC stream or WebSocket. */
@Global()
@Module({ controllers: [EposConnectorController], providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class EposConnectionsModule {}
