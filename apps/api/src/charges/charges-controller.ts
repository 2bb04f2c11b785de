import { Controller } from '@nestjs/common';
import { type Charge, Charges } from '@pos/payments/captures-refunds';
import { chargePaymentIntent } from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
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
    const present = (charge: Charge): Charge => charge;
    return this.database.runOperation(call, present, (operation) =>
      this.charges.charge(operation, call.params.paymentIntentId),
    );
  }
}
