import { Controller } from '@nestjs/common';
import { AbandonedChallenges } from '@pos/payments/acquirer-calls';
import { CHALLENGE_ABANDONED_MS } from '@pos/payments/authorisations';
import { PaymentIntents } from '@pos/payments/payment-intents';
import * as rest from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';
import { IntentPresenter } from './intent-presenter.js';
import { readIntentRequest } from './intent-request.js';

@Controller()
export class PaymentIntentsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly intents: PaymentIntents,
    private readonly challenges: AbandonedChallenges,
    private readonly presenter: IntentPresenter,
  ) {}

  @Serve(rest.createPaymentIntent)
  async create(call: OperationCall<typeof rest.createPaymentIntent>) {
    const request = readIntentRequest(call.body, { isByPortal: call.caller.actor !== undefined });
    return this.database.runOnce<typeof rest.createPaymentIntent>(call, async (tx) =>
      this.presenter.present(await this.intents.create(tx, call.caller, request)),
    );
  }

  @Serve(rest.readPaymentIntent)
  async read({ caller, params, query }: OperationCall<typeof rest.readPaymentIntent>) {
    const view = await this.database.readSingle(caller.scope, (reader) =>
      this.intents.get(reader, params.paymentIntentId, query),
    );
    return this.presenter.presentTo(caller, view);
  }

  @Serve(rest.cancelPaymentIntent)
  async cancel(call: OperationCall<typeof rest.cancelPaymentIntent>) {
    return this.database.runOnce<typeof rest.cancelPaymentIntent>(call, async (tx) =>
      this.presenter.present(await this.intents.cancel(tx, call.params.paymentIntentId)),
    );
  }

  @Serve(rest.searchPaymentIntents)
  async search(call: OperationCall<typeof rest.searchPaymentIntents>) {
    const { statuses, startDate, endDate, customerId = null, cursor } = call.body;
    const search = { statuses, from: startDate ?? null, to: endDate ?? null, customerId, ...cursor };
    return this.database.runAndStore<typeof rest.searchPaymentIntents>(call, async () => {
      const page = await this.database.read(call.caller.scope, (reader) => this.intents.search(reader, search));
      const { views, before, after } = page;
      return { data: views.map((view) => this.presenter.presentTo(call.caller, view)), before, after };
    });
  }

  @Serve(rest.refreshClientSecret)
  async refreshSecret(call: OperationCall<typeof rest.refreshClientSecret>) {
    const { caller, params } = call;
    return this.challenges.runWithoutAbandoned(
      caller.scope,
      (tx) => this.intents.endChallenge(tx, params.paymentIntentId, CHALLENGE_ABANDONED_MS),
      () =>
        this.database.runOnce<typeof rest.refreshClientSecret>(call, async (tx) =>
          this.presenter.present(await this.intents.refreshSecret(tx, caller, params.paymentIntentId)),
        ),
    );
  }
}
