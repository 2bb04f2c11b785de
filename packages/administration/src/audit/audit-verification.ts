import { SYSTEM_ACCOUNT_ID, SYSTEM_SCOPE } from '@pos/core/administration';
import { type AccountId, parseKnownId, type Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { type AuditChainVerification, hasAuditHash, listAuditScopes, verifyAuditChain } from '@pos/store/repositories';
import { findMissingLog } from '@pos/payments/reconciliation';

/** The audit log of an account in one environment, recomputed. */
export interface VerifiedAuditLog extends AuditChainVerification {
  readonly scope: Scope;
}

/**
 * Recomputes the audit logs of an account, or of all accounts and of the service: an edited, removed or reordered entry
 * is found. It reads only.
 */
export async function verifyAuditLogs(database: Database, accountId: AccountId | null): Promise<VerifiedAuditLog[]> {
  const scopes = (await database.readSystem(listAuditScopes)).map((each) => ({
    accountId: parseKnownId('account', each.accountId),
    environment: each.environment,
  }));
  const wanted = scopes.filter((scope) => accountId === null || scope.accountId === accountId);
  const verified: VerifiedAuditLog[] = [];
  // One after another, so that no snapshot stays open for long.
  for (const scope of wanted) {
    verified.push({ scope, ...(await database.readSnapshot(scope, (snapshot) => verifyAuditChain(snapshot))) });
  }
  if (accountId !== null && accountId !== SYSTEM_ACCOUNT_ID) return verified;
  const missing = scopes.some((scope) => scope.accountId === SYSTEM_ACCOUNT_ID) ? null : await findMissingLog(database);
  if (missing === null) return verified;
  const end = { head: Buffer.alloc(0), length: 0 };
  return [...verified, { scope: SYSTEM_SCOPE, end, problems: [missing] }];
}

/** Whether the chain of the scope still has this entry, as it was when its hash was printed. */
export function hasAuditEntry(
  database: Database,
  { scope, number, hash }: { readonly scope: Scope; readonly number: number; readonly hash: Buffer },
): Promise<boolean> {
  return database.read(scope, (reader) => hasAuditHash(reader, { number, hash }));
}
