import { Controller } from '@nestjs/common';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import * as rest from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import { ApiDatabase } from '../database/api-database.js';
import { IntentPresenter } from './intent-presenter.js';

/** What a payer's browser may ask without a key: it knows the intent's id and nothing else. */
@Controller()
export class PublicIntentsController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly intents: PaymentIntents,
    private readonly presenter: IntentPresenter,
  ) {}

  @Serve(rest.readPublicPaymentIntent)
  async read({ params }: OperationCall<typeof rest.readPublicPaymentIntent>) {
    const scope = await this.intents.findScope(this.store.database, params.paymentIntentId);
    const view = await this.store.read(scope, (reader) => this.intents.getPublic(reader, params.paymentIntentId));
    return this.presenter.presentPublic(view);
  }

  @Serve(rest.refreshPublicClientSecret)
  async refreshSecret({ params }: OperationCall<typeof rest.refreshPublicClientSecret>) {
    const scope = await this.intents.findScope(this.store.database, params.paymentIntentId);
    const view = await this.store.database.transact(scope, (tx) =>
      this.intents.refreshSecretPublic(tx, params.paymentIntentId),
    );
    return this.presenter.presentPublic(view);
  }
}
