import type { AuditAction, AuditEntry, AuditState } from '@pos/core/administration/audit-entry';
import { column, defineRelation, enumColumn, insertRow, jsonColumn, nullable } from '../relations/relation.js';
import { selectRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** Insert-only by grant. */
export const auditEntries = defineRelation('audit_entries', {
  id: column.key,
  actor: column.text,
  action: enumColumn<AuditAction>(),
  subject: column.text,
  reason: column.text,
  state_before: nullable(jsonColumn<AuditState>()),
  state_after: nullable(jsonColumn<AuditState>()),
  created_at: column.timestamp,
});

/** Writes an entry in the transaction of its change. */
export async function insertAuditEntry(tx: Tx, entry: Omit<AuditEntry, 'id' | 'scope' | 'createdAt'>): Promise<void> {
  insertRow(tx, auditEntries, {
    id: await tx.newUuid(),
    ...{ actor: entry.actor, action: entry.action, subject: entry.subject, reason: entry.reason },
    ...{ state_before: entry.before, state_after: entry.after, created_at: tx.databaseNow },
  });
}

/** Which entries of the account are listed, newest first: those before a time, if one is given. */
export interface AuditQuery {
  readonly before: Date | null;
  readonly limit: number;
}

/** The entries of the scope, newest first. */
export async function listAuditEntries(reader: Reader, { before, limit }: AuditQuery): Promise<AuditEntry[]> {
  const rows = await selectRows(reader, auditEntries, (select) => {
    if (before !== null) select.andWhere('row.created_at < :before', { before });
    return select.orderBy('row.created_at', 'DESC').addOrderBy('row.id', 'DESC').limit(limit);
  });
  return rows.map((row) => ({
    ...{ id: row.id, scope: reader.scope, actor: row.actor, action: row.action, subject: row.subject },
    ...{ reason: row.reason, before: row.state_before, after: row.state_after, createdAt: row.created_at },
  }));
}
