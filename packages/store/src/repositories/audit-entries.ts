import type { AuditAction, AuditEntry, AuditState } from '@pos/core/administration';
import { type AccountId, type Environment, parseKnownId } from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import { column, defineRelation, enumColumn, jsonColumn, nullable, type RowOf } from '../relations/relation.js';
import { defineStatement } from '@pos/postgres/statements';
import { selectRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** Insert-only by grant. The last three columns are written by the trigger of the chain. */
export const auditEntries = defineRelation('audit_entries', {
  id: column.key,
  actor: column.text,
  action: enumColumn<AuditAction>(),
  subject: column.text,
  operating_system_user: nullable(column.text),
  reason: column.text,
  state_before: nullable(jsonColumn<AuditState>()),
  state_after: nullable(jsonColumn<AuditState>()),
  created_at: column.timestamp,
  number: column.bigint,
  previous_hash: column.bytes,
  hash: column.bytes,
});

/** A trigger numbers the entry and links it to the one before. */
const INSERT = defineStatement(
  'insert_audit_entry',
  `insert into audit_entries (account_id, environment, id, actor, operating_system_user, action, subject, reason,
     state_before, state_after, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11)`,
);

/**
 * Writes an entry in the transaction of its change, with the COMMIT: entries of an account follow each other in a chain,
 * whose end is locked only while the COMMIT lasts.
 */
export async function insertAuditEntry(tx: Tx, entry: Omit<AuditEntry, 'id' | 'scope' | 'createdAt'>): Promise<void> {
  const { actor, operatingSystemUser, action, subject, reason, before, after } = entry;
  const states = [before, after].map((state) => (state === null ? null : JSON.stringify(state)));
  tx.enqueueAtCommit(INSERT, [
    ...[tx.scope.accountId, tx.scope.environment, await tx.newUuid(), actor, operatingSystemUser],
    ...[action, subject, reason, ...states, tx.databaseNow],
  ]);
}

const FIND_SINCE = defineStatement(
  'has_audit_entry_since',
  `select id from audit_entries
   where account_id = $1 and environment = $2 and created_at >= $3 and actor = $4 and action = $5 and subject = $6
   limit 1`,
);

/** Whether the scope has such an entry since this time. */
export async function hasAuditEntrySince(
  reader: Reader,
  { actor, action, subject }: Pick<AuditEntry, 'actor' | 'action' | 'subject'>,
  since: Date,
): Promise<boolean> {
  const { accountId, environment } = reader.scope;
  return (await reader.query(FIND_SINCE, [accountId, environment, since, actor, action, subject])).length > 0;
}

const FIND_ACTION_SINCE = defineStatement(
  'has_audit_action_since',
  'select id from audit_entries where account_id = $1 and created_at >= $2 and action = $3 limit 1',
);

/** Whether either environment of the account has an entry of such an action since this time. */
export async function hasAuditActionSince(reader: Reader, action: AuditAction, since: Date): Promise<boolean> {
  return (await reader.query(FIND_ACTION_SINCE, [reader.scope.accountId, since, action])).length > 0;
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
    operatingSystemUser: row.operating_system_user,
    ...{ reason: row.reason, before: row.state_before, after: row.state_after, createdAt: row.created_at },
  };
}
