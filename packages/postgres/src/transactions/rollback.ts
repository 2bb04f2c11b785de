import type { PooledConnection } from '../connections/pooled-connection.js';

/** Ends the connection's transaction. A connection whose rollback fails may still hold it, and is dropped. */
export async function rollBack(connection: PooledConnection): Promise<void> {
  if (connection.isExpired) return;
  await connection.client.query('rollback').catch(() => connection.destroy());
}
