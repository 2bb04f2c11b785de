import { Refusal } from '@pos/core/refusals';
import { isSameHash } from '@pos/core/ids';
import { DAY_MS } from '@pos/core/time';
import { defineStatement, isLockTimeout } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';
import { buildKeyColumns, buildKeyColumnsPerPepper, type Idempotency, type IdempotencyKeyName } from './key-columns.js';
import { moveKeyToCurrentPepper } from './other-pepper-keys.js';
import {
  createKeyReusedRefusal,
  type IdempotentAnswer,
  openStoredAnswer,
  type StoredAnswerRow,
} from './stored-answers.js';

/** The state of a key when a request claims it: new, bound to work that has not ended, or to an answer. */
export type KeyClaim =
  | { readonly kind: 'new' }
  | RunningKey
  | { readonly kind: 'answered'; readonly answer: IdempotentAnswer };

/** Work that has stored where it continues, and until when a process works on it (database time). */
export interface RunningKey {
  readonly kind: 'running';
  readonly recoveryPoint: string;
  readonly leasedUntil: Date | null;
}

const RETENTION_MS = 30 * DAY_MS;
const RETRY_AFTER_SECONDS = 1;
const FOREVER = new Date('9999-12-31T00:00:00.000Z');

/** A second request waits here for the first one's COMMIT, up to the lock limit of transactions. */
const CLAIM = defineStatement(
  'insert_key',
  `insert into idempotency_keys
     (account_id, environment, method, path, key, fingerprint, state, recovery_point, created_at, keep_until)
   values ($1, $2, $3, $4, $5, $6, 'Running', '', $7, $8)
   on conflict (account_id, environment, method, path, key) do nothing
   returning key`,
);

const LOCK = defineStatement(
  'lock_idempotency_key',
  `select fingerprint, state, recovery_point, leased_until, answer_status, answer_ciphertext, keep_until
   from idempotency_keys
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5
   for no key update`,
);

const RENEW = defineStatement(
  'renew_idempotency_key',
  `update idempotency_keys
   set fingerprint = $6, state = 'Running', recovery_point = '', leased_until = null, answer_status = null, answer_ciphertext = null,
     created_at = $7, keep_until = $8
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5
   returning key`,
);

interface KeyRow extends StoredAnswerRow {
  readonly recovery_point: string;
  readonly leased_until: Date | null;
}

/** Takes a key under its lock. Refuses one that was used with another body, or whose first step still runs. */
export async function claimKey(tx: Tx, idempotency: Idempotency): Promise<KeyClaim> {
  const keyColumns = buildKeyColumns(tx, idempotency);
  const fingerprint = tx.hash(idempotency.fingerprintInput);
  const keepUntil = new Date(
    Math.min(tx.databaseNow.getTime() + (idempotency.retentionMs ?? RETENTION_MS), FOREVER.getTime()),
  );
  const values = [...keyColumns, fingerprint, tx.databaseNow, keepUntil];
  const claim = await insertKey(tx, idempotency, values).catch((error: unknown) => {
    throw isLockTimeout(error) ? createInProgressRefusal() : error;
  });
  if (claim.length > 0) return { kind: 'new' };
  const [row] = await tx.query<KeyRow>(LOCK, keyColumns);
  // Deleted between the two statements: its time was over, and the caller asks again.
  if (row === undefined) throw createInProgressRefusal();
  if (row.keep_until <= tx.databaseNow) {
    await tx.query(RENEW, values);
    return { kind: 'new' };
  }
  if (!isSameHash(row.fingerprint, fingerprint)) throw createKeyReusedRefusal();
  if (row.state === 'Finished') return { kind: 'answered', answer: openStoredAnswer(tx, keyColumns, row) };
  return { kind: 'running', recoveryPoint: row.recovery_point, leasedUntil: row.leased_until };
}

async function insertKey(tx: Tx, idempotency: Idempotency, values: readonly unknown[]): Promise<readonly unknown[]> {
  await moveKeyToCurrentPepper(tx, idempotency);
  return tx.query(CLAIM, values);
}

const EXPIRE = defineStatement(
  'expire_key',
  `update idempotency_keys set keep_until = $6
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5 and state = 'Running'
   returning key`,
);

/** Ends the time of a key whose work has certainly changed nothing: another body may use it from now on. */
export async function expireKey(tx: Tx, name: IdempotencyKeyName): Promise<void> {
  for (const keyColumns of buildKeyColumnsPerPepper(tx, name)) await tx.query(EXPIRE, [...keyColumns, tx.databaseNow]);
}

/** The first request under the key still runs. */
export function createInProgressRefusal(): Refusal {
  return new Refusal('idempotency_in_progress', 'the first request with this idempotency key is still running', {
    data: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
}
