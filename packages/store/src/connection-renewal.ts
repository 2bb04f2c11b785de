import type { Scope } from '@pos/core/identity';
import { type Connection, CONNECTION_ALIVE_MS } from './connections.js';
import type { Database } from './database.js';
import { statement } from './statement.js';

/** An open socket, and whose it is. */
export interface HeldRow {
  readonly scope: Scope;
  readonly connection: Pick<Connection, 'connectionId' | 'kind' | 'key' | 'epoch'>;
}

/** What the rows say of a connection: it serves, a newer live one of its kind and key does, or its row is closed or gone. */
export type Standing = 'newest' | 'replaced' | 'gone';

const HELD = `unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
  as held (account_id, environment, kind, key, connection_id, epoch)`;
const OWN = `own.account_id = held.account_id and own.environment = held.environment and own.kind = held.kind
  and own.key = held.key and own.connection_id = held.connection_id and own.gateway_id = $1 and own.closed_at is null`;

/** One that somebody is changing is not waited for, or one account could end all others: it lasts for two more rounds. */
const RENEW = statement(
  'connections_renew',
  `update connections c set alive_until = clock_timestamp() + ${CONNECTION_ALIVE_MS} * interval '1 millisecond'
   from (
     select own.account_id, own.environment, own.kind, own.key, own.connection_id
     from ${HELD} join connections own on ${OWN}
     for no key update of own skip locked
   ) free
   where c.account_id = free.account_id and c.environment = free.environment and c.kind = free.kind and c.key = free.key
     and c.connection_id = free.connection_id`,
);

const STANDINGS = statement(
  'connections_standing',
  `select held.connection_id, exists (
     select from connections newer
     where newer.account_id = held.account_id and newer.environment = held.environment and newer.kind = held.kind
       and newer.key = held.key and newer.epoch > held.epoch and newer.closed_at is null
       and newer.alive_until > clock_timestamp()
   ) as is_replaced
   from ${HELD} join connections own on ${OWN}`,
);

/**
 * Keeps the sockets of a gateway live for another while, whichever accounts they are of, by one statement, and says by
 * another how each of them stands then. Both ask the database's clock and wait for no lock and no connection of the pool.
 */
export async function renewConnections(
  database: Pick<Database, 'pulse'>,
  { gatewayId, held }: { readonly gatewayId: string; readonly held: readonly HeldRow[] },
): Promise<Map<string, Standing>> {
  const values = [
    gatewayId,
    held.map(({ scope }) => scope.accountId),
    held.map(({ scope }) => scope.environment),
    held.map(({ connection }) => connection.kind),
    held.map(({ connection }) => connection.key),
    held.map(({ connection }) => connection.connectionId),
  ];
  const epochs = held.map(({ connection }) => connection.epoch);
  await database.pulse(RENEW, [...values, epochs]);
  const known = await database.pulse<{ connection_id: string; is_replaced: boolean }>(STANDINGS, [...values, epochs]);
  const standings = new Map<string, Standing>(held.map(({ connection }) => [connection.connectionId, 'gone']));
  for (const { connection_id: id, is_replaced: isReplaced } of known)
    standings.set(id, isReplaced ? 'replaced' : 'newest');
  return standings;
}
