import type { Scope } from '@pos/core/identity';
import { listCapabilities, supportsJourney } from '@pos/core/tables';
import type { RestaurantZones } from '../epos-calls/restaurant-zone.js';
import type { EposDataClient } from '../epos-routing/epos-data-client.js';
import type { EposRoutes } from '../epos-routing/epos-route-cache.js';
import type { OrdersTransportSource } from '../epos-routing/orders-transport-source.js';
import type { DataCallRequest, DataOutcome } from '../epos-calls/data-call.js';
import type { DataTransportKind } from '../epos-calls/transport-kinds.js';
import { type OrderServices, OrdersTransport } from './orders-transport.js';

/** Builds the transport that serves the pay-at-table contract over orders of the EPOS Data API (ADR 0028). */
export class OrdersTransportFactory implements OrdersTransportSource {
  constructor(
    private readonly orders: OrderServices,
    private readonly dataClient: Pick<EposDataClient, 'callData'>,
    private readonly zones: RestaurantZones,
  ) {}

  /** The transport, if the reachable EPOS has registered enough capabilities. */
  listTransports(
    { liveConnections, integrations }: EposRoutes,
    transport: DataTransportKind | 'auto',
  ): readonly OrdersTransport[] {
    const hasSocket = liveConnections.some(({ kind }) => kind === 'epos-ws');
    const reached = integrations.filter(
      ({ kind }) =>
        (kind === 'rest' && transport !== 'dataSocket') || (kind === 'ws' && transport !== 'rest' && hasSocket),
    );
    const capabilities = new Set(reached.flatMap((each) => listCapabilities(each.capabilities)));
    if (!supportsJourney(capabilities, 'PayAtTable')) return [];
    const callData = async (callRequest: DataCallRequest): Promise<DataOutcome> =>
      (await this.dataClient.callData(callRequest, transport)).outcome;
    const readZone = (scope: Scope): Promise<string> => this.zones.readZone(scope);
    const orderApi = { capabilities, callData, readZone, usesCache: transport === 'auto' };
    return [new OrdersTransport({ ...this.orders, orderApi })];
  }
}
