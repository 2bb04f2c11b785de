import { Controller } from '@nestjs/common';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { AmountChanges } from '@pos/payments/captures-refunds/amount-changes';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import * as rest from '@pos/rest-contracts/payment-intents/payment-money';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import type { Reader } from '@pos/store/database/database';
import { ApiDatabase } from '../database/api-database.js';
import { IntentPresenter } from './intent-presenter.js';

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
  async changeAmount(call: OperationCall<typeof rest.changeAmount>) {
    const { amount, itemLines = null, taxLines = null } = call.body;
    const { paymentIntentId } = call.params;
    return this.database.moveMoney<typeof rest.changeAmount>(call, {
      reserve: (tx) => this.amounts.changeOrReserve(tx, paymentIntentId, { amount, itemLines, taxLines }),
      execute: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      getResult: async (reader, reference) => {
        await this.amounts.requireResult(reader, reference);
        return this.#presentIntent(reader, paymentIntentId);
      },
    });
  }

  @Serve(rest.changeTips)
  async changeTips(call: OperationCall<typeof rest.changeTips>) {
    const { paymentIntentId } = call.params;
    return this.database.runOnce<typeof rest.changeTips>(call, async (tx) => {
      await this.amounts.changeTips(tx, paymentIntentId, call.body.tipsAmount);
      return this.#presentIntent(tx, paymentIntentId);
    });
  }

  async #presentIntent(reader: Reader, id: string) {
    return this.presenter.present(await this.intents.get(reader, id, { returnCanceled: true }));
  }
}
