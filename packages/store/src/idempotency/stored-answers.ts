import { assert, Refusal } from '@pos/core/refusals';
import { isOneHash } from '@pos/core/ids';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';
import {
  answerContext,
  buildKeyColumns,
  buildKeyColumnsPerPepper,
  type Idempotency,
  type IdempotencyKeyName,
} from './key-columns.js';

/** What is stored and given again. The body is plain JSON, or null where there is none. */
export interface IdempotentAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The row of a key with the answer that it is bound to; there is none while the first request runs. */
export interface StoredAnswerRow {
  readonly fingerprint: Buffer;
  readonly state: 'Running' | 'Finished';
  readonly answer_status: number | null;
  readonly answer_ciphertext: Buffer | null;
  readonly keep_until: Date;
}

const FIND_ANSWER = defineStatement(
  'find_stored_answer',
  `select fingerprint, state, answer_status, answer_ciphertext, keep_until from idempotency_keys
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5
     and keep_until > clock_timestamp()`,
);

/**
 * What a key was answered, without a lock and without doing anything: null when it is new or its first request still
 * runs, which `claimKey` decides. Refuses `idempotency_key_reused` for another body under the same key.
 */
export async function findStoredAnswer(reader: Reader, idempotency: Idempotency): Promise<IdempotentAnswer | null> {
  for (const keyColumns of buildKeyColumnsPerPepper(reader, idempotency)) {
    const [row] = await reader.query<StoredAnswerRow>(FIND_ANSWER, keyColumns);
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

const COMPLETE = defineChange(
  'complete_key',
  sql.update('idempotency_keys')`
   set state = 'Finished', leased_until = null, answer_status = ${6}, answer_ciphertext = ${7}
   where account_id = ${1} and environment = ${2} and method = ${3} and path = ${4} and key = ${5} and state = 'Running'
   returning key`,
);

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

/** Decrypts the answer of a finished operation. */
export function openStoredAnswer(tx: Reader, keyColumns: readonly string[], row: StoredAnswerRow): IdempotentAnswer {
  assert(row.answer_status !== null && row.answer_ciphertext !== null, 'a finished operation without its answer');
  const content: unknown = JSON.parse(tx.open(answerContext(keyColumns), row.answer_ciphertext));
  assert(typeof content === 'object' && content !== null && 'body' in content, 'a stored answer without a body');
  return { status: row.answer_status, body: content.body };
}

/** The key was used with another body. */
export function createKeyReusedRefusal(): Refusal {
  return new Refusal('idempotency_key_reused', 'the idempotency key was used with another body');
}
