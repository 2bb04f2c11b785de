import type { Scope } from '@pos/core/identity';
import type { Partners } from '@pos/core/accounts';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { claimKey, createInProgressRefusal } from './key-claim.js';
import type { Idempotency } from './key-columns.js';
import { completeKey, type IdempotentAnswer } from './stored-answers.js';

/**
 * Does the work in one transaction, once per idempotency key; a repeat gets the stored answer and does nothing. What
 * the work refuses leaves the key unbound. Refuses `idempotency_key_reused` for another body under the same key and
 * `idempotency_in_progress` while the first request still runs. Without a key each call is a new operation.
 */
export async function runOnce(
  database: Database,
  {
    scope,
    idempotency,
    partners,
  }: {
    readonly scope: Scope;
    readonly idempotency: Idempotency | null;
    readonly partners?: Partial<Partners>;
  },
  work: (tx: Tx) => Promise<IdempotentAnswer>,
): Promise<IdempotentAnswer & { readonly replayed: boolean }> {
  const runWithKey = async (tx: Tx) => {
    if (idempotency === null) return { ...(await work(tx)), replayed: false };
    const claim = await claimKey(tx, idempotency);
    if (claim.kind === 'answered') return { ...claim.answer, replayed: true };
    if (claim.kind === 'running') throw createInProgressRefusal();
    const answer = await work(tx);
    completeKey(tx, idempotency, answer);
    return { ...answer, replayed: false };
  };
  return database.transact(scope, runWithKey, partners);
}
