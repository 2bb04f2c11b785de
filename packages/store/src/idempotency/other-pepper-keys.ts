import { isSameHash } from '@pos/core/ids';
import { answerContext, type IdempotencyKeyName, buildKeyColumnsPerPepper } from './key-columns.js';
import { defineStatement } from '@pos/postgres/statements';
import type { Tx } from '../database/transaction.js';

/** A key whose request is to be recognised. */
interface NamedRequest extends IdempotencyKeyName {
  readonly fingerprintInput: string;
}

const LOCK_NAMES = defineStatement('lock_key_names', 'select pg_advisory_xact_lock(hashtextextended($1, 0))');

const FIND = defineStatement(
  'find_key_under_other_pepper',
  `select fingerprint, answer_ciphertext from idempotency_keys
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5 for update`,
);

const MOVE = defineStatement(
  'move_key_to_current_pepper',
  `update idempotency_keys set path = $6, key = $7, fingerprint = $8, answer_ciphertext = $9
   where account_id = $1 and environment = $2 and method = $3 and path = $4 and key = $5 returning key`,
);

/**
 * While the pepper is replaced, makes a row that was stored under the other pepper one of ours. Processes that write with
 * different peppers take the same lock first, so that they never begin the same request side by side.
 */
export async function moveKeyToCurrentPepper(tx: Tx, request: NamedRequest): Promise<void> {
  const [own, other] = buildKeyColumnsPerPepper(tx, request);
  if (own === undefined || other === undefined) return;
  await tx.query(LOCK_NAMES, [[own.join('/'), other.join('/')].sort().join(' ')]);
  const [row] = await tx.query<{ fingerprint: Buffer; answer_ciphertext: Buffer | null }>(FIND, other);
  if (row === undefined) return;
  const [fingerprint, otherFingerprint] = tx.hashes(request.fingerprintInput);
  const isSame = otherFingerprint !== undefined && isSameHash(row.fingerprint, otherFingerprint);
  const sealed = row.answer_ciphertext;
  const answer = sealed === null ? null : tx.seal(answerContext(own), tx.open(answerContext(other), sealed));
  // The fingerprint of another body stays as it is, and matches nothing: the request is refused.
  await tx.query(MOVE, [...other, ...own.slice(3), isSame ? fingerprint : row.fingerprint, answer]);
}
