import { readClientSecret } from '@pos/core/identity/ids';
import { createInvalidSecretRefusal } from '@pos/core/online/online-attempt';
import type { RateLimiter } from '@pos/core/rate-limits/rate-limit';
import { readSecretClaim, matchesSecret, requireAnswerable } from '@pos/payments/online/payer-secret';
import { completeChallenge } from '@pos/rest-contracts/card-vault/client-payments';
import type { Operation } from '@pos/rest-contracts/operation/operation';
import { PayerRateLimiter } from '@pos/service-kit/auth/payer-rate-limiter';
import type { Database } from '@pos/store/database/database';

/**
 * Counts what payers' browsers send. Into what one intent may have goes only what comes with its secret, so whoever
 * knows no secret takes nothing from who pays; and a payer who has begun is heard to the end, whatever was refused before.
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
   * Refuses `rate_limited` with the seconds to wait, and then a secret that proves nothing: its sender's body is not read.
   * The secret is the header's text.
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
      await this.#limiter.countAuthenticatedCall({ kind: purpose, about: intentId });
      return;
    }
    await this.#limiter.countUnauthenticatedCall({ ip, about: intentId });
    await this.database.read(claim.scope, (reader) => requireAnswerable(reader, claim));
  }
}
