import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { parseKnownId } from '@pos/core/identity';
import { PollingLoop } from '@pos/service-kit/lifecycle';
import type { Log } from '@pos/service-kit/telemetry';
import { deleteCardNumber, lockSavedCard } from '@pos/store/payments';
import { Database } from '@pos/store/database';
import { eraseExpiredCard } from '@pos/payments/customers';
import { type ClaimedTimer, LeaseLost, TimerQueue } from '@pos/store/queues';
import { CONFIG, LOG } from '@pos/service-kit/nest';
import type { Config } from '../config/config.js';

const ERASURE_KINDS = ['card-erasure', 'card-expiry'] as const;
/** The delay before the next try for a card with a running attempt, or with a failed erasure. */
const RETRY_DELAY_MS = 60_000;
const ACCOUNTS_MAX = 20;
const CARDS_MAX = 50;
const LEASE_MS = 30_000;

/**
 * Erases cards whose last month is over, and deletes the numbers of cards that were erased. The end of an attempt leaves
 * the state of the card and a timer; this process, which alone sees schema vault, works the timers.
 */
@Injectable()
export class ErasureWorker implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #loop: PollingLoop;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly database: Database,
    queue: TimerQueue,
    @Inject(LOG) log: Log,
    @Inject(CONFIG) { POLL_MS: pauseMs }: Pick<Config, 'POLL_MS'>,
  ) {
    const pass = () => eraseDueCards({ database, queue, log });
    this.#loop = new PollingLoop({ name: 'erasures', pass, pauseMs, log });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#unlisten = await this.database.listen('timers', () => this.#loop.wake());
    this.#loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#loop.stop();
    await this.#unlisten?.();
  }
}

interface ErasureServices {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly log: Pick<Log, 'error'>;
}

/** Runs the due timers once; false when none was due. */
async function eraseDueCards(parts: ErasureServices): Promise<boolean> {
  const { queue } = parts;
  const scopes = await queue.listReadyAccounts(ERASURE_KINDS, { limit: ACCOUNTS_MAX });
  let hasFound = false;
  for (const scope of scopes) {
    const claimed = await queue.claim(scope, ERASURE_KINDS, { limit: CARDS_MAX, leaseMs: LEASE_MS });
    hasFound ||= claimed.length > 0;
    for (const timer of claimed) await processTimer(parts, timer);
  }
  return hasFound;
}

/** Runs one timer. A failure is logged and retried, never thrown: the other cards of the pass are erased too. */
async function processTimer({ database, queue, log }: ErasureServices, timer: ClaimedTimer): Promise<void> {
  const { scope, kind, subject } = timer;
  const retry = { inMs: RETRY_DELAY_MS, isRepeat: true };
  try {
    await database.transact(scope, async (tx) => {
      const id = parseKnownId('paymentMethod', subject);
      if (kind === 'card-expiry') {
        // An erased card no longer has this timer, and has one for its number instead.
        if (!(await eraseExpiredCard(tx, id))) await queue.complete(tx, timer, retry);
        return;
      }
      const card = await lockSavedCard(tx, id);
      if (card?.state === 'Erased') deleteCardNumber(tx, id);
      await queue.complete(tx, timer, null);
    });
  } catch (error) {
    // Another process has claimed the timer meanwhile.
    if (error instanceof LeaseLost) return;
    log.error('erasure.failed', { account_id: scope.accountId, kind, subject, attempt: timer.attempts, error });
    await database.transact(scope, (tx) => queue.complete(tx, timer, retry)).catch(ignoreLostLease);
  }
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}
