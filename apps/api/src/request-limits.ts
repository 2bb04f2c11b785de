import type { Operation } from '@pos/rest-contracts/operation';
import type { KeyHolder } from '@pos/service-kit/admission';
import { PayerLimits } from '@pos/service-kit/payer-limits';
import { RateLimits } from '@pos/service-kit/rate-limit';

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
  readonly #limits: RateLimits;
  readonly #payers: PayerLimits;

  /** The clock is monotonic and in milliseconds; the process's own when left out. */
  constructor(
    private readonly perSecond: number,
    now?: () => number,
  ) {
    this.#limits = new RateLimits(now);
    this.#payers = new PayerLimits(this.#limits);
  }

  count({ ip, params }: Counted, { permission, crossOrigin }: Operation, holder: KeyHolder | null): void {
    if (holder !== null) {
      const perSecond = holder.ratePerSecond ?? this.perSecond;
      this.#limits.take(`key ${holder.keyId}`, { perSecond, burst: perSecond * BURST_SECONDS });
    } else if (permission === null && crossOrigin === true) {
      this.#payers.countPublic({ ip, about: JSON.stringify(params) });
    }
  }
}
