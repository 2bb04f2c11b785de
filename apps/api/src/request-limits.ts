import type { Operation } from '@pos/rest-contracts/operation';
import type { KeyHolder } from '@pos/service-kit/admission';
import { RateLimits } from '@pos/service-kit/rate-limit';

/** Of the request only where it comes from and what it is about. */
interface Counted {
  readonly ip: string;
  readonly params: unknown;
}

const BURST_SECONDS = 2;
/** Whoever pays has no key: a browser, which asks for one payment now and then. */
const ADDRESS = { perSecond: 10, burst: 20 };
const ONE_INTENT = { perSecond: 1, burst: 60 };

/**
 * How often a key, an address without a key, and everybody together about one intent may call. Refuses `rate_limited`
 * with the seconds to wait.
 */
export class RequestLimits {
  readonly #limits: RateLimits;

  /** The clock is monotonic and in milliseconds; the process's own when left out. */
  constructor(
    private readonly perSecond: number,
    now?: () => number,
  ) {
    this.#limits = new RateLimits(now);
  }

  count({ ip, params }: Counted, { permission, crossOrigin }: Operation, holder: KeyHolder | null): void {
    if (holder !== null) {
      const perSecond = holder.ratePerSecond ?? this.perSecond;
      this.#limits.take(`key ${holder.keyId}`, { perSecond, burst: perSecond * BURST_SECONDS });
    } else if (permission === null && crossOrigin === true) {
      this.#limits.take(`address ${ip}`, ADDRESS);
      this.#limits.take(`about ${JSON.stringify(params)}`, ONE_INTENT);
    }
  }
}
