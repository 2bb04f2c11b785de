import type { Scope } from '@pos/core/identity/identity';
import type { TablePayment } from '@pos/core/tables/table-payment';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import type { ClaimedTimer, TimerKind, TimerQueue } from '@pos/store/queues/timers';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountConcurrencyLimiter, type ReleaseSlot } from '@pos/service-kit/lifecycle/account-concurrency-limiter';
import { acquireCallSlot } from './call-slots.js';
import type { LeaseTimerWorker } from '../session-locks/lease-keeper.js';
import type { TablePaymentRunner } from './table-payment-runner.js';

/** The kinds of deadlines that a gateway works: payments at tables, locks, and orders that are paid in advance. */
const PAYMENT_TIMER_KINDS = ['table-payment'] as const satisfies TimerKind[];
/** A lock must be extended in time, so it never waits for the seat of a payment that the acquirer keeps waiting. */
const LOCK_TIMER_KINDS = ['session-lease', 'order-lock'] as const satisfies TimerKind[];
const ORDER_TIMER_KINDS = ['order-placement', 'order-release'] as const satisfies TimerKind[];
const TIMER_POLL_INTERVAL_MS = 500;
const PAYMENT_SLOTS = { total: 64, perAccount: 16 };
/** Of their own: an EPOS that is silent about orders leaves room for the money at the tables. */
const ORDER_SLOTS = { total: 32, perAccount: 8 };
const LOCK_SLOTS = { total: 64, perAccount: 16 };
/** Begun by devices that wait, so that more of them are carried; none holds a connection while its EPOS is asked. */
const FOLLOW_SLOTS = { total: 512, perAccount: 128 };
const CLAIMED_ACCOUNTS_MAX = 16;
const CLAIM_BATCH_MAX = 8;
const WATCHED_MAX = 10_000;
const WAKE_TRIES_MAX = 4;
const WAKE_RETRY_MS = 40;
const DRAIN_TIMEOUT_MS = 20_000;

interface WatchedPayment {
  readonly scope: Scope;
  readonly paymentId: string;
}

