import { Controller } from '@nestjs/common';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { Captures } from '@pos/payments/captures-refunds/captures';
import { Refunds } from '@pos/payments/captures-refunds/refunds';
import { Reversals } from '@pos/payments/captures-refunds/reversals';
import * as rest from '@pos/rest-contracts/payment-intents/payment-money';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import { ApiDatabase } from '../database/api-database.js';
import { presentRefund } from './refund-presenter.js';

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
  async capture(call: OperationCall<typeof rest.capturePaymentIntent>) {
    return this.database.moveMoney<typeof rest.capturePaymentIntent>(call, {
      reserve: (tx) => this.captures.reserve(tx, call.params.paymentIntentId, call.body),
      execute: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      getResult: async (reader, reference) => ({
        ...(await this.captures.getResult(reader, reference)),
        message: 'DEPOSITED',
      }),
    });
  }

  @Serve(rest.refundPaymentIntent)
  async refund(call: OperationCall<typeof rest.refundPaymentIntent>) {
    const { amount, refundReason = null, notes = null, previousTransactionId = null } = call.body;
    const request = { amount, reason: refundReason, notes, previousTransactionId };
    return this.database.moveMoney<typeof rest.refundPaymentIntent>(call, {
      reserve: (tx) => this.refunds.reserve(tx, call.params.paymentIntentId, request),
      execute: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      getResult: async (reader, reference) => presentRefund(await this.refunds.getResult(reader, reference)),
      storage: { retentionMs: Infinity },
    });
  }

  @Serve(rest.readRefund)
  async readRefund({ caller, params }: OperationCall<typeof rest.readRefund>) {
    return presentRefund(
      await this.database.read(caller.scope, (reader) => this.refunds.getRefund(reader, params.refundId)),
    );
  }

  @Serve(rest.reversePaymentIntent)
  async reverse(call: OperationCall<typeof rest.reversePaymentIntent>) {
    return this.database.moveMoney<typeof rest.reversePaymentIntent>(call, {
      reserve: (tx) => this.reversals.reserve(tx, call.params.paymentIntentId),
      execute: (reference) => this.calls.pursueCall(call.caller.scope, reference),
      getResult: async (reader, reference) => ({
        message: 'REVERSED',
        ...(await this.reversals.getResult(reader, reference)),
      }),
    });
  }
}
