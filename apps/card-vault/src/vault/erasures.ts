import { knownId, type Scope } from '@pos/core/identity';
import { Polling } from '@pos/service-kit/polling';
import type { Log } from '@pos/service-kit/log';
import { deleteCardNumber } from '@pos/store/card-numbers';
import type { Database } from '@pos/store/database';
import { eraseExpiredCard } from '@pos/payments/saved-cards';
import { lockSavedCard } from '@pos/store/saved-cards';
import { type ClaimedTimer, LeaseLost, TimerQueue } from '@pos/store/timers';

const KINDS = ['card-erasure', 'card-expiry'] as const;
/** When a card that is past is looked at again: an attempt with it has not ended. */
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
  const loop = new Polling({ name: 'erasures', pass: () => eraseDue(database, queue), pauseMs: pollMs, log });
  const unlisten = await database.listen('timers', () => loop.wake());
  loop.start();
  return {
    stop: async () => {
      await loop.stop();
      await unlisten();
    },
  };
}

/** One look at what is due; false when there was nothing. */
async function eraseDue(database: Database, queue: TimerQueue): Promise<boolean> {
  const scopes = await queue.listReadyAccounts(KINDS, { limit: ACCOUNTS_MAX });
  let isFound = false;
  for (const scope of scopes) {
    const claimed = await queue.claim(scope, KINDS, { limit: CARDS_MAX, leaseMs: LEASE_MS });
    isFound ||= claimed.length > 0;
    for (const timer of claimed) await eraseOne({ database, queue, scope }, timer);
  }
  return isFound;
}

async function eraseOne(
  { database, queue, scope }: { readonly database: Database; readonly queue: TimerQueue; readonly scope: Scope },
  timer: ClaimedTimer,
): Promise<void> {
  try {
    await database.transact(scope, async (tx) => {
      const id = knownId('paymentMethod', timer.subject);
      if (timer.kind === 'card-expiry') {
        // What is erased took its deadline away with it, and has a timer for its number.
        if (!(await eraseExpiredCard(tx, id))) await queue.complete(tx, timer, { inMs: LOOK_AGAIN_MS, isRepeat: true });
        return;
      }
      const card = await lockSavedCard(tx, id);
      if (card?.state === 'Erased') deleteCardNumber(tx, id);
      await queue.complete(tx, timer, null);
    });
  } catch (error) {
    // Somebody else is at it by now.
    if (!(error instanceof LeaseLost)) throw error;
  }
}
