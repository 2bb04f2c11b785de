import { defineToken } from '@pos/service-kit/nest';
import type { DataTransportKind } from '../epos-calls/transport-kinds.js';
import type { TablesTransport } from '../epos-transports/epos-transport.js';
import type { EposRoutes } from './epos-route-cache.js';

/** The transport of the pay-at-table contract over orders of the EPOS Data API. */
export interface OrdersTransportSource {
  /**
   * Lists at most one transport; none if the EPOS has not registered enough capabilities. `transport`: the only one that
   * its calls of the EPOS Data API may take.
   */
  listTransports(routes: EposRoutes, transport: DataTransportKind | 'auto'): readonly TablesTransport[];
}

export const ORDERS_TRANSPORT_SOURCE = defineToken<OrdersTransportSource>('ORDERS_TRANSPORT_SOURCE');
