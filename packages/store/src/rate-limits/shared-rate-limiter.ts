import { assert } from '@pos/core/refusals';
import { type RateLimit, type RateLimiter, type TokenGrant, computeTrustedTokens } from '@pos/core/rate-limits';
import type { Database } from '../database/database.js';
import { type EstimateReport, TokenEstimate } from './token-estimate.js';

/** The timing of a limiter; every default is the production value. */
interface RateLimitOptions {
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** How long a request waits for the database before it is counted by this process alone. */
  readonly waitMs?: number;
  /** Is called when the process begins to count alone, and when it counts with the others again. */
  readonly onStandaloneChange?: StandaloneCallback;
}

/** The error is the reason, if the database answered with one. */
type StandaloneCallback = (isStandalone: boolean, error: unknown) => void;

/** The log in which a process reports that it counts alone. */
interface RateLimitLog {
  info(event: string): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
}

interface BucketRequest extends EstimateReport {
  readonly estimate: TokenEstimate;
}

/** A statement that is under way. */
interface BatchInFlight {
  readonly batch: readonly BucketRequest[];
  /** Its waiters have continued without it. */
  isLate: boolean;
}

const ESTIMATES_MAX = 50_000;
const BATCH_MAX = 200;
const WAIT_MS = 250;
/** How long spent tokens stay unreported while no call waits. */
const REPORT_PAUSE_MS = 50;
/** How often a process that counts alone checks whether the database answers in time again. */
const RETRY_PAUSE_MS = 1_000;

/**
 * Token buckets by name that all processes of an app share (ADR 0059). A process admits a few calls on trust and
 * reports them in the background; beyond that it requests tokens, for all waiting calls with one statement. While
 * the database does not answer in time, no call waits and each process applies the whole limit by itself; it reports
 * those calls later.
 */
export class SharedRateLimiter implements RateLimiter {
  readonly #source: Pick<Database, 'takeTokens'>;
  readonly #now: () => number;
  readonly #waitMs: number;
  readonly #onStandalone: StandaloneCallback;
  /** The least recently used name comes first. */
  readonly #estimates = new Map<string, TokenEstimate>();
  /** Estimates for which calls wait, the longest wait first; they are requested before anything is reported. */
  readonly #withWaiters = new Set<TokenEstimate>();
  /** Estimates for which no call waits; if there are too many, the oldest are dropped. */
  readonly #unreported = new Set<TokenEstimate>();
  #inFlight: BatchInFlight | null = null;
  #standalone = false;
  #retryAtMs = 0;
  #immediate: NodeJS.Immediate | null = null;
  #pause: NodeJS.Timeout | null = null;

  constructor(
    source: Pick<Database, 'takeTokens'>,
    { now = () => performance.now(), waitMs = WAIT_MS, onStandaloneChange = () => undefined }: RateLimitOptions = {},
  ) {
    this.#source = source;
    this.#now = now;
    this.#waitMs = waitMs;
    this.#onStandalone = onStandaloneChange;
  }

  /** Connects first, so that the first calls do not wait for that. A database that does not answer is no failure. */
  static async open(source: Pick<Database, 'takeTokens'>, log: RateLimitLog): Promise<SharedRateLimiter> {
    await source.takeTokens([]).catch(() => undefined);
    return new SharedRateLimiter(source, {
      onStandaloneChange: (isStandalone, error) => {
        if (isStandalone) log.warn('rate_limits.counted_alone', { error });
        else log.info('rate_limits.counted_together');
      },
    });
  }

  take(name: string, allowance: RateLimit): void | Promise<void> {
    const nowMs = this.#now();
    const estimate = this.#getEstimate(name, allowance, nowMs);
    estimate.takeToken(nowMs);
    const open = estimate.unconfirmed + 1;
    const trusted = computeTrustedTokens(Math.min(allowance.burst, estimate.tokens + open));
    if (this.#standalone || open <= trusted) {
      if (this.#standalone) estimate.spendStandalone(1, nowMs);
      else estimate.spent += 1;
      // Reported before the trusted tokens are used up, so that a steady caller never waits.
      this.#scheduleReport(estimate, open > 1 && open > trusted / 2);
      return;
    }
    return new Promise((resolve, reject) => {
      estimate.waiters.push({ resolve, reject, sinceMs: nowMs });
      this.#scheduleReport(estimate, true);
    });
  }

  /** Returns one token that was taken. */
  returnToken(name: string, allowance: RateLimit): void {
    const estimate = this.#getEstimate(name, allowance, this.#now());
    estimate.returnToken();
    this.#scheduleReport(estimate, false);
  }

  /**
   * A name that was dropped begins with a full bucket until the database has answered: with so many names that is
   * the lesser evil.
   */
  #getEstimate(name: string, allowance: RateLimit, nowMs: number): TokenEstimate {
    const estimate = this.#estimates.get(name) ?? new TokenEstimate(name, allowance, nowMs);
    estimate.refill(allowance, nowMs);
    this.#estimates.delete(name);
    this.#estimates.set(name, estimate);
    if (this.#estimates.size > ESTIMATES_MAX) {
      const [oldest] = this.#estimates.keys();
      if (oldest !== undefined) this.#estimates.delete(oldest);
    }
    return estimate;
  }

  /** Queues the estimate for the next statement. */
  #enqueue(estimate: TokenEstimate): void {
    if (estimate.waiters.length > 0) {
      this.#unreported.delete(estimate);
      this.#withWaiters.add(estimate);
      return;
    }
    this.#unreported.add(estimate);
    const [oldest] = this.#unreported;
    if (this.#unreported.size > ESTIMATES_MAX && oldest !== undefined) this.#unreported.delete(oldest);
  }

