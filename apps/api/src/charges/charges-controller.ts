import { Controller } from '@nestjs/common';
import { Charges } from '@pos/payments/captures-refunds/charges';
import { chargePaymentIntent } from '@pos/rest-contracts/payment-intents/payment-money';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import { ApiDatabase } from '../database/api-database.js';

/** Charges of stored cards, which the merchant asks for without the payer. */
@Controller()
export class ChargesController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly charges: Charges,
  ) {}

  @Serve(chargePaymentIntent)
  async charge(call: OperationCall<typeof chargePaymentIntent>) {
    return this.database.moveMoney<typeof chargePaymentIntent>(call, {
      reserve: (tx) => this.charges.reserve(tx, call.params.paymentIntentId),
      execute: (reference) => this.charges.executeCharge(call.caller.scope, reference),
      getResult: (reader, reference) => this.charges.getResult(reader, reference),
    });
  }
}
