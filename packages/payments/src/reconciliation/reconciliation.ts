import type { Scope } from '@pos/core/identity';
import type { Finding } from '@pos/core/ledger';
import { DAY_MS } from '@pos/core/time';
import {
  type BrokenChain,
  findReconciliationProgress,
  listChainSubjects,
  ReconciliationBusy,
  type ReconciliationProgress,
  recordFindings,
  updateReconciliationProgress,
  verifyChains,
} from '@pos/store/reconciliation';
import type { AuditStep } from '@pos/store/repositories';
import type { ClaimedTimer, TimerQueue } from '@pos/store/queues';
import type { Database } from '@pos/store/database';
import { AUDIT_LOG, checkAuditLogStep, toAuditFindings } from './audit-log-check.js';
import { type BooksCheckServices, runBooksCheck } from './books-check.js';
import { addReviewCounts, CHECK_STEP_LEASE_MS, type ReconciliationReport, reportFindings } from './check-report.js';

/** An account's chains are checked once a day. */
const INTERVAL_MS = DAY_MS;
/** The wait while a settlement file is imported. */
const BUSY_RETRY_MS = 60 * 1000;
const CHAINS_PER_STEP = 50;
const CHAIN_STEPS_PER_PASS_MAX = 20;

/**
 * Checks the books of an account, by the subject of its timer: against those of its acquirers, or the chains of its
 * records. A check that meets the import of a large settlement file is repeated a minute later; what it has stored until
 * then is complete.
 */
export async function runReconciliation(parts: BooksCheckServices, claimed: ClaimedTimer): Promise<void> {
  const { database, queue } = parts;
  try {
    await (claimed.subject === 'chains' ? runChainVerification(parts, claimed) : runBooksCheck(parts, claimed));
  } catch (error) {
    if (!(error instanceof ReconciliationBusy)) throw error;
    await database.transact(claimed.scope, (tx) =>
      queue.complete(tx, claimed, { inMs: BUSY_RETRY_MS, isRepeat: true }),
    );
  }
}

/**
 * Recomputes the chains of all subjects in small steps, and then the audit log; a day after the last step it begins
 * again. The audit log of the service is checked in the same way, by a timer without an account.
 */
async function runChainVerification(
  {
    database,
    queue,
    report,
  }: { readonly database: Database; readonly queue: TimerQueue; readonly report?: ReconciliationReport },
  claimed: ClaimedTimer,
): Promise<void> {
  const { scope } = claimed;
  const counts = { subjects: 0, auditEntries: 0, found: 0, closed: 0 };
  let position: ChainPosition = await database.read(scope, findReconciliationProgress);
  let isEnd = false;
  for (let step = 0; step < CHAIN_STEPS_PER_PASS_MAX && !isEnd; step += 1) {
    await queue.renew(claimed, CHECK_STEP_LEASE_MS);
    const { subjects, brokenChains, auditLog, next } = await verifyNextChains(database, scope, position);
    isEnd = next === null;
    position = next ?? CHAIN_START;
    const { chainCursor, auditCursor } = position;
    const review = await database.transact(scope, async (tx) => {
      const chainsCheckedAt = tx.databaseNow;
      await updateReconciliationProgress(tx, () => ({ chainCursor, auditCursor, ...(isEnd && { chainsCheckedAt }) }));
      // Only a complete check of the audit log closes its difference.
      const references = [...subjects.map(({ id }) => id), ...(isEnd ? [AUDIT_LOG] : [])];
      const auditFindings = auditLog === null ? [] : toAuditFindings(auditLog, tx.now);
      const findings = [...brokenChains.map(toFinding), ...auditFindings];
      return recordFindings(tx, { kinds: ['BrokenChain'], references }, findings);
    });
    counts.subjects += subjects.length;
    counts.auditEntries += auditLog?.read ?? 0;
    addReviewCounts(counts, review);
    reportFindings(report, scope, review);
  }
  await database.transact(scope, (tx) =>
    queue.complete(tx, claimed, { inMs: isEnd ? INTERVAL_MS : 0, isRepeat: true }),
  );
  if (counts.subjects + counts.auditEntries > 0) report?.onEnded(scope, { check: 'chains', ...counts });
}

/** Where a verification of chains continues. The audit log is last: with a cursor in it, all subjects are verified. */
type ChainPosition = Pick<ReconciliationProgress, 'chainCursor' | 'auditCursor'>;
const CHAIN_START: ChainPosition = { chainCursor: '', auditCursor: null };

/** Verifies the next chains. `next` is null after the last step. */
async function verifyNextChains(database: Database, scope: Scope, { chainCursor, auditCursor }: ChainPosition) {
  if (auditCursor !== null) {
    const auditLog = await checkAuditLogStep(database, scope, auditCursor);
    return { subjects: [], brokenChains: [], auditLog, next: findNextPosition(auditLog) };
  }
  const subjects = await database.read(scope, (reader) => listChainSubjects(reader, chainCursor, CHAINS_PER_STEP));
  const brokenChains = await verifyChains(database, scope, subjects);
  const last = subjects.at(-1);
  if (last !== undefined && subjects.length === CHAINS_PER_STEP) {
    const next: ChainPosition = { chainCursor: last.id, auditCursor: null };
    return { subjects, brokenChains, auditLog: null, next };
  }
  const auditLog = await checkAuditLogStep(database, scope, null);
  return { subjects, brokenChains, auditLog, next: findNextPosition(auditLog) };
}

function findNextPosition({ next }: AuditStep): ChainPosition | null {
  return next === null ? null : { chainCursor: '', auditCursor: next };
}

function toFinding({ id, createdAt, problems }: BrokenChain): Finding {
  const says = `the records of ${id} are not as they were written: ${problems.join('; ')}`.slice(0, 1_000);
  const paymentIntentId = id.startsWith('pi_') ? id : null;
  return {
    ...{ kind: 'BrokenChain', reference: id, paymentIntentId, amount: null, happenedAt: createdAt },
    ...{ ours: problems.join('; ').slice(0, 1_000), theirs: null, says },
  };
}
