import { Controller } from '@nestjs/common';
import { AbandonedChallenges } from '@pos/payments/acquirer-calls';
import { CHALLENGE_ABANDONED_MS } from '@pos/payments/authorisations';
import { SetupIntents } from '@pos/payments/setup-intents';
import * as rest from '@pos/rest-contracts/setup-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { readPayerProof } from '../payment-intents/payer-proof-header.js';
import { ApiDatabase } from '../database/api-database.js';
import { presentPublicSetup } from '@pos/rest-contracts/setup-intents';

/** Serves a payer's browser, which has the setup intent's id and no key. */
@Controller()
export class PublicSetupsController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly setups: SetupIntents,
    private readonly challenges: AbandonedChallenges,
  ) {}

  @Serve(rest.readPublicSetupIntent)
  async read({ params, headers }: OperationCall<typeof rest.readPublicSetupIntent>) {
    const scope = await this.setups.findScope(this.store.database, params.setupIntentId);
    return presentPublicSetup(
      await this.store.read(scope, (reader) =>
        this.setups.getPublic(reader, params.setupIntentId, readPayerProof(headers)),
      ),
    );
  }

  @Serve(rest.refreshPublicSetupSecret)
  async refreshSecret({ params }: OperationCall<typeof rest.refreshPublicSetupSecret>) {
    const scope = await this.setups.findScope(this.store.database, params.setupIntentId);
    return presentPublicSetup(
      await this.challenges.runWithoutAbandoned(
        scope,
        (tx) => this.setups.endChallenge(tx, params.setupIntentId, CHALLENGE_ABANDONED_MS),
        () => this.store.database.transact(scope, (tx) => this.setups.refreshSecretPublic(tx, params.setupIntentId)),
      ),
    );
  }
}
