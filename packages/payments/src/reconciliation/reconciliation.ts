import type { Environment, Scope } from '@pos/core/identity/identity';
import type { AcquirerPort } from '@pos/core/acquirer/ports';
import type { DifferenceReview, Finding } from '@pos/core/ledger/reconciliation';
import { DAY_MS, HOUR_MS } from '@pos/core/time/timespan';
import { cutStorableText } from '@pos/core/refusals/storable-text';
import { type BrokenChain, listChainSubjects, verifyChains } from '@pos/store/reconciliation/chain-subjects';
import type { Database } from '@pos/store/database/database';
import { recordFindings } from '@pos/store/reconciliation/reconciliation-differences';
import {
  updateReconciliationProgress,
  findReconciliationProgress,
  hasAcquirerCalls,
  listDaysWithOpenDifferences,
  type ReconciliationProgress,
} from '@pos/store/reconciliation/reconciliation-progress';
import { type ClaimedTimer, LeaseLost, type TimerQueue } from '@pos/store/queues/timers';
import type { AccountCache } from '../accounts/account-cache.js';
import { LISTED_DIFFERENCE_KINDS, compareWithAcquirer } from './acquirer-comparison.js';

/** An account's books are checked once a day. */
const INTERVAL_MS = DAY_MS;
/** Bookings of the last hour are left for the next day: a list may lag behind. */
const LAG_MS = HOUR_MS;
/** How far back the first check of an account goes. */
const FIRST_SPAN_MS = 7 * DAY_MS;
/** An open difference is searched for once a day for so long; after that only an operator ends it. */
const SEARCH_PERIOD_MS = 62 * DAY_MS;
/** The wait after an outage of the acquirer. */
const RETRY_MS = 15 * 60 * 1000;
const SPANS_PER_PASS_MAX = 100;
const STEP_LEASE_MS = 10 * 60 * 1000;
const CHAINS_PER_STEP = 50;
const CHAIN_STEPS_PER_PASS_MAX = 20;

/** Receives the results of the checks. */
export interface ReconciliationReport {
  /** A new difference: an alarm. */
  readonly onFound: (scope: Scope, finding: Finding) => void;
  /** A check of an account has ended; `error`: the acquirer did not return its list. */
  readonly onEnded: (scope: Scope, result: Readonly<Record<string, unknown>> & { readonly error?: string }) => void;
}

interface ReconciliationServices {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly accounts: AccountCache;
  /** Null if no acquirer is configured: nothing can be booked there. */
  readonly acquirerOf: (environment: Environment) => AcquirerPort | null;
  readonly report?: ReconciliationReport;
}

