import { Controller } from '@nestjs/common';
import { SetupIntents } from '@pos/payments/setup-intents';
import { presentSetup } from '@pos/rest-contracts/present-setup-intent';
import { readSetupRequest } from '@pos/rest-contracts/read-setup-request';
import * as rest from '@pos/rest-contracts/setup-intent-operations';
import { type OperationCall, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';

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
