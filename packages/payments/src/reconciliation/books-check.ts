import type { Scope } from '@pos/core/identity';
import type { DifferenceReview } from '@pos/core/ledger';
import { DAY_MS, findNextMidnight, toZonedDay, toZonedMoment } from '@pos/core/time';
import { cutStorableText } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import {
  countSettlementFiles,
  deleteUncomparedDays,
  listUncomparedDays,
  lockReconciliation,
  ReconciliationBusy,
  type ReconciliationProgress,
  recordFindings,
  saveUncomparedDay,
  updateReconciliationProgress,
} from '@pos/store/reconciliation';
import { readTimeZone } from '@pos/store/repositories';
import { type ClaimedTimer, LeaseLost, type TimerQueue } from '@pos/store/queues';
import type { AcquirerDirectory } from '../accounts/acquirer-directory.js';
import type { BooksServices, ComparisonRange } from '../acquirer/acquirer-books.js';
import { type BooksComparison, compareWithAcquirers, LISTED_DIFFERENCE_KINDS } from './acquirer-comparison.js';
import {
  addReviewCounts,
  CHECK_STEP_LEASE_MS,
  PROBLEM_LENGTH_MAX,
  type ReconciliationReport,
  reportFindings,
} from './check-report.js';
import { type ComparisonPlan, LAG_MS, type PlannedSpan, planSpans } from './comparison-plan.js';
import { endAccessAlarms, raiseUncomparedAlarms } from './uncompared-alarms.js';

/** An account's books are compared once a day. */
const INTERVAL_MS = DAY_MS;
/** The wait after an outage of an acquirer. */
const RETRY_MS = 15 * 60 * 1000;
/** How often a span is compared again because an import has been committed meanwhile. */
const COMPARISONS_MAX = 5;

/** What the checks of books need. */
export interface BooksCheckServices extends BooksServices {
  readonly queue: TimerQueue;
  readonly directory: AcquirerDirectory;
  /** After how many days the settlement files of a day are overdue. */
  readonly settlementWaitDays: number;
  readonly report?: ReconciliationReport;
}

/**
 * Compares an account with its acquirers day by day, from where the last check ended to an hour ago, the operator's
 * request, the days with an open difference, and the days whose comparison was incomplete. An acquirer whose books cannot
 * be read does not stop the others: its days are stored, and they alone are compared again after 15 minutes.
 */
export async function runBooksCheck(parts: BooksCheckServices, claimed: ClaimedTimer): Promise<void> {
  const { database, queue, report } = parts;
  const { scope } = claimed;
  // Without an acquirer nothing can be booked.
  const isEmpty = !parts.directory.hasAny(scope.environment);
  const planned = await planSpans(database, scope);
  const plan = isEmpty ? { ...planned, spans: [], requested: null } : planned;
  const { spans } = plan;
  const counts = { days: 0, found: 0, closed: 0 };
  const failed = new Map<string, string>();
  try {
    for (const span of spans) {
      await queue.renew(claimed, CHECK_STEP_LEASE_MS);
      const review = await compareSpan(parts, scope, { span, failed });
      counts.days += 1;
      addReviewCounts(counts, review);
      reportFindings(report, scope, review);
    }
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof ReconciliationBusy) throw error;
    failed.set('', error instanceof Error ? error.message : String(error));
  }
  const error = formatFailures(failed);
  await database.transact(scope, async (tx) => {
    const { nextPassAt } = await updateReconciliationProgress(tx, (before) => ({
      ...(spans.length > 0 && { listError: error }),
      ...(!failed.has('') && computeNext(before, plan, tx.databaseNow)),
    }));
    await raiseUncomparedAlarms(tx, parts.settlementWaitDays);
    endAccessAlarms(tx);
    const untilPassMs = Math.max(0, (nextPassAt?.getTime() ?? 0) - tx.databaseNow.getTime());
    const inMs = error === null ? untilPassMs : Math.min(RETRY_MS, untilPassMs || RETRY_MS);
    await queue.complete(tx, claimed, { inMs, isRepeat: true });
  });
  if (spans.length > 0) report?.onEnded(scope, { check: 'acquirer', ...counts, ...(error !== null && { error }) });
}

/**
 * What a check that has compared everything changes. A request of an operator in the meantime is done next, and a pass that
 * an import has made due meanwhile as well: the timer is due already.
 */
function computeNext(
  before: ReconciliationProgress,
  { requested, isFullPass, nextPassAt }: ComparisonPlan,
  now: Date,
): Partial<ReconciliationProgress> {
  const isPassOver = isFullPass && before.nextPassAt?.getTime() === nextPassAt?.getTime();
  return {
    ...(isSameSpan(before.requested, requested) && { requested: null }),
    ...(isPassOver && { nextPassAt: new Date(now.getTime() + INTERVAL_MS) }),
  };
}

