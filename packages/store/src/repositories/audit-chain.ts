import type { Environment } from '@pos/core/identity';
import type { Reader, SnapshotReader, SystemReader } from '../database/database.js';
import type { AuditCursor } from '../reconciliation/reconciliation-progress.js';
import { defineStatement } from '@pos/postgres/statements';
import { type Chain, ChainVerifier, EMPTY_CHAIN, type LinkedRecord } from '../ledger/hash-chain.js';

/** The result for the audit log of one account and environment. */
export interface AuditChainVerification {
  /** The end of the chain. A copy of it that is stored elsewhere also reveals a log that was replaced entirely. */
  readonly end: Chain;
  readonly problems: readonly string[];
}

const RECORDS_PER_READ = 500;

const CHAIN = defineStatement(
  'read_audit_chain',
  'select length::float8 as length, head from audit_chains where account_id = $1 and environment = $2',
);

/** The chain counts from 1: only somebody with the login of the owner writes another number. */
const OUTSIDE = defineStatement(
  'count_entries_outside_chain',
  `select count(*)::float8 as count from audit_entries where account_id = $1 and environment = $2 and number < 1`,
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
  const [end = EMPTY_CHAIN] = await snapshot.query<Chain>(CHAIN, scope);
  const { number, head, length, problems } = cursor ?? (await beginVerification(snapshot));
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
      return { end, read, problems: next.problems, next };
    }
  }
  const found = [...problems, ...verifier.verifyEnd(end)].slice(0, PROBLEMS_MAX);
  return { end, read, problems: found, next: null };
}

/** The cursor before the first entry. Entries that the chain does not reach are a problem. */
async function beginVerification(snapshot: SnapshotReader): Promise<AuditCursor> {
  const count = await countEntriesOutsideChain(snapshot);
  const problems = count === 0 ? [] : [`${count} entries are outside of the chain`];
  return { number: 0, length: 0, head: EMPTY_CHAIN.head.toString('hex'), problems };
}

async function countEntriesOutsideChain(snapshot: SnapshotReader): Promise<number> {
  const { accountId, environment } = snapshot.scope;
  const [outside] = await snapshot.query<{ count: number }>(OUTSIDE, [accountId, environment]);
  return outside?.count ?? 0;
}

/** Every account and environment with audit entries. */
export async function listAuditScopes(
  reader: SystemReader,
): Promise<readonly { readonly accountId: string; readonly environment: Environment }[]> {
  type Row = { readonly account_id: string; readonly environment: Environment };
  const rows = await reader.query<Row>(SCOPES, []);
  return rows.map(({ account_id: accountId, environment }) => ({ accountId, environment }));
}
