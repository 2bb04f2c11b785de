import { status } from '@grpc/grpc-js';
import { createViolation } from '@pos/core/refusals';
import type { ConnectResponse } from '@pos/grpc-contracts/gateway';
import { type GrpcCall, GrpcFailure } from '@pos/service-kit/grpc';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { ConnectionRateLimiter } from '../connections/connection-rate-limiter.js';
import type { ConnectionRegistry, LocalConnection } from '../connections/connection-registry.js';
import { StreamConnection } from '../connections/stream-connection.js';
import type { ConnectionMonitor } from '../connections/connection-monitor.js';
import type { EposMessage } from '../epos-transports/epos-message.js';
import { GrpcStreamTransport } from '../epos-transports/grpc-stream-transport.js';
import type { EposReconnectionService } from './epos-reconnection-service.js';
import type { LocalEposConnections } from '../epos-transports/local-epos-connections.js';
import { admitSandboxEpos, SANDBOX_EPOS_HEADER } from './sandbox-epos.js';

/** The dependencies of EposStreamService. */
export interface EposStreamDependencies {
  readonly database: Database;
  readonly registry: ConnectionRegistry;
  readonly monitor: ConnectionMonitor;
  readonly localConnections: LocalEposConnections;
  readonly log: Log;
  readonly reconnections: Pick<EposReconnectionService, 'resumeWaiting'>;
}

const STREAMS_PER_MINUTE_MAX = 30;
const EPOS_HELLO_TIMEOUT_MS = 5_000;
const EPOS_HEARTBEAT_INTERVAL_MS = 30_000;
const EPOS_IDLE_TIMEOUT_MS = 90_000;

/** The streams of EPOSes that cannot be dialled: calls down, answers up. */
export class EposStreamService {
  readonly #rateLimiter = new ConnectionRateLimiter(STREAMS_PER_MINUTE_MAX);

  constructor(private readonly parts: EposStreamDependencies) {}

  /** Serves a stream until either side ends it. */
  connect(messages: AsyncIterable<EposMessage>, call: GrpcCall): AsyncIterable<ConnectResponse> {
    const connection = new StreamConnection<EposMessage, ConnectResponse>(messages, call);
    void this.#serveStream(connection).then(
      () => connection.end(),
      (error: unknown) => connection.end(error instanceof Error ? error : new Error('an EPOS stream failed')),
    );
    return connection.output;
  }

  async #serveStream(connection: StreamConnection<EposMessage, ConnectResponse>): Promise<void> {
    const { scope, softwareHouseId } = connection.call.caller;
    this.#rateLimiter.countAttempt(scope);
    if (softwareHouseId === null) throw createViolation('partner_header_invalid', 'software-house-id', 'is required');
    requireEposHello(await connection.receiveFirst(EPOS_HELLO_TIMEOUT_MS));
    const { database, registry, monitor, localConnections, log, reconnections } = this.parts;
    const sandboxHeader = connection.call.metadata(SANDBOX_EPOS_HEADER);
    const reauthoriseSandboxEpos = await admitSandboxEpos(database, { scope, headerValue: sandboxHeader });
    const connectionId = randomUUID();
    const transport = new GrpcStreamTransport({ connectionId, scope, connection, database, log });
    // Added here before its row is inserted: the first call of another gateway may follow at once.
    localConnections.add(transport, scope, () => {
      connection.end(new GrpcFailure(status.ABORTED, 'replaced by a newer stream of this account'));
    });
    let registration: LocalConnection | null = null;
    const stopMonitoring = monitor.monitor(connection, {
      sendHeartbeat: () => connection.send(buildEposHeartbeat()),
      reauthorise: async () => {
        await connection.call.recheckKey();
        await reauthoriseSandboxEpos();
      },
      heartbeatIntervalMs: EPOS_HEARTBEAT_INTERVAL_MS,
      idleTimeoutMs: EPOS_IDLE_TIMEOUT_MS,
      isBusy: () => transport.isBusy(),
    });
    try {
      registration = await registry.open(
        scope,
        { connectionId, kind: 'epos-grpc-stream', key: '', inUse: false },
        {
          onReplaced: () => localConnections.drainReplaced(connectionId),
          onLost: () =>
            connection.end(
              new GrpcFailure(status.UNAVAILABLE, 'the connection is not registered any more: connect again'),
            ),
        },
      );
      localConnections.markRouted(connectionId);
      connection.send(buildEposWelcome(connectionId));
      log.info('epos.connected', { account_id: scope.accountId, connection_id: connectionId });
      // The timers continue it too, so a failure is only logged.
      reconnections.resumeWaiting(scope).catch((error: unknown) => log.warn('epos.wake_failed', { error }));
      for await (const { message } of connection.receiveMessages()) {
        if (message?.$case === 'result') transport.receiveResult(message.value);
        else if (message?.$case === 'unreadable') transport.receiveUnreadable(message.value);
        else if (message?.$case === 'heartbeat') void registry.recordActivity(registration, false);
        else throw new GrpcFailure(status.INVALID_ARGUMENT, 'message: is missing, or a second hello');
      }
    } finally {
      stopMonitoring();
      localConnections.remove(connectionId);
      if (registration !== null) await registry.close(registration);
    }
  }
}

const HELLO_TEXT_LENGTH_MAX = 200;

function requireEposHello({ message }: EposMessage): void {
  if (message?.$case !== 'hello') throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello: must be the first message');
  const { instanceId, clientVersion } = message.value;
  if (instanceId === '' || instanceId.length > HELLO_TEXT_LENGTH_MAX) {
    throw new GrpcFailure(
      status.INVALID_ARGUMENT,
      `hello.instance_id: must be 1 to ${HELLO_TEXT_LENGTH_MAX} characters`,
    );
  }
  if (clientVersion.length > HELLO_TEXT_LENGTH_MAX) {
    throw new GrpcFailure(
      status.INVALID_ARGUMENT,
      `hello.client_version: must be at most ${HELLO_TEXT_LENGTH_MAX} characters`,
    );
  }
}

function buildEposWelcome(connectionId: string): ConnectResponse {
  const heartbeatInterval = { seconds: BigInt(EPOS_HEARTBEAT_INTERVAL_MS / 1_000), nanos: 0 };
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval } } };
}

function buildEposHeartbeat(): ConnectResponse {
  return { message: { $case: 'heartbeat', value: { sentAt: new Date() } } };
}
