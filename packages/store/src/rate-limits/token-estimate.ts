import type { RateLimit, TokenGrant } from '@pos/core/rate-limits';
import { Refusal } from '@pos/core/refusals';

/** A call that waits for a token. */
export interface WaitingCall {
  /** When it began to wait. */
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (refusal: Refusal) => void;
}

/** The request for one bucket, and the calls that wait for its answer. */
export interface EstimateReport {
  readonly spent: number;
  /** Since when it was counted alone; the time of the report if it was not. */
  readonly sinceMs: number;
  readonly waiters: readonly WaitingCall[];
}

/** While a bucket is empty, a process collects refilled tokens for this time before the next request. */
const COLLECT_MS = 50;

/**
 * One process's estimate of a shared bucket. It never has fewer tokens than the bucket itself, because only other
 * processes can have taken some: what it refuses, the bucket would refuse, too.
 */
export class TokenEstimate {
  tokens: number;
  /** Taken without a request and not reported yet; below zero: returned. */
  spent = 0;
  /** Calls that wait for the next request; each has taken its token of the estimate. */
  readonly waiters: WaitingCall[] = [];
  /** Since when some of the spent tokens were counted by this process alone. */
  #standaloneSinceMs: number | null = null;
  /** Reported and not answered yet. */
  #reported = 0;
  #atMs: number;
  #closedUntilMs = 0;

  constructor(
    readonly name: string,
    public allowance: RateLimit,
    nowMs: number,
  ) {
    this.tokens = allowance.burst;
    this.#atMs = nowMs;
  }

  /** The number of taken tokens that the bucket may not contain yet. */
  get unconfirmed(): number {
    return this.spent + this.#reported;
  }

  refill(allowance: RateLimit, nowMs: number): void {
    this.allowance = allowance;
    const filled = this.tokens + ((nowMs - this.#atMs) / 1000) * allowance.perSecond;
    this.tokens = Math.min(allowance.burst, filled);
    this.#atMs = nowMs;
  }

  /** Refuses `rate_limited` if the bucket certainly has no token. */
  takeToken(nowMs: number): void {
    if (this.tokens < 1) {
      // Collected for a moment, because otherwise a flood would query the database for every single refilled token.
      const collects = this.allowance.perSecond * COLLECT_MS > 1000;
      if (collects && nowMs >= this.#closedUntilMs) this.#closedUntilMs = nowMs + COLLECT_MS;
      throw this.createRefusal();
    }
    if (nowMs < this.#closedUntilMs) throw this.createRefusal();
    this.tokens -= 1;
  }

  returnToken(): void {
    this.tokens = Math.min(this.allowance.burst, this.tokens + 1);
    this.spent -= 1;
    if (this.spent <= 0) this.#standaloneSinceMs = null;
  }

  /** Counts tokens of calls that the database did not answer in time; the other processes have not counted them. */
  spendStandalone(tokens: number, sinceMs: number): void {
    this.spent += tokens;
    if (tokens > 0) this.#standaloneSinceMs = Math.min(this.#standaloneSinceMs ?? Infinity, sinceMs);
  }

  beginReport(nowMs: number): EstimateReport {
    const report = { spent: this.spent, sinceMs: this.#standaloneSinceMs ?? nowMs, waiters: this.waiters.splice(0) };
    this.spent = 0;
    this.#standaloneSinceMs = null;
    // Another process may take a returned token the next moment.
    this.#reported = Math.max(0, report.spent);
    return report;
  }

  endReport({ tokens }: TokenGrant, nowMs: number): void {
    this.#reported = 0;
    // Tokens that were counted alone meanwhile are charged as the bucket charges them: less the refill of that time.
    const aloneSeconds = (nowMs - (this.#standaloneSinceMs ?? nowMs)) / 1000;
    const charged = this.spent - Math.min(Math.max(0, this.spent), aloneSeconds * this.allowance.perSecond);
    this.tokens = Math.min(this.allowance.burst, tokens - charged - this.waiters.length);
    this.#atMs = nowMs;
  }

  /** The report probably did not arrive, and all of its waiters have continued. */
  revertReport({ spent, sinceMs, waiters }: EstimateReport): void {
    this.#reported = 0;
    this.spendStandalone(spent + waiters.length, sinceMs);
  }

  /** The seconds to wait are those until the bucket can have a token, at least one. */
  createRefusal(): Refusal {
    const { perSecond, detail = 'Too many requests; slow down.' } = this.allowance;
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - this.tokens) / perSecond));
    return new Refusal('rate_limited', detail, { data: { retryAfterSeconds } });
  }
}
