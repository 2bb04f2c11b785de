import type { Database } from '../database/database.js';
import { defineStatement } from '../postgres/statement.js';
import { column, entitySchema } from '../relations/relation.js';

/** The nonces of admitted calls, over all accounts. */
export const internalNonceSchema = entitySchema('internal_nonces', {
  nonce: column.key.options,
  expires_at: column.timestamp.options,
});

/**
 * The row is a check of its own and no part of the work of the call, so its commit does not wait for the disk. A server
 * that crashes may lose the nonces of its last second.
 */
const CLAIM = defineStatement(
  'claim_internal_nonce',
  `with setting as (select set_config('synchronous_commit', 'off', true)),
     expired as (delete from internal_nonces where $3 and expires_at < now())
   insert into internal_nonces (nonce, expires_at) select $1, $2 from setting
   on conflict (nonce) do nothing returning nonce`,
);

/** How often a process deletes the nonces that have expired. */
const DELETION_INTERVAL_MS = 60_000;

/** The nonces of signed internal calls that all processes of an app share. */
export class InternalNonces {
  readonly #database: Pick<Database, 'executeAlone'>;
  #deletedAtMs = -Infinity;

  constructor(database: Pick<Database, 'executeAlone'>) {
    this.#database = database;
  }

  /** Stores a nonce in one round trip. Returns false if any process has stored it before. */
  async claim(nonce: string, expiresAt: Date): Promise<boolean> {
    const nowMs = performance.now();
    const isDeletionDue = nowMs >= this.#deletedAtMs + DELETION_INTERVAL_MS;
    if (isDeletionDue) this.#deletedAtMs = nowMs;
    const rows = await this.#database.executeAlone(CLAIM, [nonce, expiresAt, isDeletionDue]);
    return rows.length === 1;
  }
}