interface CheckRange {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Checks the books of an account, by the subject of its timer: against the acquirer's list, or the chains of its
 * records.
 */
export function runReconciliation(parts: ReconciliationServices, claimed: ClaimedTimer): Promise<void> {
  return claimed.subject === 'chains' ? runChainVerification(parts, claimed) : runListComparison(parts, claimed);
}

/**
 * Compares day by day, from where the last check ended to an hour ago, then the operator's request, and again the
 * days with an open difference.
 */
async function runListComparison(parts: ReconciliationServices, claimed: ClaimedTimer): Promise<void> {
  const { database, queue, report } = parts;
  const { scope } = claimed;
  const acquirer = parts.acquirerOf(scope.environment);
  const { spans, requested } = acquirer === null ? EMPTY_PLAN : await planSpans(database, scope);
  const counts = { days: 0, found: 0, closed: 0 };
  try {
    for (const span of spans) {
      if (acquirer === null) break;
      await queue.renew(claimed, STEP_LEASE_MS);
      const findings = await compareWithAcquirer({ ...parts, acquirer }, scope, span);
      const review = await database.transact(scope, async (tx) => {
        await updateReconciliationProgress(tx, (before) => computeProgress(before, span, tx.databaseNow));
        return recordFindings(tx, { kinds: LISTED_DIFFERENCE_KINDS, span }, findings);
      });
      counts.days += 1;
      addReviewCounts(counts, review);
      reportFindings(parts, scope, review);
    }
    await database.transact(scope, async (tx) => {
      // A request of an operator in the meantime is done next: the operator's call has made the timer due.
      await updateReconciliationProgress(tx, (before) =>
        isSameSpan(before.requested, requested) ? { requested: null } : {},
      );
      await queue.complete(tx, claimed, { inMs: INTERVAL_MS, isRepeat: true });
    });
    if (spans.length > 0) report?.onEnded(scope, { check: 'acquirer', ...counts });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    await database.transact(scope, async (tx) => {
      await updateReconciliationProgress(tx, () => ({ listError: cutStorableText(reason, 500) }));
      await queue.complete(tx, claimed, { inMs: RETRY_MS, isRepeat: true });
    });
    report?.onEnded(scope, { check: 'acquirer', ...counts, error: reason });
  }
}

function computeProgress(before: ReconciliationProgress, span: CheckRange, now: Date): Partial<ReconciliationProgress> {
  const { reconciledTo } = before;
  const isNext = reconciledTo === null || (span.from <= reconciledTo && span.to > reconciledTo);
  const isSettled = span.to.getTime() <= now.getTime() - LAG_MS;
  return { listedAt: now, listError: null, ...(isNext && isSettled && { reconciledTo: span.to }) };
}

interface ComparisonPlan {
  readonly spans: readonly CheckRange[];
  readonly requested: CheckRange | null;
}

const EMPTY_PLAN: ComparisonPlan = { spans: [], requested: null };

function isSameSpan(one: CheckRange | null, other: CheckRange | null): boolean {
  return one?.from.getTime() === other?.from.getTime() && one?.to.getTime() === other?.to.getTime();
}

/** Days with an open difference first, then requests, then new days; oldest first in each. */
async function planSpans(database: Database, scope: Scope): Promise<ComparisonPlan> {
  const now = await database.now();
  return database.read(scope, async (reader) => {
    if (!(await hasAcquirerCalls(reader))) return EMPTY_PLAN;
    const { reconciledTo, requested } = await findReconciliationProgress(reader);
    const newFrom = reconciledTo ?? new Date(now.getTime() - FIRST_SPAN_MS);
    const settledTo = new Date(now.getTime() - LAG_MS);
    const searchPeriod = { from: new Date(now.getTime() - SEARCH_PERIOD_MS), to: newFrom };
    const daysToRecheck = (await listDaysWithOpenDifferences(reader, searchPeriod)).map((day) => ({
      from: day,
      to: new Date(Math.min(day.getTime() + DAY_MS, now.getTime())),
    }));
    const requestedDays =
      requested === null ? [] : splitIntoDays({ from: requested.from, to: earlierDate(requested.to, now) });
    const spans = [...daysToRecheck, ...requestedDays, ...splitIntoDays({ from: newFrom, to: settledTo })];
    return { spans: spans.slice(0, SPANS_PER_PASS_MAX), requested };
  });
}

/** The span in pieces that end at midnight (UTC), so that each list has a reasonable length. */
function splitIntoDays({ from, to }: CheckRange): CheckRange[] {
  const days: CheckRange[] = [];
  for (let at = from; at < to;) {
    const midnight = new Date((Math.floor(at.getTime() / DAY_MS) + 1) * DAY_MS);
    days.push({ from: at, to: earlierDate(midnight, to) });
    at = midnight;
  }
  return days;
}

function earlierDate(first: Date, second: Date): Date {
  return first < second ? first : second;
}

/** Recomputes the chains of all subjects in small steps; a day after the last one it begins again. */
async function runChainVerification(
  { database, queue, report }: ReconciliationServices,
  claimed: ClaimedTimer,
): Promise<void> {
  const { scope } = claimed;
  const counts = { subjects: 0, found: 0, closed: 0 };
  let { chainCursor } = await database.read(scope, findReconciliationProgress);
  let isEnd = false;
  for (let step = 0; step < CHAIN_STEPS_PER_PASS_MAX && !isEnd; step += 1) {
    await queue.renew(claimed, STEP_LEASE_MS);
    const after = chainCursor;
    const subjects = await database.read(scope, (reader) => listChainSubjects(reader, after, CHAINS_PER_STEP));
    const brokenChains = await verifyChains(database, scope, subjects);
    isEnd = subjects.length < CHAINS_PER_STEP;
    chainCursor = isEnd ? '' : (subjects.at(-1)?.id ?? '');
    const review = await database.transact(scope, async (tx) => {
      const chainsCheckedAt = tx.databaseNow;
      await updateReconciliationProgress(tx, () => ({ chainCursor, ...(isEnd && { chainsCheckedAt }) }));
      const references = subjects.map(({ id }) => id);
      return recordFindings(tx, { kinds: ['BrokenChain'], references }, brokenChains.map(toFinding));
    });
    counts.subjects += subjects.length;
    addReviewCounts(counts, review);
    reportFindings({ report }, scope, review);
  }
  await database.transact(scope, (tx) =>
    queue.complete(tx, claimed, { inMs: isEnd ? INTERVAL_MS : 0, isRepeat: true }),
  );
  if (counts.subjects > 0) report?.onEnded(scope, { check: 'chains', ...counts });
}

function toFinding({ id, createdAt, problems: brokenChains }: BrokenChain): Finding {
  const says = `the records of ${id} are not as they were written: ${brokenChains.join('; ')}`.slice(0, 1_000);
  const paymentIntentId = id.startsWith('pi_') ? id : null;
  return {
    ...{ kind: 'BrokenChain', reference: id, paymentIntentId, amount: null, happenedAt: createdAt },
    ...{ ours: brokenChains.join('; ').slice(0, 1_000), theirs: null, says },
  };
}

function addReviewCounts(
  counts: { found: number; closed: number },
  { inserted, reopened, closed }: DifferenceReview,
): void {
  counts.found += inserted.length + reopened.length;
  counts.closed += closed.length;
}

function reportFindings(
  { report }: { readonly report?: ReconciliationReport | undefined },
  scope: Scope,
  { inserted, reopened }: DifferenceReview,
): void {
  for (const finding of [...inserted, ...reopened]) report?.onFound(scope, finding);
}
