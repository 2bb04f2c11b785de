import type { RateLimits } from './rate-limit.js';

/** Whoever pays has no key: a browser, which asks for one payment now and then. */
const ADDRESS = { perSecond: 10, burst: 20 };
const ONE_INTENT = { perSecond: 1, burst: 60 };

/** How often an address without a key, and everybody together about one intent may call. */
export class PayerLimits {
  constructor(private readonly limits: RateLimits) {}

  /** Refuses `rate_limited` with the seconds to wait. */
  count({ ip, about }: { readonly ip: string; readonly about: string }): void {
    this.limits.take(`address ${ip}`, ADDRESS);
    this.limits.take(`about ${about}`, ONE_INTENT);
  }
}
