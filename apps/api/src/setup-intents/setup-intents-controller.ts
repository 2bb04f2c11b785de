import { Controller } from '@nestjs/common';
import { SetupIntents, type SetupWish } from '@pos/payments/setup-intents';
import type { BodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/setup-intent-operations';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';
import { readSavedCard, readShared } from '../payment-intents/read-intent-parts.js';
import { presentSetup } from './present-setup-intent.js';

@Controller()
export class SetupIntentsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly setups: SetupIntents,
  ) {}

  @Serve(rest.createSetupIntent)
  async create(call: Call<typeof rest.createSetupIntent>) {
    const wish = readSetupWish(call.body);
    return this.database.once<typeof rest.createSetupIntent>(call, async (tx) =>
      presentSetup(await this.setups.create(tx, wish)),
    );
  }

  @Serve(rest.readSetupIntent)
  async read({ caller, params }: Call<typeof rest.readSetupIntent>) {
    return presentSetup(
      await this.database.read(caller.scope, (reader) => this.setups.get(reader, params.setupIntentId)),
    );
  }

  @Serve(rest.cancelSetupIntent)
  async giveUp(call: Call<typeof rest.cancelSetupIntent>) {
    return this.database.once<typeof rest.cancelSetupIntent>(call, async (tx) =>
      presentSetup(await this.setups.giveUp(tx, call.params.setupIntentId, call.query)),
    );
  }

  @Serve(rest.refreshSetupSecret)
  async refreshSecret(call: Call<typeof rest.refreshSetupSecret>) {
    return this.database.once<typeof rest.refreshSetupSecret>(call, async (tx) =>
      presentSetup(await this.setups.refreshSecret(tx, call.params.setupIntentId)),
    );
  }
}

/** The creation request in the words of the use case; what was not sent is null. */
function readSetupWish(body: BodyOf<typeof rest.createSetupIntent>): SetupWish {
  return {
    merchantInitiatedTransactionType: body.merchantInitiatedTransactionType,
    terms: body.terms,
    intendedAmount: body.intendedAmount ?? null,
    reference: body.reference,
    description: body.description ?? null,
    paymentMethods: [...new Set(body.paymentMethods)],
    paymentSource: 'api',
    expireAt: body.expireAt ?? null,
    metadata: body.metadata,
    savedCard: readSavedCard(body),
    details: readShared(body),
  };
}
