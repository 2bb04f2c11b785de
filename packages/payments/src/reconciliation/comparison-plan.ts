import type { Scope } from '@pos/core/identity';
import { DAY_MS, findNextMidnight, HOUR_MS, toZonedDay, toZonedMoment } from '@pos/core/time';
import type { Database, Tx } from '@pos/store/database';
import { schedule } from '@pos/store/queues';
import {
  findReconciliationProgress,
  hasAcquirerCalls,
  listDaysWithOpenDifferences,
  listUncomparedDays,
  updateReconciliationProgress,
} from '@pos/store/reconciliation';
import { readTimeZone } from '@pos/store/repositories';
import type { ComparisonRange } from '../acquirer/acquirer-books.js';

/** Bookings of the last hour are left for the next day: a list may lag behind. */
export const LAG_MS = HOUR_MS;
/** How far back the first check of an account goes. */
const FIRST_SPAN_MS = 7 * DAY_MS;
/** A full pass compares the days of open differences, and days that are not compared, for so long; after that only an operator's request does. */
const SEARCH_PERIOD_MS = 62 * DAY_MS;
const SPANS_PER_PASS_MAX = 100;

/** A span to compare. */
export interface PlannedSpan extends ComparisonRange {
  /** These acquirers only, from the begin of a day; null: all of them. */
  readonly only: readonly string[] | null;
}

/** What a check compares. */
export interface ComparisonPlan {
  readonly spans: readonly PlannedSpan[];
  readonly requested: ComparisonRange | null;
  /** All days that need it; otherwise those whose books could not be read, and what an operator requested. */
  readonly isFullPass: boolean;
  /** When the next full pass was due as the plan was made. */
  readonly nextPassAt: Date | null;
}

/**
 * What the next check compares. A full pass compares days with an open difference first, then requests, then new days,
 * then the days whose comparison with an acquirer was incomplete; oldest first in each. Between two full passes a check
 * compares requests and the days whose books could not be read.
 */
export async function planSpans(database: Database, scope: Scope): Promise<ComparisonPlan> {
  const now = await database.now();
  return database.read(scope, async (reader) => {
    const { reconciledTo, requested, nextPassAt } = await findReconciliationProgress(reader);
    const isFullPass = nextPassAt === null || nextPassAt <= now;
    const plan = { requested, isFullPass, nextPassAt };
    if (!(await hasAcquirerCalls(reader))) return { ...plan, requested: null, spans: [] };
    const timeZone = await readTimeZone(reader);
    const newFrom = reconciledTo ?? new Date(now.getTime() - FIRST_SPAN_MS);
    const settledTo = new Date(now.getTime() - LAG_MS);
    const searchFrom = new Date(now.getTime() - SEARCH_PERIOD_MS);
    const openDays = isFullPass
      ? await listDaysWithOpenDifferences(reader, { from: searchFrom, to: newFrom, timeZone })
      : [];
    const requestedDays =
      requested === null ? [] : splitIntoDays({ from: requested.from, to: earlierDate(requested.to, now) }, timeZone);
    const newDays = isFullPass ? splitIntoDays({ from: newFrom, to: settledTo }, timeZone) : [];
    const spans = [...openDays.map((day) => toDaySpan(day, { settledTo, timeZone })), ...requestedDays, ...newDays];
    const uncompared = new Map<string, string[]>();
    for (const { day, acquirer, reason } of await listUncomparedDays(reader, {
      from: toZonedDay(searchFrom, timeZone),
    })) {
      if (isFullPass || reason === 'BooksUnread') uncompared.set(day, [...(uncompared.get(day) ?? []), acquirer]);
    }
    const again = [...uncompared].map(([day, only]) => ({
      ...toDaySpan(toZonedMoment(day, timeZone), { settledTo, timeZone }),
      only,
    }));
    const planned = [...spans.slice(0, SPANS_PER_PASS_MAX).map((span) => ({ ...span, only: null })), ...again];
    return { ...plan, spans: planned.filter(({ from, to }) => from < to) };
  });
}

/** Makes a full pass due: new settlement files may complete the days that wait for them. */
export async function startFullPass(tx: Tx): Promise<void> {
  await updateReconciliationProgress(tx, () => ({ nextPassAt: tx.databaseNow }));
  schedule(tx, { kind: 'reconciliation', subject: 'acquirer', dueInMs: 0, isRepeat: true });
}

/** The day from its begin in the zone, without the bookings that are left for the next check. */
function toDaySpan(
  day: Date,
  { settledTo, timeZone }: { readonly settledTo: Date; readonly timeZone: string },
): ComparisonRange {
  return { from: day, to: earlierDate(findNextMidnight(day, timeZone), settledTo) };
}

/** The span in pieces that end at midnight in the zone, so that each list has a reasonable length. */
function splitIntoDays({ from, to }: ComparisonRange, timeZone: string): ComparisonRange[] {
  const days: ComparisonRange[] = [];
  for (let at = from; at < to;) {
    const midnight = findNextMidnight(at, timeZone);
    days.push({ from: at, to: earlierDate(midnight, to) });
    at = midnight;
  }
  return days;
}

function earlierDate(first: Date, second: Date): Date {
  return first < second ? first : second;
}
