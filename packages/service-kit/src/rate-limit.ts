import { Refusal } from '@pos/core/refusal';

/** How much at once, and how much of it comes back each second. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const KEPT_MAX = 50_000;

/** Token buckets by name. Each process has its own: behind `n` of them a caller gets at most `n` times as much (ADR 0015). */
export class RateLimits {
  readonly #buckets = new Map<string, Bucket>();

  /** The clock is monotonic and in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes one token. Refuses `rate_limited` with the whole seconds after which there is one again. */
  take(name: string, { burst, perSecond }: Allowance): void {
    const atMs = this.now();
    const bucket = this.#buckets.get(name) ?? { tokens: burst, atMs };
    bucket.tokens = Math.min(burst, bucket.tokens + ((atMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = atMs;
    // Moved to the end, so that the longest unused are the first ones.
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    this.#forget();
    if (bucket.tokens < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
      throw new Refusal('rate_limited', 'Too many requests; slow down.', { data: { retryAfterSeconds } });
    }
    bucket.tokens -= 1;
  }

  /** Whoever is forgotten begins with a full bucket: with so many callers that is the lesser evil. */
  #forget(): void {
    if (this.#buckets.size <= KEPT_MAX) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
