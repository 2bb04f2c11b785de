import { findAddressGroup, type RateLimiter } from '@pos/core/rate-limits';

/** The limit of an address without a key: a payer's browser, which sends few requests for one payment. */
const ADDRESS_LIMIT = { perSecond: 10, burst: 20 };
const INTENT_LIMIT = { perSecond: 1, burst: 60 };
/** One address gets two thirds of an intent's limit and leaves a third to the others. */
const ADDRESS_INTENT_LIMIT = { perSecond: 2 / 3, burst: 40 };

/**
 * Limits the calls of an address without a key, and the calls about one intent. All addresses of an IPv6 subscriber
 * count as one. Refuses `rate_limited`.
 */
export class PayerRateLimiter {
  constructor(private readonly limits: RateLimiter) {}

  /** Counts a call that needs no more than the intent's id. */
  async countPublicCall({ ip, about }: { readonly ip: string; readonly about: string }): Promise<void> {
    await this.countAddressCall(ip);
    await this.limits.take(`${findAddressGroup(ip)} about ${about}`, ADDRESS_INTENT_LIMIT);
    await this.limits.take(`about ${about}`, INTENT_LIMIT);
  }

  /** Counts a call before its credentials are read. */
  async countAddressCall(ip: string): Promise<void> {
    await this.limits.take(`address ${findAddressGroup(ip)}`, ADDRESS_LIMIT);
  }

  /** Counts a call with a wrong secret against its address only, so that it does not use up the payer's limit. */
  async countUnauthenticatedCall({ ip, about }: { readonly ip: string; readonly about: string }): Promise<void> {
    await this.limits.take(`${findAddressGroup(ip)} guessing ${about}`, INTENT_LIMIT);
  }

  /**
   * Counts a call with a secret of the intent; each kind has its own limit. Everybody with the link can have a secret, so
   * one address leaves a third of the limit to the others.
   */
  async countAuthenticatedCall({
    ip,
    kind,
    about,
  }: {
    readonly ip: string;
    readonly kind: string;
    readonly about: string;
  }): Promise<void> {
    await this.limits.take(`${findAddressGroup(ip)} ${kind} about ${about}`, ADDRESS_INTENT_LIMIT);
    await this.limits.take(`${kind} about ${about}`, INTENT_LIMIT);
  }
}
