import { Controller } from '@nestjs/common';
import { SetupIntents } from '@pos/payments/setup-intents/setup-intents';
import { presentSetup } from '@pos/rest-contracts/setup-intents/present-setup-intent';
import { readSetupRequest } from '@pos/rest-contracts/setup-intents/read-setup-request';
import * as rest from '@pos/rest-contracts/setup-intents/setup-intent-operations';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
import { ApiDatabase } from '../database/api-database.js';

@Controller()
export class SetupIntentsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly setups: SetupIntents,
  ) {}

  @Serve(rest.createSetupIntent)
  async create(call: OperationCall<typeof rest.createSetupIntent>) {
    const request = readSetupRequest(call.body);
    return this.database.runOnce<typeof rest.createSetupIntent>(call, async (tx) =>
      presentSetup(await this.setups.create(tx, request)),
    );
  }

  @Serve(rest.readSetupIntent)
  async read({ caller, params }: OperationCall<typeof rest.readSetupIntent>) {
    return presentSetup(
      await this.database.read(caller.scope, (reader) => this.setups.get(reader, params.setupIntentId)),
    );
  }

  @Serve(rest.cancelSetupIntent)
  async giveUp(call: OperationCall<typeof rest.cancelSetupIntent>) {
    return this.database.runOnce<typeof rest.cancelSetupIntent>(call, async (tx) =>
      presentSetup(await this.setups.cancel(tx, call.params.setupIntentId, call.query)),
    );
  }

  @Serve(rest.refreshSetupSecret)
  async refreshSecret(call: OperationCall<typeof rest.refreshSetupSecret>) {
    return this.database.runOnce<typeof rest.refreshSetupSecret>(call, async (tx) =>
      presentSetup(await this.setups.refreshSecret(tx, call.params.setupIntentId)),
    );
  }
}
