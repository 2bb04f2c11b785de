import { Controller } from '@nestjs/common';
import { type PendingPayment, pendingPayments } from '@pos/payments/table-payments';
import { presentMoment } from '@pos/rest-contracts/moment';
import * as rest from '@pos/rest-contracts/pay-at-table';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';
import { present } from '../present.js';

@Controller()
export class PayAtTableController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.listPendingPayments)
  async listPending({ caller }: Call<typeof rest.listPendingPayments>) {
    const now = await this.store.database.now();
    const pending = await this.store.read(caller.scope, (reader) => pendingPayments(reader, now));
    return pending.map(presentPending);
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
