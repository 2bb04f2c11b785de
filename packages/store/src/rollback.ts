import type { Borrowed } from './connection.js';

/** Ends the connection's transaction. A connection whose rollback fails may still hold it, and is dropped. */
export async function rollback(borrowed: Borrowed): Promise<void> {
  if (borrowed.isExpired) return;
  await borrowed.client.query('rollback').catch(() => borrowed.drop());
}
