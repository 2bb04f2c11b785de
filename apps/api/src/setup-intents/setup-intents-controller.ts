import { Controller, Inject } from '@nestjs/common';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import type { PaymentSettings } from '@pos/payments/accounts';
import { AbandonedChallenges } from '@pos/payments/acquirer-calls';
import { CHALLENGE_ABANDONED_MS } from '@pos/payments/authorisations';
import { SetupIntents, type SetupIntentView } from '@pos/payments/setup-intents';
import { presentSetup, readSetupRequest } from '@pos/rest-contracts/setup-intents';
import * as rest from '@pos/rest-contracts/setup-intents';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { present } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';

@Controller()
export class SetupIntentsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly setups: SetupIntents,
    private readonly challenges: AbandonedChallenges,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  @Serve(rest.createSetupIntent)
  async create(call: OperationCall<typeof rest.createSetupIntent>) {
    const request = readSetupRequest(call.body);
    return this.database.runOnce<typeof rest.createSetupIntent>(call, async (tx) =>
      this.#present(await this.setups.create(tx, request)),
    );
  }

  @Serve(rest.readSetupIntent)
  async read({ caller, params }: OperationCall<typeof rest.readSetupIntent>) {
    const view = await this.database.read(caller.scope, (reader) => this.setups.get(reader, params.setupIntentId));
    // With the secret anybody may authorise a card, so who only reads does not get it.
    const maySeeSecret = caller.permissions.has('setup.write');
    return this.#present(maySeeSecret ? view : { ...view, setup: { ...view.setup, clientSecret: null } });
  }

  @Serve(rest.cancelSetupIntent)
  async giveUp(call: OperationCall<typeof rest.cancelSetupIntent>) {
    return this.database.runOnce<typeof rest.cancelSetupIntent>(call, async (tx) =>
      this.#present(await this.setups.cancel(tx, call.params.setupIntentId, call.query)),
    );
  }

  @Serve(rest.refreshSetupSecret)
  async refreshSecret(call: OperationCall<typeof rest.refreshSetupSecret>) {
    const { caller, params } = call;
    return this.challenges.runWithoutAbandoned(
      caller.scope,
      (tx) => this.setups.endChallenge(tx, params.setupIntentId, CHALLENGE_ABANDONED_MS),
      () =>
        this.database.runOnce<typeof rest.refreshSetupSecret>(call, async (tx) =>
          this.#present(await this.setups.refreshSecret(tx, params.setupIntentId)),
        ),
    );
  }

  /** With the hosted page, as long as a payer may enter a card there. */
  #present(view: SetupIntentView): ReturnsOf<typeof rest.readSetupIntent> {
    const { id, status } = view.setup;
    const setupLink = status === 'Created' ? `${this.settings.checkoutBaseUrl}/checkout/${id}` : null;
    return { ...presentSetup(view), ...present({ setupLink }) };
  }
}
