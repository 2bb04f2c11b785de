import type { AuditAction, AuditEntry, AuditState } from '@pos/core/administration/audit-entry';
import { type AccountId, type Environment, parseKnownId } from '@pos/core/identity/identity';
import type { SystemReader } from '../database/database.js';
import {
  column,
  defineRelation,
  enumColumn,
  insertRow,
  jsonColumn,
  nullable,
  type RowOf,
} from '../relations/relation.js';
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
  return rows.map((row) => toEntry(row, reader.scope));
}

/** Which entries of all accounts are listed, newest first. A member that is null limits nothing. */
export interface AuditSearch {
  readonly accountId: AccountId | null;
  /** Any of these actors. */
  readonly actors: readonly string[] | null;
  readonly action: AuditAction | null;
  readonly subject: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  /** Only entries that are listed after this one. */
  readonly after: Pick<AuditEntry, 'createdAt' | 'id'> | null;
  readonly limit: number;
}

type StoredEntry = RowOf<typeof auditEntries> & { readonly account_id: string; readonly environment: Environment };

/** The entries of both environments of one account, or of all accounts. */
export async function searchAuditEntries(reader: SystemReader, search: AuditSearch): Promise<AuditEntry[]> {
  const { accountId, actors, action, subject, from, to, after, limit } = search;
  const rows = await reader.runWithManager('typeorm_select_audit_entries', async (manager) => {
    const select = manager.getRepository<StoredEntry>(auditEntries.name).createQueryBuilder('row');
    if (accountId !== null) select.andWhere('row.account_id = :accountId', { accountId });
    if (actors !== null) select.andWhere('row.actor = any(:actors)', { actors });
    if (action !== null) select.andWhere('row.action = :action', { action });
    if (subject !== null) select.andWhere('row.subject = :subject', { subject });
    if (from !== null) select.andWhere('row.created_at >= :from', { from });
    if (to !== null) select.andWhere('row.created_at < :to', { to });
    if (after !== null) select.andWhere('(row.created_at, row.id) < (:createdAt, :id)', after);
    return select.orderBy('row.created_at', 'DESC').addOrderBy('row.id', 'DESC').limit(limit).getMany();
  });
  return rows.map((row) =>
    toEntry(row, { accountId: parseKnownId('account', row.account_id), environment: row.environment }),
  );
}

function toEntry(row: RowOf<typeof auditEntries>, scope: AuditEntry['scope']): AuditEntry {
  return {
    ...{ id: row.id, scope, actor: row.actor, action: row.action, subject: row.subject },
    ...{ reason: row.reason, before: row.state_before, after: row.state_after, createdAt: row.created_at },
  };
}
