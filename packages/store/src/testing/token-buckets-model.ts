import type { TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import { SharedRateLimiter } from '../rate-limits/shared-rate-limiter.js';

interface BucketRow {
  readonly tokens: number;
  readonly atMs: number;
}

const INVERSION_MAX_MS = 1_000;

/**
 * The behaviour of the relation `token_buckets`, with a clock of the test; `token-buckets.test.ts` compares the two.
 */
export class TokenBucketsModel {
  readonly #rows = new Map<string, BucketRow>();

  constructor(private readonly now: () => number) {}

  take({ name, allowance, spent, aloneSeconds, wanted }: TokenRequest): TokenGrant {
    const { burst, perSecond } = allowance;
    const nowMs = this.now();
    const row = this.#rows.get(name) ?? { tokens: burst, atMs: -Infinity };
    const atMs = row.atMs > nowMs + INVERSION_MAX_MS ? nowMs : Math.max(row.atMs, nowMs);
    const passed = Math.max(0, nowMs - row.atMs) / 1000;
    const since = Math.min(aloneSeconds, passed);
    const earlier = Math.max(0, aloneSeconds - passed);
    const filled = Math.min(burst, row.tokens + (passed - since) * perSecond) + since * perSecond;
    const charged = spent - Math.min(Math.max(0, spent), earlier * perSecond);
    const left = Math.max(-burst, Math.min(burst, filled - charged));
    const granted = Math.max(0, Math.min(wanted, Math.floor(left)));
    this.#rows.set(name, { tokens: left - granted, atMs });
    return { granted, tokens: left - granted };
  }
}

/** Limits of one process on its own buckets, with a clock of the test. */
export function createModelLimiter(now: () => number): SharedRateLimiter {
  const model = new TokenBucketsModel(now);
  const takeTokens = (requests: readonly TokenRequest[]) => Promise.resolve(requests.map((each) => model.take(each)));
  return new SharedRateLimiter({ takeTokens }, { now, waitMs: 60_000 });
}
