import { listCapabilities } from '@pos/core/tables';
import { getCapability, isEposDataRead } from '@pos/rest-contracts/epos-data';
import type { EgressClient } from '@pos/service-kit/egress';
import type { Database } from '@pos/store/database';
import type { EposIntegration } from '@pos/store/repositories';
import type { CallRunner } from './call-runner.js';
import type { GatewayForwarder } from './gateway-forwarder.js';
import type { EposRoutes } from './epos-route-cache.js';
import type { LocalEposConnections } from '../epos-transports/local-epos-connections.js';
import { RestTransport } from '../epos-transports/rest-transport.js';
import { type CallRoute, createCallRoute } from './route-attempts.js';
import type { DataCallRequest, DataOutcome, DataResult } from '../epos-calls/data-call.js';
import type { DataTransport } from '../epos-transports/epos-transport.js';
import type { DataTransportKind } from '../epos-calls/transport-kinds.js';
import { Deadline } from '../epos-calls/deadline.js';

/** The share of the longest call limit that each kind of call of the EPOS Data API gets: 10 s and 20 s of 30. */
const DATA_TIMEOUT_SHARES = { read: 1 / 3, write: 2 / 3 } as const;

/** The dependencies of EposDataClient. */
export interface EposDataClientDependencies {
  readonly database: Database;
  readonly runner: CallRunner;
  readonly localConnections: LocalEposConnections;
  readonly forwarder: GatewayForwarder;
  readonly egress: EgressClient;
  /** Whether EPOSes of sandbox accounts may be called without TLS. */
  readonly allowsPlaintext: boolean;
  readonly gatewayId: string;
  /** The longest that one call may take. */
  readonly callLimitMs: number;
}

/** Makes calls of the EPOS Data API: over the socket that the EPOS keeps open, or to its registered REST address. */
export class EposDataClient {
  constructor(private readonly parts: EposDataClientDependencies) {}

  /** Makes a call if the EPOS has registered its capability. Rejects like `CallRunner.runCall`. */
  async callData(
    callRequest: DataCallRequest,
    requestedTransport: DataTransportKind | 'auto' = 'auto',
  ): Promise<DataResult> {
    const startedAt = performance.now();
    const { runner } = this.parts;
    const deadline = Deadline.createAfter(callRequest.waitMs);
    const { outcome, route } = await runner.runCall<DataOutcome, DataTransportKind>({
      ...{ name: callRequest.name, scope: callRequest.scope, isRead: isEposDataRead(callRequest.name), deadline },
      listRoutes: (routes) =>
        this.#listTransports(routes, callRequest, requestedTransport).map((transport) =>
          this.#createRoute(transport, callRequest, deadline),
        ),
    });
    const result = { outcome, transport: route?.transport ?? null, connectionId: route?.connectionId ?? '' };
    const code = outcome.outcome === 'refused' ? outcome.error.errorType : undefined;
    const { name: call, params: request, fence, scope } = callRequest;
    runner.logCall(scope, { call, request, fence, code, result, startedAt });
    return result;
  }

  /** Makes the call on one connection of this gateway, for another gateway. Never forwards. */
  async callDataLocally(callRequest: DataCallRequest, target: { readonly connectionId: string }): Promise<DataResult> {
    const { runner, localConnections } = this.parts;
    const admission = runner.admitLocalConnection(localConnections.findDataConnection(target.connectionId));
    if ('objection' in admission) return { outcome: admission.objection, transport: null, connectionId: '' };
    const { transport, connectionId, send } = this.#createRoute(
      admission.connection,
      callRequest,
      Deadline.createAfter(callRequest.waitMs),
    );
    return { outcome: await send(Number.POSITIVE_INFINITY), transport, connectionId };
  }

  #createRoute(
    transport: DataTransport,
    callRequest: DataCallRequest,
    deadline: Deadline,
  ): CallRoute<DataOutcome, DataTransportKind> {
    const limitMs = this.parts.callLimitMs * DATA_TIMEOUT_SHARES[isEposDataRead(callRequest.name) ? 'read' : 'write'];
    return createCallRoute(transport, callRequest, (connectLimitMs) => deadline.limitCall(limitMs, connectLimitMs));
  }

  /** The open sockets first, then the address; each only if the capability is registered for it. */
  #listTransports(
    { liveConnections, integrations }: EposRoutes,
    callRequest: DataCallRequest,
    requestedTransport: DataTransportKind | 'auto',
  ): DataTransport[] {
    const { database, gatewayId, localConnections, forwarder, egress, allowsPlaintext } = this.parts;
    const registered = integrations.filter((integration) => isCapabilityRegistered(integration, callRequest));
    const sockets =
      registered.some(({ kind }) => kind === 'ws') && requestedTransport !== 'rest' ? liveConnections : [];
    const inbound = sockets.flatMap((connection): DataTransport[] => {
      if (connection.kind !== 'epos-ws') return [];
      if (connection.gatewayId !== gatewayId) return [forwarder.createDataTransport(connection)];
      const localConnection = localConnections.findDataConnection(connection.connectionId);
      return localConnection === null ? [] : [localConnection];
    });
    const restTransports = registered
      .filter(({ kind }) => kind === 'rest' && requestedTransport !== 'dataSocket')
      .map((integration) => new RestTransport({ database, egress, integration, allowsPlaintext }));
    return [...inbound, ...restTransports];
  }
}

/** An unregistered capability is never called, even over a live socket. */
function isCapabilityRegistered({ capabilities }: EposIntegration, { name, params }: DataCallRequest): boolean {
  const event = typeof params['event'] === 'string' ? params['event'] : '';
  const needed = getCapability(name, event);
  return needed !== null && listCapabilities(capabilities).includes(needed);
}
