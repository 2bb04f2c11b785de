import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import type { ConnectionRegistry, LocalConnection } from '../connections/connection-registry.js';
import type { ConnectionMonitor } from '../connections/connection-monitor.js';
import { CLOSE_CODES, type SocketConnection } from '../connections/socket-connection.js';
import { DataSocketTransport } from '../epos-transports/data-socket-transport.js';
import type { EposReconnectionService } from './epos-reconnection-service.js';
import type { LocalEposConnections } from '../epos-transports/local-epos-connections.js';
import type { RestaurantZones } from '../epos-calls/restaurant-zone.js';
import { TablesSocketTransport } from '../epos-transports/tables-socket-transport.js';

/** What is spoken on a socket: the EPOS Data API, or the pay-at-table contract. */
export type SocketKind = 'epos-ws' | 'tables-ws';

const PING_INTERVAL_MS = 30_000;
const SOCKET_IDLE_TIMEOUT_MS = 90_000;

/** The sockets that EPOSes have opened to this gateway: calls down, answers up. */
export class EposSocketService {
  readonly #connections = new Set<SocketConnection>();

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly registry: ConnectionRegistry;
      readonly monitor: ConnectionMonitor;
      readonly localConnections: LocalEposConnections;
      readonly log: Log;
      readonly zones: RestaurantZones;
      readonly reconnections: Pick<EposReconnectionService, 'resumeWaiting'>;
    },
  ) {}

  /** Serves a socket until either side ends it. Never rejects. */
  async serveSocket(
    socketConnection: SocketConnection,
    {
      scope,
      kind,
      reauthorise,
    }: { readonly scope: Scope; readonly kind: SocketKind; readonly reauthorise: () => Promise<void> },
  ): Promise<void> {
    const { database, registry, monitor, localConnections, log, zones } = this.parts;
    const connectionId = randomUUID();
    const transportOptions = { connectionId, scope, connection: socketConnection, database, log };
    const transport =
      kind === 'tables-ws' ? new TablesSocketTransport(transportOptions) : new DataSocketTransport(transportOptions);
    this.#connections.add(socketConnection);
    // Added here before its row is inserted: the first call of another gateway may follow at once.
    localConnections.add(transport, scope, () => {
      socketConnection.close(CLOSE_CODES.replaced, 'a newer socket of this account serves');
    });
    const sendHeartbeat = (): void => {
      socketConnection.ping();
    };
    const isBusy = (): boolean => transport.isBusy();
    const stopMonitoring = monitor.monitor(socketConnection, {
      ...{ sendHeartbeat, reauthorise, isBusy },
      heartbeatIntervalMs: PING_INTERVAL_MS,
      idleTimeoutMs: SOCKET_IDLE_TIMEOUT_MS,
    });
    const received = socketConnection.receiveTexts((text) => {
      transport.receiveFrame(text);
    });
    let registration: LocalConnection | null = null;
    try {
      registration = await registry.open(
        scope,
        { connectionId, kind, key: '', inUse: false },
        {
          onReplaced: () => localConnections.drainReplaced(connectionId),
          onLost: () => {
            socketConnection.close(CLOSE_CODES.shutdown, 'the connection is not registered any more: connect again');
          },
        },
      );
      if (transport instanceof TablesSocketTransport) transport.useZone(await zones.readZone(scope));
      localConnections.markRouted(connectionId);
      log.info('epos.connected', { account_id: scope.accountId, connection_id: connectionId, kind });
      // The timers continue it too, so a failure is only logged.
      this.parts.reconnections.resumeWaiting(scope).catch((error: unknown) => log.warn('epos.wake_failed', { error }));
      await received;
    } catch (error) {
      log.warn('epos.socket_failed', { account_id: scope.accountId, connection_id: connectionId, error });
      socketConnection.close(CLOSE_CODES.failed, 'the socket cannot be served now: connect again');
    } finally {
      stopMonitoring();
      this.#connections.delete(socketConnection);
      localConnections.remove(connectionId);
      if (registration !== null) await registry.close(registration);
    }
  }

  /** The gateway is going away: every EPOS may connect elsewhere at once. */
  close(): void {
    for (const socketConnection of this.#connections)
      socketConnection.close(CLOSE_CODES.shutdown, 'the gateway is shutting down');
  }
}
