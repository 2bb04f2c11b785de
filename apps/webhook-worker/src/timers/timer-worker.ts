import type { Environment, Scope } from '@pos/core/identity';
import type { Database } from '@pos/store/database';
import { LeaseLost, type ClaimedTimer, type TimerKind, type TimerQueue } from '@pos/store/queues';
import { beginTrace, endSpan, type Log, runInTrace, type Trace } from '@pos/service-kit/telemetry';
import { observeTimer } from '../monitoring/work-metrics.js';
import type { AccountConcurrencyLimiter } from '@pos/service-kit/lifecycle';

/**
 * The effect of a due timer. It completes the claim itself, by `TimerQueue.complete` in its transaction. A claim that
 * it leaves open is worked again when the lease ends.
 */
export type TimerEffect = (claimed: ClaimedTimer) => Promise<void>;

/** The effects of the kinds that this process works. */
export type TimerEffects = Readonly<Partial<Record<TimerKind, TimerEffect>>>;

const ACCOUNTS_PER_PASS_MAX = 8;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Works due timers: claims them per account and hands each to the effect of its kind. */
export class TimerWorker {
  readonly #database: Database;
  readonly #queue: TimerQueue;
  readonly #limiter: AccountConcurrencyLimiter;
  readonly #effects: TimerEffects;
  readonly #kinds: readonly TimerKind[];
  readonly #log: Log;
  readonly #leaseMs: number;
  readonly #environment: Environment | null;
  #isStopping = false;

  constructor(parts: {
    database: Database;
    queue: TimerQueue;
    limiter: AccountConcurrencyLimiter;
    effects: TimerEffects;
    log: Log;
    leaseMs: number;
    /** Works the timers of one environment only; null or left out: of both. */
    environment?: Environment | null;
  }) {
    this.#database = parts.database;
    this.#queue = parts.queue;
    this.#limiter = parts.limiter;
    this.#effects = parts.effects;
    this.#kinds = Object.keys(parts.effects) as TimerKind[];
    this.#log = parts.log;
    this.#leaseMs = parts.leaseMs;
    this.#environment = parts.environment ?? null;
  }

  /**
   * One pass: claims due timers while slots are free and starts them. True when it claimed any. Calls `onSlotFree` whenever
   * one of them has ended.
   */
  async runPass(onSlotFree: () => void): Promise<boolean> {
    const { freeSlots } = this.#limiter;
    if (freeSlots <= 0 || this.#isStopping || this.#kinds.length === 0) return false;
    const limit = Math.min(freeSlots, ACCOUNTS_PER_PASS_MAX);
    const excludedScopes = this.#limiter.listFullAccounts();
    const scopes = await this.#queue.listReadyAccounts(this.#kinds, {
      limit,
      excluded: excludedScopes,
      environment: this.#environment,
    });
    if (scopes.length === 0) return false;
    const share = Math.max(1, Math.floor(freeSlots / scopes.length));
    const claimedCounts = await Promise.all(scopes.map((scope) => this.#claimTimers(scope, share, onSlotFree)));
    return claimedCounts.some((count) => count > 0);
  }

  /** Claims no more timers. Resolves when the running effects have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#limiter.drain();
  }

  async #claimTimers(scope: Scope, share: number, onSlotFree: () => void): Promise<number> {
    const limit = Math.min(share, this.#limiter.getFreeSlotsFor(scope));
    if (limit <= 0) return 0;
    const claimed = await this.#queue.claim(scope, this.#kinds, { limit, leaseMs: this.#leaseMs });
    for (const timer of claimed) this.#limiter.run(scope, this.#workTimer(timer), onSlotFree);
    return claimed.length;
  }

  /** Works one timer. Never rejects. */
  #workTimer(timer: ClaimedTimer): Promise<void> {
    const trace = beginTrace();
    return runInTrace(trace, async () => {
      const startedAt = performance.now();
      const fields = {
        account_id: timer.scope.accountId,
        kind: timer.kind,
        subject: timer.subject,
        attempt: timer.attempts,
      };
      const tookMs = (): number => Math.round(performance.now() - startedAt);
      try {
        const effect = this.#effects[timer.kind];
        if (effect === undefined) return;
        await effect(timer);
        this.#observe(timer, 'worked', { trace, startedAtMs: startedAt });
        this.#log.info('timer.worked', { ...fields, took_ms: tookMs() });
      } catch (error) {
        if (error instanceof LeaseLost) {
          this.#observe(timer, 'lost', { trace, startedAtMs: startedAt });
          this.#log.warn('timer.lost', { ...fields, took_ms: tookMs() });
          return;
        }
        this.#observe(timer, 'failed', { trace, startedAtMs: startedAt });
        this.#log.error('timer.failed', { ...fields, took_ms: tookMs(), error });
        await this.#rescheduleTimer(timer);
      }
    });
  }

  #observe(
    { kind }: ClaimedTimer,
    outcome: 'worked' | 'lost' | 'failed',
    work: { readonly trace: Trace; readonly startedAtMs: number },
  ): void {
    observeTimer(kind, outcome, (performance.now() - work.startedAtMs) / 1_000);
    const attributes = { 'pos.outcome': outcome };
    endSpan({ name: `timer ${kind}`, kind: 'internal' }, work, { attributes, hasFailed: outcome === 'failed' });
  }

  /** Retries a failed effect after a growing pause, before its lease ends. */
  async #rescheduleTimer(timer: ClaimedTimer): Promise<void> {
    const inMs = Math.min(RETRY_FIRST_MS * 2 ** (timer.attempts - 1), RETRY_MAX_MS);
    try {
      await this.#database.transact(timer.scope, (tx) => this.#queue.complete(tx, timer, { inMs }));
    } catch (error) {
      if (!(error instanceof LeaseLost))
        this.#log.error('timer.release_failed', { kind: timer.kind, subject: timer.subject, error });
    }
  }
}
