import { findAddressGroup } from '@pos/core/rate-limits/address-group';
import type { RateLimiter } from '@pos/core/rate-limits/rate-limit';

/** Whoever pays has no key: a browser, which asks for one payment now and then. */
const ADDRESS_LIMIT = { perSecond: 10, burst: 20 };
const INTENT_LIMIT = { perSecond: 1, burst: 60 };
/** Of what an intent has, one address leaves a third to the others. */
const ADDRESS_INTENT_LIMIT = { perSecond: 2 / 3, burst: 40 };

/**
 * How often an address without a key may call, and how often it is called about one intent. All addresses of an IPv6
 * subscriber count as one. Refuses `rate_limited`.
 */
export class PayerRateLimiter {
  constructor(private readonly limits: RateLimiter) {}

  /** A call that needs no more than the intent's id. */
  async countPublicCall({ ip, about }: { readonly ip: string; readonly about: string }): Promise<void> {
    await this.countAddressCall(ip);
    await this.limits.take(`${findAddressGroup(ip)} about ${about}`, ADDRESS_INTENT_LIMIT);
    await this.limits.take(`about ${about}`, INTENT_LIMIT);
  }

  /** A call of which nothing else is known yet. */
  async countAddressCall(ip: string): Promise<void> {
    await this.limits.take(`address ${findAddressGroup(ip)}`, ADDRESS_LIMIT);
  }

  /** A call with a secret that is not the intent's: it is the caller's own loss, and not that of who pays. */
  async countUnauthenticatedCall({ ip, about }: { readonly ip: string; readonly about: string }): Promise<void> {
    await this.limits.take(`${findAddressGroup(ip)} guessing ${about}`, INTENT_LIMIT);
  }

  /** A call of who pays; of another kind it is counted apart. */
  async countAuthenticatedCall({ kind, about }: { readonly kind: string; readonly about: string }): Promise<void> {
    await this.limits.take(`${kind} about ${about}`, INTENT_LIMIT);
  }
}
