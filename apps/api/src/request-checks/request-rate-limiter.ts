import type { RateLimiter } from '@pos/core/rate-limits';
import type { Operation } from '@pos/rest-contracts/operation';
import type { ApiKeyHolder } from '@pos/service-kit/request-checks';
import { PayerRateLimiter } from '@pos/service-kit/auth';

/** The origin and the subject of a request. */
export interface CountedRequest {
  readonly ip: string;
  readonly params: unknown;
}

const BURST_SECONDS = 2;

/**
 * Limits the calls of a key, of an address without a key, and of all addresses together for one intent. Refuses with
 * `rate_limited` and the seconds to wait.
 */
export class RequestRateLimiter {
  readonly #payerLimiter: PayerRateLimiter;

  constructor(
    private readonly perSecond: number,
    private readonly limits: RateLimiter,
  ) {
    this.#payerLimiter = new PayerRateLimiter(limits);
  }

  async countRequest(
    { ip, params }: CountedRequest,
    { permission, crossOrigin }: Operation,
    holder: ApiKeyHolder | null,
  ): Promise<void> {
    if (holder !== null) {
      const perSecond = holder.ratePerSecond ?? this.perSecond;
      await this.limits.take(`key ${holder.actor ?? holder.keyId}`, { perSecond, burst: perSecond * BURST_SECONDS });
    } else if (permission === null && crossOrigin === true) {
      await this.#payerLimiter.countPublicCall({ ip, about: JSON.stringify(params) });
    }
  }
}
