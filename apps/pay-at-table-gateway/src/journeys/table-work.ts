import type { Scope } from '@pos/core/identity';
import type { TablePayment } from '@pos/core/table-payment';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import type { ClaimedTimer, TimerKind, TimerQueue } from '@pos/store/timers';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountSeats, type Leave } from './account-seats.js';
import type { LeaseKeeper } from './lease-keeper.js';
import type { TablePaymentRunner } from './table-payment-runner.js';

/** The kinds of deadlines that a gateway works: payments at tables, locks, and orders that are paid in advance. */
const PAYMENT_TIMER_KINDS = ['table-payment'] as const satisfies TimerKind[];
/** A lock must be extended in time, so it never waits for the seat of a payment that the acquirer keeps waiting. */
const LOCK_TIMER_KINDS = ['session-lease', 'order-lock'] as const satisfies TimerKind[];
const ORDER_TIMER_KINDS = ['order-placement', 'order-release'] as const satisfies TimerKind[];
const POLL_MS = 500;
const RUNNING_MAX = { all: 64, ofOne: 16 };
/** Of their own: an EPOS that is silent about orders leaves room for the money at the tables. */
const ORDERS_MAX = { all: 32, ofOne: 8 };
const LOCKS_MAX = { all: 64, ofOne: 16 };
/** Begun by devices that wait, so that more of them are carried; none holds a connection while its EPOS is asked. */
const FOLLOWED_MAX = { all: 512, ofOne: 128 };
const ACCOUNTS_AT_ONCE_MAX = 16;
const CLAIMED_AT_ONCE_MAX = 8;
const WATCHED_MAX = 10_000;
const WAKE_TRIES_MAX = 4;
const WAKE_AGAIN_MS = 40;
const DRAIN_LIMIT_MS = 20_000;

interface Watched {
  readonly scope: Scope;
  readonly paymentId: string;
}

