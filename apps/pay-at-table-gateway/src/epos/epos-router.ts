import type { EposTransport as Family } from '@pos/core/accounts/account';
import type { Scope } from '@pos/core/identity/identity';
import { listCapabilities, supportsJourney } from '@pos/core/tables/epos-capability';
import type { AccountCache } from '@pos/payments/accounts/account-cache';
import { getCapability, isEposDataRead } from '@pos/rest-contracts/epos-data/epos-data';
import type { EgressClient } from '@pos/service-kit/egress/egress-client';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import type { EposIntegration } from '@pos/store/repositories/epos-integrations';
import { setTimeout as pause } from 'node:timers/promises';
import { DialledGrpcTransport } from './dialled-epos.js';
import type { EposChannelPool } from './epos-channels.js';
import type { GatewayForwarder } from './epos-forwards.js';
import { EposRouteCache, type EposRoutes } from './epos-routes.js';
import type { LocalEposConnections } from './epos-streams.js';
import { type OrderServices, OrdersTransport } from '../orders/orders-epos.js';
import { RestTransport } from './rest-epos.js';
import {
  type DataOutcome,
  type DataResult,
  type DataTransport,
  type DataTransportKind,
  type DataCallRequest,
  Deadline,
  type TablesOutcome,
  type TablesResult,
  type TablesTransport,
  type TablesTransportKind,
  type TablesCallRequest,
  isDataTransport,
  type CallFailure,
  createNotSent,
  TABLES_CALLS,
} from './tables-call.js';
import {
  type CallRoute,
  isRetryable,
  type RoutingResult,
  sendThroughRoutes,
  isAnswered,
  isStaleRoute,
  sanitiseOutcome,
} from './route-attempts.js';

/** Between the tries of a read. */
const READ_RETRY_DELAYS_MS = [500, 1_500] as const;
/** The share of the longest call limit that each kind of call of the EPOS Data API gets: 10 s and 20 s of 30. */
const DATA_TIMEOUT_SHARES = { read: 1 / 3, write: 2 / 3 } as const;

/** A call on its way: what is asked, how long, and which ways an account's routes leave open for it. */
interface RoutedTask<Outcome> {
  readonly scope: Scope;
  readonly isRead: boolean;
  readonly listRoutes: (routes: EposRoutes) => readonly CallRoute<Outcome>[];
  readonly deadline: Deadline;
}

/**
 * The only way to an EPOS. It takes the newest live connection, here or at another gateway, then the registered address;
 * `notSent` goes on to the next way, anything else is the answer. Reads are tried three times, writes once.
 */
