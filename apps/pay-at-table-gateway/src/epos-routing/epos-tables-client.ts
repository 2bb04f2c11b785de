import type { EposTransport as Family } from '@pos/core/accounts';
import type { Database } from '@pos/store/database';
import { findOrdersOfSessions } from '@pos/store/tables';
import { toUsableAnswer } from '../epos-calls/answer-elements.js';
import { FirstSightings } from '../epos-calls/first-sightings.js';
import type { CallRunner } from './call-runner.js';
import { DialledGrpcTransport } from '../epos-transports/dialled-grpc-transport.js';
import type { EposChannelPool } from '../epos-transports/epos-channel-pool.js';
import type { GatewayForwarder } from './gateway-forwarder.js';
import type { EposRoutes } from './epos-route-cache.js';
import type { OrdersTransportSource } from './orders-transport-source.js';
import { sortForWaiter } from './waiter-order.js';
import type { LocalEposConnections } from '../epos-transports/local-epos-connections.js';
import { type CallRoute, createCallRoute } from './route-attempts.js';
import { type DataTransportKind, isDataTransport, type TablesTransportKind } from '../epos-calls/transport-kinds.js';
import { Deadline } from '../epos-calls/deadline.js';
import {
  TABLES_CALLS,
  type TablesCallRequest,
  type TablesOutcome,
  type TablesResult,
} from '../epos-calls/tables-call.js';
import type { TablesTransport } from '../epos-transports/epos-transport.js';

/** The dependencies of EposTablesClient. */
export interface EposTablesClientDependencies {
  readonly database: Database;
  readonly runner: CallRunner;
  readonly localConnections: LocalEposConnections;
  readonly forwarder: GatewayForwarder;
  readonly channels: EposChannelPool;
  readonly orders: OrdersTransportSource;
  readonly gatewayId: string;
  /** The longest that one call may take. */
  readonly callLimitMs: number;
}

/**
 * Makes calls of the pay-at-table contract: over a stream or a socket that the EPOS keeps open, to its registered gRPC
 * address, or over orders of the EPOS Data API.
 */
export class EposTablesClient {
  readonly #sightings = new FirstSightings();

  constructor(private readonly parts: EposTablesClientDependencies) {}

  /**
   * Makes a call. The record of a stored payment never goes over orders: a record that belongs on an order is a call of
   * the EPOS Data API, and a repeat in the other family would be booked twice (ADR 0028). Rejects as
   * `CallRunner.runCall` does.
   */
  async callTables(
    callRequest: TablesCallRequest,
    requestedTransport: TablesTransportKind | DataTransportKind | 'auto' = 'auto',
  ): Promise<TablesResult> {
    const startedAt = performance.now();
    const { runner } = this.parts;
    const { isRead } = TABLES_CALLS[callRequest.call.$case];
    const deadline = Deadline.createAfter(callRequest.waitMs);
    const { outcome: unsorted, route } = await runner.runCall<TablesOutcome, TablesTransportKind>({
      ...{ name: callRequest.call.$case, scope: callRequest.scope, isRead, deadline },
      listRoutes: async (routes) => {
        const transports = this.#listTransports(routes, requestedTransport).filter(
          ({ kind }) => callRequest.fence === null || kind !== 'orders',
        );
        const usable = await this.#selectFamily(transports, callRequest);
        return usable.map((transport) => this.#createRoute(transport, callRequest, deadline));
      },
    });
    const outcome = sortForWaiter(unsorted, callRequest.call);
    const result = { outcome, transport: route?.transport ?? null, connectionId: route?.connectionId ?? '' };
    const code = outcome.outcome === 'refused' ? outcome.code : undefined;
    const { call, fence, scope } = callRequest;
    runner.logCall(scope, { call: call.$case, request: call.value, fence, code, result, startedAt });
    return result;
  }

