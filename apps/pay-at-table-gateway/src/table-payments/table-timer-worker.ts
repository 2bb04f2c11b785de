import type { Scope } from '@pos/core/identity';
import type { TablePayment } from '@pos/core/tables';
import type { Database } from '@pos/store/database';
import type { ClaimedTimer, TimerKind, TimerQueue } from '@pos/store/queues';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountConcurrencyLimiter, type ReleaseSlot } from '@pos/service-kit/lifecycle';
import { type Log, runUnitOfWork } from '@pos/service-kit/telemetry';
import { acquireCallSlot } from './call-slots.js';
import type { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import type { TablePaymentEvents } from './table-payment-events.js';
import type { TablePaymentRunner } from './table-payment-runner.js';

/** The kinds of timers that a gateway processes: payments at tables, locks, and orders that are paid in advance. */
const PAYMENT_TIMER_KINDS = ['table-payment'] as const satisfies TimerKind[];
/** A lock must be extended in time, so it never waits for the slot of a payment that waits for the acquirer. */
const LOCK_TIMER_KINDS = ['session-lease', 'order-lock'] as const satisfies TimerKind[];
const ORDER_TIMER_KINDS = ['order-placement', 'order-release'] as const satisfies TimerKind[];
const PAYMENT_SLOTS = { total: 64, perAccount: 16 };
/** Separate slots, so that an EPOS that does not answer calls about orders does not delay payments at tables. */
const ORDER_SLOTS = { total: 32, perAccount: 8 };
const LOCK_SLOTS = { total: 64, perAccount: 16 };
/** More slots, because devices wait for these; none holds a database connection during a call to an EPOS. */
const FOLLOW_SLOTS = { total: 512, perAccount: 128 };
const CLAIMED_ACCOUNTS_MAX = 16;
const CLAIM_BATCH_MAX = 8;
const WATCHED_MAX = 10_000;
const WOKEN_PAYMENT = { name: 'table payment', kind: 'internal' } as const;
const WAKE_TRIES_MAX = 4;
const WAKE_RETRY_MS = 40;
const DRAIN_TIMEOUT_MS = 20_000;

interface WatchedPayment {
  readonly scope: Scope;
  readonly paymentId: string;
}

/** Processes the due timers of payments, locks and orders. It polls, and hints about terminal sessions wake it. */
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
      readonly events: Pick<TablePaymentEvents, 'addListener'>;
      readonly leaseWorker: LeaseTimerWorker;
      /** Processes the due timers of our locks on orders. */
      readonly orderLocks: { work(claimed: ClaimedTimer): Promise<void> };
      /** Advances orders that are paid in advance. */
      readonly placements: { work(claimed: ClaimedTimer): Promise<void> };
      /** The pause between two searches for due timers. */
      readonly pollMs: number;
      readonly log: Log;
    },
  ) {
    parts.events.addListener({
      onCardAwaited: (scope, payment) => {
        this.watchPayment(scope, payment);
      },
    });
  }

  async start(): Promise<void> {
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

  /** Watches the terminal session or the link of a payment, so that its end is processed at once. Without it the poll does. */
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
   * Advances the payment concurrently. A wake during the work repeats it once more. Without a slot for its account the poll
   * processes it later.
   */
  wakePayment(scope: Scope, paymentId: string): void {
    const wokenPayment = this.#wokenPayments.get(paymentId);
    if (wokenPayment !== undefined) wokenPayment.again = true;
    else if (!this.#stopController.signal.aborted) {
      const releaseSlot = this.#paymentSlots.tryAcquire(scope);
      if (releaseSlot !== null) this.#trackTask(() => this.#runWokenPayment(scope, paymentId), releaseSlot);
    }
  }

  /** Acquires a slot for `followRun`, before the work starts. Throws RESOURCE_EXHAUSTED when the account has too much work. */
  acquireFollowSlot(scope: Scope): ReleaseSlot {
    return acquireCallSlot(this.#followSlots, scope);
  }

  /** Runs a task that a caller has started; `stop` waits for it. */
  followRun(task: () => Promise<void>, releaseSlot: ReleaseSlot): void {
    this.#trackTask(task, releaseSlot);
  }

  /** Starts no new work, and waits for the running work for a limited time. */
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
        const isTaken = await runUnitOfWork(WOKEN_PAYMENT, () => this.parts.runner.runPayment(scope, paymentId));
        if (isTaken) continue;
        // Another runner has it, and may have read it before the event that woke us.
        wokenPayment.again = true;
        await pause(WAKE_RETRY_MS);
      }
    } finally {
      this.#wokenPayments.delete(paymentId);
    }
  }

  /** An account with a running claim, because its sandbox clock is locked, is left out; no other account waits for it. */
  async #pollTimers(kinds: readonly TimerKind[], limiter: AccountConcurrencyLimiter): Promise<void> {
    const { signal } = this.#stopController;
    const claims = new Map<Scope, Promise<void>>();
    while (!signal.aborted) {
      try {
        const excluded = [...limiter.listFullAccounts(), ...claims.keys()];
        const scopes = await this.parts.queue.listReadyAccounts(kinds, { limit: CLAIMED_ACCOUNTS_MAX, excluded });
        // Each account gets a share, so that the first ones do not take all slots.
        const claimLimit = Math.min(CLAIM_BATCH_MAX, Math.max(1, Math.floor(limiter.freeSlots / scopes.length)));
        for (const scope of this.#stopController.signal.aborted ? [] : scopes) {
          const claim = this.#claimDueTimers(scope, { kinds, limiter, claimLimit }).finally(() => claims.delete(scope));
          claims.set(scope, claim);
        }
      } catch (error) {
        this.parts.log.warn('table_timers.poll_failed', { error });
      }
      await pause(this.parts.pollMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(claims.values());
  }

  /** Claims the due timers of one account. Never rejects. */
  async #claimDueTimers(
    scope: Scope,
    {
      kinds,
      limiter,
      claimLimit,
    }: {
      readonly kinds: readonly TimerKind[];
      readonly limiter: AccountConcurrencyLimiter;
      readonly claimLimit: number;
    },
  ): Promise<void> {
    const { queue, runner, log } = this.parts;
    // Acquired before the claim, so that each claimed timer has a slot.
    const slots: ReleaseSlot[] = [];
    while (slots.length < claimLimit) {
      const releaseSlot = limiter.tryAcquire(scope);
      if (releaseSlot === null) break;
      slots.push(releaseSlot);
    }
    if (slots.length === 0) return;
    try {
      const due = await queue.claim(scope, kinds, { limit: slots.length, leaseMs: runner.claimMs });
      for (const claimed of due) {
        const start = { name: `timer ${claimed.kind}`, kind: 'internal' } as const;
        this.#trackTask(() => runUnitOfWork(start, () => this.#processTimer(claimed)), slots.pop());
      }
    } catch (error) {
      log.warn('table_timers.claim_failed', { account_id: scope.accountId, error });
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
      // The timer stays, and its lease expires.
      this.parts.log.error('table_timers.work_failed', { error });
    });
    this.#runningTasks.add(taskPromise);
    void taskPromise.then(() => {
      this.#runningTasks.delete(taskPromise);
      releaseSlot?.();
    });
  }
}