/** What is due at the tables, found by polling; a hint about a card session that is known here is quicker. */
export class TableWork {
  readonly #running = new Set<Promise<void>>();
  readonly #seats = new AccountSeats(RUNNING_MAX);
  readonly #lockSeats = new AccountSeats(LOCKS_MAX);
  readonly #orderSeats = new AccountSeats(ORDERS_MAX);
  readonly #followed = new AccountSeats(FOLLOWED_MAX);
  readonly #watched = new Map<string, Watched>();
  readonly #waking = new Map<string, { again: boolean }>();
  readonly #stopping = new AbortController();
  #loops: Promise<unknown> | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly runner: TablePaymentRunner;
      readonly keeper: LeaseKeeper;
      /** Works the due rows of our locks on orders. */
      readonly orderLocks: { work(claimed: ClaimedTimer): Promise<void> };
      /** Steps orders that are paid in advance. */
      readonly placements: { work(claimed: ClaimedTimer): Promise<void> };
      readonly log: Log;
    },
  ) {}

  async start(): Promise<void> {
    this.parts.runner.onWait = (scope, payment) => {
      this.watch(scope, payment);
    };
    this.#unlisten = await this.parts.database.listen('journeys', (subject) => {
      const watched = this.#watched.get(subject);
      if (watched !== undefined) this.wake(watched.scope, watched.paymentId);
    });
    this.#loops = Promise.all([
      this.#poll(LOCK_TIMER_KINDS, this.#lockSeats),
      this.#poll(PAYMENT_TIMER_KINDS, this.#seats),
      this.#poll(ORDER_TIMER_KINDS, this.#orderSeats),
    ]);
  }

  /** Remembers whose card session or link it is, so that its end is heard at once. Forgetting one costs seconds, not money. */
  watch(
    scope: Scope,
    { id, intentId, terminalSessionId }: Pick<TablePayment, 'id' | 'intentId' | 'terminalSessionId'>,
  ): void {
    const told = terminalSessionId ?? intentId;
    if (told === null) return;
    if (this.#watched.size >= WATCHED_MAX) this.#watched.clear();
    this.#watched.set(told, { scope, paymentId: id });
  }

  /**
   * Steps the payment beside everything else. A wake that comes while it is being stepped steps it once more. Without a
   * seat for its account it is left to the queue.
   */
  wake(scope: Scope, paymentId: string): void {
    const waking = this.#waking.get(paymentId);
    if (waking !== undefined) waking.again = true;
    else if (!this.#stopping.signal.aborted) {
      const leave = this.#seats.take(scope);
      if (leave !== null) this.#track(() => this.#runAwake(scope, paymentId), leave);
    }
  }

  /** A seat for `follow`, taken before anything is begun. Throws RESOURCE_EXHAUSTED when the account has too much under way. */
  requireSeat(scope: Scope): Leave {
    return this.#followed.require(scope);
  }

  /** Has work done beside everything else that somebody has begun already; it is waited for at the end. */
  follow(work: () => Promise<void>, leave: Leave): void {
    this.#track(work, leave);
  }

  /** Takes nothing new; what is being worked gets a while to end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#unlisten?.();
    await this.#loops;
    const timer = new AbortController();
    const late = pause(DRAIN_LIMIT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), late]);
    timer.abort();
  }

  async #runAwake(scope: Scope, paymentId: string): Promise<void> {
    const waking = { again: true };
    this.#waking.set(paymentId, waking);
    try {
      for (let tries = 0; waking.again && tries < WAKE_TRIES_MAX; tries += 1) {
        waking.again = false;
        if (await this.parts.runner.run(scope, paymentId)) continue;
        // Another runner looks at it just now, and may have looked before what woke us.
        waking.again = true;
        await pause(WAKE_AGAIN_MS);
      }
    } finally {
      this.#waking.delete(paymentId);
    }
  }

  /** An account whose claim has not ended, because its sandbox's clock is locked, is left out; no other account waits for it. */
  async #poll(kinds: readonly TimerKind[], room: AccountSeats): Promise<void> {
    const { signal } = this.#stopping;
    const claims = new Map<Scope, Promise<void>>();
    while (!signal.aborted) {
      try {
        const excluded = [...room.full(), ...claims.keys()];
        const scopes = await this.parts.queue.listReadyAccounts(kinds, { limit: ACCOUNTS_AT_ONCE_MAX, excluded });
        // A part for each account, or the first ones would take the seats of all.
        const most = Math.min(CLAIMED_AT_ONCE_MAX, Math.max(1, Math.floor(room.free / scopes.length)));
        for (const scope of this.#stopping.signal.aborted ? [] : scopes) {
          const claim = this.#claimOf(scope, { kinds, room, most }).finally(() => claims.delete(scope));
          claims.set(scope, claim);
        }
      } catch (error) {
        this.parts.log.warn('table_work.poll_failed', { error });
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(claims.values());
  }

  /** Claims what is due of one account. Never rejects. */
  async #claimOf(
    scope: Scope,
    { kinds, room, most }: { readonly kinds: readonly TimerKind[]; readonly room: AccountSeats; readonly most: number },
  ): Promise<void> {
    const { queue, runner, log } = this.parts;
    // Taken before the claim, so that a wake meanwhile cannot have them: what is claimed is worked.
    const seats: Leave[] = [];
    while (seats.length < most) {
      const leave = room.take(scope);
      if (leave === null) break;
      seats.push(leave);
    }
    if (seats.length === 0) return;
    try {
      const due = await queue.claim(scope, kinds, { limit: seats.length, leaseMs: runner.claimMs });
      for (const claimed of due) this.#track(() => this.#work(claimed), seats.pop());
    } catch (error) {
      log.warn('table_work.claim_failed', { account_id: scope.accountId, error });
    } finally {
      for (const leave of seats) leave();
    }
  }

  async #work(claimed: ClaimedTimer): Promise<void> {
    const { runner, keeper, orderLocks, placements } = this.parts;
    if (claimed.kind === 'session-lease') await keeper.work(claimed);
    else if (claimed.kind === 'order-lock') await orderLocks.work(claimed);
    else if (claimed.kind === 'order-placement' || claimed.kind === 'order-release') await placements.work(claimed);
    else if (await runner.work(claimed)) await runner.run(claimed.scope, claimed.subject);
  }

  #track(work: () => Promise<void>, leave?: Leave): void {
    const running = work().catch((error: unknown) => {
      // The row is still there, and its lease ends.
      this.parts.log.error('table_work.failed', { error });
    });
    this.#running.add(running);
    void running.then(() => {
      this.#running.delete(running);
      leave?.();
    });
  }
}
