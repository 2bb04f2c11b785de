import type { AuditedChange } from '@pos/core/administration';
import type { Scope } from '@pos/core/identity';
import { createViolation } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import {
  declareEmptyDays,
  type EmptyDays,
  importSettlementFile,
  type SettlementImport,
  type SettlementServices,
  type SettlementSource,
} from '@pos/payments/reconciliation';
import { recordChange, requireAccount, requireReason } from '@pos/payments/audit';

/**
 * Imports a settlement file, and writes the import to the audit log in the same transaction. Refuses what
 * `importSettlementFile` refuses, an unknown account, and a file that cannot be read.
 */
export async function importAuditedFile(
  { database }: Pick<SettlementServices, 'database'>,
  scope: Scope,
  { change, source }: { readonly change: AuditedChange; readonly source: SettlementSource },
): Promise<SettlementImport> {
  requireReason(change);
  await database.read(scope, requireAccount);
  const { acquirer } = source;
  return importSettlementFile(
    {
      database,
      recordImport: (tx, { hash, lineCount, firstDay, lastDay }, isRepeat) =>
        recordChange(tx, change, {
          ...{ action: 'ImportSettlementFile', subject: hash.toString('hex') },
          after: { acquirer, lineCount, firstDay, lastDay, isRepeat },
        }),
    },
    scope,
    { ...source, content: readContent(source.content) },
  );
}

/**
 * Stores that the acquirer settled nothing on the days, and writes the statement to the audit log in the same transaction.
 * Refuses what `declareEmptyDays` refuses, and an unknown account. Returns the days.
 */
export async function declareAuditedEmptyDays(
  database: Database,
  scope: Scope,
  { change, ...days }: EmptyDays & { readonly change: AuditedChange },
): Promise<readonly string[]> {
  requireReason(change);
  await database.read(scope, requireAccount);
  const { acquirer, from, to } = days;
  const recordStatement = (tx: Tx): Promise<void> =>
    recordChange(tx, change, { action: 'DeclareEmptyDays', subject: acquirer, after: { acquirer, from, to } });
  return declareEmptyDays({ database, recordStatement }, scope, { acquirer, from, to });
}

async function* readContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch {
    throw createViolation('validation_failed', 'file', 'cannot be read');
  }
}
