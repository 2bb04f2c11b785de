import type { Scope } from '@pos/core/identity';
import { type GatewayConnection, CONNECTION_ALIVE_MS } from './gateway-connections.js';
import type { Database } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** An open socket and its account. */
export interface HeldConnection {
  readonly scope: Scope;
  readonly connection: Pick<GatewayConnection, 'connectionId' | 'kind' | 'key' | 'epoch'>;
}

/**
 * The stored state of a connection: it serves, a newer live one of its kind and key serves, or its row is closed or
 * gone.
 */
export type ConnectionState = 'newest' | 'replaced' | 'gone';

const HELD = `unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
  as held (account_id, environment, kind, key, connection_id, epoch)`;
const OWN = `own.account_id = held.account_id and own.environment = held.environment and own.kind = held.kind
  and own.key = held.key and own.connection_id = held.connection_id and own.gateway_id = $1 and own.closed_at is null`;

/** Rows that another transaction is changing are not awaited, or one account could delay all others. */
const FREE = `(
     select own.account_id, own.environment, own.kind, own.key, own.connection_id
     from ${HELD} join connections own on ${OWN}
     for no key update of own skip locked
   ) free
   where c.account_id = free.account_id and c.environment = free.environment and c.kind = free.kind and c.key = free.key
     and c.connection_id = free.connection_id`;

const RENEW = defineStatement(
  'renew_connections',
  `update connections c set alive_until = statement_timestamp() + ${CONNECTION_ALIVE_MS} * interval '1 millisecond'
   from ${FREE}`,
);

const CLOSE = defineStatement(
  'close_connections',
  `update connections c set closed_at = date_trunc('milliseconds', statement_timestamp())
   from ${FREE}
   returning c.connection_id`,
);

const STATES = defineStatement(
  'find_connection_states',
  `select held.connection_id, exists (
     select from connections newer
     where newer.account_id = held.account_id and newer.environment = held.environment and newer.kind = held.kind
       and newer.key = held.key and newer.epoch > held.epoch and newer.closed_at is null
       and newer.alive_until > clock_timestamp()
   ) as is_replaced
   from ${HELD} join connections own on ${OWN}`,
);

/** The sockets of one gateway. */
interface HeldConnections<Held extends HeldConnection = HeldConnection> {
  readonly gatewayId: string;
  readonly held: readonly Held[];
}

/**
 * Renews the sockets of a gateway, of all accounts, with one statement, and returns their states with another. Both
 * use the database's clock and wait for no lock and no connection of the pool. A row that another transaction was
 * changing is not renewed: it lasts for two more rounds.
 */
export async function renewConnections(
  database: Pick<Database, 'executeHeartbeat'>,
  rows: HeldConnections,
): Promise<Map<string, ConnectionState>> {
  await database.executeHeartbeat(RENEW, buildParameters(rows));
  return findConnectionStates(database, rows);
}

/** The current state of each of these sockets. */
export async function findConnectionStates(
  database: Pick<Database, 'executeHeartbeat'>,
  rows: HeldConnections,
): Promise<Map<string, ConnectionState>> {
  const states = new Map<string, ConnectionState>(rows.held.map(({ connection }) => [connection.connectionId, 'gone']));
  for (const row of await database.executeHeartbeat<ConnectionStateRow>(STATES, buildParameters(rows))) {
    states.set(row.connection_id, row.is_replaced ? 'replaced' : 'newest');
  }
  return states;
}

/**
 * Marks these sockets as closed with one statement, and returns those whose rows another transaction was changing.
 */
export async function closeConnections<Held extends HeldConnection>(
  database: Pick<Database, 'executeHeartbeat'>,
  { gatewayId, held }: HeldConnections<Held>,
): Promise<readonly Held[]> {
  const closed = await database.executeHeartbeat(CLOSE, buildParameters({ gatewayId, held }));
  if (closed.length === held.length) return [];
  const states = await findConnectionStates(database, { gatewayId, held });
  return held.filter(({ connection }) => states.get(connection.connectionId) !== 'gone');
}

interface ConnectionStateRow {
  readonly connection_id: string;
  readonly is_replaced: boolean;
}

function buildParameters({ gatewayId, held }: HeldConnections): readonly unknown[] {
  return [
    gatewayId,
    held.map(({ scope }) => scope.accountId),
    held.map(({ scope }) => scope.environment),
    held.map(({ connection }) => connection.kind),
    held.map(({ connection }) => connection.key),
    held.map(({ connection }) => connection.connectionId),
    held.map(({ connection }) => connection.epoch),
  ];
}
