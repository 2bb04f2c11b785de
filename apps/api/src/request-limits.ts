import type { RateLimiter } from '@pos/core/rate-limit';
import type { Operation } from '@pos/rest-contracts/operation';
import type { KeyHolder } from '@pos/service-kit/admission';
import { PayerLimits } from '@pos/service-kit/payer-limits';

/** Of the request only where it comes from and what it is about. */
interface Counted {
  readonly ip: string;
  readonly params: unknown;
}

const BURST_SECONDS = 2;

/**
 * How often a key, an address without a key, and everybody together about one intent may call. Refuses `rate_limited`
 * with the seconds to wait.
 */
export class RequestLimits {
  readonly #payers: PayerLimits;

  constructor(
    private readonly perSecond: number,
    private readonly limits: RateLimiter,
  ) {
    this.#payers = new PayerLimits(limits);
  }

  async count(
    { ip, params }: Counted,
    { permission, crossOrigin }: Operation,
    holder: KeyHolder | null,
  ): Promise<void> {
    if (holder !== null) {
      const perSecond = holder.ratePerSecond ?? this.perSecond;
      await this.limits.take(`key ${holder.keyId}`, { perSecond, burst: perSecond * BURST_SECONDS });
    } else if (permission === null && crossOrigin === true) {
      await this.#payers.countPublic({ ip, about: JSON.stringify(params) });
    }
  }
}
