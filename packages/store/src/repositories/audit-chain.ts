import type { Environment } from '@pos/core/identity/identity';
import type { Reader, SnapshotReader, SystemReader } from '../database/database.js';
import type { AuditCursor } from '../reconciliation/reconciliation-progress.js';
import { defineStatement } from '../postgres/statement.js';
import { type Chain, ChainVerifier, EMPTY_CHAIN, type LinkedRecord } from '../ledger/hash-chain.js';

/** The result for the audit log of one account and environment. */
export interface AuditChainVerification {
  /** The end of the chain. A copy of it that is stored elsewhere also reveals a log that was replaced entirely. */
  readonly end: Chain;
  /** Entries that are older than the chain. Its anchor covers them. */
  readonly unchained: number;
  readonly problems: readonly string[];
}

const RECORDS_PER_READ = 500;

const CHAIN = defineStatement(
  'read_audit_chain',
  `select length::float8 as length, head, unchained::float8 as unchained, anchor from audit_chains
   where account_id = $1 and environment = $2`,
);

const UNCHAINED = defineStatement(
  'verify_anchor',
  `select count(*)::float8 as count,
     coalesce(sha256(string_agg(sha256(convert_to(audit_record(e), 'UTF8')), ''::bytea order by e.created_at, e.id)),
       ''::bytea) as anchor
   from audit_entries e where account_id = $1 and environment = $2 and number is null`,
);

const RECORDS = defineStatement(
  'read_audit_records',
  `select number::float8 as number, previous_hash, hash, audit_record(e) as record from audit_entries e
   where account_id = $1 and environment = $2 and number > $3 order by number limit ${RECORDS_PER_READ}`,
);

const ENTRY = defineStatement(
  'has_audit_hash',
  'select number from audit_entries where account_id = $1 and environment = $2 and number = $3 and hash = $4',
);

/** Whether the chain of the scope has an entry with this number and hash. */
export async function hasAuditHash(
  reader: Reader,
  { number, hash }: { readonly number: number; readonly hash: Buffer },
): Promise<boolean> {
  return (await reader.query(ENTRY, [reader.scope.accountId, reader.scope.environment, number, hash])).length === 1;
}

const SCOPES = defineStatement(
  'list_audit_scopes',
  `select account_id, environment from audit_chains
   union select account_id, environment from audit_entries order by account_id, environment`,
);

interface ChainRow extends Chain {
  readonly unchained: number;
  readonly anchor: Buffer;
}

/** The result of a step: `next` is null when the verification has come to the end of the log. */
export interface AuditStep extends AuditChainVerification {
  /** How many entries this step has read. */
  readonly read: number;
  readonly next: AuditCursor | null;
}

const PROBLEMS_MAX = 100;

/**
 * Recomputes the audit log of the scope: an edited, removed or moved entry is a problem, and so is an end that differs
 * from the stored one. One snapshot, so an entry that is added meanwhile is none.
 */
export function verifyAuditChain(snapshot: SnapshotReader): Promise<AuditChainVerification> {
  return verifyAuditStep(snapshot, null, Infinity);
}

/**
 * Recomputes at most so many entries of the audit log of the scope, rounded up to whole reads, from where the step before
 * has ended. `problems` are those of all steps.
 */
export async function verifyAuditStep(
  snapshot: SnapshotReader,
  cursor: AuditCursor | null,
  entriesMax: number,
): Promise<AuditStep> {
  const scope = [snapshot.scope.accountId, snapshot.scope.environment];
  const [stored] = await snapshot.query<ChainRow>(CHAIN, scope);
  const { unchained, anchor, ...end } = stored ?? { ...EMPTY_CHAIN, unchained: 0, anchor: EMPTY_CHAIN.head };
  const { number, head, length, problems } = cursor ?? (await verifyAnchor(snapshot, { unchained, anchor }));
  const verifier = new ChainVerifier('audit log', { head: Buffer.from(head, 'hex'), length });
  const findProblems = (): string[] => [...problems, ...verifier.problems].slice(0, PROBLEMS_MAX);
  let read = 0;
  for (let above = number; ;) {
    const records = await snapshot.query<LinkedRecord>(RECORDS, [...scope, above]);
    for (const record of records) verifier.add(record);
    above = records.at(-1)?.number ?? above;
    read += records.length;
    if (records.length < RECORDS_PER_READ) break;
    if (read >= entriesMax) {
      const verified = { head: verifier.end.head.toString('hex'), length: verifier.end.length };
      const next = { number: above, ...verified, problems: findProblems() };
      return { end, unchained, read, problems: next.problems, next };
    }
  }
  const found = [...problems, ...verifier.verifyEnd(end)].slice(0, PROBLEMS_MAX);
  return { end, unchained, read, problems: found, next: null };
}

/** Where the chain begins: after the entries that are older than it. */
async function verifyAnchor(
  snapshot: SnapshotReader,
  { unchained, anchor }: Pick<ChainRow, 'unchained' | 'anchor'>,
): Promise<AuditCursor> {
  const scope = [snapshot.scope.accountId, snapshot.scope.environment];
  const [older] = await snapshot.query<{ count: number; anchor: Buffer }>(UNCHAINED, scope);
  const problems: string[] = [];
  if (older?.count !== unchained) {
    problems.push(`there are ${older?.count ?? 0} entries from before the chain, and there were ${unchained}`);
  } else if (!older.anchor.equals(anchor)) problems.push('an entry from before the chain was changed');
  return { number: 0, length: 0, head: anchor.toString('hex'), problems };
}

/** Every account and environment with audit entries. */
export async function listAuditScopes(
  reader: SystemReader,
): Promise<readonly { readonly accountId: string; readonly environment: Environment }[]> {
  type Row = { readonly account_id: string; readonly environment: Environment };
  const rows = await reader.query<Row>(SCOPES, []);
  return rows.map(({ account_id: accountId, environment }) => ({ accountId, environment }));
}
