import { Controller } from '@nestjs/common';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { Captures } from '@pos/payments/captures';
import { Refunds } from '@pos/payments/refunds';
import { Reversals } from '@pos/payments/reversals';
import * as rest from '@pos/rest-contracts/payment-money';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';
import { presentRefund } from './present-refund.js';

/** Money of a payment after its approval. */
@Controller()
export class PaymentMoneyController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly calls: AcquirerCalls,
    private readonly captures: Captures,
    private readonly refunds: Refunds,
    private readonly reversals: Reversals,
  ) {}

  @Serve(rest.capturePaymentIntent)
  async capture(call: Call<typeof rest.capturePaymentIntent>) {
    return this.database.move<typeof rest.capturePaymentIntent>(call, {
      begin: (tx) => this.captures.reserve(tx, call.params.paymentIntentId, call.body),
      pursue: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      result: async (reader, reference) => ({
        ...(await this.captures.getResult(reader, reference)),
        message: 'DEPOSITED',
      }),
    });
  }

  @Serve(rest.refundPaymentIntent)
  async refund(call: Call<typeof rest.refundPaymentIntent>) {
    const { amount, refundReason = null, notes = null, previousTransactionId = null } = call.body;
    const order = { amount, reason: refundReason, notes, previousTransactionId };
    return this.database.move<typeof rest.refundPaymentIntent>(call, {
      begin: (tx) => this.refunds.reserve(tx, call.params.paymentIntentId, order),
      pursue: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      result: async (reader, reference) => presentRefund(await this.refunds.getResult(reader, reference)),
      kept: { retentionMs: Infinity },
    });
  }

  @Serve(rest.readRefund)
  async readRefund({ caller, params }: Call<typeof rest.readRefund>) {
    return presentRefund(
      await this.database.read(caller.scope, (reader) => this.refunds.getRefund(reader, params.refundId)),
    );
  }

  @Serve(rest.reversePaymentIntent)
  async reverse(call: Call<typeof rest.reversePaymentIntent>) {
    return this.database.move<typeof rest.reversePaymentIntent>(call, {
      begin: (tx) => this.reversals.reserve(tx, call.params.paymentIntentId),
      pursue: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      result: async (reader, reference) => ({
        message: 'REVERSED',
        ...(await this.reversals.getResult(reader, reference)),
      }),
    });
  }
}
