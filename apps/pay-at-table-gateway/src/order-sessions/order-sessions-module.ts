import { Global, Module } from '@nestjs/common';
import { Leases } from '@pos/payments/tables';
import { listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import { RestaurantZones } from '../epos-calls/restaurant-zone.js';
import { EposDataClient } from '../epos-routing/epos-data-client.js';
import { ORDERS_TRANSPORT_SOURCE } from '../epos-routing/orders-transport-source.js';
import { OrderCache } from './order-cache.js';
import { OrderLockExtender } from './order-lock-extender.js';
import { OrderLocks } from './order-locks.js';
import { OrderPaymentRecorder } from './order-payment-recorder.js';
import { OrderSessionDirectory } from './order-session-directory.js';
import { OrderSessionLabels } from './order-session-labels.js';
import { OrdersTransportFactory } from './orders-transport-factory.js';

const ORDERS = [
  provide(OrderSessionDirectory, { database: Database }, ({ database }) => new OrderSessionDirectory(database)),
  provide(OrderSessionLabels, { database: Database }, ({ database }) => new OrderSessionLabels(database)),
  provide(OrderLocks, { database: Database }, ({ database }) => new OrderLocks(database)),
  provide(RestaurantZones, { database: Database }, ({ database }) => new RestaurantZones(database)),
  provide(OrderCache, { database: Database }, ({ database }) => new OrderCache(database)),
  provide(
    OrderPaymentRecorder,
    { database: Database, locks: OrderLocks },
    ({ database, locks }) => new OrderPaymentRecorder(database, locks),
  ),
];

const PROVIDERS = [
  ...ORDERS,
  provide(
    ORDERS_TRANSPORT_SOURCE,
    {
      sessions: OrderSessionDirectory,
      labels: OrderSessionLabels,
      locks: OrderLocks,
      paymentRecorder: OrderPaymentRecorder,
      cache: OrderCache,
      dataClient: EposDataClient,
      zones: RestaurantZones,
    },
    ({ dataClient, zones, ...orders }) => new OrdersTransportFactory(orders, dataClient, zones),
  ),
  provide(
    OrderLockExtender,
    { database: Database, queue: TimerQueue, leases: Leases, dataClient: EposDataClient, log: LOG },
    ({ dataClient, ...parts }) =>
      new OrderLockExtender({
        ...parts,
        callData: async (request) => (await dataClient.callData(request)).outcome,
      }),
  ),
];

/** Orders of the EPOS Data API that are presented as sessions. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class OrderSessionsModule {}
