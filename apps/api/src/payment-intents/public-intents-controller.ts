import { Controller } from '@nestjs/common';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { AbandonedChallenges } from '@pos/payments/acquirer-calls';
import { CHALLENGE_ABANDONED_MS } from '@pos/payments/authorisations';
import { AmountChanges } from '@pos/payments/captures-refunds';
import * as rest from '@pos/rest-contracts/payment-intents';
import { changePublicAmount, changePublicTips } from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { Reader, Tx } from '@pos/store/database';
import { ApiDatabase } from '../database/api-database.js';
import { readPayerProof } from './payer-proof-header.js';
import { presentPublicIntent } from './public-intent-presenter.js';

/** What a payer's browser may ask without a key: it knows the intent's id and nothing else. */
@Controller()
export class PublicIntentsController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly intents: PaymentIntents,
    private readonly amounts: AmountChanges,
    private readonly challenges: AbandonedChallenges,
  ) {}

  @Serve(rest.readPublicPaymentIntent)
  async read({ params, headers }: OperationCall<typeof rest.readPublicPaymentIntent>) {
    const scope = await this.intents.findScope(this.store.database, params.paymentIntentId);
    const secret = readPayerProof(headers);
    const query = (reader: Reader) => this.intents.getPublic(reader, params.paymentIntentId, secret);
    // The proof needs statements of its own.
    const view = await (secret === null ? this.store.readSingle(scope, query) : this.store.read(scope, query));
    return presentPublicIntent(view);
  }

  @Serve(rest.refreshPublicClientSecret)
  async refreshSecret({ params }: OperationCall<typeof rest.refreshPublicClientSecret>) {
    const scope = await this.intents.findScope(this.store.database, params.paymentIntentId);
    const view = await this.challenges.runWithoutAbandoned(
      scope,
      (tx) => this.intents.endChallenge(tx, params.paymentIntentId, CHALLENGE_ABANDONED_MS),
      () => this.store.database.transact(scope, (tx) => this.intents.refreshSecretPublic(tx, params.paymentIntentId)),
    );
    return presentPublicIntent(view);
  }

  @Serve(changePublicTips)
  async changeTips({ params, body }: OperationCall<typeof changePublicTips>) {
    return this.#change(params.paymentIntentId, (tx, id) => this.amounts.changeTipsByPayer(tx, id, body.tipsAmount));
  }

  @Serve(changePublicAmount)
  async changeAmount({ params, body }: OperationCall<typeof changePublicAmount>) {
    return this.#change(params.paymentIntentId, (tx, id) => this.amounts.changeAmountByPayer(tx, id, body.amount));
  }

  async #change(id: string, change: (tx: Tx, id: string) => Promise<void>) {
    const scope = await this.intents.findScope(this.store.database, id);
    const view = await this.store.database.transact(scope, async (tx) => {
      await change(tx, id);
      return this.intents.getPublic(tx, id);
    });
    return presentPublicIntent(view);
  }
}
