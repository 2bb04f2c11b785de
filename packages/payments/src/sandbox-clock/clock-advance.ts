import { Refusal } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import {
  getAccountClock,
  getAccountTime,
  beginAdvance,
  countDueWork,
  endAdvance,
  findNextDueInMs,
  applyClockStep,
} from '@pos/store/clock';
import type { Database } from '@pos/store/database';
import { setTimeout as pause } from 'node:timers/promises';

/** How long due work may take before the advance is given up. */
const WORK_MS_MAX = 30_000;
/** An advance that was not renewed for so long is over: its process stopped. Each step renews it, after the work. */
const LEASE_MS = WORK_MS_MAX + 10_000;
/** Due work is mostly one delivery, and takes a few of these intervals. */
const POLL_MS = 3;
const STEPS_MAX = 100_000;

/**
 * Moves a sandbox's time forward, from one due time to the next. It lets the workers finish the due work before it
 * continues: a week of redeliveries passes as it would have, in a moment. One advance at a time; the second is
 * refused.
 */
export function advanceClock(database: Database, scope: Scope, byMs: number): Promise<Date> {
  return advanceClockWithin({ workMsMax: WORK_MS_MAX }, { database, scope, byMs });
}

/** The same with another time limit for the due work. */
export async function advanceClockWithin(
  { workMsMax }: { readonly workMsMax: number },
  { database, scope, byMs }: { readonly database: Database; readonly scope: Scope; readonly byMs: number },
): Promise<Date> {
  const advance = await beginAdvance(database, scope, LEASE_MS);
  if (advance === null) throw new Refusal('idempotency_in_progress', 'the clock is being advanced already');
  try {
    const { now, isFrozen } = await database.read(scope, getAccountClock);
    const endsAt = new Date(now.getTime() + byMs);
    let leftMs = byMs;
    for (let step = 0; ; step += 1) {
      if (step === STEPS_MAX) throw new Refusal('service_unavailable', 'more comes due than one advance can pass');
      await waitUntilWorkDone(database, scope, workMsMax);
      const dueInMs = await database.read(scope, findNextDueInMs);
      // Work that has become due since then is no longer next: it is done first, at its own time.
      if ((await database.read(scope, countDueWork)) > 0) continue;
      const stepMs = Math.min(leftMs, dueInMs ?? leftMs);
      leftMs -= stepMs;
      // Due work sets a frozen clock to its own time, so real time that has passed meanwhile is not visible.
      const frozenAt = isFrozen ? (leftMs > 0 ? now : endsAt) : null;
      const isStillOwner = await applyClockStep(database, advance, { byMs: stepMs, frozenAt });
      if (!isStillOwner) throw new Refusal('idempotency_in_progress', 'another advance has taken over');
      if (leftMs <= 0) break;
    }
    await waitUntilWorkDone(database, scope, workMsMax);
    return await database.read(scope, getAccountTime);
  } finally {
    await endAdvance(database, advance);
  }
}

async function waitUntilWorkDone(database: Database, scope: Scope, workMsMax: number): Promise<void> {
  const until = performance.now() + workMsMax;
  while ((await database.read(scope, countDueWork)) > 0) {
    if (performance.now() > until) {
      throw new Refusal('service_unavailable', 'what has come due was not worked: is a worker running?');
    }
    await pause(POLL_MS);
  }
}
