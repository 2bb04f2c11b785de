import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import type { ConnectionRegistry, HeldConnection } from '../connections/connection-registry.js';
import type { LineKeeper } from '../connections/line-keeper.js';
import { CLOSE_CODES, type SocketLine } from '../connections/socket-line.js';
import { DataSocket } from './data-socket.js';
import type { EposStreams } from './epos-streams.js';
import { TablesSocket } from './tables-socket.js';

/** What is spoken on a socket: the EPOS Data API, or the pay-at-table contract. */
export type SocketKind = 'epos-ws' | 'tables-ws';

const PING_EVERY_MS = 30_000;
const DEAD_AFTER_MS = 90_000;

/** The sockets that EPOSes have opened to this gateway: calls down, answers up. */
export class EposSockets {
  readonly #open = new Set<SocketLine>();

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly registry: ConnectionRegistry;
      readonly keeper: LineKeeper;
      readonly streams: EposStreams;
      readonly log: Log;
      /** What waits for this account's EPOS may go on. */
      readonly connected: (scope: Scope) => Promise<void>;
    },
  ) {}

  /** Serves a socket until either side ends it. Never rejects. */
  async serve(
    line: SocketLine,
    {
      scope,
      kind,
      readmit,
    }: { readonly scope: Scope; readonly kind: SocketKind; readonly readmit: () => Promise<void> },
  ): Promise<void> {
    const { database, registry, keeper, streams, log } = this.parts;
    const connectionId = randomUUID();
    const at = { connectionId, line, database, log };
    const connection = kind === 'tables-ws' ? new TablesSocket(at) : new DataSocket(at);
    this.#open.add(line);
    // Known here before its row says so to the other gateways: their first call may come at once.
    streams.add(connection, scope, () => {
      line.close(CLOSE_CODES.replaced, 'a newer socket of this account serves');
    });
    const beat = (): void => {
      line.ping();
    };
    const isAtWork = (): boolean => connection.isBusy();
    const release = keeper.keep(line, {
      ...{ beat, readmit, isAtWork },
      everyMs: PING_EVERY_MS,
      deadAfterMs: DEAD_AFTER_MS,
    });
    const heard = line.hear((text) => {
      connection.hear(text);
    });
    let held: HeldConnection | null = null;
    try {
      held = await registry.open(
        scope,
        { connectionId, kind, key: '', inUse: false },
        {
          replaced: () => streams.replaced(connectionId),
          lost: () => {
            line.close(CLOSE_CODES.shutdown, 'the connection is not known any more: connect again');
          },
        },
      );
      streams.routed(connectionId);
      log.info('epos.connected', { account_id: scope.accountId, connection_id: connectionId, kind });
      // It goes on by its own timers too, so that this may fail.
      this.parts.connected(scope).catch((error: unknown) => log.warn('epos.wake_failed', { error }));
      await heard;
    } catch (error) {
      log.warn('epos.socket_failed', { account_id: scope.accountId, connection_id: connectionId, error });
      line.close(CLOSE_CODES.failed, 'the socket cannot be served now: connect again');
    } finally {
      release();
      this.#open.delete(line);
      streams.remove(connectionId);
      if (held !== null) await registry.close(held);
    }
  }

  /** The gateway is going away: every EPOS may connect elsewhere at once. */
  close(): void {
    for (const line of this.#open) line.close(CLOSE_CODES.shutdown, 'the gateway is shutting down');
  }
}
