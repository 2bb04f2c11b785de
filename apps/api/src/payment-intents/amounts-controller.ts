import { Controller } from '@nestjs/common';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AmountChanges } from '@pos/payments/amounts';
import { PaymentIntents } from '@pos/payments/payment-intents';
import * as rest from '@pos/rest-contracts/payment-money';
import { type Call, Serve } from '@pos/service-kit/serve';
import type { Reader } from '@pos/store/database';
import { ApiDatabase } from '../api-database.js';
import { IntentPresenter } from './present-payment-intent.js';

/** Another price or tip. */
@Controller()
export class AmountsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly calls: AcquirerCalls,
    private readonly amounts: AmountChanges,
    private readonly intents: PaymentIntents,
    private readonly presenter: IntentPresenter,
  ) {}

  @Serve(rest.changeAmount)
  async changeAmount(call: Call<typeof rest.changeAmount>) {
    const { amount, itemLines = null, taxLines = null } = call.body;
    const { paymentIntentId } = call.params;
    return this.database.move<typeof rest.changeAmount>(call, {
      begin: (tx) => this.amounts.changeOrReserve(tx, paymentIntentId, { amount, itemLines, taxLines }),
      pursue: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      result: async (reader, reference) => {
        await this.amounts.requireResult(reader, reference);
        return this.#shown(reader, paymentIntentId);
      },
    });
  }

  @Serve(rest.changeTips)
  async changeTips(call: Call<typeof rest.changeTips>) {
    const { paymentIntentId } = call.params;
    return this.database.once<typeof rest.changeTips>(call, async (tx) => {
      await this.amounts.changeTips(tx, paymentIntentId, call.body.tipsAmount);
      return this.#shown(tx, paymentIntentId);
    });
  }

  async #shown(reader: Reader, id: string) {
    return this.presenter.present(await this.intents.get(reader, id, { returnCanceled: true }));
  }
}
