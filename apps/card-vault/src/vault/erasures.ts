import { knownId } from '@pos/core/identity';
import { Polling } from '@pos/service-kit/polling';
import type { Log } from '@pos/service-kit/log';
import { deleteCardNumber } from '@pos/store/card-numbers';
import type { Database } from '@pos/store/database';
import { eraseExpiredCard } from '@pos/payments/saved-cards';
import { lockSavedCard } from '@pos/store/saved-cards';
import { type ClaimedTimer, LeaseLost, TimerQueue } from '@pos/store/timers';

const KINDS = ['card-erasure', 'card-expiry'] as const;
/** When a card is looked at again: an attempt with it has not ended, or its erasure has failed. */
const LOOK_AGAIN_MS = 60_000;
const ACCOUNTS_MAX = 20;
const CARDS_MAX = 50;
const LEASE_MS = 30_000;

/**
 * Erases cards whose last month is over, and deletes the numbers of cards that were erased. Whoever ends an attempt says so
 * by the card's state and a timer; this process, which alone sees schema vault, works it off.
 */
export async function startErasures(
  database: Database,
  { log, pollMs }: { readonly log: Log; readonly pollMs: number },
): Promise<{ readonly stop: () => Promise<void> }> {
  const queue = new TimerQueue(database);
  const loop = new Polling({ name: 'erasures', pass: () => eraseDue({ database, queue, log }), pauseMs: pollMs, log });
  const unlisten = await database.listen('timers', () => loop.wake());
  loop.start();
  return {
    stop: async () => {
      await loop.stop();
      await unlisten();
    },
  };
}

interface Parts {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly log: Pick<Log, 'error'>;
}

/** One look at what is due; false when there was nothing. */
async function eraseDue(parts: Parts): Promise<boolean> {
  const { queue } = parts;
  const scopes = await queue.listReadyAccounts(KINDS, { limit: ACCOUNTS_MAX });
  let isFound = false;
  for (const scope of scopes) {
    const claimed = await queue.claim(scope, KINDS, { limit: CARDS_MAX, leaseMs: LEASE_MS });
    isFound ||= claimed.length > 0;
    for (const timer of claimed) await eraseOne(parts, timer);
  }
  return isFound;
}

/** Erases what one timer is about. Rejects for nothing that is wrong with one card: the others of the pass are erased, too. */
async function eraseOne({ database, queue, log }: Parts, timer: ClaimedTimer): Promise<void> {
  const { scope, kind, subject } = timer;
  const lookAgain = { inMs: LOOK_AGAIN_MS, isRepeat: true };
  try {
    await database.transact(scope, async (tx) => {
      const id = knownId('paymentMethod', subject);
      if (kind === 'card-expiry') {
        // What is erased took its deadline away with it, and has a timer for its number.
        if (!(await eraseExpiredCard(tx, id))) await queue.complete(tx, timer, lookAgain);
        return;
      }
      const card = await lockSavedCard(tx, id);
      if (card?.state === 'Erased') deleteCardNumber(tx, id);
      await queue.complete(tx, timer, null);
    });
  } catch (error) {
    // Somebody else is at it by now.
    if (error instanceof LeaseLost) return;
    log.error('erasure.failed', { account_id: scope.accountId, kind, subject, attempt: timer.attempts, error });
    await database.transact(scope, (tx) => queue.complete(tx, timer, lookAgain)).catch(ignoreLostLease);
  }
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}
