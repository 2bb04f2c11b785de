import type { Database } from '@pos/store/database';
import { bringSubscriptionInLine } from '@pos/store/held-deliveries';
import { queueReplayed } from '@pos/store/replays';
import { forgetEvents, forgetIdempotencyKeys, forgetMails, nothingToForgetForMs } from '@pos/store/retention';
import type { ClaimedTimer, TimerQueue } from '@pos/store/timers';

/** Longer than a transaction lives: whoever read that a subscription was paused has stored what he made of it. */
export const STALE_EMIT_MS = 15_000;

/** A worker that goes on for long says so after each step. */
const STEP_LEASE_MS = 60_000;

interface Parts {
  readonly database: Database;
  readonly queue: TimerQueue;
}

/** Gives what waits for a subscription the state that a pause, its end or a deletion asks for. */
export async function bringInLineDue({ database, queue }: Parts, claimed: ClaimedTimer): Promise<void> {
  const id = claimed.subject.split('/', 1)[0] ?? '';
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    after = await database.transact(claimed.scope, (tx) => bringSubscriptionInLine(tx, id, from));
    if (after !== null) await queue.renew(claimed, STEP_LEASE_MS);
  }
  await database.transact(claimed.scope, (tx) => queue.finish(tx, claimed, null));
}

/** Queues the next part of a replay. How far it came is stored with it, so that nothing is queued twice. */
export async function replayDue({ database, queue }: Parts, claimed: ClaimedTimer): Promise<void> {
  await database.transact(claimed.scope, async (tx) => {
    const isMore = await queueReplayed(tx, claimed.subject);
    await queue.finish(tx, claimed, isMore ? { inMs: 0 } : null);
  });
}

/** Forgets a small part of what was kept long enough, and says when to look again. */
export async function retentionDue({ database, queue }: Parts, claimed: ClaimedTimer): Promise<void> {
  await database.transact(claimed.scope, async (tx) => {
    const hasMoreEvents = await forgetEvents(tx);
    const hasMoreKeys = await forgetIdempotencyKeys(tx);
    const hasMoreMails = await forgetMails(tx);
    const isMore = hasMoreEvents || hasMoreKeys || hasMoreMails;
    await queue.finish(tx, claimed, { inMs: isMore ? 0 : await nothingToForgetForMs(tx) });
  });
}
