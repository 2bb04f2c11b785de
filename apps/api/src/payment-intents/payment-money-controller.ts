import { Controller } from '@nestjs/common';
import { type CaptureResult, Captures, Refunds, type ReversalResult, Reversals } from '@pos/payments/captures-refunds';
import { requireSecondPerson } from '@pos/payments/four-eyes';
import * as rest from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { Tx } from '@pos/store/database';
import { ApiDatabase } from '../database/api-database.js';
import { presentRefund } from './refund-presenter.js';

/** Money of a payment after its approval. */
@Controller()
export class PaymentMoneyController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly captures: Captures,
    private readonly refunds: Refunds,
    private readonly reversals: Reversals,
  ) {}

  @Serve(rest.capturePaymentIntent)
  async capture(call: OperationCall<typeof rest.capturePaymentIntent>) {
    return this.database.runOperation(call, presentCapture, (operation) =>
      this.captures.capture(operation, call.params.paymentIntentId, call.body),
    );
  }

  @Serve(rest.refundPaymentIntent)
  async refund(call: OperationCall<typeof rest.refundPaymentIntent>) {
    const { amount, refundReason = null, notes = null, previousTransactionId = null } = call.body;
    const request = { amount, reason: refundReason, notes, previousTransactionId };
    return this.database.runOperation(guardGiveBack(call, amount), presentRefund, (operation) =>
      this.refunds.refund(operation, call.params.paymentIntentId, request),
    );
  }

  @Serve(rest.readRefund)
  async readRefund({ caller, params }: OperationCall<typeof rest.readRefund>) {
    return presentRefund(
      await this.database.read(caller.scope, (reader) => this.refunds.getRefund(reader, params.refundId)),
    );
  }

  @Serve(rest.reversePaymentIntent)
  async reverse(call: OperationCall<typeof rest.reversePaymentIntent>) {
    return this.database.runOperation(guardGiveBack(call, null), presentReversal, (operation) =>
      this.reversals.reverse(operation, call.params.paymentIntentId),
    );
  }
}

type GiveBackCall = OperationCall<typeof rest.refundPaymentIntent> | OperationCall<typeof rest.reversePaymentIntent>;

/** The call with its check for a second person. A null amount is all that is left. */
function guardGiveBack<C extends GiveBackCall>(call: C, amount: number | null) {
  const { paymentIntentId } = call.params;
  const target = { kind: 'payment', paymentIntentId, amount } as const;
  const checkFirst = async (tx: Tx): Promise<void> => {
    await requireSecondPerson(tx, call, target);
  };
  return { ...call, checkFirst };
}

function presentCapture(capture: CaptureResult) {
  return { ...capture, message: 'DEPOSITED' as const };
}

function presentReversal(reversal: ReversalResult) {
  return { message: 'REVERSED' as const, ...reversal };
}
