import type { Finding } from '@pos/core/ledger/reconciliation';
import { DAY_MS } from '@pos/core/time/timespan';
import { type BrokenChain, listChainSubjects, verifyChains } from '@pos/store/reconciliation/chain-subjects';
import { type AuditChainVerification, verifyAuditChain } from '@pos/store/repositories/audit-chain';
import { recordFindings } from '@pos/store/reconciliation/reconciliation-differences';
import {
  ReconciliationBusy,
  updateReconciliationProgress,
  findReconciliationProgress,
} from '@pos/store/reconciliation/reconciliation-progress';
import type { ClaimedTimer, TimerQueue } from '@pos/store/queues/timers';
import type { Database } from '@pos/store/database/database';
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

/** Recomputes the chains of all subjects in small steps; a day after the last one it begins again. */
async function runChainVerification(
  {
    database,
    queue,
    report,
  }: { readonly database: Database; readonly queue: TimerQueue; readonly report?: ReconciliationReport },
  claimed: ClaimedTimer,
): Promise<void> {
  const { scope } = claimed;
  const counts = { subjects: 0, found: 0, closed: 0 };
  let { chainCursor } = await database.read(scope, findReconciliationProgress);
  let isEnd = false;
  for (let step = 0; step < CHAIN_STEPS_PER_PASS_MAX && !isEnd; step += 1) {
    await queue.renew(claimed, CHECK_STEP_LEASE_MS);
    const after = chainCursor;
    const subjects = await database.read(scope, (reader) => listChainSubjects(reader, after, CHAINS_PER_STEP));
    const brokenChains = await verifyChains(database, scope, subjects);
    isEnd = subjects.length < CHAINS_PER_STEP;
    chainCursor = isEnd ? '' : (subjects.at(-1)?.id ?? '');
    const auditLog = isEnd ? await database.readSnapshot(scope, (snapshot) => verifyAuditChain(snapshot)) : null;
    const review = await database.transact(scope, async (tx) => {
      const chainsCheckedAt = tx.databaseNow;
      await updateReconciliationProgress(tx, () => ({ chainCursor, ...(isEnd && { chainsCheckedAt }) }));
      const references = [...subjects.map(({ id }) => id), ...(auditLog === null ? [] : [AUDIT_LOG])];
      const findings = [...brokenChains.map(toFinding), ...toAuditFindings(auditLog, tx.now)];
      return recordFindings(tx, { kinds: ['BrokenChain'], references }, findings);
    });
    counts.subjects += subjects.length;
    addReviewCounts(counts, review);
    reportFindings(report, scope, review);
  }
  await database.transact(scope, (tx) =>
    queue.complete(tx, claimed, { inMs: isEnd ? INTERVAL_MS : 0, isRepeat: true }),
  );
  if (counts.subjects > 0) report?.onEnded(scope, { check: 'chains', ...counts });
}

/** What a broken audit log is called among the references of differences. */
const AUDIT_LOG = 'audit log';

function toAuditFindings(auditLog: AuditChainVerification | null, now: Date): Finding[] {
  if (auditLog === null || auditLog.problems.length === 0) return [];
  const ours = auditLog.problems.join('; ').slice(0, 1_000);
  const says = `the audit log is not as it was written: ${ours}`.slice(0, 1_000);
  return [
    {
      kind: 'BrokenChain',
      reference: AUDIT_LOG,
      paymentIntentId: null,
      amount: null,
      happenedAt: now,
      ours,
      theirs: null,
      says,
    },
  ];
}

function toFinding({ id, createdAt, problems: brokenChains }: BrokenChain): Finding {
  const says = `the records of ${id} are not as they were written: ${brokenChains.join('; ')}`.slice(0, 1_000);
  const paymentIntentId = id.startsWith('pi_') ? id : null;
  return {
    ...{ kind: 'BrokenChain', reference: id, paymentIntentId, amount: null, happenedAt: createdAt },
    ...{ ours: brokenChains.join('; ').slice(0, 1_000), theirs: null, says },
  };
}
