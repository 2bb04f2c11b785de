import { Injectable } from '@nestjs/common';
import { isId } from '@pos/core/identity/identity';
import { Refusal } from '@pos/core/refusals/refusal';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { Database } from '@pos/store/database/database';

/** Which pages may embed the card fields: the account of an intent registers their origins. */
@Injectable()
export class EmbeddingOrigins {
  constructor(
    private readonly database: Database,
    private readonly intents: PaymentIntents,
    private readonly setups: SetupIntents,
  ) {}

  /**
   * The origins for an intent of either kind. Refuses an intent that payers cannot read: an unknown, cancelled or expired
   * one. A change of the setting takes effect within two seconds.
   */
  async listOrigins(intentId: string): Promise<readonly string[]> {
    const owner = isId('setupIntent', intentId) ? this.setups : this.intents;
    const scope = await owner.findScope(this.database, intentId);
    const { account } = await this.database.read(scope, (reader) => owner.getPublic(reader, intentId));
    return account.settings.embeddingOrigins[scope.environment];
  }
}

export function createUnregisteredOriginRefusal(origin: string | undefined): Refusal {
  const detail =
    origin === undefined
      ? 'The header origin is needed: only pages embed the card fields.'
      : 'The account has not registered the origin of this page in embeddingOrigins.';
  return new Refusal('page_origin_not_registered', detail);
}
