import { assert, Refusal } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import { isOneHash, isSameHash } from '@pos/core/ids';
import type { Partners } from '@pos/core/accounts';
import { DAY_MS } from '@pos/core/time';
import type { Database } from '../database/database.js';
import { answerContext, type IdempotencyKeyName, buildKeyColumns, buildKeyColumnsPerPepper } from './key-columns.js';
import { moveKeyToCurrentPepper } from './other-pepper-keys.js';
import { defineChange, defineStatement, isLockTimeout, sql } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

/** What makes two requests the same one. */
export interface Idempotency extends IdempotencyKeyName {
  /** The body as canonical JSON: parsed, members sorted. */
  readonly fingerprintInput: string;
  /** How long the answer is kept; 30 days unless said. */
  readonly retentionMs?: number;
}

/** What is stored and given again. The body is plain JSON, or null where there is none. */
export interface IdempotentAnswer {
  readonly status: number;
  readonly body: unknown;
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

const COMPLETE = defineChange(
  'complete_key',
  sql.update('idempotency_keys')`
   set state = 'Finished', leased_until = null, answer_status = ${6}, answer_ciphertext = ${7}
   where account_id = ${1} and environment = ${2} and method = ${3} and path = ${4} and key = ${5} and state = 'Running'
   returning key`,
);

interface StoredRow {
  readonly fingerprint: Buffer;
  readonly state: 'Running' | 'Finished';
  readonly answer_status: number | null;
  readonly answer_ciphertext: Buffer | null;
  readonly keep_until: Date;
}

interface KeyRow extends StoredRow {
  readonly recovery_point: string;
  readonly leased_until: Date | null;
}

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

const FIND_ANSWER = defineStatement(
  'find_stored_answer',
  `select fingerprint, state, answer_status, answer_ciphertext, keep_until from idempotency_keys
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5
     and keep_until > clock_timestamp()`,
);

/**
 * What a key was answered, without a lock and without doing anything: null when it is new or its first request still
 * runs, which `runOnce` decides. Refuses `idempotency_key_reused` for another body under the same key.
 */
export async function findStoredAnswer(reader: Reader, idempotency: Idempotency): Promise<IdempotentAnswer | null> {
  for (const keyColumns of buildKeyColumnsPerPepper(reader, idempotency)) {
    const [row] = await reader.query<StoredRow>(FIND_ANSWER, keyColumns);
    if (row === undefined) continue;
    if (!isOneHash(row.fingerprint, reader.hashes(idempotency.fingerprintInput))) throw createKeyReusedRefusal();
    return row.state === 'Running' ? null : openStoredAnswer(reader, keyColumns, row);
  }
  return null;
}

/** Whether a request was begun under the key, and may have ended. */
export async function isKeyClaimed(reader: Reader, idempotency: IdempotencyKeyName): Promise<boolean> {
  for (const keyColumns of buildKeyColumnsPerPepper(reader, idempotency)) {
    if ((await reader.query(FIND_ANSWER, keyColumns)).length > 0) return true;
  }
  return false;
}

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
  if (!isSameHash(row.fingerprint, fingerprint)) {
    throw createKeyReusedRefusal();
  }
  if (row.state === 'Finished') return { kind: 'answered', answer: openStoredAnswer(tx, keyColumns, row) };
  return { kind: 'running', recoveryPoint: row.recovery_point, leasedUntil: row.leased_until };
}

async function insertKey(tx: Tx, idempotency: Idempotency, values: readonly unknown[]): Promise<readonly unknown[]> {
  await moveKeyToCurrentPepper(tx, idempotency);
  return tx.query(CLAIM, values);
}

/** Whether the key was bound to this answer, known once the transaction has committed. */
export interface KeyBinding {
  readonly isBound: boolean;
}

/** Binds a taken key to its answer. A key that another request has bound keeps its first answer. */
export function completeKey(tx: Tx, idempotency: Idempotency, answer: IdempotentAnswer): KeyBinding {
  const keyColumns = buildKeyColumns(tx, idempotency);
  const sealed = tx.seal(answerContext(keyColumns), JSON.stringify({ body: answer.body ?? null }));
  const binding = { isBound: false };
  tx.enqueue(COMPLETE, [...keyColumns, answer.status, sealed], (rows) => {
    binding.isBound = rows.length > 0;
  });
  return binding;
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

function openStoredAnswer(tx: Reader, keyColumns: readonly string[], row: StoredRow): IdempotentAnswer {
  assert(row.answer_status !== null && row.answer_ciphertext !== null, 'a finished operation without its answer');
  const content: unknown = JSON.parse(tx.open(answerContext(keyColumns), row.answer_ciphertext));
  assert(typeof content === 'object' && content !== null && 'body' in content, 'a stored answer without a body');
  return { status: row.answer_status, body: content.body };
}

function createKeyReusedRefusal(): Refusal {
  return new Refusal('idempotency_key_reused', 'the idempotency key was used with another body');
}

/** The first request under the key still runs. */
export function createInProgressRefusal(): Refusal {
  return new Refusal('idempotency_in_progress', 'the first request with this idempotency key is still running', {
    data: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
}
