import { Controller } from '@nestjs/common';
import { AmountChanges } from '@pos/payments/captures-refunds';
import { type IntentView, PaymentIntents } from '@pos/payments/payment-intents';
import * as rest from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';
import { IntentPresenter } from './intent-presenter.js';

/** Another price or tip. */
@Controller()
export class AmountsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly amounts: AmountChanges,
    private readonly intents: PaymentIntents,
    private readonly presenter: IntentPresenter,
  ) {}

  @Serve(rest.changeAmount)
  async changeAmount(call: OperationCall<typeof rest.changeAmount>) {
    const { amount, itemLines = null, taxLines = null } = call.body;
    const { paymentIntentId } = call.params;
    const present = (view: IntentView) => this.presenter.present(view);
    return this.database.runOperation(call, present, (operation) =>
      this.amounts.changeAmount(operation, paymentIntentId, { amount, itemLines, taxLines }),
    );
  }

  @Serve(rest.changeTips)
  async changeTips(call: OperationCall<typeof rest.changeTips>) {
    const { paymentIntentId } = call.params;
    return this.database.runOnce<typeof rest.changeTips>(call, async (tx) => {
      await this.amounts.changeTips(tx, paymentIntentId, call.body.tipsAmount);
      return this.presenter.present(await this.intents.get(tx, paymentIntentId, { returnCanceled: true }));
    });
  }
}
