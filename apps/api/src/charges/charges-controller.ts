import { Controller } from '@nestjs/common';
import { Charges } from '@pos/payments/charges';
import { chargePaymentIntent } from '@pos/rest-contracts/payment-money';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';

/** Charges of stored cards, which the merchant asks for without the payer. */
@Controller()
export class ChargesController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly charges: Charges,
  ) {}

  @Serve(chargePaymentIntent)
  async charge(call: Call<typeof chargePaymentIntent>) {
    return this.database.move<typeof chargePaymentIntent>(call, {
      begin: (tx) => this.charges.reserve(tx, call.params.paymentIntentId),
      pursue: (reference) => this.charges.executeCharge(call.caller.scope, reference),
      result: (reader, reference) => this.charges.getResult(reader, reference),
    });
  }
}
