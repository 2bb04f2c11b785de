import { SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import type { Scope } from '@pos/core/identity';
import type { Finding } from '@pos/core/ledger';
import type { Database } from '@pos/store/database';
import { listPortalUsers } from '@pos/store/portal';
import type { AuditCursor } from '@pos/store/reconciliation';
import { type AuditStep, verifyAuditStep } from '@pos/store/repositories';

/** What a broken audit log is called among the references of differences. */
export const AUDIT_LOG = 'audit log';
/** A step reads at most so many entries in one snapshot: about a tenth of a second. */
const ENTRIES_PER_STEP = 2_000;
/** The longest text of a difference. */
const TEXT_LENGTH_MAX = 1_000;

/** Recomputes the next entries of the audit log of a scope, from where the last step has ended. */
export async function checkAuditLogStep(
  database: Database,
  scope: Scope,
  cursor: AuditCursor | null,
): Promise<AuditStep> {
  const step = await database.readSnapshot(scope, (snapshot) => verifyAuditStep(snapshot, cursor, ENTRIES_PER_STEP));
  const isEmpty = step.end.length + step.read === 0;
  if (scope.accountId !== SYSTEM_ACCOUNT_ID || !isEmpty) return step;
  const missing = await findMissingLog(database);
  return missing === null ? step : { ...step, problems: [...step.problems, missing] };
}

/**
 * The problem of a log of the service without entries: it was removed with the end of its chain. That a user was created
 * is an entry of the service. Null where there are no users.
 */
export async function findMissingLog(database: Database): Promise<string | null> {
  const users = await database.readSystem((reader) => listPortalUsers(reader, 1));
  return users.length === 0 ? null : 'the log has no entries, but users of the portal were created';
}

/** The difference that a step has found; none when every entry until here is as it was written. */
export function toAuditFindings({ problems }: AuditStep, now: Date): Finding[] {
  if (problems.length === 0) return [];
  const ours = problems.join('; ').slice(0, TEXT_LENGTH_MAX);
  const says = `the audit log is not as it was written: ${ours}`.slice(0, TEXT_LENGTH_MAX);
  return [
    {
      ...{ kind: 'BrokenChain', reference: AUDIT_LOG, paymentIntentId: null, amount: null, happenedAt: now },
      ...{ ours, theirs: null, says },
    },
  ];
}
