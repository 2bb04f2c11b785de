import { type AccountId, ENVIRONMENTS, type Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { listChainSubjects, verifyChains } from '@pos/store/reconciliation';
import { listAllAccountIds } from '../accounts/account-administration.js';

/** A payment intent, setup intent or refund whose records are not as they were written. */
export interface BrokenSubject {
  readonly scope: Scope;
  readonly id: string;
  readonly problems: readonly string[];
}

/** The result of a verification. */
export interface LedgerVerification {
  readonly accounts: number;
  readonly subjects: number;
  readonly broken: readonly BrokenSubject[];
}

const PAGE_SIZE = 200;

/**
 * Recomputes the hash chains of all records of an account, or of all accounts: an edited, removed or reordered record
 * breaks its chain. It reads only, and may run beside payments.
 */
export async function verifyLedger(
  database: Database,
  {
    accountId,
    onProgress = () => undefined,
  }: { readonly accountId: AccountId | null; readonly onProgress?: (subjects: number) => void },
): Promise<LedgerVerification> {
  const accountIds = accountId === null ? await listAllAccountIds(database) : [accountId];
  const broken: BrokenSubject[] = [];
  let subjects = 0;
  for (const each of accountIds) {
    for (const environment of ENVIRONMENTS) {
      const scope = { accountId: each, environment };
      for await (const page of listSubjectPages(database, scope)) {
        broken.push(
          ...(await verifyChains(database, scope, page)).map(({ id, problems }) => ({ scope, id, problems })),
        );
        subjects += page.length;
        onProgress(subjects);
      }
    }
  }
  return { accounts: accountIds.length, subjects, broken };
}

async function* listSubjectPages(database: Database, scope: Scope) {
  for (let after = ''; ;) {
    const page = await database.read(scope, (reader) => listChainSubjects(reader, after, PAGE_SIZE));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last.id;
  }
}