/** What is due at the tables, found by polling; a hint about a card session that is known here is quicker. */
export class TableTimerWorker {
  readonly #runningTasks = new Set<Promise<void>>();
  readonly #paymentSlots = new AccountConcurrencyLimiter(PAYMENT_SLOTS);
  readonly #lockSlots = new AccountConcurrencyLimiter(LOCK_SLOTS);
  readonly #orderSlots = new AccountConcurrencyLimiter(ORDER_SLOTS);
  readonly #followSlots = new AccountConcurrencyLimiter(FOLLOW_SLOTS);
  readonly #watchedPayments = new Map<string, WatchedPayment>();
  readonly #wokenPayments = new Map<string, { again: boolean }>();
  readonly #stopController = new AbortController();
  #pollLoops: Promise<unknown> | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly runner: TablePaymentRunner;
      readonly leaseWorker: LeaseTimerWorker;
      /** Works the due rows of our locks on orders. */
      readonly orderLocks: { work(claimed: ClaimedTimer): Promise<void> };
      /** Steps orders that are paid in advance. */
      readonly placements: { work(claimed: ClaimedTimer): Promise<void> };
      readonly log: Log;
    },
  ) {}

  async start(): Promise<void> {
    this.parts.runner.onCardAwaited = (scope, payment) => {
      this.watchPayment(scope, payment);
    };
    this.#unlisten = await this.parts.database.listen('journeys', (subject) => {
      const watchedPayment = this.#watchedPayments.get(subject);
      if (watchedPayment !== undefined) this.wakePayment(watchedPayment.scope, watchedPayment.paymentId);
    });
    this.#pollLoops = Promise.all([
      this.#pollTimers(LOCK_TIMER_KINDS, this.#lockSlots),
      this.#pollTimers(PAYMENT_TIMER_KINDS, this.#paymentSlots),
      this.#pollTimers(ORDER_TIMER_KINDS, this.#orderSlots),
    ]);
  }

  /** Stores whose card session or link it is, so that its end is handled at once. Losing an entry costs seconds, not money. */
  watchPayment(
    scope: Scope,
    { id, intentId, terminalSessionId }: Pick<TablePayment, 'id' | 'intentId' | 'terminalSessionId'>,
  ): void {
    const watchedSubject = terminalSessionId ?? intentId;
    if (watchedSubject === null) return;
    if (this.#watchedPayments.size >= WATCHED_MAX) this.#watchedPayments.clear();
    this.#watchedPayments.set(watchedSubject, { scope, paymentId: id });
  }

  /**
   * Steps the payment beside everything else. A wake that comes while it is being stepped steps it once more. Without a
   * seat for its account it is left to the queue.
   */
  wakePayment(scope: Scope, paymentId: string): void {
    const wokenPayment = this.#wokenPayments.get(paymentId);
    if (wokenPayment !== undefined) wokenPayment.again = true;
    else if (!this.#stopController.signal.aborted) {
      const releaseSlot = this.#paymentSlots.tryAcquire(scope);
      if (releaseSlot !== null) this.#trackTask(() => this.#runWokenPayment(scope, paymentId), releaseSlot);
    }
  }

  /** A seat for `follow`, taken before anything is begun. Throws RESOURCE_EXHAUSTED when the account has too much under way. */
  acquireFollowSlot(scope: Scope): ReleaseSlot {
    return acquireCallSlot(this.#followSlots, scope);
  }

  /** Has work done beside everything else that somebody has begun already; it is waited for at the end. */
  followRun(task: () => Promise<void>, releaseSlot: ReleaseSlot): void {
    this.#trackTask(task, releaseSlot);
  }

  /** Takes nothing new; what is being worked gets a while to end. */
  async stop(): Promise<void> {
    this.#stopController.abort();
    await this.#unlisten?.();
    await this.#pollLoops;
    const timer = new AbortController();
    const drainTimeout = pause(DRAIN_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#runningTasks), drainTimeout]);
    timer.abort();
  }

  async #runWokenPayment(scope: Scope, paymentId: string): Promise<void> {
    const wokenPayment = { again: true };
    this.#wokenPayments.set(paymentId, wokenPayment);
    try {
      for (let tries = 0; wokenPayment.again && tries < WAKE_TRIES_MAX; tries += 1) {
        wokenPayment.again = false;
        if (await this.parts.runner.runPayment(scope, paymentId)) continue;
        // Another runner looks at it just now, and may have looked before what woke us.
        wokenPayment.again = true;
        await pause(WAKE_RETRY_MS);
      }
    } finally {
      this.#wokenPayments.delete(paymentId);
    }
  }

  /** An account whose claim has not ended, because its sandbox's clock is locked, is left out; no other account waits for it. */
  async #pollTimers(kinds: readonly TimerKind[], limiter: AccountConcurrencyLimiter): Promise<void> {
    const { signal } = this.#stopController;
    const claims = new Map<Scope, Promise<void>>();
    while (!signal.aborted) {
      try {
        const excluded = [...limiter.listFullAccounts(), ...claims.keys()];
        const scopes = await this.parts.queue.listReadyAccounts(kinds, { limit: CLAIMED_ACCOUNTS_MAX, excluded });
        // A part for each account, or the first ones would take the seats of all.
        const claimLimit = Math.min(CLAIM_BATCH_MAX, Math.max(1, Math.floor(limiter.freeSlots / scopes.length)));
        for (const scope of this.#stopController.signal.aborted ? [] : scopes) {
          const claim = this.#claimDueTimers(scope, { kinds, room: limiter, most: claimLimit }).finally(() =>
            claims.delete(scope),
          );
          claims.set(scope, claim);
        }
      } catch (error) {
        this.parts.log.warn('table_work.poll_failed', { error });
      }
      await pause(TIMER_POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(claims.values());
  }

  /** Claims what is due of one account. Never rejects. */
  async #claimDueTimers(
    scope: Scope,
    {
      kinds,
      room: limiter,
      most: claimLimit,
    }: { readonly kinds: readonly TimerKind[]; readonly room: AccountConcurrencyLimiter; readonly most: number },
  ): Promise<void> {
    const { queue, runner, log } = this.parts;
    // Taken before the claim, so that a wake meanwhile cannot have them: what is claimed is worked.
    const slots: ReleaseSlot[] = [];
    while (slots.length < claimLimit) {
      const releaseSlot = limiter.tryAcquire(scope);
      if (releaseSlot === null) break;
      slots.push(releaseSlot);
    }
    if (slots.length === 0) return;
    try {
      const due = await queue.claim(scope, kinds, { limit: slots.length, leaseMs: runner.claimMs });
      for (const claimed of due) this.#trackTask(() => this.#processTimer(claimed), slots.pop());
    } catch (error) {
      log.warn('table_work.claim_failed', { account_id: scope.accountId, error });
    } finally {
      for (const releaseSlot of slots) releaseSlot();
    }
  }

  async #processTimer(claimed: ClaimedTimer): Promise<void> {
    const { runner, leaseWorker, orderLocks, placements } = this.parts;
    if (claimed.kind === 'session-lease') await leaseWorker.work(claimed);
    else if (claimed.kind === 'order-lock') await orderLocks.work(claimed);
    else if (claimed.kind === 'order-placement' || claimed.kind === 'order-release') await placements.work(claimed);
    else if (await runner.work(claimed)) await runner.runPayment(claimed.scope, claimed.subject);
  }

  #trackTask(task: () => Promise<void>, releaseSlot?: ReleaseSlot): void {
    const taskPromise = task().catch((error: unknown) => {
      // The row is still there, and its lease ends.
      this.parts.log.error('table_work.failed', { error });
    });
    this.#runningTasks.add(taskPromise);
    void taskPromise.then(() => {
      this.#runningTasks.delete(taskPromise);
      releaseSlot?.();
    });
  }
}