export class EposRouter {
  readonly #routeCache: EposRouteCache;
  #isDraining = false;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly streams: LocalEposConnections;
      readonly forwards: GatewayForwarder;
      readonly channels: EposChannelPool;
      readonly egress: EgressClient;
      /** EPOSes of sandbox accounts are called without TLS too. */
      readonly allowsPlaintext: boolean;
      readonly orders: OrderServices;
      readonly gatewayId: string;
      /** The longest that one call may take. */
      readonly callLimitMs: number;
      readonly log: Log;
      /** How long the way to an EPOS is remembered without a sign of a change. */
      readonly routesMaxAgeMs?: number;
    },
  ) {
    this.#routeCache = new EposRouteCache({
      ...parts,
      onRegistrationChange: (scopeName) => {
        void parts.channels.closeUnregistered(scopeName);
      },
    });
    parts.streams.onChange = (scope) => {
      this.#routeCache.invalidate(scope);
    };
  }

  /**
   * Makes a call of the pay-at-table contract; over a way of the EPOS Data API orders stand for sessions. The record of a
   * stored payment never takes that way: one that belongs on an order is asked for by `ask`, and a repeat in the other
   * family would be booked twice (ADR 0028). Never rejects for what an EPOS does; rejects when the database cannot be asked
   * for the way.
   */
  async callTables(
    callRequest: TablesCallRequest,
    requestedTransport: TablesTransportKind | DataTransportKind | 'auto' = 'auto',
  ): Promise<TablesResult> {
    const startedAt = performance.now();
    const { isRead } = TABLES_CALLS[callRequest.call.$case];
    const deadline = Deadline.createAfter(callRequest.waitMs);
    const task: RoutedTask<TablesOutcome> = {
      ...{ scope: callRequest.scope, isRead, deadline },
      listRoutes: (routes) =>
        this.#listTablesTransports(routes, requestedTransport)
          .filter(({ kind }) => callRequest.fence === null || kind !== 'orders')
          .map((transport) => this.#createTablesRoute(transport, callRequest, deadline)),
    };
    const { outcome, route } = await this.#runTask(task);
    const result = { outcome, transport: getTablesTransport(route), connectionId: route?.connectionId ?? '' };
    const code = outcome.outcome === 'refused' ? outcome.code : undefined;
    this.#logCall(callRequest.scope, { call: callRequest.call.$case, code, result, startedAt });
    return result;
  }

  /** Makes a call of the EPOS Data API, if the EPOS has registered that it can do it. Rejects as `call` does. */
  async callData(
    callRequest: DataCallRequest,
    requestedTransport: DataTransportKind | 'auto' = 'auto',
  ): Promise<DataResult> {
    const startedAt = performance.now();
    const deadline = Deadline.createAfter(callRequest.waitMs);
    const task: RoutedTask<DataOutcome> = {
      ...{ scope: callRequest.scope, isRead: isEposDataRead(callRequest.name), deadline },
      listRoutes: (routes) =>
        this.#listDataTransports(routes, callRequest, requestedTransport).map((transport) =>
          this.#createDataRoute(transport, callRequest, deadline),
        ),
    };
    const { outcome, route } = await this.#runTask(task);
    const result = { outcome, transport: getDataTransport(route), connectionId: route?.connectionId ?? '' };
    const code = outcome.outcome === 'refused' ? outcome.error.errorType : undefined;
    this.#logCall(callRequest.scope, { call: callRequest.name, code, result, startedAt });
    return result;
  }

  /** Makes the call on one connection of this gateway, for another gateway. Never forwards. */
  async callTablesLocally(
    callRequest: TablesCallRequest,
    target: { readonly connectionId: string },
  ): Promise<TablesResult> {
    const connection = this.parts.streams.findTablesConnection(target.connectionId);
    const objection = this.#findLocalObjection(connection);
    if (objection !== null || connection === null) return { outcome: objection ?? NOT_LOCAL_FAILURE, ...NO_TRANSPORT };
    const { transport, connectionId, send } = this.#createTablesRoute(
      connection,
      callRequest,
      Deadline.createAfter(callRequest.waitMs),
    );
    return { outcome: await send(), transport: getTablesTransport({ transport }), connectionId };
  }

  /** The same of the EPOS Data API. */
  async callDataLocally(callRequest: DataCallRequest, target: { readonly connectionId: string }): Promise<DataResult> {
    const connection = this.parts.streams.findDataConnection(target.connectionId);
    const objection = this.#findLocalObjection(connection);
    if (objection !== null || connection === null) return { outcome: objection ?? NOT_LOCAL_FAILURE, ...NO_TRANSPORT };
    const { transport, connectionId, send } = this.#createDataRoute(
      connection,
      callRequest,
      Deadline.createAfter(callRequest.waitMs),
    );
    return { outcome: await send(), transport: getDataTransport({ transport }), connectionId };
  }

  /** Takes no new calls; those that run go on. */
  drain(): void {
    this.#isDraining = true;
  }

  #findLocalObjection(connection: unknown): CallFailure | null {
    if (this.#isDraining) return DRAINING_FAILURE;
    return connection === null ? NOT_LOCAL_FAILURE : null;
  }

  async #runTask<Outcome extends TablesOutcome | DataOutcome>(
    task: RoutedTask<Outcome>,
  ): Promise<RoutingResult<Outcome>> {
    const delays = task.isRead ? READ_RETRY_DELAYS_MS : [];
    let routingResult = await this.#tryRoutes(task);
    for (const delayMs of delays) {
      // Over orders, each call that it became was tried three times already.
      const isFinal = routingResult.route?.transport === 'orders' || !isRetryable(routingResult.outcome);
      if (isFinal || task.deadline.getRemainingMs() <= delayMs || this.#isDraining) break;
      await pause(delayMs);
      routingResult = await this.#tryRoutes(task);
    }
    return routingResult;
  }

  async #tryRoutes<Outcome extends TablesOutcome | DataOutcome>(
    task: RoutedTask<Outcome>,
  ): Promise<RoutingResult<Outcome>> {
    if (this.#isDraining) return { outcome: DRAINING_FAILURE, route: null };
    const { scope, listRoutes } = task;
    const cachedRoutes = await this.#routeCache.findRoutes(scope);
    const firstResult = await sendThroughRoutes(listRoutes(cachedRoutes), cachedRoutes.isFresh);
    if (isAnswered(firstResult.outcome)) return firstResult;
    this.#routeCache.invalidate(scope);
    if (cachedRoutes.isFresh || !isStaleRoute(firstResult.outcome)) return firstResult;
    const freshRoutes = await this.#routeCache.findRoutes(scope);
    // A connection that was not there a moment ago is not asked again.
    const failedConnectionId = firstResult.route?.connectionId ?? '';
    const otherRoutes = listRoutes(freshRoutes).filter(
      ({ connectionId }) => connectionId === '' || connectionId !== failedConnectionId,
    );
    return otherRoutes.length === 0 ? firstResult : sendThroughRoutes(otherRoutes, true);
  }

  #createTablesRoute(
    transport: TablesTransport,
    callRequest: TablesCallRequest,
    deadline: Deadline,
  ): CallRoute<TablesOutcome> {
    const limitMs = this.parts.callLimitMs * TABLES_CALLS[callRequest.call.$case].timeoutShare;
    const send = async () =>
      sanitiseOutcome(await transport.call(callRequest, deadline.limitCall(limitMs)), callRequest);
    return { transport: transport.kind, connectionId: transport.connectionId, send };
  }

  #createDataRoute(transport: DataTransport, callRequest: DataCallRequest, deadline: Deadline): CallRoute<DataOutcome> {
    const limitMs = this.parts.callLimitMs * DATA_TIMEOUT_SHARES[isEposDataRead(callRequest.name) ? 'read' : 'write'];
    const send = async () =>
      sanitiseOutcome(await transport.call(callRequest, deadline.limitCall(limitMs)), callRequest);
    return { transport: transport.kind, connectionId: transport.connectionId, send };
  }

  #listTablesTransports(
    routes: EposRoutes,
    requestedTransport: TablesTransportKind | DataTransportKind | 'auto',
  ): TablesTransport[] {
    const { database, gatewayId, streams, forwards, channels } = this.parts;
    const { family, liveConnections, integrations } = routes;
    if (requestedTransport !== 'auto' && isDataTransport(requestedTransport))
      return this.#listOrdersTransports(routes, requestedTransport);
    const inbound = liveConnections.flatMap((connection): TablesTransport[] => {
      const way = TRANSPORT_OF_CONNECTION[connection.kind];
      if (way === null || !isTransportAllowed(way, requestedTransport, family)) return [];
      if (connection.gatewayId !== gatewayId) return [forwards.createTablesTransport(connection, way)];
      const localConnection = streams.findTablesConnection(connection.connectionId);
      return localConnection === null ? [] : [localConnection];
    });
    const dialled = integrations
      .filter(({ kind }) => kind === 'grpc' && isTransportAllowed('dialled', requestedTransport, family))
      .map((integration) => new DialledGrpcTransport({ database, channels, integration }));
    const orders = isTransportAllowed('orders', requestedTransport, family)
      ? this.#listOrdersTransports(routes, 'auto')
      : [];
    return [...inbound, ...dialled, ...orders];
  }

  /** The mapping of orders to sessions, if enough is registered for it where it can be reached now. */
  #listOrdersTransports(
    { liveConnections, integrations }: EposRoutes,
    way: DataTransportKind | 'auto',
  ): TablesTransport[] {
    const hasSocket = liveConnections.some(({ kind }) => kind === 'epos-ws');
    const reached = integrations.filter(
      ({ kind }) => (kind === 'rest' && way !== 'dataSocket') || (kind === 'ws' && way !== 'rest' && hasSocket),
    );
    const capabilities = new Set(reached.flatMap((each) => listCapabilities(each.capabilities)));
    if (!supportsJourney(capabilities, 'PayAtTable')) return [];
    const ask = async (callRequest: DataCallRequest): Promise<DataOutcome> =>
      (await this.callData(callRequest, way)).outcome;
    return [
      new OrdersTransport({
        ...this.parts.orders,
        orderApi: { capabilities, callData: ask, usesCache: way === 'auto' },
      }),
    ];
  }

  /** The open socket first, if the call is registered for it; else the address, if it is registered there. */
  #listDataTransports(
    { liveConnections, integrations }: EposRoutes,
    callRequest: DataCallRequest,
    requestedTransport: DataTransportKind | 'auto',
  ): DataTransport[] {
    const { database, gatewayId, streams, forwards, egress, allowsPlaintext } = this.parts;
    const registered = integrations.filter((integration) => isCapabilityRegistered(integration, callRequest));
    const sockets =
      registered.some(({ kind }) => kind === 'ws') && requestedTransport !== 'rest' ? liveConnections : [];
    const inbound = sockets.flatMap((connection): DataTransport[] => {
      if (connection.kind !== 'epos-ws') return [];
      if (connection.gatewayId !== gatewayId) return [forwards.createDataTransport(connection)];
      const localConnection = streams.findDataConnection(connection.connectionId);
      return localConnection === null ? [] : [localConnection];
    });
    const restTransports = registered
      .filter(({ kind }) => kind === 'rest' && requestedTransport !== 'dataSocket')
      .map((integration) => new RestTransport({ database, egress, integration, allowsPlaintext }));
    return [...inbound, ...restTransports];
  }

  #logCall(
    { accountId }: Scope,
    callLog: {
      readonly call: string;
      readonly code: string | undefined;
      readonly result: TablesResult | DataResult;
      readonly startedAt: number;
    },
  ): void {
    const { outcome, transport, connectionId } = callLog.result;
    this.parts.log.info('epos.called', {
      account_id: accountId,
      call: callLog.call,
      way: transport,
      connection_id: connectionId,
      outcome: outcome.outcome,
      ...(callLog.code !== undefined && { code: callLog.code }),
      ...('reason' in outcome && { reason: outcome.reason }),
      took_ms: Math.round(performance.now() - callLog.startedAt),
    });
  }
}

