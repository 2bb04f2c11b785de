import type { Scope } from '@pos/core/identity/identity';
import type { Partners } from '@pos/core/accounts/partner-headers';
import type { Database } from '../database/database.js';
import { buildKeyColumns } from './key-columns.js';
import {
  type IdempotentAnswer,
  completeKey,
  type Idempotency,
  createInProgressRefusal,
  type RunningKey,
  claimKey,
} from './idempotency-keys.js';
import { defineStatement } from '../postgres/statement.js';
import type { Tx } from '../database/transaction.js';

/** Longer than any request lives: whoever still has the key by then has died. */
const LEASE_MS = 30_000;

const LEASE = defineStatement(
  'resumable_lease',
  `update idempotency_keys set recovery_point = $6, leased_until = $7
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5 and state = 'Running'
   returning key`,
);

/** A request and its key; without a key each request is a new operation. */
export interface IdempotentOperation {
  readonly scope: Scope;
  readonly idempotency: Idempotency | null;
  /** Stored with the rows of the first step. */
  readonly partners?: Partial<Partners>;
}

/** What to do under a key: go on from the point that the first step has named, or give its answer again. */
export type OperationStart =
  { readonly kind: 'begun'; readonly point: string } | { readonly kind: 'answered'; readonly answer: IdempotentAnswer };

/**
 * The first step of work that takes several transactions, done once per key: it names the point from which the work
 * goes on. A repeat goes on from there when the request that had the key has given up or died, and is refused with
 * `idempotency_in_progress` while it has not. What the step refuses leaves the key unbound.
 */
export async function beginOperation(
  database: Database,
  { scope, idempotency, partners }: IdempotentOperation,
  step: (tx: Tx) => Promise<string>,
): Promise<OperationStart> {
  const beginWithKey = async (tx: Tx): Promise<OperationStart> => {
    if (idempotency === null) return { kind: 'begun', point: await step(tx) };
    const claim = await claimKey(tx, idempotency);
    if (claim.kind === 'answered') return claim;
    if (claim.kind === 'running' && isRunning(claim, tx.databaseNow)) throw createInProgressRefusal();
    const point = claim.kind === 'running' ? claim.recoveryPoint : await step(tx);
    tx.enqueue(LEASE, [...buildKeyColumns(tx, idempotency), point, new Date(tx.databaseNow.getTime() + LEASE_MS)]);
    return { kind: 'begun', point };
  };
  return database.transact(scope, beginWithKey, partners);
}

/** The last step: the key is bound to the answer from the commit on. */
export async function completeOperation(
  database: Database,
  { scope, idempotency }: IdempotentOperation,
  answer: IdempotentAnswer,
): Promise<void> {
  if (idempotency === null) return;
  await database.transact(scope, (tx) => completeKey(tx, idempotency, answer));
}

/** Gives the key up without an answer, so that a repeat may go on at once. */
export async function releaseOperation(
  database: Database,
  { scope, idempotency }: IdempotentOperation,
  point: string,
): Promise<void> {
  if (idempotency === null) return;
  await database.transact(scope, (tx) => tx.enqueue(LEASE, [...buildKeyColumns(tx, idempotency), point, null]));
}

/** Whether the first request is still at it, or has not even named from where to go on. */
function isRunning({ recoveryPoint, leasedUntil }: RunningKey, now: Date): boolean {
  return recoveryPoint === '' || (leasedUntil !== null && leasedUntil > now);
}
