import type { Database } from '@pos/store/database';
import { applyStateToSubscriptionLanes, enqueueReplay } from '@pos/store/webhooks';
import {
  type ClaimedTimer,
  deleteExpiredActivities,
  deleteExpiredBookings,
  deleteExpiredCustomerSecrets,
  deleteExpiredEvents,
  deleteExpiredIdempotencyKeys,
  deleteExpiredMails,
  deleteExpiredSubscriptions,
  deleteSettledDepositClaims,
  findNextRetentionInMs,
  type TimerQueue,
} from '@pos/store/queues';

/** Longer than any transaction: a reader that saw a paused subscription has stored its result by then. */
export const STALE_EMIT_MS = 15_000;

/** A worker with a long task renews its claim after each step. */
const STEP_LEASE_MS = 60_000;

interface MaintenanceServices {
  readonly database: Database;
  readonly queue: TimerQueue;
}

/** Applies a pause, its end or a deletion to the waiting deliveries of a subscription. */
export async function applySubscriptionChange(
  { database, queue }: MaintenanceServices,
  claimed: ClaimedTimer,
): Promise<void> {
  const id = claimed.subject.split('/', 1)[0] ?? '';
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    after = await database.transact(claimed.scope, (tx) => applyStateToSubscriptionLanes(tx, id, from));
    if (after !== null) await queue.renew(claimed, STEP_LEASE_MS);
  }
  await database.transact(claimed.scope, (tx) => queue.complete(tx, claimed, null));
}

/** Queues the next part of a replay. Its progress is stored with it, so that nothing is queued twice. */
export async function enqueueDueReplay({ database, queue }: MaintenanceServices, claimed: ClaimedTimer): Promise<void> {
  await database.transact(claimed.scope, async (tx) => {
    const isMore = await enqueueReplay(tx, claimed.subject);
    await queue.complete(tx, claimed, isMore ? { inMs: 0 } : null);
  });
}

/** Deletes a small part of the expired data, and schedules the next check. */
export async function runRetention(
  { database, queue, activitiesKeptMs }: MaintenanceServices & { readonly activitiesKeptMs: number },
  claimed: ClaimedTimer,
): Promise<void> {
  await database.transact(claimed.scope, async (tx) => {
    const hasMoreEvents = await deleteExpiredEvents(tx);
    const hasMoreKeys = await deleteExpiredIdempotencyKeys(tx);
    const hasMoreMails = await deleteExpiredMails(tx);
    const hasMoreActivities = await deleteExpiredActivities(tx, activitiesKeptMs);
    const hasMoreSecrets = await deleteExpiredCustomerSecrets(tx);
    // After the events, with which the deliveries of a subscription are deleted.
    const hasMoreSubscriptions = await deleteExpiredSubscriptions(tx);
    const hasMoreBookings = await deleteExpiredBookings(tx);
    const hasMoreClaims = await deleteSettledDepositClaims(tx);
    const isMore = [
      hasMoreEvents,
      hasMoreKeys,
      hasMoreMails,
      hasMoreActivities,
      hasMoreSecrets,
      hasMoreSubscriptions,
      hasMoreBookings,
      hasMoreClaims,
    ].some(Boolean);
    await queue.complete(tx, claimed, { inMs: isMore ? 0 : await findNextRetentionInMs(tx, activitiesKeptMs) });
  });
}