const DRAINING_FAILURE = createNotSent('draining', 'the gateway is shutting down');
const NOT_LOCAL_FAILURE = createNotSent('noConnection', 'the connection is not held here');
const NO_TRANSPORT = { transport: null, connectionId: '' } as const;

/** What is spoken on a kind of connection; null where it is not the pay-at-table contract. */
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

/** Whether a way is the one that is wanted, or one that the account's setting lets serve. */
function isTransportAllowed(
  way: TablesTransportKind,
  requestedTransport: TablesTransportKind | 'auto',
  family: Family,
): boolean {
  if (requestedTransport !== 'auto') return way === requestedTransport;
  return family === 'auto' || family === FAMILY_OF_TRANSPORT[way];
}

/** An unregistered capability is never called, even over a live socket. */
function isCapabilityRegistered({ capabilities }: EposIntegration, { name, params }: DataCallRequest): boolean {
  const event = typeof params['event'] === 'string' ? params['event'] : '';
  const needed = getCapability(name, event);
  return needed !== null && listCapabilities(capabilities).includes(needed);
}

function getTablesTransport(
  route: { readonly transport: TablesTransportKind | DataTransportKind } | null,
): TablesTransportKind | null {
  return route === null || isDataTransport(route.transport) ? null : route.transport;
}

function getDataTransport(
  route: { readonly transport: TablesTransportKind | DataTransportKind } | null,
): DataTransportKind | null {
  return route !== null && isDataTransport(route.transport) ? route.transport : null;
}