  /** Sends soon: all calls of one turn of the event loop with one statement. */
  #scheduleReport(estimate: TokenEstimate, isUrgent: boolean): void {
    this.#enqueue(estimate);
    if (this.#inFlight !== null) return;
    const retryPauseMs = this.#standalone ? this.#retryAtMs - this.#now() : 0;
    const pauseMs = Math.max(retryPauseMs, isUrgent ? 0 : REPORT_PAUSE_MS);
    if (pauseMs <= 0) this.#immediate ??= setImmediate(() => this.#flush());
    else this.#pause ??= setTimeout(() => this.#flush(), pauseMs).unref();
  }

  #flush(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#immediate = null;
    this.#pause = null;
    if (this.#inFlight !== null) return;
    // The oldest call has waited long enough behind the others.
    const [longest] = this.#withWaiters;
    if (longest !== undefined && this.#remainingMs([longest]) <= 0) this.#enterStandalone();
    const batch = this.#nextBatch();
    if (batch.length > 0) void this.#send({ batch, isLate: false });
  }

  #nextBatch(): BucketRequest[] {
    const nowMs = this.#now();
    const batch = new Map<string, BucketRequest>();
    for (const estimate of concatenate(this.#withWaiters, this.#unreported)) {
      if (batch.size >= BATCH_MAX) break;
      // A name that was dropped and used again has two estimates; a statement takes one of them.
      if (batch.has(estimate.name)) continue;
      this.#withWaiters.delete(estimate);
      this.#unreported.delete(estimate);
      if (estimate.spent === 0 && estimate.waiters.length === 0) continue;
      batch.set(estimate.name, { estimate, ...estimate.beginReport(nowMs) });
    }
    return [...batch.values()];
  }

  async #send(inFlight: BatchInFlight): Promise<void> {
    const { batch } = inFlight;
    this.#inFlight = inFlight;
    // An answer that arrived while the process was busy is read first.
    let turn: NodeJS.Immediate | undefined;
    const limit = setTimeout(
      () => (turn = setImmediate(() => this.#enterStandalone())),
      this.#remainingMs(batch),
    ).unref();
    let hasAnswer = false;
    try {
      const nowMs = this.#now();
      const grants = await this.#source.takeTokens(
        batch.map(({ estimate: { name, allowance }, spent, sinceMs, waiters }) => ({
          ...{ name, allowance, spent, aloneSeconds: (nowMs - sinceMs) / 1000, wanted: waiters.length },
        })),
      );
      hasAnswer = true;
      if (!inFlight.isLate) this.#setStandalone(false);
      for (const [at, request] of batch.entries()) this.#applyGrant(request, grants[at], inFlight.isLate);
    } catch (error) {
      // It is unknown whether the tokens were taken: charging a caller twice is better than not at all.
      for (const request of batch) {
        request.estimate.revertReport(request);
        this.#enqueue(request.estimate);
      }
      this.#enterStandalone(error);
    }
    clearTimeout(limit);
    clearImmediate(turn);
    this.#inFlight = null;
    // After a failure the next call reports, and so finds out whether the database answers again.
    if (hasAnswer) this.#scheduleRest();
  }

  #applyGrant({ estimate, sinceMs, waiters }: BucketRequest, grant: TokenGrant | undefined, isLate: boolean): void {
    assert(grant !== undefined, 'a request for tokens has no answer');
    // All of them have continued: those without a token are reported with the next request.
    if (isLate) estimate.spendStandalone(waiters.length - grant.granted, sinceMs);
    estimate.endReport(grant, this.#now());
    if (isLate) {
      if (estimate.spent !== 0) this.#enqueue(estimate);
      return;
    }
    for (const { resolve } of waiters.slice(0, grant.granted)) resolve();
    for (const { reject } of waiters.slice(grant.granted)) reject(estimate.createRefusal());
  }

  /** Lets all waiting calls continue, because the database does not answer in time. */
  #enterStandalone(error: unknown = null): void {
    this.#setStandalone(true, error);
    this.#retryAtMs = this.#now() + RETRY_PAUSE_MS;
    if (this.#inFlight !== null) {
      this.#inFlight.isLate = true;
      for (const { waiters } of this.#inFlight.batch) for (const { resolve } of waiters) resolve();
    }
    for (const estimate of this.#withWaiters) {
      const waiting = estimate.waiters.splice(0);
      estimate.spendStandalone(waiting.length, waiting[0]?.sinceMs ?? this.#now());
      this.#enqueue(estimate);
      for (const { resolve } of waiting) resolve();
    }
    this.#withWaiters.clear();
  }

  /** How long the oldest waiting call may still wait; the whole time if no call waits. */
  #remainingMs(reports: readonly Pick<EstimateReport, 'waiters'>[]): number {
    const nowMs = this.#now();
    const since = reports.map(({ waiters }) => waiters[0]?.sinceMs ?? nowMs);
    return Math.min(nowMs, ...since) + this.#waitMs - nowMs;
  }

  #setStandalone(isStandalone: boolean, error: unknown = null): void {
    if (this.#standalone === isStandalone) return;
    this.#standalone = isStandalone;
    this.#onStandalone(isStandalone, error);
  }

  #scheduleRest(): void {
    const [awaited] = this.#withWaiters;
    const [next = awaited] = this.#unreported;
    if (next !== undefined) this.#scheduleReport(next, awaited !== undefined || this.#unreported.size >= BATCH_MAX);
  }
}

/** The members of the first set, and then those of the other. */
function* concatenate<Member>(first: Iterable<Member>, other: Iterable<Member>): Generator<Member> {
  yield* first;
  yield* other;
}
