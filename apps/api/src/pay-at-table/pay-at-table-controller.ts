import { Controller } from '@nestjs/common';
import { type PendingRefund, pendingRefunds } from '@pos/payments/pending-refunds';
import { type PendingPayment, pendingPayments } from '@pos/payments/table-payments';
import { presentMoment } from '@pos/rest-contracts/moment';
import * as rest from '@pos/rest-contracts/pay-at-table';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';
import { present } from '@pos/rest-contracts/present';

@Controller()
export class PayAtTableController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.listPendingPayments)
  async listPending({ caller }: Call<typeof rest.listPendingPayments>) {
    const now = await this.store.database.now();
    const { payments, refunds } = await this.store.read(caller.scope, async (reader) => ({
      payments: await pendingPayments(reader, now),
      refunds: await pendingRefunds(reader, now),
    }));
    return [...payments.map(presentPending), ...refunds.map(presentRefund)].sort(bySince);
  }
}

function presentPending({ payment, isAlarming }: PendingPayment): rest.PendingPayment {
  const { id, journeyId, sessionId, orderId, intentId, base, gratuity, cashback, lastError } = payment;
  return {
    paymentId: id,
    ...present({ journeyId, sessionId, orderId, paymentIntentId: intentId, lastError }),
    baseAmount: base.value,
    gratuityAmount: gratuity.value,
    cashbackAmount: cashback.value,
    currency: base.currencyCode,
    state: payment.state,
    since: presentMoment(payment.since),
    attempts: payment.recordCalls,
    alarm: isAlarming,
  };
}

/** Goes by the id of its terminal session: there is no journey, and no payment at a table. */
function presentRefund({ call, since, isAlarming }: PendingRefund): rest.PendingPayment {
  return {
    paymentId: call.terminalSessionId ?? call.reference,
    ...present({ paymentIntentId: call.paymentIntentId }),
    baseAmount: call.amount.value,
    gratuityAmount: 0,
    cashbackAmount: 0,
    currency: call.amount.currencyCode,
    state: 'Expired',
    since: presentMoment(since),
    attempts: 1,
    alarm: isAlarming,
  };
}

/** Timestamps are of one form, so their text sorts as they do. */
function bySince(first: rest.PendingPayment, second: rest.PendingPayment): number {
  return first.since < second.since ? -1 : first.since > second.since ? 1 : 0;
}
