import { listCapabilities, supportsJourney } from '@pos/core/tables/epos-capability';
import type { EposDataClient } from '../epos-routing/epos-data-client.js';
import type { EposRoutes } from '../epos-routing/epos-routes.js';
import type { OrdersTransportSource } from '../epos-routing/epos-tables-client.js';
import type { DataCallRequest, DataOutcome, DataTransportKind } from '../epos-calls/tables-call.js';
import { type OrderServices, OrdersTransport } from './orders-epos.js';

/** Builds the transport that serves the pay-at-table contract over orders of the EPOS Data API (ADR 0028). */
export class OrdersTransportFactory implements OrdersTransportSource {
  constructor(
    private readonly orders: OrderServices,
    private readonly dataClient: Pick<EposDataClient, 'callData'>,
  ) {}

  /** The transport, if enough is registered for it where it can be reached now. */
  listTransports(
    { liveConnections, integrations }: EposRoutes,
    way: DataTransportKind | 'auto',
  ): readonly OrdersTransport[] {
    const hasSocket = liveConnections.some(({ kind }) => kind === 'epos-ws');
    const reached = integrations.filter(
      ({ kind }) => (kind === 'rest' && way !== 'dataSocket') || (kind === 'ws' && way !== 'rest' && hasSocket),
    );
    const capabilities = new Set(reached.flatMap((each) => listCapabilities(each.capabilities)));
    if (!supportsJourney(capabilities, 'PayAtTable')) return [];
    const callData = async (callRequest: DataCallRequest): Promise<DataOutcome> =>
      (await this.dataClient.callData(callRequest, way)).outcome;
    const orderApi = { capabilities, callData, usesCache: way === 'auto' };
    return [new OrdersTransport({ ...this.orders, orderApi })];
  }
}
