import { addressGroup } from '@pos/core/address-group';
import type { RateLimiter } from '@pos/core/rate-limit';

/** Whoever pays has no key: a browser, which asks for one payment now and then. */
const ADDRESS = { perSecond: 10, burst: 20 };
const ONE_INTENT = { perSecond: 1, burst: 60 };
/** Of what an intent has, one address leaves a third to the others. */
const SHARE_OF_ADDRESS = { perSecond: 2 / 3, burst: 40 };

/**
 * How often an address without a key may call, and how often it is called about one intent. All addresses of an IPv6
 * subscriber count as one. Refuses `rate_limited`.
 */
export class PayerLimits {
  constructor(private readonly limits: RateLimiter) {}

  /** A call that needs no more than the intent's id. */
  async countPublic({ ip, about }: { readonly ip: string; readonly about: string }): Promise<void> {
    await this.countAddress(ip);
    await this.limits.take(`${addressGroup(ip)} about ${about}`, SHARE_OF_ADDRESS);
    await this.limits.take(`about ${about}`, ONE_INTENT);
  }

  /** A call of which nothing else is known yet. */
  async countAddress(ip: string): Promise<void> {
    await this.limits.take(`address ${addressGroup(ip)}`, ADDRESS);
  }

  /** A call with a secret that is not the intent's: it is the caller's own loss, and not that of who pays. */
  async countUnproved({ ip, about }: { readonly ip: string; readonly about: string }): Promise<void> {
    await this.limits.take(`${addressGroup(ip)} guessing ${about}`, ONE_INTENT);
  }

  /** A call of who pays; of another kind it is counted apart. */
  async countProved({ kind, about }: { readonly kind: string; readonly about: string }): Promise<void> {
    await this.limits.take(`${kind} about ${about}`, ONE_INTENT);
  }
}
