import { Injectable } from '@nestjs/common';
import type { Account } from '@pos/core/accounts';
import { isId } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { SetupIntents } from '@pos/payments/setup-intents';
import { getAccountTime } from '@pos/store/clock';
import { Database, type Reader } from '@pos/store/database';

/** An intent of either kind, as far as it decides whether fields are displayed. */
interface EmbeddableIntent {
  readonly status: string;
  readonly expireAt: Date;
  readonly account: Account;
}

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
    const isSetup = isId('setupIntent', intentId);
    const scope = await (isSetup ? this.setups : this.intents).findScope(this.database, intentId);
    const { account } = await this.database.read(scope, async (reader) => {
      const intent = await (isSetup ? this.#readSetup(reader, intentId) : this.#readPayment(reader, intentId));
      // The worker that ends an expired intent may be late.
      const isExpired = intent.status === 'Created' && intent.expireAt <= (await getAccountTime(reader));
      if (isExpired) throw createExpiredRefusal(isSetup);
      return intent;
    });
    return account.settings.embeddingOrigins[scope.environment];
  }

  async #readPayment(reader: Reader, id: string): Promise<EmbeddableIntent> {
    const { intent, account } = await this.intents.getPublic(reader, id);
    return { ...intent, account };
  }

  async #readSetup(reader: Reader, id: string): Promise<EmbeddableIntent> {
    const { setup, account } = await this.setups.getPublic(reader, id);
    return { ...setup, account };
  }
}

function createExpiredRefusal(isSetup: boolean): Refusal {
  const code = isSetup ? 'setup_intent_not_found' : 'payment_intent_not_found';
  return new Refusal(code, 'the time of the intent is over');
}

export function createUnregisteredOriginRefusal(origin: string | undefined): Refusal {
  const detail =
    origin === undefined
      ? 'The header origin is needed: only pages embed the card fields.'
      : 'The account has not registered the origin of this page in embeddingOrigins.';
  return new Refusal('page_origin_not_registered', detail);
}
