import { readClientSecret } from '@pos/core/ids';
import { secretInvalid } from '@pos/core/online-attempt';
import type { RateLimiter } from '@pos/core/rate-limit';
import { readSecretClaim, matchesSecret, requireAnswerable } from '@pos/payments/payer-secret';
import { completeChallenge } from '@pos/rest-contracts/client-payments';
import type { Operation } from '@pos/rest-contracts/operation';
import { PayerLimits } from '@pos/service-kit/payer-limits';
import type { Database } from '@pos/store/database';

/**
 * Counts what payers' browsers send. Into what one intent may have goes only what comes with its secret, so whoever
 * knows no secret takes nothing from who pays; and a payer who has begun is heard to the end, whatever was refused before.
 */
export class PayerCalls {
  readonly #payers: PayerLimits;

  constructor(
    private readonly database: Database,
    limits: RateLimiter,
  ) {
    this.#payers = new PayerLimits(limits);
  }

  /**
   * Refuses `rate_limited` with the seconds to wait, and then a secret that proves nothing: its sender's body is not read.
   * The secret is the header's text.
   */
  async count(operation: Operation, { ip, secret }: { readonly ip: string; readonly secret: unknown }): Promise<void> {
    await this.#payers.countAddress(ip);
    const subject = typeof secret === 'string' ? readClientSecret(secret) : null;
    if (typeof secret !== 'string' || subject === null) {
      await this.#payers.countUnproved({ ip, about: 'nothing' });
      if (typeof secret === 'string') throw secretInvalid();
      return;
    }
    const purpose = operation.id === completeChallenge.id ? 'challenge' : 'submission';
    const claim = readSecretClaim(secret);
    const isProved = await this.database.read(claim.scope, (reader) => matchesSecret(reader, claim, purpose));
    const about = subject.intentId;
    if (isProved) {
      await this.#payers.countProved({ kind: purpose, about });
      return;
    }
    await this.#payers.countUnproved({ ip, about });
    await this.database.read(claim.scope, (reader) => requireAnswerable(reader, claim));
  }
}
