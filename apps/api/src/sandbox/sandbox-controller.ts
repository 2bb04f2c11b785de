import { Controller } from '@nestjs/common';
import { advanceClock } from '@pos/payments/sandbox-clock';
import * as rest from '@pos/rest-contracts/sandbox-clock';
import { type Call, Serve } from '@pos/service-kit/serve';
import { ApiDatabase } from '../api-database.js';
import { text } from '../present.js';

/** What only a sandbox has. */
@Controller()
export class SandboxController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.advanceClock)
  async advance({ caller, body }: Call<typeof rest.advanceClock>) {
    return { now: text(await advanceClock(this.store.database, caller.scope, body.by)) };
  }
}
