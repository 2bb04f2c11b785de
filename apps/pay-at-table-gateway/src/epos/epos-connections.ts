import { status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { keyed } from '@pos/core/refusal';
import type { ConnectResponse } from '@pos/grpc-contracts/gateway';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { ConnectAttempts } from '../connections/connect-attempts.js';
import type { ConnectionRegistry, HeldConnection } from '../connections/connection-registry.js';
import { Line } from '../connections/line.js';
import type { LineKeeper } from '../connections/line-keeper.js';
import type { EposMessage } from './epos-message.js';
import { EposStream } from './epos-stream.js';
import type { EposStreams } from './epos-streams.js';
import { admitSandboxEpos, SANDBOX_EPOS_HEADER } from './sandbox-epos.js';

/** What serving EPOS streams takes. */
export interface EposConnectionParts {
  readonly database: Database;
  readonly registry: ConnectionRegistry;
  readonly keeper: LineKeeper;
  readonly streams: EposStreams;
  readonly log: Log;
  /** What waits for this account's EPOS may go on. */
  readonly connected: (scope: Scope) => Promise<void>;
}

const STREAMS_PER_MINUTE_MAX = 30;
const HELLO_LIMIT_MS = 5_000;
const HEARTBEAT_EVERY_MS = 30_000;
const DEAD_AFTER_MS = 90_000;

/** The streams of EPOSes that cannot be dialled: calls down, answers up. */
export class EposConnections {
  readonly #attempts = new ConnectAttempts(STREAMS_PER_MINUTE_MAX);

  constructor(private readonly parts: EposConnectionParts) {}

  /** Serves a stream until either side ends it. */
  connect(messages: AsyncIterable<EposMessage>, call: GrpcCall): AsyncIterable<ConnectResponse> {
    const line = new Line<EposMessage, ConnectResponse>(messages, call);
    void this.#serve(line).then(
      () => line.end(),
      (error: unknown) => line.end(error instanceof Error ? error : new Error('an EPOS stream failed')),
    );
    return line.output;
  }

  async #serve(line: Line<EposMessage, ConnectResponse>): Promise<void> {
    const { scope, softwareHouseId } = line.call.caller;
    this.#attempts.count(scope);
    if (softwareHouseId === null) throw keyed('partner_header_invalid', 'software-house-id', 'is required');
    requireHello(await line.first(HELLO_LIMIT_MS));
    const { database, registry, keeper, streams, log, connected } = this.parts;
    const sent = line.call.metadata(SANDBOX_EPOS_HEADER);
    const readmitSandboxEpos = await admitSandboxEpos(database, { scope, sent });
    const connectionId = randomUUID();
    const stream = new EposStream({ connectionId, line, database, log });
    // Known here before its row says so to the other gateways: their first call may come at once.
    streams.add(stream, scope, () => {
      line.end(new GrpcFailure(status.ABORTED, 'replaced by a newer stream of this account'));
    });
    let held: HeldConnection | null = null;
    const release = keeper.keep(line, {
      beat: () => line.send(heartbeat()),
      readmit: async () => {
        await line.call.readmit();
        await readmitSandboxEpos();
      },
      everyMs: HEARTBEAT_EVERY_MS,
      deadAfterMs: DEAD_AFTER_MS,
      isAtWork: () => stream.isBusy(),
    });
    try {
      held = await registry.open(
        scope,
        { connectionId, kind: 'epos-grpc-stream', key: '', inUse: false },
        {
          replaced: () => streams.replaced(connectionId),
          lost: () =>
            line.end(new GrpcFailure(status.UNAVAILABLE, 'the connection is not known any more: connect again')),
        },
      );
      streams.routed(connectionId);
      line.send(welcome(connectionId));
      log.info('epos.connected', { account_id: scope.accountId, connection_id: connectionId });
      // It goes on by its own timers too, so that this may fail.
      connected(scope).catch((error: unknown) => log.warn('epos.wake_failed', { error }));
      for await (const { message } of line.heard()) {
        if (message?.$case === 'result') stream.hear(message.value);
        else if (message?.$case === 'unreadable') stream.mishear(message.value);
        else if (message?.$case === 'heartbeat') void registry.saw(held, false);
        else throw new GrpcFailure(status.INVALID_ARGUMENT, 'message: is missing, or a second hello');
      }
    } finally {
      release();
      streams.remove(connectionId);
      if (held !== null) await registry.close(held);
    }
  }
}

const TEXT_LENGTH_MAX = 200;

function requireHello({ message }: EposMessage): void {
  if (message?.$case !== 'hello') throw new GrpcFailure(status.INVALID_ARGUMENT, 'hello: is to be the first message');
  const { instanceId, clientVersion } = message.value;
  if (instanceId === '' || instanceId.length > TEXT_LENGTH_MAX) {
    throw new GrpcFailure(status.INVALID_ARGUMENT, `hello.instance_id: must be 1 to ${TEXT_LENGTH_MAX} characters`);
  }
  if (clientVersion.length > TEXT_LENGTH_MAX) {
    throw new GrpcFailure(
      status.INVALID_ARGUMENT,
      `hello.client_version: must be at most ${TEXT_LENGTH_MAX} characters`,
    );
  }
}

function welcome(connectionId: string): ConnectResponse {
  const heartbeatInterval = { seconds: BigInt(HEARTBEAT_EVERY_MS / 1_000), nanos: 0 };
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval } } };
}

function heartbeat(): ConnectResponse {
  return { message: { $case: 'heartbeat', value: { sentAt: new Date() } } };
}
