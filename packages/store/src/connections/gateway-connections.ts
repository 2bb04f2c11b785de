import { assert } from '@pos/core/refusals';
import { defineStatement } from '@pos/postgres/statements';
import { insertRow } from '../relations/relation.js';
import { connections, type ConnectionKind, type ConnectionRow } from '../relations/terminal-relations.js';
import type { Reader, Tx } from '../database/transaction.js';

export type { ConnectionKind };

/** How long a connection counts as live after its gateway last renewed it; a gateway renews every 3 s. */
export const CONNECTION_ALIVE_MS = 10_000;

/**
 * An open socket, the gateway that holds it, and its place in the order of opening. Of two with one kind and key the one
 * that was opened last serves: its gateway learns by `renewConnections` that another one was opened since, and ends its
 * socket. Times are database time.
 */
export interface GatewayConnection {
  readonly connectionId: string;
  readonly kind: ConnectionKind;
  /** The TID of a card machine, empty for an EPOS. */
  readonly key: string;
  /** Microseconds; the greatest of a key is its newest connection. */
  readonly epoch: number;
  readonly gatewayId: string;
  readonly gatewayAddress: string;
  readonly aliveUntil: Date;
  readonly openedAt: Date;
  /** The last heartbeat of the other side. */
  readonly seenAt: Date;
  /** The machine is in use by itself. */
  readonly inUse: boolean;
}

const EPOCH = defineStatement(
  'insert_connection',
  `select greatest(
     (extract(epoch from clock_timestamp()) * 1000000)::bigint,
     coalesce((select max(epoch) + 1 from connections
       where account_id = $1 and environment = $2 and kind = $3 and key = $4), 0)
   ) as epoch`,
);

const LIVE = defineStatement(
  'list_live_connections',
  `select kind, key, connection_id, epoch, gateway_id, gateway_address, alive_until, seen_at, in_use, opened_at, closed_at
   from connections
   where account_id = $1 and environment = $2 and kind = any ($3::text[]) and closed_at is null
     and alive_until > clock_timestamp()
   order by epoch desc`,
);

const RECORD_ACTIVITY = defineStatement(
  'record_connection_activity',
  `update connections set seen_at = $6, in_use = $7,
     in_use_since = case when in_use = $7 then coalesce(in_use_since, opened_at) else $6 end
   where account_id = $1 and environment = $2 and kind = $3 and key = $4 and connection_id = $5
   returning connection_id`,
);

const DELETE_ENDED = defineStatement(
  'delete_ended_connections',
  `delete from connections
   where account_id = $1 and environment = $2 and coalesce(closed_at, alive_until) < $3
   returning connection_id`,
);

/** Stores a socket that was opened just now; it is the newest of its kind and key. */
export async function insertConnection(
  tx: Tx,
  request: Pick<GatewayConnection, 'connectionId' | 'kind' | 'key' | 'gatewayId' | 'gatewayAddress' | 'inUse'>,
): Promise<GatewayConnection> {
  const [row] = await tx.query<{ epoch: number }>(EPOCH, [
    tx.scope.accountId,
    tx.scope.environment,
    request.kind,
    request.key,
  ]);
  assert(row !== undefined, 'the database gave no epoch');
  const aliveUntil = new Date(tx.databaseNow.getTime() + CONNECTION_ALIVE_MS);
  const connection = { ...request, epoch: row.epoch, aliveUntil, openedAt: tx.databaseNow, seenAt: tx.databaseNow };
  insertRow(tx, connections, {
    ...{ ...toRow(connection), in_use_since: tx.databaseNow, closed_at: null },
  });
  tx.hint('machines', request.key);
  return connection;
}

/** Stores a heartbeat of the other side, and whether the machine is in use by itself. */
export async function recordConnectionActivity(
  tx: Tx,
  activity: Pick<GatewayConnection, 'kind' | 'key' | 'connectionId' | 'inUse'>,
): Promise<void> {
  const { kind, key, connectionId, inUse } = activity;
  const { accountId, environment } = tx.scope;
  await tx.query(RECORD_ACTIVITY, [accountId, environment, kind, key, connectionId, tx.databaseNow, inUse]);
}

/**
 * The live connections of these kinds, newest first. A connection that is not renewed does not count, closed or not.
 */
export async function listLiveConnections(
  reader: Reader,
  kinds: readonly ConnectionKind[],
): Promise<GatewayConnection[]> {
  const rows = await reader.query<ConnectionRow>(LIVE, [reader.scope.accountId, reader.scope.environment, [...kinds]]);
  return rows.map(fromRow);
}

/** The newest live connection of a kind and key, or null. */
export async function findLiveConnection(
  reader: Reader,
  kind: ConnectionKind,
  key: string,
): Promise<GatewayConnection | null> {
  return (await listLiveConnections(reader, [kind])).find((each) => each.key === key) ?? null;
}

/** Deletes the rows of connections that ended before a time; returns their number. */
export async function deleteEndedConnections(tx: Tx, endedBefore: Date): Promise<number> {
  return (await tx.query(DELETE_ENDED, [tx.scope.accountId, tx.scope.environment, endedBefore])).length;
}

function toRow(connection: GatewayConnection): Omit<ConnectionRow, 'in_use_since' | 'closed_at'> {
  return {
    kind: connection.kind,
    key: connection.key,
    connection_id: connection.connectionId,
    epoch: connection.epoch,
    gateway_id: connection.gatewayId,
    gateway_address: connection.gatewayAddress,
    alive_until: connection.aliveUntil,
    opened_at: connection.openedAt,
    seen_at: connection.seenAt,
    in_use: connection.inUse,
  };
}

function fromRow(row: ConnectionRow): GatewayConnection {
  return {
    connectionId: row.connection_id,
    kind: row.kind,
    key: row.key,
    epoch: row.epoch,
    gatewayId: row.gateway_id,
    gatewayAddress: row.gateway_address,
    aliveUntil: row.alive_until,
    openedAt: row.opened_at,
    seenAt: row.seen_at,
    inUse: row.in_use,
  };
}