/**
 * Compares a span and stores the result. An import that is committed meanwhile has opened differences that the comparison
 * could not see, and would close; then the span is compared again. Adds the acquirers whose books it could not read to
 * `failed`.
 */
async function compareSpan(
  parts: BooksCheckServices,
  scope: Scope,
  { span, failed }: { readonly span: PlannedSpan; readonly failed: Map<string, string> },
): Promise<DifferenceReview> {
  const { database } = parts;
  for (let attempt = 0; attempt < COMPARISONS_MAX; attempt += 1) {
    const { fileCount, additional } = await database.read(scope, (reader) => readBefore(reader, span));
    const comparison = await compareWithAcquirers(parts, scope, { span, only: span.only, additional, failed });
    for (const { acquirer, problem } of comparison.incomplete) if (problem !== null) failed.set(acquirer, problem);
    const review = await database.transact(scope, async (tx) => {
      await lockReconciliation(tx);
      const isOvertaken = (await countSettlementFiles(tx)) !== fileCount;
      return isOvertaken ? null : recordComparison(tx, span, comparison);
    });
    if (review !== null) return review;
  }
  throw new Error(`each of ${COMPARISONS_MAX} comparisons of a span was overtaken by an import of a settlement file`);
}

/** What a comparison of the span begins with: how many files are imported, and the acquirers that its day waits for. */
async function readBefore(
  reader: Reader,
  { from }: ComparisonRange,
): Promise<{ readonly fileCount: number; readonly additional: readonly string[] }> {
  const day = toZonedDay(from, await readTimeZone(reader));
  const waiting = await listUncomparedDays(reader, { from: day, to: day });
  return { fileCount: await countSettlementFiles(reader), additional: waiting.map(({ acquirer }) => acquirer) };
}

/** The acquirers that failed with the reasons, as one text; null where none did. */
function formatFailures(failed: ReadonlyMap<string, string>): string | null {
  if (failed.size === 0) return null;
  const texts = [...failed].map(([acquirer, problem]) => (acquirer === '' ? problem : `${acquirer}: ${problem}`));
  return cutStorableText(texts.join('; '), PROBLEM_LENGTH_MAX);
}

/** Stores what the comparison of a span found, and which acquirers it could not compare completely. */
async function recordComparison(
  tx: Tx,
  span: PlannedSpan,
  { findings, read, incomplete, references }: BooksComparison,
): Promise<DifferenceReview> {
  const { reconciledTo } = await updateReconciliationProgress(tx, (before) => ({
    ...computeProgress(before, span, tx.databaseNow),
    ...(read.length > 0 && { listedAt: tx.databaseNow }),
  }));
  const timeZone = await readTimeZone(tx);
  const day = toZonedDay(span.from, timeZone);
  const names = new Set(incomplete.map(({ acquirer }) => acquirer));
  const complete = read.filter((acquirer) => !names.has(acquirer));
  if (isWholeDay(span, { reconciledTo, timeZone })) deleteUncomparedDays(tx, day, complete);
  for (const each of incomplete) saveUncomparedDay(tx, { ...each, day });
  const kinds = LISTED_DIFFERENCE_KINDS.filter((kind) => span.only === null || kind !== 'ListingSum');
  return recordFindings(tx, { kinds, span, references, acquirers: read }, findings);
}

/** Whether a span holds its whole day, or of today everything up to where new days begin. */
function isWholeDay(
  { from, to }: ComparisonRange,
  { reconciledTo, timeZone }: { readonly reconciledTo: Date | null; readonly timeZone: string },
): boolean {
  const begin = toZonedMoment(toZonedDay(from, timeZone), timeZone).getTime();
  const end = Math.min(findNextMidnight(from, timeZone).getTime(), reconciledTo?.getTime() ?? Infinity);
  return from.getTime() === begin && to.getTime() >= end;
}

function computeProgress(
  { reconciledTo }: ReconciliationProgress,
  { only, from, to }: PlannedSpan,
  now: Date,
): Partial<ReconciliationProgress> {
  if (only !== null) return {};
  const isNext = reconciledTo === null || (from <= reconciledTo && to > reconciledTo);
  const isSettled = to.getTime() <= now.getTime() - LAG_MS;
  return isNext && isSettled ? { reconciledTo: to } : {};
}

function isSameSpan(one: ComparisonRange | null, other: ComparisonRange | null): boolean {
  return one?.from.getTime() === other?.from.getTime() && one?.to.getTime() === other?.to.getTime();
}
