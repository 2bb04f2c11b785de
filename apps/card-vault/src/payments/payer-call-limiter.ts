import { readClientSecret } from '@pos/core/ids';
import { createInvalidSecretRefusal } from '@pos/core/online';
import type { RateLimiter } from '@pos/core/rate-limits';
import { readSecretClaim, matchesSecret, requireAnswerable } from '@pos/payments/online';
import { completeChallenge } from '@pos/rest-contracts/card-vault';
import type { Operation } from '@pos/rest-contracts/operation';
import { PayerRateLimiter } from '@pos/service-kit/auth';
import type { Database } from '@pos/store/database';

/**
 * Limits the calls of payers' browsers. Only calls with the secret of an intent count against that intent, so callers
 * without it cannot use up the limit. Challenges have their own limit, so earlier refusals never block one.
 */
export class PayerCallLimiter {
  readonly #limiter: PayerRateLimiter;

  constructor(
    private readonly database: Database,
    limits: RateLimiter,
  ) {
    this.#limiter = new PayerRateLimiter(limits);
  }

  /**
   * Refuses `rate_limited` with the seconds to wait, and then an invalid secret, before the body is read. `secret` is
   * the text of the header.
   */
  async countCall(
    operation: Operation,
    { ip, secret }: { readonly ip: string; readonly secret: unknown },
  ): Promise<void> {
    await this.#limiter.countAddressCall(ip);
    const subject = typeof secret === 'string' ? readClientSecret(secret) : null;
    if (typeof secret !== 'string' || subject === null) {
      await this.#limiter.countUnauthenticatedCall({ ip, about: 'nothing' });
      if (typeof secret === 'string') throw createInvalidSecretRefusal();
      return;
    }
    const purpose = operation.id === completeChallenge.id ? 'challenge' : 'submission';
    const claim = readSecretClaim(secret);
    const isAuthenticated = await this.database.read(claim.scope, (reader) => matchesSecret(reader, claim, purpose));
    const intentId = subject.intentId;
    if (isAuthenticated) {
      await this.#limiter.countAuthenticatedCall({ ip, kind: purpose, about: intentId });
      return;
    }
    await this.#limiter.countUnauthenticatedCall({ ip, about: intentId });
    await this.database.read(claim.scope, (reader) => requireAnswerable(reader, claim));
  }
}
