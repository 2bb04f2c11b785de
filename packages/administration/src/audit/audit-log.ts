import { type AuditedChange, type AuditEntry, SYSTEM_SCOPE } from '@pos/core/administration';
import { type AccountId, ENVIRONMENTS } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { recordChange } from '@pos/payments/audit';
import { type AuditQuery, listAuditEntries } from '@pos/store/repositories';

/** The audit entries of an account in both environments, newest first. */
export async function listAuditLog(database: Database, accountId: AccountId, query: AuditQuery): Promise<AuditEntry[]> {
  const pages = await Promise.all(
    ENVIRONMENTS.map((environment) =>
      database.read({ accountId, environment }, (reader) => listAuditEntries(reader, query)),
    ),
  );
  return pages.flat().sort(compareNewestFirst).slice(0, query.limit);
}

function compareNewestFirst(first: AuditEntry, second: AuditEntry): number {
  return second.createdAt.getTime() - first.createdAt.getTime();
}

const SUBJECT_LENGTH_MAX = 200;

/** Stores that somebody has read the audit log. `subject` says which entries, such as an account. */
export async function recordAuditRead(database: Database, change: AuditedChange, subject: string): Promise<void> {
  await database.transact(SYSTEM_SCOPE, (tx) =>
    recordChange(tx, change, { action: 'ReadAuditLog', subject: subject.slice(0, SUBJECT_LENGTH_MAX) }),
  );
}
