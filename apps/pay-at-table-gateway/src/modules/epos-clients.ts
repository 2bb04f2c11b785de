import type { AccountCache } from '@pos/payments/accounts/account-cache';
import type { EgressClient } from '@pos/service-kit/egress/egress-client';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import { CallRunner } from '../epos-routing/call-runner.js';
import type { EposChannelPool } from '../epos-transports/epos-channels.js';
import { EposDataClient } from '../epos-routing/epos-data-client.js';
import type { GatewayForwarder } from '../epos-routing/epos-forwards.js';
import { EposRouteCache } from '../epos-routing/epos-routes.js';
import { LocalEposConnections } from '../epos-transports/epos-streams.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { createOrderServices, type OrderServices } from '../order-sessions/orders-epos.js';
import { OrdersTransportFactory } from '../order-sessions/orders-transports.js';

/** Everything that calls EPOSes from one gateway. */
export interface EposClients {
  readonly localConnections: LocalEposConnections;
  readonly runner: CallRunner;
  readonly dataClient: EposDataClient;
  readonly tablesClient: EposTablesClient;
  readonly orders: OrderServices;
}

/** Creates the clients: calls over orders wrap the client of the EPOS Data API and never call their caller. */
export function createEposClients(options: {
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly forwarder: GatewayForwarder;
  readonly channels: EposChannelPool;
  readonly egress: EgressClient;
  /** EPOSes of sandbox accounts are called without TLS too. */
  readonly allowsPlaintext: boolean;
  readonly gatewayId: string;
  /** The longest that one call may take. */
  readonly callLimitMs: number;
  readonly log: Log;
  /** How long the routes of an account are remembered without a sign of a change. */
  readonly routesMaxAgeMs?: number;
}): EposClients {
  const { database, accounts, channels, log } = options;
  const routeCache = new EposRouteCache({
    ...{ database, accounts, ...(options.routesMaxAgeMs !== undefined && { routesMaxAgeMs: options.routesMaxAgeMs }) },
    onRegistrationChange: (scopeName) => {
      void channels.closeUnregistered(scopeName);
    },
  });
  const runner = new CallRunner({ routeCache, log });
  const localConnections = new LocalEposConnections((scope) => routeCache.invalidate(scope));
  const dataClient = new EposDataClient({ ...options, runner, localConnections });
  const orders = createOrderServices(database);
  const ordersTransports = new OrdersTransportFactory(orders, dataClient);
  const tablesClient = new EposTablesClient({ ...options, runner, localConnections, orders: ordersTransports });
  return { localConnections, runner, dataClient, tablesClient, orders };
}
