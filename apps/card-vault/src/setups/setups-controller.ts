import { Controller } from '@nestjs/common';
import type { Scope } from '@pos/core/identity';
import { CardSetups } from '@pos/payments/setups-with-card';
import { presentSetup } from '@pos/rest-contracts/present-setup-intent';
import { readSetupWish } from '@pos/rest-contracts/read-setup-wish';
import { createSetupIntentWithCard } from '@pos/rest-contracts/setup-with-card';
import { type Call, Reply, Serve } from '@pos/service-kit/serve';
import { beginOperation, completeOperation, releaseOperation } from '@pos/store/resumable';
import { describeCard, type GivenCard } from '../acquirer/given-card.js';
import { Vault } from '../vault.js';
import { VaultDatabase } from '../vault-database.js';
import { cardFreeKey } from './card-free-key.js';

/** What a merchant creates with a card in hand. The number goes to the acquirer and into the safe, and nowhere else. */
@Controller()
export class SetupsController {
  constructor(
    private readonly store: VaultDatabase,
    private readonly setups: CardSetups,
    private readonly vault: Vault,
  ) {}

  @Serve(createSetupIntentWithCard)
  async create({ body, caller, idempotency }: Call<typeof createSetupIntentWithCard>) {
    const { card: sent, ...wished } = body;
    const { cardNumber: number, expiryDate: expiry, cv2, cardName: name } = sent;
    const card: GivenCard = { number, expiry, cv2, name };
    const wish = readSetupWish(wished);
    const asked = {
      scope: caller.scope,
      idempotency: idempotency === null ? null : cardFreeKey(idempotency),
      partners: caller,
    };
    const { database } = this.store;
    const keep = this.vault.keeping(number);
    const begun = await beginOperation(database, asked, (tx) =>
      this.setups.beginSetup(tx, wish, { card: describeCard(card), storeCard: keep }),
    );
    if (begun.kind === 'answered') {
      const { status, body: stored } = begun.answer;
      return new Reply({ status, body: JSON.stringify(stored) }, true);
    }
    try {
      const made = await this.#authorised(caller.scope, begun.point, card);
      await completeOperation(database, asked, { status: 200, body: made });
      return made;
    } catch (error) {
      await releaseOperation(database, asked, begun.point);
      throw error;
    }
  }

  async #authorised(scope: Scope, reference: string, card: GivenCard) {
    await this.setups.authoriseCard(scope, reference, (order) => this.vault.acquirerOf(scope).authorise(order, card));
    const { database } = this.store;
    return presentSetup(await database.readSnapshot(scope, (reader) => this.setups.getResult(reader, reference)));
  }
}
