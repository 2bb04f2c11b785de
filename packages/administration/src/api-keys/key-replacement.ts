import { type AuditedChange, SYSTEM_SCOPE } from '@pos/core/administration';
import { createViolation } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import { getPepperOverlap, resealAll, type ResealResult, retirePreviousPepper } from '@pos/store/key-rotation';
import { recordChange } from '@pos/payments/audit';

/**
 * Seals all values again under the current ENCRYPTION_KEY, and retires the previous one if every value could be read.
 * It is written to the audit log before it starts, because it changes rows one by one; it may be stopped and run again.
 */
export async function replaceEncryptionKey(
  database: Database,
  change: AuditedChange,
  onProgress: (resealed: number) => void,
): Promise<ResealResult> {
  await database.transact(SYSTEM_SCOPE, (tx) =>
    recordChange(tx, change, { action: 'ResealValues', subject: 'ENCRYPTION_KEY' }),
  );
  return resealAll(database, onProgress);
}

/**
 * Ends the overlap of two peppers: processes that start from now on recognise no hash of the previous one. Refuses it
 * while there is no overlap, and while the overlap is needed unless it is forced.
 */
export async function retirePepper(
  database: Database,
  change: AuditedChange,
  { isForced }: { readonly isForced: boolean },
): Promise<void> {
  const { since, isOver } = await getPepperOverlap(database);
  if (since === null) throw createViolation('validation_failed', 'pepper', 'is not being replaced');
  if (!isOver && !isForced) {
    throw createViolation('validation_failed', 'pepper', 'is still needed: see keys pepper, or force it');
  }
  await database.transact(SYSTEM_SCOPE, (tx) =>
    recordChange(tx, change, { action: 'RetirePepper', subject: 'KEY_PEPPER', before: { since: since.toISOString() } }),
  );
  await retirePreviousPepper(database);
}