  /** Makes the call on one connection of this gateway, for another gateway. Never forwards. */
  async callTablesLocally(
    callRequest: TablesCallRequest,
    target: { readonly connectionId: string },
  ): Promise<TablesResult> {
    const { runner, localConnections } = this.parts;
    const admission = runner.admitLocalConnection(localConnections.findTablesConnection(target.connectionId));
    if ('objection' in admission) return { outcome: admission.objection, transport: null, connectionId: '' };
    const { transport, connectionId, send } = this.#createRoute(
      admission.connection,
      callRequest,
      Deadline.createAfter(callRequest.waitMs),
    );
    return { outcome: await send(Number.POSITIVE_INFINITY), transport, connectionId };
  }

  /**
   * Where both families can be reached, a session stays with the one that knows it: an order's session with orders. An
   * unlock goes where the lock is: to orders only if our lock on the order is stored, and never to orders for a session
   * that is none of theirs, because "not locked" would hide the lock that it has over the pay-at-table contract.
   */
  async #selectFamily(
    transports: readonly TablesTransport[],
    { call, scope }: TablesCallRequest,
  ): Promise<readonly TablesTransport[]> {
    const isOverOrders = ({ kind }: TablesTransport): boolean => kind === 'orders';
    const sessionId = getSessionId(call);
    if (sessionId === '' || !transports.some(isOverOrders) || transports.every(isOverOrders)) return transports;
    const found = await this.parts.database.read(scope, (reader) => findOrdersOfSessions(reader, [sessionId]));
    const order = found.get(sessionId);
    const isUnlock = call.$case === 'unlockSession';
    if (order === undefined) return isUnlock ? transports.filter((each) => !isOverOrders(each)) : transports;
    return isUnlock && order.lockId === null ? transports : transports.filter(isOverOrders);
  }

  #createRoute(
    transport: TablesTransport,
    callRequest: TablesCallRequest,
    deadline: Deadline,
  ): CallRoute<TablesOutcome, TablesTransportKind> {
    const limitMs = this.parts.callLimitMs * TABLES_CALLS[callRequest.call.$case].timeoutShare;
    const createRoute = createCallRoute(transport, callRequest, (connectLimitMs) =>
      deadline.limitCall(limitMs, connectLimitMs),
    );
    return {
      ...createRoute,
      send: async (...limits) => this.#completeOutcome(await createRoute.send(...limits), callRequest),
    };
  }

  /** One element that cannot be used must not cost the others (ADR 0123). */
  #completeOutcome(outcome: TablesOutcome, { scope, call }: TablesCallRequest): TablesOutcome {
    if (outcome.outcome !== 'answered') return outcome;
    const usable = toUsableAnswer(call, outcome.answer, (id) => this.#sightings.getFirstSeenAt(scope, id));
    return { ...outcome, answer: usable.answer, unreadable: [...(outcome.unreadable ?? []), ...usable.unreadable] };
  }

  #listTransports(
    routes: EposRoutes,
    requestedTransport: TablesTransportKind | DataTransportKind | 'auto',
  ): TablesTransport[] {
    const { database, gatewayId, localConnections, forwarder, channels, orders } = this.parts;
    const { family, liveConnections, integrations } = routes;
    if (requestedTransport !== 'auto' && isDataTransport(requestedTransport))
      return [...orders.listTransports(routes, requestedTransport)];
    const inbound = liveConnections.flatMap((connection): TablesTransport[] => {
      const transport = TRANSPORT_OF_CONNECTION[connection.kind];
      if (transport === null || !isTransportAllowed(transport, requestedTransport, family)) return [];
      if (connection.gatewayId !== gatewayId) return [forwarder.createTablesTransport(connection, transport)];
      const localConnection = localConnections.findTablesConnection(connection.connectionId);
      return localConnection === null ? [] : [localConnection];
    });
    const dialled = integrations
      .filter(({ kind }) => kind === 'grpc' && isTransportAllowed('dialled', requestedTransport, family))
      .map((integration) => new DialledGrpcTransport({ database, channels, integration }));
    const overOrders = isTransportAllowed('orders', requestedTransport, family)
      ? orders.listTransports(routes, 'auto')
      : [];
    return [...inbound, ...dialled, ...overOrders];
  }
}

/** The session that a call names; empty for a list. */
function getSessionId({ $case: name, value }: TablesCallRequest['call']): string {
  if (name === 'recordPayment') return value.payment?.sessionId ?? '';
  return 'sessionId' in value ? value.sessionId : '';
}

/** The transport of a kind of connection; null where it is not of the pay-at-table contract. */
const TRANSPORT_OF_CONNECTION = {
  machine: null,
  'epos-ws': null,
  'tables-ws': 'socket',
  'epos-grpc-stream': 'stream',
} as const;

const FAMILY_OF_TRANSPORT = {
  socket: 'tables-ws',
  stream: 'tables-grpc',
  dialled: 'tables-grpc',
  orders: 'epos-data',
} as const satisfies Record<TablesTransportKind, Family>;

/** Whether a transport is the requested one, or one that the account's setting allows. */
function isTransportAllowed(
  transport: TablesTransportKind,
  requestedTransport: TablesTransportKind | 'auto',
  family: Family,
): boolean {
  if (requestedTransport !== 'auto') return transport === requestedTransport;
  return family === 'auto' || family === FAMILY_OF_TRANSPORT[transport];
}
